"""The examiner's templates: the rubric's wording with the candidate's words slotted in.

Nothing is said twice in a session while there is another way to say it. Which of the candidate's
words may be quoted, and whether a quotation is fair, is decided here for all: better no quotation
than a bad one. A good one is a whole phrase of two to eight words as typed, says what the candidate
meant (no negation or hedge is cut off), is near the topic, and comes from an answer rather than
from a wish, a question back or an order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any, assert_never

from interviewer.examiner.listening import acts_of, is_off_topic
from interviewer.examiner.protocol import MOST_WORDS, Move, MoveKind, QuestionContext
from interviewer.grading.claims.quantity import Quantity, shown
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.score import price_of_hint
from interviewer.grading.transcript import DialogueAct, ParsedAnswer, Turn, TurnKind
from interviewer.rubric.importing import PROBES
from interviewer.rubric.rubric import Criterion, Rating, Rubric
from interviewer.rubric.text import (
    COMMON_STEMS,
    HAN,
    Span,
    content_stems,
    denies,
    has_negator,
    is_content,
    is_denied,
    is_negated_before,
    normalise,
    overlap,
    words,
)
from interviewer.yaml_tables import table

_OFFER = " You can have a hint, at its price, if you ask."
_ASKING = re.compile(r"[^.!?:]*\?")


@cache
def _wordings() -> dict[str, Any]:
    """What ``wordings.yaml`` lists."""
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
            return f"{move.sum} {move.ask or 'Which of these figures is off?'}"
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
            added = _fresh(context, "added exam" if context.exam else "added practice")
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


def drill_on(criterion: Criterion, *, again: bool) -> str:
    """A question on one point that was missed; ``again`` if it was drilled before.

    By its own drill only where it is experience: all else is known without having done it, too.
    """
    own = criterion.drill if criterion.is_own else None
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
    probe = context.rubric.criterion(move.target).probe
    if last is not None and DialogueAct.SAID_THAT in acts_of(context.turns):
        met = {v.criterion for v in context.verdicts if v.verdict is Rating.MET}
        due = [turn.target for turn in _said(context) if turn.target]
        return _led(context, "found" if met.intersection(due[-1:]) else "leaving", probe)
    stuck = last is not None and last.kind in (TurnKind.DONT_KNOW, TurnKind.ASIDE)
    if stuck and not context.rubric.is_discussion:
        return _led(context, "leaving", probe)
    latest = replace(context, turns=context.turns[-1:])
    theirs = phrase(latest, context.rubric.criterion(move.target))
    is_on_it = content_stems(theirs) & content_stems(probe) - COMMON_STEMS
    return _taken_up(context, theirs, probe) if is_on_it else _acknowledged(context, probe)


def _taken_up(context: QuestionContext, theirs: str, question: str) -> str:
    return _joined(context, (_fresh(context, "taken_up").format(quoted=f"“{theirs}”"),), question)


def _on_their_words(context: QuestionContext, move: Move) -> str:
    criterion = context.rubric.criterion(move.target) if move.target else None
    if move.kind is MoveKind.DRILL and (own := move.sum or _own_drill(context, criterion)):
        return own
    theirs = phrase(context, criterion) if criterion else ""
    if theirs and _was_said(context, f"“{theirs}”"):
        theirs = ""
    quoted = f"“{theirs}”"
    if criterion is None or not theirs:
        probe = criterion.probe if criterion else ""
        if not probe or _was_said(context, probe):
            return _fresh(context, "unquoted")
        return _led(context, "touched", probe) if move.kind is MoveKind.PIN_DOWN else probe
    if move.kind is MoveKind.CHALLENGE:
        return _fresh(context, "challenge").format(quoted=quoted)
    if criterion.probe not in PROBES and not _was_said(context, criterion.probe):
        return _taken_up(context, theirs, criterion.probe)
    return _fresh(context, f"pin_down {criterion.kind}").format(quoted=quoted)


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
    return asks.format(figure=shown(figure).replace(".0e", "e"))


def _simpler(context: QuestionContext, move: Move) -> str:
    simpler = [each for each in context.rubric.simpler if not _was_said(context, each)]
    if simpler:
        return _led(context, "smaller", simpler[0])
    probe = context.rubric.criterion(move.target).probe
    said = _was_said(context, probe)
    return _fresh(context, "anything_sure") if said else _led(context, "smaller", probe)


def _acknowledged(context: QuestionContext, question: str) -> str:
    """The question after an acknowledgement, of which one is enough for a question."""
    leads = _wordings()["acknowledgement"]
    enough = any(turn.text.startswith(tuple(leads)) for turn in _said(context))
    return question if enough else _joined(context, leads, question)


def _clarified(context: QuestionContext, move: Move) -> str:
    """The last question again: as it was, in other words, or with what it is after."""
    acts, name = acts_of(context.turns), "meaning"
    if DialogueAct.WANTS_REPEAT in acts:
        name = "again"
    elif DialogueAct.WANTS_REPHRASE in acts:
        name = "in_other_words"
        ways = (each for each in context.rubric.simpler if not _was_said(context, each))
        if not move.target and (way := next(ways, "")):
            return _fresh(context, "another_way").format(question=way)
    wanted = _wordings()["wanted"]
    point = context.rubric.criterion(move.target) if move.target else None
    question = _last_question(context)
    made = {v.criterion: v.verdict is Rating.MET for v in context.verdicts}
    if made.get(move.target) and not all(made.values()):
        point = next(c for c in context.rubric.criteria if not made.get(c.id))
        question = point.probe
    return _fresh(context, name).format(
        wanted=wanted[point.kind if point else "question"], question=question
    )


def _answered(context: QuestionContext) -> str:
    """A plain answer to the candidate's own question, where there is an authored one."""
    asked = context.turns[-1].parsed.plain.text
    answers = (name for each, name in _wordings()["theirs"].items() if re.search(each, asked))
    name = next(answers, "theirs unknown")
    return f"{_fresh(context, name)} {_fresh(context, 'what_else')}"


def _led(context: QuestionContext, name: str, question: str) -> str:
    """The question after one of these leads."""
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
    """The longest stretch of the pattern without a placeholder."""
    return max(re.split(r"\{\w+\}", pattern), key=len).strip(" :,.")


def _was_said(context: QuestionContext, text: str) -> bool:
    wanted = text.lower()
    spoken = (*context.said, *(turn.text for turn in _said(context)))
    return any(wanted in each.lower() for each in spoken)


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


def _terms_of_offer(context: QuestionContext) -> str:
    """What the hint that was just offered costs; "" if none was."""
    said = _said(context)
    if not said or said[-1].kind is not TurnKind.OFFER:
        return ""
    left = "half" if "half" in said[-1].text else "three quarters"
    return f"With the hint you can still earn {left} of this point. Which would you rather?"


PHRASE_WORDS = (2, 8)
LONGEST_WORD = 30
EDGE_PUNCTUATION = " \t\n.,;:!?()[]{}\"'“”‘’-–—"
QUOTED = re.compile(r"[“\"](.*?)[”\"]")

_NO_ANSWER = re.compile(
    r"\?|\b(?:i|we|me) (?:really |honestly |just )?(?:don't|do not|dont|can't|cannot|couldn't"
    r"|forg[eo]t\w*|have no)\b(?: \w+){0,2}? ?(?:know|recall|remember|say|tell|idea|clue|sure)?"
    r"|\b(?:no idea|no clue|not sure|hint|skip|next question|pass on|move on|come back to"
    r"|repeat (?:the|that)|say that again|rephrase|clarify|what do you mean|you mean|you asked"
    r"|your question|the question|this question|give up|please|thanks?|thank you|sorry|let me"
    r"|stop here)\b"
)
"""A sentence with one of these is a wish, a question back or a shrug."""
_HEDGE = re.compile(
    r"\b(?:would|wouldn't|might|may|could|maybe|perhaps|possibly|probably|likely|think|thought"
    r"|guess|believe|suppose|supposedly|assum\w+|if|unless|whether|claim\w*|doubt\w*|seems?|unsure"
    r"|used to|wrong\w*|false|myth|mistake\w*|supposed|said|says?|told|heard|read|expected|as"
    r" though|instead|than|either|neither|between)\b|\bor$"
)
"""Before a phrase it changes what the phrase says."""
_TAKEN_BACK = re.compile(
    r"^[ ,;:-]*(?:which |that |it )?(?:\w+ )?(?:is|was|are|were|does|do|did|would|can|will|has"
    r"|have|should)?(?:n't| not\b| never\b| hardly\b| wrong\b| false\b| a myth\b)|^[ ,;-]*(?:not"
    r"|no|never|or|without|except|only|unless|if)\b"
)
_BREAK = re.compile(
    r"[,;:.!?()\[\]=]+(?=\s|$)|\s[-–—]+\s|(?<=\s)[(\[]|\s(?=(?:and|but|because|so|which|that|when"
    r"|whereas|while|since|then|or|where|who|if|until|before|after|whose|though|although|unless)\s)",
    re.IGNORECASE,
)
PHRASES_STATE_FROM = 4
"""Fewer words name an idea rather than state it."""
_NAMED_BEFORE = re.compile(
    r"\b(?:how|what|which|when|where)(?: \w+){0,3} (?:is|are|does|do|counts as|by|call)"
    r"(?: an?| the)? ?$"
)
_ASKED_AFTER = re.compile(r"^[,:]? ?(?:means?\b|(?:in|by|for|to|of) (?:what|which|whose)\b)")
_PREPOSITIONS = frozenset(
    words(
        "with for in on at by from to into onto over under across through during per about against "
        "between without within via as until after before than of"
    )
)
_DETERMINERS = frozenset(
    words("the a an our my its their this that these those each every all both no any some")
)
_LOOSE_ENDS = (
    _PREPOSITIONS
    | _DETERMINERS
    | frozenset(
        words(
            "and or but so because which that when if while is are was were be been being am has "
            "have had do does did will would can could may might must should not i we you he she "
            "they it it's that's i'm we're there's very more most less much too just only even "
            "also still really quite rather almost nearly about around roughly like then there "
            "here what how why who whose where one"
        )
    )
)
_PRONOUNS = frozenset(words("i we you he she it they there this"))
_JOINED_BEFORE = re.compile(r"[^\s,;:.!?] (?:and|or|nor|but)$")
"""Only the second half of a pair would be quoted."""
_GOES_ON = re.compile(
    r"^(?:that|than|as|to|whether|how|what|why|who|when|until|unless|after|before|besides)\b"
    rf"|^(?:and|or|nor|but) (?!(?:{'|'.join(sorted(_PRONOUNS))})\b)"
    r"|^, (?:[^\s,]+ ){1,2}(?:and|or)\b|^, (?:[^\s,]+ )?[^\s,]+,(?! (?:and|but|so)\b)"
)
"""What follows belongs to the phrase."""
NOUN_PHRASE_WORDS = 4
_PARTICLES = frozenset(words("away up down out off back together apart"))
_TOKEN = re.compile(r"\S+")
_NO_BEGINNING = frozenset(words("and or but not which whose is are was were than as to say"))
_FILLERS = frozenset(
    words(
        "so well and but then now also ok okay yes yeah no right um uh basically actually honestly "
        "simply because since that"
    )
)


def phrase(context: QuestionContext, criterion: Criterion) -> str:
    """The candidate's words near the criterion that are best quoted, or "" if none are fit.

    Where a verdict rests on some of them, only those count: other words that sound like the topic
    may have been said about another point. Later answers are preferred.
    """
    probe = content_stems(criterion.probe)
    topic = content_stems(" ".join((criterion.claim, *criterion.accept))) | probe
    standing = next((v for v in context.verdicts if v.criterion == criterion.id), None)
    rests_on = [(each.turn, each.span) for each in standing.quotes] if standing else []
    best, most = "", 0.0
    for age, turn in enumerate(reversed(_quotable(context))):
        for candidate in _phrases(turn.parsed):
            judged = any(n == turn.number and overlap(s, candidate.span) for n, s in rests_on)
            if rests_on and not judged:
                continue
            stems = content_stems(candidate.text)
            shared = stems & topic
            if not shared - COMMON_STEMS:
                continue
            worth = len(shared - COMMON_STEMS) + 0.5 * len(shared & probe) + candidate.wholeness
            worth += judged - 0.25 * age
            if worth > most:
                best, most = candidate.text, worth
    return best


def _quotable(context: QuestionContext) -> list[Turn]:
    """The answers in words: no submissions from the bench, for half a formula is no phrase."""
    return [
        turn
        for turn in candidate_turns(context.turns)
        if turn.run is None and _answers(turn, context.rubric)
    ]


def _answers(turn: Turn, rubric: Rubric) -> bool:
    return turn.kind is TurnKind.ANSWER and not is_off_topic(turn.parsed, rubric)


@dataclass(frozen=True)
class _Phrase:
    """Words of an answer as typed. ``wholeness`` is more for a clause than for a part of one."""

    text: str
    span: Span
    wholeness: float


def _phrases(answer: ParsedAnswer) -> Iterator[_Phrase]:
    """The phrases of an answer that may stand alone."""
    for start, end in answer.sentences:
        first, last = answer.plain.original_span(start, end)
        sentence = answer.text[first:last]
        plain = normalise(sentence).text
        if _NO_ANSWER.search(plain) or denies(plain) or answer.gives_orders((first, last)):
            continue
        for a, b, wholeness in _parts(sentence):
            b = a + len(sentence[a:b].rstrip(EDGE_PUNCTUATION))
            if _is_fit(sentence, a, b):
                yield _Phrase(sentence[a:b], (first + a, first + b), wholeness)


def _parts(sentence: str) -> Iterator[tuple[int, int, float]]:
    """Clauses, their beginnings up to a preposition, and noun phrases within them."""
    edges = [0, *(m.end() for m in _BREAK.finditer(sentence)), len(sentence)]
    for start, end in pairwise(edges):
        tokens = [
            (start + m.start(), start + m.end()) for m in _TOKEN.finditer(sentence[start:end])
        ]
        while tokens and _bare(sentence, tokens[0]) in (*_FILLERS, ""):
            tokens.pop(0)
        bare = [_bare(sentence, token) for token in tokens]
        for length in range(len(tokens), 1, -1):
            if length == len(tokens):
                yield tokens[0][0], tokens[-1][1], 1.0
            elif bare[length] in _PREPOSITIONS - {"of"} and _may_end(bare[:length]):
                yield tokens[0][0], tokens[length - 1][1], 0.5
        yield from _noun_phrases(bare, tokens)


def _may_end(bare: list[str]) -> bool:
    """What goes on with a preposition may be cut off: it negates nothing and parts no verb from it.

    A determiner or a number near the end shows a noun phrase there.
    """
    last = bare[max(1, len(bare) - NOUN_PHRASE_WORDS) :]
    if has_negator(" ".join(bare)) or _parts_from_preposition(bare[-1]):
        return False
    return any(word in _DETERMINERS or word[:1].isdigit() for word in last)


def _parts_from_preposition(last: str) -> bool:
    """The word is often a verb's that goes on with the preposition after it."""
    return last.endswith(("ed", "ing")) or last in _PARTICLES


def _noun_phrases(bare: list[str], tokens: list[Span]) -> Iterator[tuple[int, int, float]]:
    """From a determiner or after a preposition up to the next function word."""
    for at, word in enumerate(bare):
        begins = word in _DETERMINERS - {"that"} or (at and bare[at - 1] in _PREPOSITIONS)
        if not begins:
            continue
        end = at + 1
        while end < len(bare) and (is_content(bare[end]) or _joins(bare, end)):
            end += 1
        follows = bare[end] if end < len(bare) else ""
        if follows not in _PREPOSITIONS | {"is", "are", "was", "were", ""}:
            continue
        if follows in _PREPOSITIONS and _parts_from_preposition(bare[end - 1]):
            continue
        yield tokens[at][0], tokens[end - 1][1], 0.0


def _joins(bare: list[str], at: int) -> bool:
    """The "of" or the determiner in "the root of the head width"."""
    if bare[at] == "of":
        return at + 1 < len(bare) and (is_content(bare[at + 1]) or bare[at + 1] in _DETERMINERS)
    return bare[at - 1] == "of" and bare[at] in _DETERMINERS


def _bare(sentence: str, token: Span) -> str:
    return normalise(sentence[slice(*token)]).text.strip(EDGE_PUNCTUATION)


def _is_fit(sentence: str, start: int, end: int) -> bool:
    """The part can stand alone, and says there what it says in its sentence."""
    text = sentence[start:end]
    tokens = text.split()
    bare = [normalise(token).text.strip(EDGE_PUNCTUATION) for token in tokens]
    if not PHRASE_WORDS[0] <= len(tokens) <= PHRASE_WORDS[1] or "" in bare:
        return False
    if any(len(token) > LONGEST_WORD for token in tokens) or re.search(r"[{}<>|“”\"\\\n]", text):
        return False
    telling = [word for word in bare if is_content(word)]
    if len(telling) < 2 or not any(word.isalpha() and len(word) > 2 for word in telling):
        return False
    if bare[-1] in _LOOSE_ENDS or bare[0] in _PREPOSITIONS | _NO_BEGINNING:
        return False
    before, after = normalise(sentence[:start]).text, normalise(sentence[end:]).text
    if has_negator(before) or _HEDGE.search(before) or _TAKEN_BACK.match(after):
        return False
    is_second = _JOINED_BEFORE.search(before) and bare[0] not in _PRONOUNS
    return not (is_second or _GOES_ON.match(after))


def faults(text: str, context: QuestionContext, *, of_answers: bool = True) -> Iterator[str]:
    """What is wrong with the quotations in an utterance, a reason each.

    With ``of_answers`` it may quote answers alone.
    """
    for found in QUOTED.finditer(text):
        quoted = found[1]
        plain = normalise(quoted).text.strip(" .,;:…!?")
        if not plain:
            continue
        if not any(_places(plain, turn.parsed) for turn in context.turns):
            yield f"nobody said “{quoted}”"
        elif len(plain.split()) > PHRASE_WORDS[1]:
            yield f"it quotes more than {PHRASE_WORDS[1]} words: “{quoted}”"
        elif not _asks_for_its_meaning(found, text) and (
            reason := _unfair(plain, context, of_answers=of_answers)
        ):
            yield f"{reason}: “{quoted}”"


def _asks_for_its_meaning(quotation: re.Match[str], text: str) -> bool:
    """ "How old is “too old”?" takes up an expression and states nothing."""
    if len(quotation[1].split()) >= PHRASES_STATE_FROM:
        return False
    before, after = (
        normalise(text[: quotation.start()]).text,
        normalise(text[quotation.end() :]).text,
    )
    return bool(_NAMED_BEFORE.search(before) or _ASKED_AFTER.match(after))


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
            elif of_answers and not _answers(turn, context.rubric):
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
