"""The questions, where they come from and what is wrong with their files."""
