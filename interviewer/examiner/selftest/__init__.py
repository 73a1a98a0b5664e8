"""Tests of an examiner itself: the rubrics' graded samples, attacks, repeats and mutants."""
