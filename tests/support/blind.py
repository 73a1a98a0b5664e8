"""Answers whose authors had seen question, reference and claims, but no pattern of the rubric.

They are the honest measure of the offline examiner: nothing in the rubrics or in the judge may be
made to fit them. Two authors wrote four answers each to every one of the first 18 questions and
gave the verdicts (the sets "first" and "second"); another wrote two to each of 20 of the questions
that came later (the set "later").
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

from interviewer.rubric.rubric import Rubric, Sample
from support.shipped import shipped_library

_ANSWERS = Path(__file__).parents[1] / "agreement" / "blind_answers.jsonl"


EARLY, LATER = ("first", "second"), ("later",)


def blind_rubrics(sets: Collection[str] = (*EARLY, *LATER)) -> list[Rubric]:
    """The shipped rubrics that have blind answers, with those of the sets as their samples."""
    answers = defaultdict(list)
    for line in _ANSWERS.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        if data["set"] not in sets:
            continue
        sample = Sample(kind="middle", answer=data["answer"], verdicts=data["verdicts"])
        answers[data["rubric"]].append(sample)
    library = shipped_library()
    return [
        library.get(rubric).model.model_copy(
            update={"samples": tuple(samples), "escalations": ()}  # they have samples of their own
        )
        for rubric, samples in answers.items()
    ]
