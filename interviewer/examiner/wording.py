"""The examiner's templates: the rubric's wording with the candidate's words slotted in.

Nothing is said twice in a question while there is another way to say it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import assert_never

from interviewer.examiner.listening import acts_of
from interviewer.examiner.moves import Move, MoveKind
from interviewer.examiner.protocol import MOST_WORDS, QuestionContext
from interviewer.examiner.quotes import phrase, phrase_of
from interviewer.grading.claims.catalog import table
from interviewer.grading.score import price_of_hint
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.rubric.importing import PROBES
from interviewer.rubric.rubric import Criterion
from interviewer.rubric.text import words

_ADDED = "One thing I would add:"
_OFFER = " You can have a hint, at its price, if you ask."
_ASKING = re.compile(r"[^.!?:]*\?")


@cache
def _wordings() -> dict[str, list[str]]:
    """What ``wordings.yaml`` lists."""
    return dict(table("wordings", __package__))


def utterance(context: QuestionContext, move: Move) -> str:
    """The utterance for the move."""
    rubric = context.rubric
    match move.kind:
        case MoveKind.OPEN:
            return rubric.question
        case MoveKind.ESCALATE:
            return _led(context, "acknowledgement", rubric.harder[move.escalation])
        case MoveKind.NUMBERS_CLASH | MoveKind.NUMBERS_FIT:
            return f"{move.sum} {move.ask or 'Which of these figures is off?'}"
        case MoveKind.BAD_LINE:
            return _fresh(context, "bench").format(fault=move.bench)
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
            name = "reframe_quoted" if theirs else "reframe"
            return _fresh(context, name).format(theirs=theirs)
        case MoveKind.CLARIFY:
            if terms := _terms_of_offer(context):
                return terms
            name = "again" if _wants_repeat(context) else "plainer"
            return _fresh(context, name).format(question=_last_question(context))
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
        return _fresh(context, "no_hints")
    offer = _OFFER if context.follow_ups_left else ""
    pattern = _fresh(context, f"redirect {move.remark}")
    return pattern.format(offer=offer, question=_last_question(context))


def _probe(context: QuestionContext, move: Move) -> str:
    last = context.turns[-1] if context.turns else None
    stuck = last is not None and last.kind in (TurnKind.DONT_KNOW, TurnKind.ASIDE)
    leads = "leaving" if stuck and not context.rubric.is_discussion else "acknowledgement"
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
        drill = _fresh(context, "drill")
        return f"{quoted}: {drill[0].lower()}{drill[1:]}" if theirs else drill
    if criterion is None or not theirs:
        probe = criterion.probe if criterion else ""
        return probe if probe and not _was_said(context, probe) else _fresh(context, "unquoted")
    if move.kind is MoveKind.CHALLENGE:
        return _fresh(context, "challenge").format(quoted=quoted)
    if criterion.probe not in PROBES and not _was_said(context, criterion.probe):
        lead = _fresh(context, "taken_up").format(quoted=quoted)
        return _joined(context, (lead,), criterion.probe)
    return _fresh(context, f"pin_down {criterion.kind}").format(quoted=quoted)


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
        return _led(context, "smaller", simpler[0])
    probe = context.rubric.criterion(move.target).probe
    said = _was_said(context, probe)
    return _fresh(context, "anything_sure") if said else _led(context, "smaller", probe)


def _led(context: QuestionContext, name: str, question: str) -> str:
    """The question after one of these leads."""
    return _joined(context, _wordings()[name], question)


def _joined(context: QuestionContext, leads: Sequence[str], question: str) -> str:
    """The question after a lead that was not used yet, if both are short enough together."""
    lead = next((each for each in leads if not _was_said(context, each)), "")
    text = f"{lead} {question}".strip()
    return text if len(words(text)) <= MOST_WORDS else question


def _fresh(context: QuestionContext, name: str) -> str:
    """The first wording of that name whose own words were not said yet, else the first."""
    patterns = _wordings()[name]
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
