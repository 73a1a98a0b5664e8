"""What several tests need: a small rubric, an examiner that follows a script, a stored session."""
