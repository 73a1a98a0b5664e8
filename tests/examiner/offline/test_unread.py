"""What English patterns cannot read is not graded: nobody is told that they did not say it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.judged import reasons
from support.rubrics import a_criterion, a_rubric, scaling_rubric
from support.tables import table

from interviewer.examiner.offline.guards import unread_parts
from interviewer.examiner.offline.judge import judge
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import UNREAD, Flag, Judgement
from interviewer.rubric.rubric import Rating, Rubric

CASES = table("sentences", __file__)["unread"]

SCALING = scaling_rubric()
GERMAN = "Die Varianz des Skalarprodukts wächst mit der Breite, deshalb teilt man durch die Wurzel."


def judged(rubric: Rubric, *answers: str) -> Judgement:
    said = (
        Turn(number, "candidate", TurnKind.ANSWER, text)
        for number, text in enumerate(answers, start=2)
    )
    return judge(rubric, (Turn(1, "examiner", TurnKind.QUESTION, rubric.question), *said))


def told(rubric: Rubric, *answers: str) -> dict[str, str]:
    """By criterion the verdict, or the codes for which there is none."""
    found = judged(rubric, *answers).findings
    return {each.criterion: each.verdict or ", ".join(sorted(each.unread)) for each in found}


@pytest.mark.parametrize(("why", "text"), CASES["unread"])
def test_the_parts_that_are_not_english_prose(why: str, text: str) -> None:
    found = unread_parts(text)
    assert {reason for _, reason in found} == {why}
    assert sum(end - start for (start, end), _ in found) >= 0.9 * len(text.replace("\n", ""))


@pytest.mark.parametrize("text", CASES["read"])
def test_english_with_jargon_names_and_symbols_is_read(text: str) -> None:
    assert unread_parts(text) == ()


@given(st.text(max_size=400) | st.text("der | x_i = f(\n\t)。方 ", max_size=400))
def test_parts_lie_within_the_text_and_apart(text: str) -> None:
    edges = [
        edge for (start, end), why in unread_parts(text) if why in UNREAD for edge in (start, end)
    ]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)


def test_a_point_not_heard_may_stand_in_what_was_not_read() -> None:
    assert told(SCALING, GERMAN) == {"variance": "language", "deviation": "not_met"}
    assert told(SCALING, f"{GERMAN} Bei 128 sind es 11,3.")["deviation"] == "language"
    assert not judged(SCALING, GERMAN).flags & {Flag.TOO_SHORT, Flag.KEYWORD_LIST}
    both = told(SCALING, f"{GERMAN}\nVar(q·k) = Σ_i Var(q_i k_i) = d_k")
    assert both["variance"] == "formula, language"


def test_the_english_beside_it_is_judged() -> None:
    said = "So the variance of the dot product grows with the head width."
    assert told(SCALING, f"{GERMAN} {said}")["variance"] == "met"
    assert told(SCALING, f"方差随维度增长。{said}")["variance"] == "met"
    wrong = "The factor is there to prevent an overflow."
    assert told(SCALING, f"{GERMAN} {wrong}")["variance"] == "contradicted"


def test_a_later_answer_in_english_settles_the_point() -> None:
    said = "The variance of the dot product grows with the head width, and so does the spread."
    assert told(SCALING, GERMAN, said)["variance"] == "met"
    assert told(SCALING, GERMAN, "I would say that it is about training speed.") == {
        "variance": "language",
        "deviation": "not_met",
    }


def test_a_pattern_may_hear_a_formula_but_no_other_language() -> None:
    rubric = a_rubric(a_criterion("loss", patterns=((r"-log sigma",),)), a_criterion("beta"))
    assert told(rubric, "L = -log sigma(r_w - r_l)") == {"loss": "met", "beta": "not_met"}
    denied = "Die loss ist nicht -log sigma von der Differenz."
    assert told(rubric, denied) == {"loss": "language", "beta": "language"}


def test_what_was_run_at_the_bench_is_read() -> None:
    lines = "var = sum(d_k)\nstd = sqrt(var)"
    asked = Turn(1, "examiner", TurnKind.QUESTION, SCALING.question)
    typed = Turn(3, "candidate", TurnKind.ANSWER, lines)
    submitted = Turn(3, "candidate", TurnKind.ANSWER, lines, run=2)
    assert reasons(judge(SCALING, (asked, typed)).findings)
    assert all(f.verdict is Rating.NOT_MET for f in judge(SCALING, (asked, submitted)).findings)
