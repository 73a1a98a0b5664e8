"""The examiner's templates: the rubric's wording with the candidate's words slotted in."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from interviewer.examiner import quotes
from interviewer.examiner.moves import (
    BenchChallenge,
    Challenge,
    Drill,
    Escalate,
    Hint,
    NonAnswer,
    Open,
    PinDown,
    Probe,
    Redirect,
    Spoken,
    SumChallenge,
    Tell,
)
from interviewer.examiner.non_answers import is_smooth
from interviewer.examiner.protocol import MOST_WORDS, QuestionContext
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.lexical import words
from interviewer.grading.transcript import TurnKind
from interviewer.rubric.rubric import Criterion, Verdict

_DRILL_QUESTIONS = (
    "What did you actually set there, and how did you know?",
    "In a run of your own, what did you do about that, and what told you it was right?",
)
_DRILLED_KINDS = ("experience", "number", "tradeoff", "pitfall")
_INCONSISTENCY = "{sum} Which of these numbers is off, or what have I missed?"
_BENCH_FAULT = "{fault} How would you mend that?"
_REDIRECTIONS = {
    NonAnswer.WANTS_ANSWER: "That stays with me for now.{offer} How far do you get on your own?",
    NonAnswer.WANTS_RUBRIC: (
        "How I mark stays with me until the end, and it changes nothing here. "
        "What is your answer to the question?"
    ),
    NonAnswer.INSULT: "Let's keep it civil, the clock is running. What is your answer to this?",
    NonAnswer.OFF_TOPIC: (
        "That is another subject, and the clock is running. What is your answer to the question?"
    ),
}
_OFFER = " A hint is yours if you ask for it, at its price."
_LEADS = {
    TurnKind.PIN_DOWN: (
        "Stay with “{phrase}” for a moment.",
        "You said “{phrase}”.",
        "“{phrase}”: make that concrete for me.",
    ),
    TurnKind.CHALLENGE: (
        "You said “{phrase}”. Take that one step further.",
        "Take “{phrase}” as given and go on from there.",
    ),
    TurnKind.PROBE: ("You mentioned “{phrase}”.", "Coming from “{phrase}”:"),
}
_CURT_LEADS = ("“{phrase}”.", "“{phrase}”, you say.")


def utterance(context: QuestionContext, move: Spoken) -> str:
    """The utterance for the move."""
    rubric = context.rubric
    match move:
        case Open():
            return rubric.question
        case Escalate():
            return rubric.escalations[0]
        case SumChallenge():
            return _filled(_INCONSISTENCY, sum=move.sentence)
        case BenchChallenge():
            return _filled(_BENCH_FAULT, fault=move.fault)
        case Redirect():
            offer = _OFFER if _has_hint_left(context) else ""
            return _filled(_REDIRECTIONS[move.after], offer=offer)
        case Hint():
            return f"Hint: {rubric.criterion(move.target).hints[move.level - 1]}"
        case Tell():
            return f"For the record: {rubric.criterion(move.target).claim}"
        case Probe() | PinDown() | Challenge() | Drill():
            return _follow_up(context, move, rubric.criterion(move.target))
        case _:
            assert_never(move)


def _follow_up(
    context: QuestionContext, move: Probe | PinDown | Challenge | Drill, criterion: Criterion
) -> str:
    phrase = quotes.phrase(context, criterion)
    drills = isinstance(move, Drill)
    if not phrase:
        return _drill_question(context) if drills else criterion.probe
    if drills or (isinstance(move, PinDown) and _wants_drilling(context, criterion)):
        return f"You said “{phrase}”. {_drill_question(context)}"
    leads = _CURT_LEADS if context.persona.patience == "short" else _LEADS[move.kind]
    lead = leads[len(context.turns) // 2 % len(leads)]
    spoken = phrase.split()
    while len(spoken) >= quotes.PHRASE_WORDS[0]:
        phrase = " ".join(spoken).strip(quotes.EDGE_PUNCTUATION)
        text = f"{_filled(lead, phrase=phrase)} {criterion.probe}"
        if len(words(text)) <= MOST_WORDS:
            return text
        spoken.pop()
    return criterion.probe


def _filled(pattern: str, **parts: str) -> str:
    """The pattern with its parts filled in; braces within the parts are left alone."""
    return pattern.format_map(parts)


def _wants_drilling(context: QuestionContext, criterion: Criterion) -> bool:
    """The latest answer was smooth where first-hand work matters, and no drill was asked yet."""
    latest = candidate_turns(context.turns)[-1].parsed
    return criterion.kind in _DRILLED_KINDS and is_smooth(latest) and not _drills_put(context)


def _drill_question(context: QuestionContext) -> str:
    return _DRILL_QUESTIONS[_drills_put(context) % len(_DRILL_QUESTIONS)]


def _drills_put(context: QuestionContext) -> int:
    return sum(turn.text.endswith(_DRILL_QUESTIONS) for turn in context.turns)


def _has_hint_left(context: QuestionContext) -> bool:
    made = {v.criterion for v in context.verdicts if v.verdict is Verdict.MET}
    given = Counter(t.target for t in context.turns if t.kind is TurnKind.HINT)
    return any(given[c.id] < len(c.hints) for c in context.rubric.criteria if c.id not in made)
