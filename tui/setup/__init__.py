"""Choosing plan, length, examiner and mode of a new mock."""
