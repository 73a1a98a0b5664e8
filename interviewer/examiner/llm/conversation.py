"""The messages that the interviewer is sent: rules, question and conversation, but no answer key.

Both of its tasks share all but the last message, and the others only grow at their end, so that a
server can keep what it has read. Criteria go by neutral ids, and by their probes alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.figures import figures_rules, ledger_lines
from interviewer.examiner.llm.messages import (
    Message,
    as_json,
    asked,
    facts_of,
    fenced,
    fenced_lines,
    open_points,
    question_of,
    rules,
)
from interviewer.examiner.protocol import (
    EarlierQuestion,
    Move,
    MoveKind,
    Persona,
    QuestionContext,
    Rejected,
)
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.rubric.rubric import Criterion, Rating, Rubric
from interviewer.rubric.text import shortened

TURN_CHARACTERS = 3000
"""Of a longer turn the interviewer sees the beginning and the end."""
EARLIER_CHARACTERS = 4000
"""All that it is told of earlier questions: it has to fit beside the rest into a small context."""
EARLIER_QUESTION_CHARACTERS = 100
CLAIMS_KEPT = (4, 2, 1)
"""So many claims of each earlier question, the first number that fits."""

ASK_FOR = {
    "fact": "the fact itself, stated precisely",
    "mechanism": "the mechanism: what causes what, step by step",
    "number": "a quantity with its unit, or an order of magnitude",
    "tradeoff": "what is gained and what is paid for it",
    "pitfall": "what goes wrong there and how they would notice",
    "experience": "a decision that they took themselves, with figures",
}
ASK_FOR_ESCALATION = "what changes, and why"
_LISTEN = 'Your task: "listen", to the last line of the conversation. Reply with the JSON object.'
_ASK = 'Your task: "ask". Reply with the spoken words alone.'


def topics_of(rubric: Rubric) -> Mapping[str, str]:
    """The neutral id of each criterion."""
    return {criterion.id: f"t{n}" for n, criterion in enumerate(rubric.criteria, start=1)}


def listen_messages(context: QuestionContext) -> tuple[Message, ...]:
    """What the interviewer needs to hear the latest turn."""
    return (
        *_shared(context),
        _task("Where the question stands", _state(context), _LISTEN, context),
    )


def ask_messages(
    context: QuestionContext, move: Move, rejected: Sequence[Rejected] = ()
) -> tuple[Message, ...]:
    """What the interviewer needs to put this move into words."""
    data = {**_state(context), "move": move.kind.value, **_aim(context, move)}
    if rejected:
        data["rejected"] = [{"text": each.text, "why": each.why} for each in rejected]
    return (*_shared(context), _task("The move to make", data, _ASK, context))


def opening_messages(context: QuestionContext) -> tuple[Message, ...]:
    """What it needs to open on the candidate's own project."""
    own = context.rubric.own_project
    data = {
        "persona": _persona(context.persona),
        "passage": own.passage if own else "",
        "question": context.rubric.question,
        "topics": [criterion.probe for criterion in context.rubric.criteria],
    }
    return (
        Message("system", prompts.load("open").text),
        Message("user", fenced("The passage and the question", data, context.rubric.question)),
    )


def _shared(context: QuestionContext) -> tuple[Message, ...]:
    talk = [_as_heard(turn, context) for turn in context.turns if not _is_put(turn, context)]
    before = _remembered(context.earlier)
    earlier = fenced_lines("The earlier questions", before, "the interview")
    return (
        Message("system", f"{rules('listen', 'listen_bench', context)}\n\n{figures_rules()}"),
        *([Message("user", earlier)] if before else []),
        Message("user", fenced("This question", _question(context), question_of(context))),
        Message("user", fenced_lines("The conversation", talk, question_of(context))),
    )


def _remembered(earlier: Sequence[EarlierQuestion]) -> list[dict[str, object]]:
    """The earlier questions, oldest first; with fewer claims where there are many of them.

    If even that is too much, the latest that fit.
    """
    for most in CLAIMS_KEPT:
        lines = [_as_remembered(each, most) for each in earlier]
        if sum(len(as_json(line)) for line in lines) <= EARLIER_CHARACTERS:
            return lines
    sizes = accumulate(len(as_json(line)) for line in reversed(lines))
    fitting = sum(size <= EARLIER_CHARACTERS for size in sizes)
    return lines[len(lines) - fitting :]


def _as_remembered(earlier: EarlierQuestion, most: int) -> dict[str, object]:
    told: dict[str, object] = {
        "question": shortened(earlier.question, EARLIER_QUESTION_CHARACTERS),
        "claims": list(earlier.claims[:most]),
    }
    return told | ({"left_open": list(earlier.left_open)} if earlier.left_open else {})


def _question(context: QuestionContext) -> dict[str, object]:
    """What stays as it is from the first answer to the last."""
    rubric, topics = context.rubric, topics_of(context.rubric)
    told: dict[str, object] = {
        "persona": _persona(context.persona),
        "mode": "exam" if context.exam else "practice",
        "drills": context.drills,
        **asked(rubric),
        "topics": [_topic(each, topics[each.id]) for each in rubric.criteria],
    }
    if rubric.simpler:
        told["simpler"] = list(rubric.simpler)
    place = rubric.escalation_to_ask
    return told | ({} if place is None else {"harder": rubric.harder[place]})


def _topic(criterion: Criterion, name: str) -> dict[str, object]:
    told: dict[str, object] = {"id": name, "question": criterion.probe, "wants": criterion.kind}
    return told | ({"first": True} if criterion.must_have else {})


def _state(context: QuestionContext) -> dict[str, object]:
    """What the latest turn may have changed."""
    topics = topics_of(context.rubric)
    settled = [v.criterion for v in context.verdicts if v.verdict is Rating.MET]
    tried: dict[str, list[str]] = {}
    for turn in context.turns:
        if turn.author == "examiner" and (topic := topics.get(turn.target or "")):
            tried.setdefault(topic, []).append(turn.kind.value)
    told: dict[str, object] = {
        "settled": [topics[each] for each in settled if each in topics],
        "tried": tried,
        "follow_ups_left": context.follow_ups_left,
    }
    if closed := {each.kind.value: each.closed for each in context.moves if each.closed}:
        told["closed"] = closed
    if figures := ledger_lines(context.figures):
        told["ledger"] = figures
    if context.numbers:
        told["numbers"] = list(context.numbers)
    if points := open_points(context):
        told["open_points"] = list(points)
    return told


def _aim(context: QuestionContext, move: Move) -> dict[str, object]:
    """What to ask about and for, in words that give nothing away: the rubric's own probe."""
    if move.kind is MoveKind.ESCALATE:
        return {"topic": context.rubric.harder[move.escalation], "ask_for": ASK_FOR_ESCALATION}
    drills, target = move.kind is MoveKind.DRILL, move.target
    if not target:
        return {"ask_for": ASK_FOR["experience"]} if drills else {}
    criterion = context.rubric.criterion(target)
    kind = "experience" if drills else criterion.kind
    aim: dict[str, object] = {
        "topic": topics_of(context.rubric)[target],
        "topic_question": criterion.probe,
        "ask_for": ASK_FOR[kind],
    }
    theirs = next((v.evidence for v in context.verdicts if v.criterion == target), "")
    return aim | ({"their_words": theirs} if theirs else {})


def _task(label: str, data: object, task: str, context: QuestionContext) -> Message:
    return Message("user", f"{fenced(label, data, question_of(context))}\n{task}")


def _persona(persona: Persona) -> dict[str, str]:
    told = {"name": persona.name, "manner": persona.manner, "patience": persona.patience}
    return told | ({"cares_about": persona.cares_about} if persona.cares_about else {})


def _is_put(turn: Turn, context: QuestionContext) -> bool:
    """It puts the question, which the message on the question holds already."""
    return turn.kind is TurnKind.QUESTION and turn.text == context.rubric.question


def _as_heard(turn: Turn, context: QuestionContext) -> dict[str, object]:
    heard: dict[str, object] = {"who": "you" if turn.author == "examiner" else "candidate"}
    if turn.kind is not TurnKind.ANSWER:
        heard["kind"] = turn.kind.value
    if topic := topics_of(context.rubric).get(turn.target or ""):
        heard["topic"] = topic
    if turn.result:
        heard["bench"] = facts_of(turn.result)
    text, half = turn.text, TURN_CHARACTERS // 2
    if len(text) > TURN_CHARACTERS:
        text = f"{text[:half]} […] {text[-half:]}"
    return heard | {"text": text}
