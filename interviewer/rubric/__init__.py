"""Rubrics: what a question is worth, where the files lie, and whether they hold together."""
