"""What the offline examiner says of itself; apart, so that the first screen needs nothing else."""

NAME = "offline-v1"
ABOUT = (
    "Offline examiner: checks by word patterns which points your answer covers and follows up on "
    "the rest; it cannot judge reasoning, unusual wording or anything a pattern does not name."
)
