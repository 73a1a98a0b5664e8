"""The ledger of a session's figures: read, kept, and held against what can be true together."""
