"""Functions that want a pass without an answer; every one of them must be refused it.

Each is a source for a shipped challenge. @RUBRICS@ is the folder of the shipped challenges.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

import yaml

import rubrics

_HERE = Path(__file__).parent
_GIVEN = {
    "attn": "Q, K, V",
    "bt": "r_chosen, r_rejected",
    "ce-grad": "z, y",
    "dpo": "lp_w, lp_l, ref_w, ref_l, beta",
    "lora": "x, W, A, B, alpha",
    "stable-ce": "z, y",
    "temp": "z, t",
}


@dataclass(frozen=True)
class Forgery:
    """One attempt; ``core`` ones belong to the ordinary suite."""

    id: str
    challenge: str
    source: str
    core: bool


def forgeries() -> list[Forgery]:
    listed = yaml.safe_load((_HERE / "forgeries.yaml").read_text())
    helpers: dict[str, str] = yaml.safe_load((_HERE / "helpers.yaml").read_text())
    return [_read(each, helpers) for each in listed]


def _read(each: dict[str, str], helpers: dict[str, str]) -> Forgery:
    challenge = each.get("challenge", "attn")
    source = each.get("source", "")
    if "body" in each:
        head = each.get("before", "") + f"\ndef f({_GIVEN[challenge]}):\n"
        source = head + indent(dedent(each["body"]), "    ")
    for call in helpers:
        source = (helpers[call] if call in source else "") + source
    source = source.replace("@RUBRICS@", str(Path(rubrics.__file__).parent / "challenges"))
    return Forgery(each["id"], challenge, source, bool(each.get("core")))
