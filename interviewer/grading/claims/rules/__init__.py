"""The reader that needs no model: patterns over sentences as terms and amounts."""
