"""Challenges for the bench: their file format, catalogue and lint."""
