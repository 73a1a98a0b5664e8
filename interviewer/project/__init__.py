"""The candidate's own project: their notes on it, and the questions that these bring up."""
