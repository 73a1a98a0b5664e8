"""Short sessions that start at once, without a plan of their own in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, get_args

from interviewer.content.fields import meant
from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.interview.plans import Pick, Plan, PlanPersona, PlanRound
from interviewer.rubric.library import Library, Summary
from interviewer.rubric.rubric import QuestionKind

Drill = Literal["one", "weak", "due"]
TITLE: dict[Drill, str] = {
    "one": "One question",
    "weak": "Weak spots",
    "due": "Due today",
}
QUESTION_MINUTES = 5.0
AT_ONCE = 3
"""Questions in a drill: more is a mock."""
OF_A_TOPIC, OF_OWN = 4, 6
MOST_IN_A_ROUND, MOST_ROUNDS = 20, 12
"""What a plan may hold."""
FIELDS = {
    "transformer": "Transformer and pre-training",
    "rlhf": "SFT and RLHF",
    "distributed": "Distributed training",
}
"""The shipped rounds that have a title of their own."""
_PERSONA = PlanPersona(
    name="Mira",
    manner=(
        "Brisk and friendly. Asks one thing at a time, and would rather hear a short answer with "
        "a reason than a long one without."
    ),
)


def plan(kind: Drill, rubrics: Sequence[str] = ()) -> Plan:
    """The plan of a drill; without any of its questions it asks one at random."""
    asked = tuple(dict.fromkeys(rubrics))[:AT_ONCE]
    if not asked or kind == "one":
        return _plan("one-question", TITLE["one"], _round(TITLE["one"], count=1, pick=Pick()))
    return _plan(f"drill-{kind}", TITLE[kind], _round(TITLE[kind], asked))


def question(summary: Summary) -> Plan:
    """This question alone."""
    return _plan("one-question", summary.title, _round(summary.title, [summary.id]))


def topic(library: Library, name: str) -> Plan:
    """A few questions of one topic, drawn anew each time. Raises UnknownNameError."""
    topics = topics_of(library)
    if name not in topics:
        hint = meant(name, topics) or f"there are {', '.join(topics)}."
        raise UnknownNameError(f"No question has the topic {name!r}; {hint}")
    count = min(OF_A_TOPIC, topics[name])
    return _plan(
        "one-topic", f"Topic: {name}", _round(name, count=count, pick=Pick(topics=(name,)))
    )


def topics_of(library: Library) -> dict[str, int]:
    """The topics by name, with how many questions can be drawn from each."""
    return dict(sorted(Counter(each.topic for each in Pick().of(library.summaries())).items()))


MINE = "mine"
"""What the plan of one's own questions is called."""
GRADED = tuple(kind for kind in get_args(QuestionKind) if kind != "discussion")
"""One's own one-liners are asked as well; a talk without a grade is for plans that name it."""


def own_list(library: Library) -> Plan:
    """Some of the person's own questions, those never asked first. Raises UnknownNameError."""
    own = [e.summary for e in library.entries.values() if e.origin == "yours"]
    pick = Pick(only=tuple(each.id for each in own), kinds=GRADED)
    if not (drawn := pick.of(own)):
        raise UnknownNameError(
            "You have no questions of your own yet; 'interviewer rubrics import FILE' makes some "
            "from a list, 'interviewer rubrics new ID' starts one."
        )
    count = min(OF_OWN, len(drawn))
    return _plan(MINE, "My own list", _round("My own list", count=count, pick=pick))


def selection(library: Library, marked: Sequence[str]) -> Plan | None:
    """The questions that the person marked, each field a round; None if none of them exists.

    Fields come in the order in which they were first marked, and so do the questions of each.
    Raises RubricFileError if they are more than a plan holds.
    """
    by_field: dict[str, list[str]] = {}
    for name in dict.fromkeys(marked):
        if name in library.entries:
            by_field.setdefault(library.entries[name].summary.round, []).append(name)
    if len(by_field) > MOST_ROUNDS or any(len(x) > MOST_IN_A_ROUND for x in by_field.values()):
        raise RubricFileError(
            f"A mock has at most {MOST_ROUNDS} rounds, one for each field, and "
            f"{MOST_IN_A_ROUND} questions in each; take some marks away."
        )
    rounds = [
        _round(FIELDS.get(field, field.replace("-", " ").capitalize()), names, id_=f"part-{number}")
        for number, (field, names) in enumerate(by_field.items(), start=1)
    ]
    return _plan("my-selection", "My selection", *rounds) if rounds else None


def _plan(id_: str, title: str, *rounds: PlanRound) -> Plan:
    return Plan(id=id_, version=1, title=title, description=title, rounds=rounds)


def _round(
    title: str,
    asked: Sequence[str] = (),
    *,
    count: int = 0,
    pick: Pick | None = None,
    id_: str = "drill",
) -> PlanRound:
    """A round that asks these, or draws so many."""
    count = count or len(asked)
    return PlanRound(
        id=id_,
        title=title,
        persona=_PERSONA,
        minutes=QUESTION_MINUTES * count,
        count=count,
        ask=tuple(asked),
        pick=pick,
    )
