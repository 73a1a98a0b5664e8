"""From a source to a verdict: draws, jobs for the worker, its numbers, what they show."""
