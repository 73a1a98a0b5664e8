"""A session turn by turn."""
