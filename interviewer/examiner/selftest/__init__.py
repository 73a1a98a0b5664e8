"""An examiner's own exam: the rubrics' graded samples, attacks on them, and repeats."""
