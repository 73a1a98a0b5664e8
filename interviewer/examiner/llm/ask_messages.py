"""What the writer of follow-ups is sent: the conversation and the move, nothing of the answer key.

The conversation comes before the move, so that it only grows at its end.
"""

from __future__ import annotations

from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.bench_facts import facts_of, open_points, rules
from interviewer.examiner.llm.messages import Message, fenced, fenced_about
from interviewer.examiner.protocol import Case, Move, MoveKind, Persona
from interviewer.grading.transcript import Turn, TurnKind

TURN_CHARACTERS = 3000
"""Of a longer turn the writer sees beginning and end."""

ASK_FOR = {
    "fact": "the fact itself, stated precisely",
    "mechanism": "the mechanism: what causes what, step by step",
    "number": "a quantity with its unit, or an order of magnitude",
    "tradeoff": "what is gained and what is paid for it",
    "pitfall": "what goes wrong there and how they would notice",
    "experience": "a decision that they took themselves, with figures",
}
ASK_FOR_ESCALATION = "what changes, and why"


def prompt_of(move: Move) -> prompts.PromptName:
    """The name of the prompt that words the move."""
    return "open" if move.kind is MoveKind.OPEN else "ask"


def ask_messages(case: Case, move: Move) -> tuple[Message, ...]:
    """Rules, then persona, conversation and move; for an opening the notes in their place."""
    if move.kind is MoveKind.OPEN:
        return _opening_messages(case)
    data = {
        "persona": _persona(case.persona),
        "exam": case.exam,
        "conversation": [_as_heard(turn) for turn in case.turns],
        "move": move.kind.value,
        **_subject(case, move),
    }
    if points := open_points(case):
        data["open_points"] = list(points)
    return (
        Message("system", rules("ask", "ask_bench", case)),
        Message("user", fenced("The conversation and the move to make", data, case)),
    )


def _opening_messages(case: Case) -> tuple[Message, ...]:
    own = case.rubric.own_project
    data = {
        "persona": _persona(case.persona),
        "passage": own.passage if own else "",
        "question": case.rubric.question,
        "topics": [criterion.probe for criterion in case.rubric.criteria],
    }
    return (
        Message("system", prompts.load("open").text),
        Message("user", fenced_about("The passage and the question", data, case.rubric.question)),
    )


def _subject(case: Case, move: Move) -> dict[str, object]:
    """What to ask about, in words that give nothing away: the rubric's own probe."""
    if move.target is None:
        return {"topic": case.rubric.escalations[0], "ask_for": ASK_FOR_ESCALATION}
    criterion = case.rubric.criterion(move.target)
    asked_for = "experience" if move.kind is MoveKind.DRILL else criterion.kind
    subject: dict[str, object] = {"topic": criterion.probe, "ask_for": ASK_FOR[asked_for]}
    if theirs := next((v.evidence for v in case.verdicts if v.criterion == move.target), ""):
        subject["their_words"] = theirs
    if given := _hints_given(case, move.target):
        subject["hints_given"] = given
    return subject


def _persona(persona: Persona) -> dict[str, str]:
    told = {"name": persona.name, "manner": persona.manner, "patience": persona.patience}
    return told | ({"cares_about": persona.cares_about} if persona.cares_about else {})


def _hints_given(case: Case, target: str) -> list[str]:
    return [t.text for t in case.turns if t.kind is TurnKind.HINT and t.target == target]


def _as_heard(turn: Turn) -> dict[str, object]:
    text, half = turn.text, TURN_CHARACTERS // 2
    if len(text) > TURN_CHARACTERS:
        text = f"{text[:half]} […] {text[-half:]}"
    heard: dict[str, object] = {"who": turn.author, "kind": turn.kind.value, "text": text}
    return heard | ({"bench": facts_of(turn.result)} if turn.result else {})
