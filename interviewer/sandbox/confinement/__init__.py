"""The worker from outside, the walls round it, and which of them hold here."""
