"""Numbers that the candidate stated about real runs, and whether they can be true together."""
