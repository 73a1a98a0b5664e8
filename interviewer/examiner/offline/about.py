"""What the offline examiner says of itself; apart, so that the first screen needs nothing else."""

_FAMILY = "offline-"
NAME = f"{_FAMILY}v2"
"""Changes whenever the same answer may get another verdict."""
ABOUT = (
    "Offline examiner: checks by word patterns which points your answer covers and follows up on "
    "the rest; it cannot judge reasoning, unusual wording or anything a pattern does not name."
)


def is_offline(examiner: str) -> bool:
    """This is the name of an offline examiner, of this version of the program or another."""
    return examiner.startswith(_FAMILY)
