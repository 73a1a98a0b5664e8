"""One mock interview: its plan, its state, the policy that picks the next move, the conductor."""
