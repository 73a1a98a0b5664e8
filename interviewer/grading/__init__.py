"""Grading in code: is the quote the candidate's, what is a verdict worth, which band is that.

Pure functions over plain data; no model, no clock, no input or output.
"""
