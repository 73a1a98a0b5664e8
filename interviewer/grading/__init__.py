"""Grading in code: whose words are quoted, what is each verdict worth, which band results.

Pure functions over plain data: no model, no clock, no I/O.
"""
