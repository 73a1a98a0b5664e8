"""What two or more screens share."""
