"""How an examiner without a model asks what the candidate did themselves."""

from __future__ import annotations

from dataclasses import replace

from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.protocol import NEUTRAL, Move, MoveKind, QuestionContext
from interviewer.examiner.wording import drill_on, drill_on_figure, drilled_figures, utterance
from interviewer.grading.claims import rules
from interviewer.grading.claims.catalog import measures
from interviewer.grading.claims.quantity import Quantity
from interviewer.grading.transcript import ParsedAnswer, Turn, TurnKind, exchange
from interviewer.rubric.rubric import Criterion, OwnDrill

OWN = OwnDrill(
    ask="So what learning rate did you actually set, and how did you find it?",
    wants="learning_rate",
    again="A number, please: what was the peak of that run?",
)
RUBRIC = a_rubric(a_criterion("alpha", kind="experience", drill=OWN), a_criterion("beta"))


def asked_after(target: str, *drills: str) -> str:
    """What is asked about the target after it was drilled in these words."""
    turns = [*exchange(RUBRIC.question, "Alpha is what decides it, in all that we know.")]
    for words in drills:
        turns.append(Turn(len(turns) + 1, "examiner", TurnKind.DRILL, words, target))
        turns.append(Turn(len(turns) + 1, "candidate", TurnKind.ANSWER, "It was an average one."))
    return utterance(
        QuestionContext(RUBRIC, tuple(turns), (), NEUTRAL, exam=True), Move(MoveKind.DRILL, target)
    )


def test_a_criterion_is_drilled_in_its_own_words_then_more_sharply_then_by_its_probe() -> None:
    assert asked_after("alpha") == OWN.ask
    assert asked_after("alpha", OWN.ask) == OWN.again
    assert asked_after("alpha", "What did you set there yourself?") == OWN.again
    assert asked_after("alpha", OWN.ask, OWN.again) == RUBRIC.criterion("alpha").probe
    assert asked_after("beta") == RUBRIC.criterion("beta").probe


def test_a_missed_point_is_asked_by_its_drill_where_it_is_experience() -> None:
    def on(criterion: Criterion) -> list[str]:
        return [drill_on(criterion, again=again) for again in (False, True)]

    alpha = RUBRIC.criterion("alpha")
    assert on(alpha) == [f"Just one point of it. {OWN.ask}", OWN.again]
    for other in (alpha.model_copy(update={"kind": "tradeoff"}), RUBRIC.criterion("beta")):
        assert all(words.endswith(other.probe) for words in on(other))


def test_a_figure_is_drilled_by_its_own_words_unless_the_answer_holds_them() -> None:
    def asked(text: str) -> str:
        answer = ParsedAnswer(text)
        (figure,) = rules.read(answer, 2, own_work=True).quantities
        return drill_on_figure(figure, answer)

    assert asked("We got 52% MFU in our run.") == "You said 52% MFU. Which peak did you divide by?"
    assert asked("We got 52% MFU in our run, of the dense peak.") == ""
    assert asked("We got 52% MFU in our run, as a share of the card's teraflops.") == ""


def test_each_drill_on_a_figure_is_on_a_quantity_of_the_ledger_and_like_no_other() -> None:
    names = drilled_figures()
    assert set(names) <= set(measures())
    figure = Quantity("mfu", 0.52, "%", "52%", 2, (0, 3))
    asked = [drill_on_figure(replace(figure, measure=name), ParsedAnswer("")) for name in names]
    assert len({words.rsplit(". ", 1)[-1] for words in asked}) == len(names)
    assert all(words.endswith("?") for words in asked)
