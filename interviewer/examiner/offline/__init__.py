"""The offline examiner: authored patterns judge, authored probes ask; no model, no network."""

NAME = "offline-v3"
"""Changes whenever the same answer might get a different verdict."""
ABOUT = (
    "Offline examiner: checks by word patterns which points your answer covers and follows up on "
    "the rest; it cannot judge reasoning, unusual wording or anything a pattern does not name."
)
