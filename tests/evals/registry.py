"""Which evals there are. A group is a folder, an eval a module in it with a function ``measure``.

``measure(asked)`` yields figures. A module with options of its own has ``options(parser)``, too:
they are open to who names the eval in full. ``asked.sample`` asks for a part that is quick and the
same each time, ``asked.details`` for what is behind the figures.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from evals.figures import Figure


class Module(Protocol):
    """What the module of an eval offers; ``options(parser)`` is optional."""

    def measure(self, asked: argparse.Namespace) -> Iterator[Figure]: ...


@dataclass(frozen=True)
class Eval:
    """One eval."""

    about: str
    sampled: bool = False
    """It is in the sample that every change has to pass."""
    needs: str = ""
    """What it needs from outside: such an eval runs only if named."""


EVALS = {
    "judging.blind": Eval("verdicts on answers by people who saw no pattern", sampled=True),
    "judging.levels": Eval(
        "answers at four levels; talk, and texts that know nothing", sampled=True
    ),
    "judging.rated": Eval("bands of 240 whole answers beside two raters'", sampled=True),
    "judging.right": Eval("what right answers in plain words are credited with", sampled=True),
    "judging.style": Eval("the same facts in two styles, graded alike", sampled=True),
    "judging.turned": Eval("the opposite of what is right, over the library"),
    "conduct.interviews": Eval("scripted candidates: what must and must not follow", sampled=True),
    "conduct.simulated": Eval("candidates who know exactly part of a rubric", sampled=True),
    "conduct.requests": Eval("plain requests, heard offline as what they are", sampled=True),
    "conduct.variety": Eval("what is said twice in a session, and how turns begin"),
    "numbers.statements": Eval("true figures accused, impossible ones found", sampled=True),
    "attacks.gain": Eval("what attacks gain, by family", sampled=True),
    "attacks.manners": Eval("what the examiner gives away under attack", sampled=True),
    "bench.derivations": Eval("right derivations accepted, wrong ones caught", sampled=True),
    "endpoint.faults": Eval("every fault of an endpoint in every phase, and cut replies"),
    "endpoint.replies": Eval("odd replies of public reports, read or rightly told", sampled=True),
    "endpoint.prompts": Eval("tokens, waits and cacheable prompts of a whole mock"),
    "endpoint.local_model": Eval("a small model plays one question", needs="a model's server"),
    "endpoint.regrading": Eval("regrading under a rate limit, killed half-way"),
    "durability.kills": Eval("kills at every commit, a power cut after every write"),
    "durability.damage": Eval("damaged databases: what is hidden, and what is not said"),
    "durability.people": Eval("200 candidates at once", needs="a PostgreSQL server"),
    "durability.robot": Eval("a robot types for ten minutes"),
    "speed.table": Eval("start-up, paints, keys, turns, the judge, the bench, 100,000 sessions"),
    "rubrics.lists": Eval("public question lists, read whole", sampled=True),
    "rubrics.shipped": Eval("shipped rubrics: verdicts, points apart", sampled=True),
    "training.wishes": Eval("what hears wishes offline", needs="scikit-learn"),
    "training.by_words": Eval("the judge of criteria without patterns", needs="scikit-learn"),
}


def module_of(name: str) -> Module:
    """The module of an eval, imported now."""
    return cast(Module, importlib.import_module(f"evals.{name}"))


def chosen(named: Sequence[str], *, sample: bool) -> list[str]:
    """The evals of these groups or so named; without any, all that need nothing from outside."""
    if set(named) - EVALS.keys() - {name.split(".")[0] for name in EVALS}:
        return []
    return [
        name
        for name, each in EVALS.items()
        if (each.sampled or not sample)
        and (name in named or (not each.needs and (not named or name.split(".")[0] in named)))
    ]
