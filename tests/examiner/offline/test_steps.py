"""Points whose order counts."""

from __future__ import annotations

import pytest
from support.judged import checked
from support.rubrics import a_criterion, a_rubric
from support.shipped import shipped_rubrics
from support.tables import table

from interviewer.examiner.offline.judge import in_order
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.rubric.rubric import Rating, Step

CASES = table("sentences", __file__)["steps"]

STEPS = (
    Step(claim="Halt", patterns=(r"\bhalt\w*", r"\bstop\w*")),
    Step(claim="Rewind", patterns=(r"\brewind\w*",)),
    Step(claim="Resume", patterns=(r"\bresum\w*",)),
)
RUBRIC = a_rubric(a_criterion("rewind", steps=STEPS), question="What do you do about it?")


def verdict_on(*answers: str) -> tuple[Rating, bool]:
    """The verdict on the point after these answers, and whether another reader might differ."""
    turns = [Turn(1, "examiner", TurnKind.QUESTION, RUBRIC.question)]
    for answer in answers:
        turns.append(Turn(len(turns) + 1, "candidate", TurnKind.ANSWER, answer))
        turns.append(Turn(len(turns) + 1, "examiner", TurnKind.PROBE, "What else?", "rewind"))
    (found,) = checked(RUBRIC, turns[:-1])
    return found.verdict, found.alternative is Rating.MET


@pytest.mark.parametrize("answers", CASES["in order"])
def test_all_steps_in_their_order_are_the_whole_point(answers: list[str]) -> None:
    assert verdict_on(*answers) == (Rating.MET, False)


def test_another_order_or_a_step_that_is_missing_is_half_the_point() -> None:
    wrong_way = "I resume the run from the best checkpoint, rewind the data, and halt the sampler."
    assert verdict_on(wrong_way) == (Rating.PARTIAL, True)
    assert verdict_on("I rewind the run to the best one we have.") == (Rating.PARTIAL, True)
    assert verdict_on("I would look at the curves of that run.")[0] is Rating.NOT_MET


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(criterion.steps, id=criterion.id)
        for rubric in shipped_rubrics()
        for criterion in rubric.criteria
        if criterion.steps
    ],
)
def test_the_steps_of_a_shipped_point_count_only_in_their_order(steps: tuple[Step, ...]) -> None:
    said = [step.claim for step in steps]
    assert in_order(steps, [" ".join(said)])
    assert not in_order(steps, [" ".join(reversed(said))])
    assert not in_order(steps, [" ".join([said[-1], *said[:-1]])])
