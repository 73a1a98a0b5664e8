"""What a run shows: which points, and in which of the candidate's own lines."""

from __future__ import annotations

import pytest
from support.rubrics import a_rubric
from support.tables import table

from interviewer.grading.evidence import defining_lines, with_runs
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Verdict
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.sandbox.result import CheckResult, LineResult, LineStatus, Outcome

CASES = table("cases", __file__)["bench_evidence"]

SOURCE = "total = 16 * P\n= 112 GB"


def rubric() -> Rubric:
    point = {"claim": "sixteen bytes", "weight": 1, "probe": "How many?", "bench": "total"}
    return a_rubric(
        challenge="zero",
        criteria=[
            {**point, "id": "formula", "kind": "mechanism"},
            {**point, "id": "figure", "kind": "number"},
        ],
    )


def met(derived: tuple[str, ...], figures: tuple[str, ...], *, estimation: bool = True) -> set[str]:
    result = CheckResult(
        "zero",
        "lines",
        Outcome.PASSED,
        "It holds.",
        derived=derived,
        figures=figures,
        estimation=estimation,
    )
    turns = (
        Turn(1, "examiner", TurnKind.QUESTION, "How many bytes?"),
        Turn(2, "candidate", TurnKind.BENCH, SOURCE, result=result),
        Turn(3, "candidate", TurnKind.ANSWER, SOURCE, run=2),
    )
    verdicts = with_runs(rubric(), turns, ())
    return {each.criterion for each in verdicts if each.verdict is Rating.MET}


@pytest.mark.parametrize(("derived", "figures", "points"), CASES["figures"])
def test_typed_figures_are_no_formulas(
    derived: tuple[str, ...], figures: tuple[str, ...], points: set[str]
) -> None:
    assert met(tuple(derived), tuple(figures)) == set(points)


def test_what_is_derived_carries_a_number_too_where_nothing_is_estimated() -> None:
    assert met(("total",), (), estimation=False) == {"formula", "figure"}


@pytest.mark.parametrize(
    ("source", "name", "quoted"),
    [
        (SOURCE, "total", SOURCE),
        ("a = 1\n\nb = f(a,\n  2)  # two\n= 3\nc = b", "b", "b = f(a,\n  2)  # two\n= 3"),
        ("def f(x):\n    return x\n", "out", "return x"),
        ("  a = 1  ", "a", "a = 1"),
    ],
)
def test_the_line_that_defines_a_name_is_quoted(source: str, name: str, quoted: str) -> None:
    start, end = defining_lines(source, name)
    assert source[start:end] == quoted


ATTENTION = "q = x @ Wq\nk = x @ Wk\n\nA = softmax(q @ k.T)\nout = A"


def graded(*lines: LineResult, criteria: tuple[str, ...] = ()) -> Verdict | None:
    """The verdict on "projections" after a submitted run that failed, read as not met."""
    held = a_rubric(
        challenge="mha",
        criteria=[
            {
                "id": "projections",
                "claim": "three maps",
                "weight": 1,
                "probe": "How?",
                "kind": "fact",
            }
        ],
    )
    result = CheckResult("mha", "lines", Outcome.FAILED, "No.", lines=lines, criteria=criteria)
    turns = (
        Turn(1, "examiner", TurnKind.QUESTION, "Derive it."),
        Turn(2, "candidate", TurnKind.BENCH, ATTENTION, result=result),
        Turn(3, "candidate", TurnKind.ANSWER, ATTENTION, run=2),
    )
    return next(iter(with_runs(held, turns, ())), None)


def test_right_lines_before_a_wrong_end_meet_their_criterion() -> None:
    right = [LineResult(line, LineStatus.HOLDS, proves=("projections",)) for line in (1, 2)]
    wrong = LineResult(5, LineStatus.FAILS, "No.")
    shown = graded(*right, wrong, criteria=("projections",))
    assert shown is not None
    assert (shown.verdict, shown.evidence) == (Rating.MET, "q = x @ Wq\nk = x @ Wk")


def test_some_of_the_right_lines_prove_nothing_alone() -> None:
    assert graded(LineResult(1, LineStatus.HOLDS, proves=("projections",))) is None


def test_a_quantity_is_quoted_from_its_line_whatever_it_is_called() -> None:
    result = CheckResult(
        "zero",
        "lines",
        Outcome.FAILED,
        "No.",
        lines=(LineResult(1, LineStatus.HOLDS, shows=("total",)), LineResult(2, LineStatus.FAILS)),
        derived=("total",),
    )
    source = "bytes_all = 16 * P\nx = 3"
    turns = (
        Turn(1, "examiner", TurnKind.QUESTION, "How many bytes?"),
        Turn(2, "candidate", TurnKind.BENCH, source, result=result),
        Turn(3, "candidate", TurnKind.ANSWER, source, run=2),
    )
    verdicts = with_runs(rubric(), turns, ())
    assert {each.evidence for each in verdicts} == {"bytes_all = 16 * P"}
