"""Functions that want a pass without an answer; every one of them must be refused it.

Each is a source for a shipped challenge. @RUBRICS@ is the folder of the shipped challenges.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

import yaml

import rubrics

_TAKING = '''
import gc, json, re, sys

def run(text, given):
    """The first function of a job that is not this one, called."""
    start = text.find('{"draws"')
    for job in re.findall(r'\\{"draws".*', text[max(start, 0):], re.S):
        job, _ = json.JSONDecoder().raw_decode(job)
        for each in job.get("functions", ()):
            if "TAKING" not in each["source"]:
                scope = {"torch": torch, "F": F, "math": math}
                exec(each["source"], scope)
                return scope[each["name"]](*given)
    raise LookupError

def texts(value, depth=4, seen=None):
    """Every text in a value, in its attributes and items."""
    seen = set() if seen is None else seen
    if depth < 0 or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, memoryview):
        value = value.obj if value.obj is not None else bytes(value)
    if isinstance(value, str):
        yield value
    elif isinstance(value, (bytes, bytearray)):
        yield bytes(value).decode("latin-1")
    elif isinstance(value, dict):
        for each in list(value.values()):
            yield from texts(each, depth - 1, seen)
    elif isinstance(value, (list, tuple, set)):
        for each in list(value):
            yield from texts(each, depth - 1, seen)
    elif hasattr(value, "__dict__") and not isinstance(value, (type, type(sys))):
        for each in list(vars(value).values()):
            yield from texts(each, depth - 1, seen)

def taken(values, given):
    TAKING = True
    for value in values:
        for text in texts(value):
            try:
                return run(text, given)
            except Exception:
                pass
    raise LookupError("nothing to take")
'''

_RECORD = """
def record(kind, draw=0, item=0, part=0, *, shape=(), wrt=None, body=b""):
    import json, struct
    head = {"kind": kind, "draw": draw, "item": item, "part": part}
    text = json.dumps(head | {"shape": shape, "wrt": wrt}).encode()
    return struct.pack(">II", len(text), len(body)) + text + body
"""
"""What a child sends about its numbers, made by hand."""


@dataclass(frozen=True)
class Forgery:
    """One attempt; ``core`` ones belong to the ordinary suite."""

    id: str
    challenge: str
    source: str
    core: bool


def forgeries() -> list[Forgery]:
    listed = yaml.safe_load(Path(__file__).with_name("forgeries.yaml").read_text())
    return [_read(each) for each in listed]


def _read(each: dict[str, str]) -> Forgery:
    challenge = each.get("challenge", "attn")
    folder = str(Path(rubrics.__file__).parent / "challenges")
    if "body" in each:
        given = {"attn": "Q, K, V", "ce-grad": "z, y", "stable-ce": "z, y", "temp": "z, t"}
        head = each.get("before", "") + f"\ndef f({given[challenge]}):\n"
        source = head + indent(dedent(each["body"]), "    ")
    else:
        source = each["source"]
    if "record(" in source:
        source = _RECORD + source
    if "taken(" in source:
        source = _TAKING + source
    return Forgery(
        each["id"], challenge, source.replace("@RUBRICS@", folder), bool(each.get("core"))
    )
