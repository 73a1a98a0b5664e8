"""The first screen: what is open, what is there, who examines."""
