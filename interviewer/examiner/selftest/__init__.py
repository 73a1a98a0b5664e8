"""Tests of an examiner itself: the rubrics' graded samples, attacks and repeats."""
