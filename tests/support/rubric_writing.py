"""A small rubric that lints clean, and ways to spoil it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import yaml

_CRITERIA: list[dict[str, Any]] = [
    {
        "id": "variance",
        "claim": "The dot product's variance grows linearly with the head width.",
        "weight": 3,
        "kind": "mechanism",
        "must_have": True,
        "accept": ["the logits spread more and more the wider a head is, variance d"],
        "reject": ["the numbers get big"],
        "misconceptions": [
            {"claim": "The variance stays at one.", "patterns": [r"varianc\w* stays"]}
        ],
        "patterns": [[r"\bvarianc\w*", r"\b(grow|spread)\w*"]],
        "probe": "What happens to one logit when you double the size of a head?",
        "hints": ["Look at a sum of many independent terms.", "Ask how spread adds up in a sum."],
    },
    {
        "id": "initial-loss",
        "claim": "An untrained model starts near a loss of 11.5 nats.",
        "weight": 2,
        "kind": "number",
        "accept": ["roughly the log of the vocabulary, 11.5"],
        "numbers": [{"value": 11.5, "unit": "nats", "rel": 0.05}],
        "patterns": [[r"\bloss\b|\blog of\b", r"\b11[.,]5\b"]],
        "probe": "Which value would you expect on the very first step, and why that one?",
        "hints": [
            "Think of a guess without any knowledge.",
            "Count the choices, take a logarithm.",
        ],
    },
]

_ANSWERS = [
    ("empty", "No idea.", "not_met", "not_met"),
    (
        "wrong",
        "The variance stays at one and I never looked at step one.",
        "contradicted",
        "not_met",
    ),
    ("middle", "The variance grows with the width.", "met", "not_met"),
    ("middle", "It gets wider somehow. The first loss was 11.5 in my run.", "partial", "met"),
    ("full", "Variance grows with the width. The loss starts at 11.5.", "met", "met"),
    ("recited", "Scaling is a key part of attention.", "not_met", "not_met"),
    ("negated", "The variance doesn't grow. The loss isn't 11.5.", "contradicted", "contradicted"),
]


def rubric_values(rubric_id: str = "scaled-logits", **changes: Any) -> dict[str, Any]:
    """The fields of a sound rubric, with some of them changed."""
    values: dict[str, Any] = {
        "id": rubric_id,
        "version": 1,
        "title": "Scaled logits",
        "round": "transformer",
        "topic": "transformer",
        "difficulty": "medium",
        "kind": "derivation",
        "question": "Why does attention scale its logits?",
        "reference": "The variance of a dot product grows with the width; loss starts at 11.5.",
        "criteria": copy.deepcopy(_CRITERIA),
        "simpler": ["Take two short vectors of random entries. What is their product made of?"],
        "samples": [
            {"kind": kind, "answer": answer, "verdicts": {"variance": a, "initial-loss": b}}
            for kind, answer, a, b in _ANSWERS
        ],
    }
    return {**values, **changes}


def write_yaml(path: Path, values: Any) -> Path:
    """Write the values as a YAML file, its folder included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(values, sort_keys=False, allow_unicode=True), "utf-8")
    return path
