"""The offline examiner: authored patterns judge, authored probes ask; no model, no network."""

NAME = "offline-v3"
"""Changes whenever the same answer might get a different verdict."""
ABOUT = (
    "Offline examiner: hears textbook words in English and asks about the rest; it cannot weigh an "
    "argument."
)
