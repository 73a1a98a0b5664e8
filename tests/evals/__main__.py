"""``python -m tests.evals``, from the root of the repository."""

from __future__ import annotations

import sys
from pathlib import Path

# As for the tests (pyproject.toml): what they support themselves with lies beside this folder.
sys.path.insert(0, str(Path(__file__).parents[1]))

from evals.command import main

if __name__ == "__main__":
    sys.exit(main())
