"""The expression language of the bench: a derivation's lines parsed into nodes, not run.

Nothing here imports torch; the nodes are evaluated by the confined worker
(:mod:`interviewer.sandbox.worker.evaluating`).
"""

from interviewer.sandbox.language.lines import (
    Derivation,
    LineProblem,
    Part,
    Statement,
    expression,
    read,
)

__all__ = ["Derivation", "LineProblem", "Part", "Statement", "expression", "read"]
