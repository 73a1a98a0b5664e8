"""What the examiner says where no model words it: the rubric's own sentences, and a few leads.

Nothing is said twice in a session while there is another way to say it. Whether a model's
quotation is fair is decided here, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, assert_never

from interviewer.examiner.listening import acts_of
from interviewer.examiner.protocol import MOST_WORDS, Move, MoveKind, QuestionContext
from interviewer.grading.claims.quantity import Quantity, shown
from interviewer.grading.transcript import DialogueAct, ParsedAnswer, Turn, TurnKind
from interviewer.grading.verdicts import price_of_hint
from interviewer.rubric.rubric import Criterion, Rating
from interviewer.rubric.text import (
    COMMON_STEMS,
    HAN,
    Span,
    content_stems,
    is_denied,
    is_negated_before,
    normalise,
    table,
    words,
)

_OFFER = " You can have a hint, at its price, if you ask."


@cache
def _wordings() -> dict[str, Any]:
    return dict(table("wordings", __package__))


def utterance(context: QuestionContext, move: Move) -> str:
    """The utterance for the move."""
    rubric = context.rubric
    match move.kind:
        case MoveKind.OPEN:
            return rubric.question
        case MoveKind.ESCALATE:
            return _acknowledged(context, rubric.harder[move.escalation])
        case MoveKind.NUMBERS_CLASH | MoveKind.NUMBERS_FIT:
            return f"{move.sum} {move.ask or 'How do these fit together?'}"
        case MoveKind.BAD_LINE:
            return _fresh(context, "bench").format(fault=move.bench)
        case MoveKind.REDIRECT:
            return _redirection(context, move)
        case MoveKind.OFFER:
            price = "a quarter" if price_of_hint(move.hint_level) <= 0.25 else "half"
            return _fresh(context, "offer").format(price=price)
        case MoveKind.HINT:
            return f"Hint: {rubric.criterion(move.target).hints[move.hint_level - 1]}"
        case MoveKind.TELL:
            added = _fresh(context, "added")
            return added.format(claim=rubric.criterion(move.target).claim)
        case MoveKind.REFRAME:
            return _fresh(context, "reframe")
        case MoveKind.CLARIFY:
            if rubric.candidate_asks:
                return _answered(context)
            return _terms_of_offer(context) or _clarified(context, move)
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


def _redirection(context: QuestionContext, move: Move) -> str:
    if move.remark is DialogueAct.WANTS_HINT and not context.rubric.has_hints:
        return _fresh(context, "no_hints")
    offer = _OFFER if context.follow_ups_left else ""
    pattern = _fresh(context, f"redirect {move.remark}")
    return pattern.format(offer=offer, question=_last_question(context))


def _probe(context: QuestionContext, move: Move) -> str:
    last = context.turns[-1] if context.turns else None
    probe = context.rubric.criterion(move.target).probe
    acts = _acts(context)
    if DialogueAct.SAID_THAT in acts and DialogueAct.ANSWER not in acts:
        met = {v.criterion for v in context.verdicts if v.verdict is Rating.MET}
        due = [turn.target for turn in _said(context) if turn.target]
        return _led(context, "found" if met.intersection(due[-1:]) else "taken_on_trust", probe)
    stuck = last is not None and last.kind in (TurnKind.DONT_KNOW, TurnKind.ASIDE)
    if stuck and not context.rubric.is_discussion:
        return _led(context, "leaving", probe)
    return _acknowledged(context, probe)


def _on_their_words(context: QuestionContext, move: Move) -> str:
    criterion = context.rubric.criterion(move.target) if move.target else None
    if move.kind is MoveKind.DRILL and (own := move.sum or _own_drill(context, criterion)):
        return own
    if move.kind is MoveKind.DRILL or criterion is None:
        probe = criterion.probe if criterion else ""
        return probe if probe and not _was_said(context, probe) else _fresh(context, "drill_own")
    if move.kind is MoveKind.CHALLENGE:
        return _challenge(context, criterion)
    found = next((v.verdict for v in context.verdicts if v.criterion == criterion.id), None)
    is_told = found is Rating.MET or (criterion.is_own and found is not Rating.PARTIAL)
    if is_told and criterion.deeper and not _was_said(context, criterion.deeper):
        return _acknowledged(context, criterion.deeper)
    if not _was_said(context, criterion.probe):
        return _acknowledged(context, criterion.probe)
    return _fresh(context, f"pin_down {criterion.kind}")


def _challenge(context: QuestionContext, criterion: Criterion) -> str:
    """Puts to the test what the contradiction rests on, in their words if they are few."""
    rests_on = next((v.evidence for v in context.verdicts if v.criterion == criterion.id), "")
    quoted = rests_on.strip(EDGE_PUNCTUATION)
    if not quoted or len(words(quoted)) > MOST_QUOTED or QUOTED.search(quoted):
        was_asked = _was_said(context, criterion.probe)
        return _fresh(context, "challenge unquoted") if was_asked else criterion.probe
    return _fresh(context, "challenge").format(quoted=f"“{quoted}”")


def _own_drill(context: QuestionContext, criterion: Criterion | None) -> str:
    """The criterion's drill, the sharper one after another drill on it; "" if none is left."""
    if criterion is None or criterion.drill is None:
        return ""
    drilled = any(t.kind is TurnKind.DRILL and t.target == criterion.id for t in _said(context))
    texts = (criterion.drill.ask, criterion.drill.again)[drilled:]
    return next((text for text in texts if not _was_said(context, text)), "")


@cache
def drilled_figures() -> tuple[str, ...]:
    """The quantities that have a drill, the most telling first."""
    return tuple(name.removeprefix("drill ") for name in _wordings() if name.startswith("drill "))


def drill_on_figure(figure: Quantity, answer: ParsedAnswer) -> str:
    """A question on a figure that names it, "" where the answer holds its subject."""
    words: list[str] = _wordings()[f"drill {figure.measure}"]
    asks, *others = words
    told = answer.stems - content_stems(figure.text)
    subject = content_stems(" ".join((asks.partition("}")[2], *others))) - COMMON_STEMS
    if subject & told:
        return ""
    return asks.format(figure=_said_back(figure))


def press_on_figure(figure: Quantity, pressed: int) -> str:
    """A second try on a figure, after so many in the session."""
    ways: list[str] = _wordings()["press"]
    return ways[pressed % len(ways)].format(figure=_said_back(figure))


def _said_back(figure: Quantity) -> str:
    return shown(figure).replace(".0e", "e")


def _simpler(context: QuestionContext, move: Move) -> str:
    simpler = [each for each in context.rubric.simpler if not _was_said(context, each)]
    if simpler:
        return _led(context, "smaller", simpler[0])
    probe = context.rubric.criterion(move.target).probe
    said = _was_said(context, probe)
    return _fresh(context, "anything_sure") if said else _led(context, "smaller", probe)


def _acknowledged(context: QuestionContext, question: str) -> str:
    """The question after a word on what came beside the answer, or one acknowledgement each."""
    acts = _acts(context)
    besides = (name for name in _wordings() if name.startswith("beside "))
    if beside := next((name for name in besides if name.removeprefix("beside ") in acts), ""):
        return _led(context, beside, question)
    leads = _wordings()["acknowledgement"]
    enough = any(turn.text.startswith(tuple(leads)) for turn in _said(context))
    return question if enough else _joined(context, leads, question)


def _clarified(context: QuestionContext, move: Move) -> str:
    """The last question again: as it was, in other words, or with what it is after."""
    acts, name = _acts(context), "meaning"
    if DialogueAct.WANTS_REPEAT in acts:
        name = "again"
    elif DialogueAct.WANTS_REPHRASE in acts:
        name = "in_other_words"
    point = context.rubric.criterion(move.target) if move.target else None
    title = context.rubric.title
    about = title if title[1:2].isupper() else f"{title[:1].lower()}{title[1:]}"
    wanted = _wordings()["wanted"][point.kind] if point else about
    return _fresh(context, name).format(wanted=wanted, question=_last_question(context))


def _answered(context: QuestionContext) -> str:
    """A plain answer to the candidate's own question, where there is an authored one."""
    asked = context.turns[-1].parsed.plain.text
    answers = (name for each, name in _wordings()["theirs"].items() if re.search(each, asked))
    name = next(answers, "theirs unknown")
    return f"{_fresh(context, name)} {_fresh(context, 'what_else')}"


def _led(context: QuestionContext, name: str, question: str) -> str:
    return _joined(context, _wordings()[name], question)


def _joined(context: QuestionContext, leads: Sequence[str], question: str) -> str:
    """The question after a lead that was not used yet, if both are short enough together."""
    lead = next((each for each in leads if not _was_said(context, each)), "")
    text = f"{lead} {question}".strip()
    return text if len(words(text)) <= MOST_WORDS else question


def _fresh(context: QuestionContext, name: str) -> str:
    """The first wording of that name whose own words were not said yet, else the oldest."""
    said = [text.lower() for text in (*context.said, *(turn.text for turn in _said(context)))]

    def last_said(pattern: str) -> int:
        own = _own_words(pattern).lower()
        return max((place for place, text in enumerate(said) if own in text), default=-1)

    return str(min(_wordings()[name], key=last_said))


def _own_words(pattern: str) -> str:
    return max(re.split(r"\{\w+\}", pattern), key=len).strip(" :,.")


def _was_said(context: QuestionContext, text: str) -> bool:
    wanted = text.lower()
    spoken = (*context.said, *(turn.text for turn in _said(context)))
    return any(wanted in each.lower() for each in spoken)


def _acts(context: QuestionContext) -> frozenset[DialogueAct]:
    return acts_of(context.turns) if context.turns else frozenset()


def _said(context: QuestionContext) -> list[Turn]:
    return [turn for turn in context.turns if turn.author == "examiner"]


def _last_question(context: QuestionContext) -> str:
    """What was asked last, without what led up to it; the whole question if that was it."""
    asked = [turn for turn in _said(context) if "?" in turn.text and turn.kind not in _NO_QUESTION]
    if not asked or asked[-1].kind is TurnKind.QUESTION:
        return asked[-1].text if asked else context.rubric.question
    leads = (lead.partition("{")[0].strip() for each in _LEADS for lead in _wordings()[each])
    text = asked[-1].text
    return text.removeprefix(next((f"{each} " for each in leads if text.startswith(each)), ""))


_LEADS = (
    *("acknowledgement", "smaller", "leaving", "found", "taken_on_trust"),
    *("again", "meaning"),
)
"""What may stand before a question that is put again."""
_NO_QUESTION = (TurnKind.OFFER, TurnKind.REDIRECT, TurnKind.HINT, TurnKind.TELL)


def _terms_of_offer(context: QuestionContext) -> str:
    """What the hint that was just offered costs; "" if none was."""
    said = _said(context)
    if not said or said[-1].kind is not TurnKind.OFFER:
        return ""
    left = "half" if "half" in said[-1].text else "three quarters"
    return f"With the hint you can still earn {left} of this point. Which would you rather?"


MOST_QUOTED = 8
"""The most words of theirs in a quotation."""
EDGE_PUNCTUATION = " \t\n.,;:!?()[]{}\"'“”‘’-–—"
QUOTED = re.compile(r"[“\"](.*?)[”\"]")


def faults(text: str, context: QuestionContext, *, of_answers: bool = True) -> Iterator[str]:
    """What is wrong with quotations in an utterance; ``of_answers``: those alone may be quoted."""
    for quoted in QUOTED.findall(text):
        plain = normalise(quoted).text.strip(" .,;:…!?")
        if not plain:
            continue
        if not is_said(quoted, context):
            yield f"nobody said “{quoted}”"
        elif len(plain.split()) > MOST_QUOTED:
            yield f"it quotes more than {MOST_QUOTED} words: “{quoted}”"
        elif reason := _unfair(plain, context, of_answers=of_answers):
            yield f"{reason}: “{quoted}”"


def is_said(quoted: str, context: QuestionContext) -> bool:
    """Somebody said these words in this order."""
    plain = normalise(quoted).text.strip(" .,;:…!?")
    return any(_places(plain, turn.parsed) for turn in context.turns)


def _places(plain: str, said: ParsedAnswer) -> list[Span]:
    """Where the words stand in the plain text, whole words only."""
    letter = rf"[^\W_{HAN}]"
    begins = rf"(?<!{letter})" if re.match(letter, plain) else ""
    ends = rf"(?!{letter})" if re.match(letter, plain[-1:]) else ""
    found = re.finditer(rf"{begins}{re.escape(plain)}{ends}", said.plain.text)
    return [match.span() for match in found]


def _unfair(plain: str, context: QuestionContext, *, of_answers: bool) -> str:
    """Why none of the places where the words stand may be quoted, "" if one may."""
    reason = ""
    for turn in context.turns:
        answer = turn.parsed
        for place in _places(plain, answer):
            if turn.author == "examiner":
                return ""
            if answer.gives_orders(answer.plain.original_span(*place)):
                reason = "it quotes an order"
            elif of_answers and turn.kind is not TurnKind.ANSWER:
                reason = "it quotes what is no answer"
            elif _is_cut_from_negation(answer, place):
                reason = "it cuts off a negation"
            else:
                return ""
    return reason


def _is_cut_from_negation(answer: ParsedAnswer, place: Span) -> bool:
    text = answer.plain.text
    around = next(((a, b) for a, b in answer.sentences if a <= place[0] < b), (0, len(text)))
    return is_negated_before(text, place) or is_denied(text[slice(*around)], place[0] - around[0])
