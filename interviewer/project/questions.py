"""Putting rubrics to somebody's own project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from interviewer.project.passages import Passage, passages
from interviewer.rubric.rubric import PASSAGE, Looks, OwnProject, Rubric


def put_to_project(rubrics: Iterable[Rubric], notes: str) -> Mapping[str, Rubric]:
    """Those rubrics that can be put to the project, by id, each about a passage of its own.

    A rubric without :attr:`~interviewer.rubric.rubric.Rubric.own_project` is asked as it stands
    and is not among them, nor is one for which the notes hold no passage that is not taken yet.
    The rubrics that look for something particular choose first; one that takes anything may come
    back to what another is about, where nothing else is left.
    """
    offers = [(rubric, own) for rubric in rubrics if (own := rubric.own_project)]
    offers.sort(key=lambda offer: offer[1].looks_for == "anything")
    every = passages(notes)
    left = list(every)
    about: dict[str, Rubric] = {}
    for rubric, own in offers:
        again = every if own.looks_for == "anything" else ()
        if passage := _best(left, own.looks_for) or _best(again, own.looks_for):
            left = [other for other in left if other != passage]
            about[rubric.id] = _asked_about(rubric, own, passage)
    return about


def _asked_about(rubric: Rubric, own: OwnProject, passage: Passage) -> Rubric:
    question = own.question.replace(PASSAGE, passage.text)
    kept = own.model_copy(update={"passage": passage.text})
    return rubric.model_copy(update={"question": question, "own_project": kept})


def _best(left: Sequence[Passage], look: Looks) -> Passage | None:
    """The passage with most in it that fits, the earliest of equals; else None."""
    fitting = [passage for passage in left if look in passage.looks]
    return max(fitting, key=lambda passage: passage.weight, default=None)
