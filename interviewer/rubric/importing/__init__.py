"""Question lists from elsewhere, made into rubrics to go on with."""
