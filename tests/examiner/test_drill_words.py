"""How an examiner without a model asks what the candidate did themselves."""

from __future__ import annotations

from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.protocol import NEUTRAL, Move, MoveKind, QuestionContext
from interviewer.examiner.wording import drill_on, utterance
from interviewer.grading.transcript import Turn, TurnKind, exchange
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
