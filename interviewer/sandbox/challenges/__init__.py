"""What is asked at the bench: the file format, all challenges at hand, and their lint."""
