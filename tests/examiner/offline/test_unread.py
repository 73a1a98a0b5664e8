"""What English patterns cannot read is not graded: nobody is told that they did not say it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.judged import reasons
from support.rubrics import a_criterion, a_rubric, scaling_rubric

from interviewer.examiner.offline.guards import unread_notice, unread_parts
from interviewer.examiner.offline.judge import judge
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import UNREAD, Flag, Judgement
from interviewer.rubric.rubric import Rating, Rubric

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


@pytest.mark.parametrize(
    ("why", "text"),
    [
        ("language", GERMAN),
        ("language", "Gradient verschwindet, weil der Softmax gesättigt ist."),
        ("language", "我们用 FSDP, 因为 memory 不够"),
        ("language", "スケーリングしないと softmax が飽和する。"),
        ("language", "Без масштабирования softmax насыщается."),
        ("language", "La variance croît avec d, donc on divise par la racine."),
        ("language", "Dot product ka variance d ho jata hai, isliye root d se divide karte hain."),
        ("formula", "Var(q·k) = Σ_i Var(q_i k_i) = d_k"),
        ("formula", "J = diag(p) − p pᵀ → 0 as p → one-hot"),
        ("formula", "$$\\mathcal{L} = -\\log \\sigma(r_w - r_l)$$"),
        ("code", "loss = F.cross_entropy(logits.view(-1, V), labels.view(-1))"),
        ("code", "for i, batch in enumerate(loader):\n    step(batch)  # over the whole group"),
        ("table", "| scheme | volume |\n|---|---|\n| DDP | 2P |"),
        ("table", "stage\tmemory\n1\t38.5 GB"),
    ],
)
def test_the_parts_that_are_not_english_prose(why: str, text: str) -> None:
    found = unread_parts(text)
    assert {reason for _, reason in found} == {why}
    assert sum(end - start for (start, end), _ in found) >= 0.9 * len(text.replace("\n", ""))


@pytest.mark.parametrize(
    "text",
    [
        "the variance is d_k, so dividing by sqrt(d) gives 1",
        "loss = -reward + beta * kl is what we minimise",
        "lr 3e-4, wd 0.1, beta2 0.95; TP=8, PP=4, batch = 2048",
        "- KL too high -> reward hacking\n- softmax saturates -> tiny gradients",
        "70e9 * 2 bytes = 140 GB, 7/39 = 17.9 %, MFU ≈ 40%",
        "van den Oord, Schrödinger and Łukasz Kaiser; Le Scao et al.",
        "何恺明 introduced residual connections, so gradients flow.",
        "teh varience grwos wiht d, bf16 dosnt undeflow",
        "call loss.backward() then opt.step() each microbatch",
        "With S stages the idle share is (S-1)/(B+S-1), i.e. 17.9%.",
        "GQA (grouped query attention), I/O bound, MIT license, die-to-die",
    ],
)
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


def test_the_notice_names_what_was_not_read_and_the_way_on() -> None:
    assert "did not read your formula and your table, so" in unread_notice(["formula", "table"])
    assert "Say it in words, or settle the point yourself" in unread_notice(["formula"])
    assert "Say it in English, or" in unread_notice(["language"])
