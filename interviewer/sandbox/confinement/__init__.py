"""The worker's client, and which confinement holds on this machine."""
