"""Grading in code, as pure functions over plain data: quotes, verdicts, figures, bands."""
