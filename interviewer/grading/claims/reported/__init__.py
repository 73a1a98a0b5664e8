"""Numbers that a model reports: found in the words, converted, kept."""
