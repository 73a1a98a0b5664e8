"""The examiner's templates: the rubric's wording with the candidate's words slotted in.

Nothing is said twice in a question while there is another way to say it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from interviewer.examiner.listening import acts_of
from interviewer.examiner.moves import Move, MoveKind
from interviewer.examiner.protocol import MOST_WORDS, QuestionContext
from interviewer.examiner.quotes import phrase, phrase_of
from interviewer.grading.lexical import words
from interviewer.grading.score import price_of_hint
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.rubric.importing import PROBES
from interviewer.rubric.rubric import Criterion

_DRILLS = (
    "What did you actually set there, and how did you know it was right?",
    "In a run of your own, what did you do about that, and what told you it was right?",
)
_PIN_DOWNS = {
    "number": (
        "{quoted}: what value is that, and in what unit?",
        "{quoted}: what figure would you put on that?",
    ),
    "mechanism": (
        "{quoted}: what exactly happens there, and why?",
        "Stay with {quoted} for a moment: what makes that happen?",
    ),
    "tradeoff": (
        "{quoted}: what does that buy you, and what does it cost?",
        "{quoted}: when would you go the other way?",
    ),
    "pitfall": (
        "{quoted}: how would you notice that in a real run?",
        "{quoted}: what does that look like when it goes wrong?",
    ),
    "experience": (
        "{quoted}: what did you set or see yourself, in figures?",
        "{quoted}: which run was that, and what did you decide there?",
    ),
    "fact": (
        "{quoted}: how would you put that precisely enough to write down?",
        "{quoted}: what do you mean by that, in one precise sentence?",
    ),
}
_TAKEN_UP = ("{quoted}, you said.", "Back to {quoted}.", "You mentioned {quoted}.")
_CHALLENGES = (
    "Suppose that holds: {quoted}. What would you see in a run?",
    "{quoted}: what one experiment would test that?",
    "{quoted}: which case would put that to the test?",
)
_UNQUOTED = (
    "Make that last part concrete for me: what exactly would I see?",
    "What would you measure to check that last step?",
    "Spell that out for me: what follows from what?",
)
_ACKNOWLEDGEMENTS = ("Okay.", "I see.", "Understood.", "I follow.", "Got it.")
_LEAVINGS = (
    "Let's leave it there.",
    "That's fine, let's try something else.",
    "We'll leave that one.",
)
_SMALLER = ("Let's start smaller.", "Take just one piece of it.")
_ANYTHING_SURE = "What's the one thing about this that you are sure of?"
_WHICH_IS_OFF = "Which of these figures is off?"
_BENCH_FAULT = "{fault} How would you fix that?"
_REFRAME = "So that replaces what you said before. What else in your answer changes with it?"
_REFRAME_QUOTED = "Noted: “{theirs}”. What else in your answer changes with that?"
_PLAINER = (
    "I mean it in the usual sense; say what you assume. {question}",
    "That's yours to decide: pick a reading, tell me which, and go from there. {question}",
    "Read it as you would at work. {question}",
)
_AGAIN = ("Of course. {question}", "Once more: {question}", "Here it is again. {question}")
_REDIRECTIONS: dict[DialogueAct | None, tuple[str, ...]] = {
    DialogueAct.WANTS_ANSWER: (
        "I'll keep that to myself for now.{offer} How far can you get on your own?",
        "I can't give you that here. Which part are you sure of?",
    ),
    DialogueAct.WANTS_RUBRIC: (
        "You'll see how this is marked at the end, and it changes nothing here. "
        "What is your answer to the question?",
        "That's all in the debrief. What would you answer now?",
    ),
    DialogueAct.INSULT: (
        "Let's keep it civil; the clock is running. What is your answer to this?",
        "I'd rather talk about the question. What do you make of it?",
    ),
    DialogueAct.OFF_TOPIC: (
        "That's another subject, and the clock is running. What is your answer to the question?",
        "Let me bring you back. {question}",
    ),
    DialogueAct.ORDER: (
        "I'll leave that aside. What is your answer to the question?",
        "That's not something I act on. Back to the subject: what would you say?",
    ),
    DialogueAct.REPETITION: (
        "I have that already. What would you add to it?",
        "We've had that. Which part of the question haven't you touched on yet?",
    ),
    DialogueAct.BARE: (
        "Take your time. What would you say?",
        "Go ahead: where would you start?",
    ),
    DialogueAct.UNREAD: ("I can't follow that. How would you say it in plain English?",),
    DialogueAct.WANTS_TO_STOP: (
        "You can pause, end the round or end the interview whenever you like. "
        "If we go on: what is your answer here?",
    ),
    DialogueAct.WANTS_HINT: (
        "There are no hints left on this one. How far can you get on your own?",
        "I have no more hints here. Which part are you sure of?",
    ),
}
_NO_HINTS = "This question has no hints. Which part of it are you sure of?"
_ADDED = "One thing I would add:"
_OFFER = " You can have a hint, at its price, if you ask."
_ASKING = re.compile(r"[^.!?:]*\?")


def utterance(context: QuestionContext, move: Move) -> str:
    """The utterance for the move."""
    rubric = context.rubric
    match move.kind:
        case MoveKind.OPEN:
            return rubric.question
        case MoveKind.ESCALATE:
            return _led(context, _ACKNOWLEDGEMENTS, rubric.harder[move.escalation])
        case MoveKind.NUMBERS_CLASH | MoveKind.NUMBERS_FIT:
            return f"{move.sum} {move.ask or _WHICH_IS_OFF}"
        case MoveKind.BAD_LINE:
            return _filled(_BENCH_FAULT, fault=move.bench)
        case MoveKind.REDIRECT:
            return _redirection(context, move)
        case MoveKind.OFFER:
            price = "a quarter" if price_of_hint(move.hint_level) <= 0.25 else "half"
            return f"Would a hint help? It costs {price} of this point."
        case MoveKind.HINT:
            return f"Hint: {rubric.criterion(move.target).hints[move.hint_level - 1]}"
        case MoveKind.TELL:
            lead = _ADDED if context.exam else "For the record:"
            return f"{lead} {rubric.criterion(move.target).claim}"
        case MoveKind.REFRAME:
            theirs = phrase_of(context.turns[-1]) if context.turns else ""
            return _filled(_REFRAME_QUOTED, theirs=theirs) if theirs else _REFRAME
        case MoveKind.CLARIFY:
            if terms := _terms_of_offer(context):
                return terms
            repeats = _wants_repeat(context)
            question = _last_question(context)
            return _filled(_fresh(context, _AGAIN if repeats else _PLAINER), question=question)
        case MoveKind.SIMPLIFY:
            return _simpler(context, move)
        case MoveKind.PROBE:
            return _probe(context, move)
        case MoveKind.PIN_DOWN | MoveKind.CHALLENGE | MoveKind.DRILL:
            return _on_their_words(context, move)
        case MoveKind.CLOSE:
            raise ValueError("a question that closes gets no reply")
        case _:
            assert_never(move.kind)


def drill_on(criterion: Criterion, *, again: bool) -> str:
    """A question on one point that was missed; ``again`` if it was drilled before.

    By its own drill only where it is experience: all else is known without having done it, too.
    """
    own = criterion.drill if criterion.kind == "experience" else None
    if again and own:
        return own.again
    lead = "Once more, in your own words." if again else "Just one point of it."
    return f"{lead} {own.ask if own else criterion.probe}"


def _redirection(context: QuestionContext, move: Move) -> str:
    if move.remark is DialogueAct.WANTS_HINT and not context.rubric.has_hints:
        return _NO_HINTS
    offer = _OFFER if context.follow_ups_left else ""
    pattern = _fresh(context, _REDIRECTIONS[move.remark])
    return _filled(pattern, offer=offer, question=_last_question(context))


def _probe(context: QuestionContext, move: Move) -> str:
    last = context.turns[-1] if context.turns else None
    stuck = last is not None and last.kind in (TurnKind.DONT_KNOW, TurnKind.ASIDE)
    leads = _LEAVINGS if stuck and not context.rubric.is_discussion else _ACKNOWLEDGEMENTS
    return _led(context, leads, context.rubric.criterion(move.target).probe)


def _on_their_words(context: QuestionContext, move: Move) -> str:
    criterion = context.rubric.criterion(move.target) if move.target else None
    theirs = phrase(context, criterion, anywhere=move.kind is MoveKind.DRILL) if criterion else ""
    if theirs and _was_said(context, f"“{theirs}”"):
        theirs = ""
    quoted = f"“{theirs}”"
    if move.kind is MoveKind.DRILL:
        if own := _own_drill(context, criterion):
            return own
        drill = _fresh(context, _DRILLS)
        return f"{quoted}: {drill[0].lower()}{drill[1:]}" if theirs else drill
    if criterion is None or not theirs:
        probe = criterion.probe if criterion else ""
        return probe if probe and not _was_said(context, probe) else _fresh(context, _UNQUOTED)
    if move.kind is MoveKind.CHALLENGE:
        return _filled(_fresh(context, _CHALLENGES), quoted=quoted)
    if criterion.probe not in PROBES and not _was_said(context, criterion.probe):
        lead = _filled(_fresh(context, _TAKEN_UP), quoted=quoted)
        return _led(context, (lead,), criterion.probe)
    return _filled(_fresh(context, _PIN_DOWNS[criterion.kind]), quoted=quoted)


def _own_drill(context: QuestionContext, criterion: Criterion | None) -> str:
    """The criterion's drill, the sharper one after another drill on it; "" if none is left."""
    if criterion is None or criterion.drill is None:
        return ""
    drilled = any(t.kind is TurnKind.DRILL and t.target == criterion.id for t in _said(context))
    texts = (criterion.drill.ask, criterion.drill.again)[drilled:]
    return next((text for text in texts if not _was_said(context, text)), "")


def _simpler(context: QuestionContext, move: Move) -> str:
    simpler = [each for each in context.rubric.simpler if not _was_said(context, each)]
    if simpler:
        return _led(context, _SMALLER, simpler[0])
    probe = context.rubric.criterion(move.target).probe
    return _ANYTHING_SURE if _was_said(context, probe) else _led(context, _SMALLER, probe)


def _led(context: QuestionContext, leads: Sequence[str], question: str) -> str:
    """The question after a lead that was not used yet, if both are short enough together."""
    lead = next((each for each in leads if not _was_said(context, each)), "")
    text = f"{lead} {question}".strip()
    return text if len(words(text)) <= MOST_WORDS else question


def _fresh(context: QuestionContext, patterns: Sequence[str]) -> str:
    """The first of the patterns whose own words were not said yet, else the first."""
    return next(
        (each for each in patterns if not _was_said(context, _own_words(each))), patterns[0]
    )


def _own_words(pattern: str) -> str:
    """The longest stretch of the pattern without a placeholder."""
    return max(re.split(r"\{\w+\}", pattern), key=len).strip(" :,.")


def _was_said(context: QuestionContext, text: str) -> bool:
    wanted = text.lower()
    return any(wanted in turn.text.lower() for turn in _said(context))


def _said(context: QuestionContext) -> list[Turn]:
    return [turn for turn in context.turns if turn.author == "examiner"]


def _last_question(context: QuestionContext) -> str:
    """What was asked last, without what led up to it; the whole question if that was it."""
    asked = [turn for turn in _said(context) if "?" in turn.text and turn.kind not in _NO_QUESTION]
    if not asked or asked[-1].kind is TurnKind.QUESTION:
        return asked[-1].text if asked else context.rubric.question
    questions = [each.strip(" ”") for each in _ASKING.findall(asked[-1].text)]
    last = questions[-1]
    return f"{last[:1].upper()}{last[1:]}"


_NO_QUESTION = (TurnKind.OFFER, TurnKind.REDIRECT, TurnKind.HINT, TurnKind.TELL)


def _wants_repeat(context: QuestionContext) -> bool:
    return DialogueAct.WANTS_REPEAT in acts_of(context.turns)


def _terms_of_offer(context: QuestionContext) -> str:
    """What the hint that was just offered costs; "" if none was."""
    said = _said(context)
    if not said or said[-1].kind is not TurnKind.OFFER:
        return ""
    left = "half" if "half" in said[-1].text else "three quarters"
    return f"With the hint you can still earn {left} of this point. Which would you rather?"


def _filled(pattern: str, **parts: str) -> str:
    """The pattern with its parts filled in; braces within the parts are left alone."""
    return pattern.format_map(parts)
