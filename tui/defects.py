"""Failures that nobody foresaw: shown as a sentence, never as a traceback over the screen."""

from __future__ import annotations


def defect(error: Exception) -> str:
    """A sentence that helps to report the failure."""
    return (
        f"The program made a mistake ({type(error).__name__}: {error}). Everything sent is stored."
    )
