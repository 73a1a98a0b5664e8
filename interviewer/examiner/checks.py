"""Checks every follow-up before it is asked; one that fails is replaced by the authored probe.

One short question that is new and neutral, quotes fairly and gives nothing away; a harmless one
passes. What surely gives the key away is never said (:func:`leaks`). Where words alone do not tell
(:func:`possible_leaks`), a model with the key decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from interviewer.examiner import wording
from interviewer.examiner.offline.judge import Credit, credit_of
from interviewer.examiner.protocol import (
    LEAST_WORDS,
    MOST_WORDS,
    WORDED,
    Move,
    MoveKind,
    QuestionContext,
)
from interviewer.examiner.wording import QUOTED
from interviewer.grading.claims.reported import numbers
from interviewer.grading.numerals import SCALES, Quantity, bytes_of, is_unit, matches
from interviewer.grading.transcript import ParsedAnswer, TurnKind
from interviewer.rubric.rubric import Criterion, NumberFact, Rating, Rubric
from interviewer.rubric.text import (
    COMMON_STEMS,
    closed,
    content_stems,
    is_content,
    normalise,
    shared_trigrams,
    shortened,
    stem,
    table,
    words,
)

REPEATED_FROM = 0.6
UNSAID_STEMS = 2
_ATTRIBUTION = re.compile(
    r"\b(?:you(?:'ve|'d| have| had| were| just| also| already)* (?:sa(?:id|ying)|mentioned"
    r"|reported|noted|told (?:me|us)|described|argued|claimed|observed|pointed out)"
    r"|your (?:observation|point|claim|statement|finding|report) (?:was|is))(?: earlier| before)?"
    r"(?: that)? (?P<what>[^.?!;:]+)"
)
MOST_OPENING_WORDS = 70
"""An opening quotes a whole sentence from the notes, so it may be longer than a follow-up."""
LEAST_QUOTED_WORDS = 3

_LEADING = re.compile(
    r"(?:^|[.!:;,] )(?:(?:so|and|but|well|then|now|ok|okay),? )?(?P<words>"
    r"(?:is|are|was|do|does|did|would|wo|will|should|could|has|have|ca)n't (?!you (?!think|agree"
    r"|say|expect|believe))(?:\w+)|are you (?:really |quite |absolutely )?(?:sure|certain)\b"
    r"|(?:so |do )?you mean that\b|would you agree\b|is it (?:not )?(?:because|true|so|the case)\b"
    r"|could it (?:not )?be (?:that|because)\b|surely\b)(?=[^.!]*\?)"
    r"|, ?(?P<tag>right|correct|no|yes|(?:is|are|was|do|does|did|would|will|has|have)n't (?:it|that"
    r"|they|there|you|he|she)|don't you (?:think|agree)|wouldn't you (?:say|agree)) ?\?"
)
_PRAISE = (
    r"(?:correct|wrong|incorrect|exactly|precisely|absolutely|great|perfect|excellent|nice|good"
    r"|very good|brilliant|impressive|wonderful|fantastic|well done|not quite|not exactly"
    r"|not really|almost|unfortunately|indeed)"
)
_JUDGED = (
    r"(?:correct|incorrect|right|wrong|mistaken|false|true|not true|great|excellent|perfect"
    r"|impressive|spot on|on the right track|nice|good|a (?:very )?(?:good|great|nice|fair"
    r"|excellent|strong|solid|weak|poor|bad) (?:answer|point|job|start|thought|idea|one))"
)
_VERDICT = re.compile(
    rf"(?:^|[.!?] )(?P<alone>{_PRAISE}(?:[.!]|,(?! (?:then|so|now|and now|next|let's)\b))"
    rf"|{_PRAISE} (?:answer|point|job|start|work|idea|thought|thinking)\b|(?:right|yes|no|true)[.!]"
    r"|(?:yes|no), |(?:that |this )?makes (?:perfect |good )?"
    r"sense[,.!]|i (?:dis)?agree\b|you(?:'ve| have) (?:got|nailed) (?:it|that)\b"
    r"|you (?:got (?:it|that) (?:right|wrong)|missed|forgot|nailed it)\b)"
    r"|(?:^|[.!?,:;] |\b(?:and|but|so|well|yes|no) )(?P<judged>(?:that's|that is|this is|you're"
    r"|you are|it's|it is|your answer is|the answer is) (?:not |quite |not quite |partly |simply"
    rf" |absolutely |exactly |almost |all |very |entirely )*{_JUDGED})(?=[,.!?;:]| (?:and|but|so"
    r"|about)\b|$)"
)
_REPLY = re.compile(r"^(?:yes|no)(?:[.!]|,) ")
_SYSTEM_TEXT = re.compile(
    r"[{}]|\b(?:rubrics?|criteri(?:on|a)|weight \d|must_have|(?:my|your) verdicts?|system prompt"
    r"|answer key|as an ai|your (?:score|grade|marks?))\b|<\|\w+\|>|</?(?:system|assistant|user"
    r"|answer|transcript|candidate)>"
)
_STACKED = re.compile(r"\band also\b.*\?|\badditionally\b.*\?")


def objections(text: str, context: QuestionContext, move: Move) -> tuple[str, ...]:
    """What is wrong with the examiner's own utterance, short reasons that name the words."""
    if move.kind is MoveKind.OPEN:
        return (*_form(text, QUOTED.sub(" ", text), context, move), *_of_notes(text, context))
    if move.kind not in WORDED:
        return ()
    spoken = _unquoted(text, context)
    return (*_form(text, spoken, context, move), *_substance(text, spoken, context, move))


def possible_leaks(text: str, context: QuestionContext, move: Move) -> tuple[str, ...]:
    """The words that may give a point away, less what was cleared on this question before."""
    if move.kind not in WORDED:
        return ()
    doubts = doubtful_leaks(_unquoted(text, context), context)
    return tuple(each for each in doubts if each not in context.cleared)


def _of_notes(text: str, context: QuestionContext) -> Iterator[str]:
    """A question on the candidate's own project quotes their notes, and is open."""
    if closed(QUOTED.sub(" ", text)):
        yield "yes or no would answer it"
    own = context.rubric.own_project
    notes = normalise(own.passage).text if own else ""
    quoted = [normalise(each).text.strip(" .,;:…") for each in QUOTED.findall(text)]
    if not any(len(words(each)) >= LEAST_QUOTED_WORDS for each in quoted):
        yield "it does not quote the notes"
    if any(each not in notes for each in quoted):
        yield "the notes do not say what it quotes"


def _form(text: str, spoken: str, context: QuestionContext, move: Move) -> Iterator[str]:
    """Whether it is one question of the right length, open, neutral, about the subject only."""
    plain = normalise(spoken).text
    marks, count = spoken.count("?"), len(words(text))
    asks_nothing = move.kind is MoveKind.REDIRECT and not marks
    most = MOST_OPENING_WORDS if move.kind is MoveKind.OPEN else MOST_WORDS
    if marks != 1 and not asks_nothing:
        yield f"it does not ask exactly one question but {marks}"
    elif stacked := _STACKED.search(plain):
        yield f"it does not ask exactly one question: “{stacked[0].split(' ')[0]} …”"
    if not (asks_nothing or count >= LEAST_WORDS) or count > most:
        yield f"its length is off: {count} words"
    if leading := _LEADING.search(plain):
        yield f"it is a leading question: “{leading['words'] or leading['tag']}”"
    if context.exam and (verdict := _VERDICT.search(_without_reply(plain, context))):
        yield f"it passes judgement: “{(verdict['alone'] or verdict['judged']).strip(' ,.')}”"
    for found in dict.fromkeys(_SYSTEM_TEXT.findall(plain)):
        if not _is_subject(found, context):
            yield f"it speaks of the grading: “{found}”"
    if ParsedAnswer(spoken).gives_orders():
        yield "it repeats an instruction"


def _without_reply(plain: str, context: QuestionContext) -> str:
    """The words after a yes or no, where that answers a question of the candidate's."""
    last = next((turn for turn in reversed(context.turns) if turn.author == "candidate"), None)
    return _REPLY.sub("", plain) if last and "?" in last.text else plain


def _substance(text: str, spoken: str, context: QuestionContext, move: Move) -> Iterator[str]:
    """Whether it quotes fairly, is new (unless it replies to no answer) and gives nothing away."""
    replies = move.kind in (MoveKind.CLARIFY, MoveKind.REDIRECT)
    yield from wording.faults(text, context, of_answers=not replies)
    yield from leaks(spoken, context)
    yield from _attributed(spoken, context)
    asked = (
        t.parsed.words
        for t in context.turns
        if t.author == "examiner" and t.kind is not TurnKind.HINT
    )
    if not replies and shared_trigrams(words(spoken), asked) >= REPEATED_FROM:
        yield "it was asked before"


def _attributed(spoken: str, context: QuestionContext) -> Iterator[str]:
    """Words are put into the candidate's mouth: what they "said" holds several that nobody said."""
    said = frozenset[str]().union(*(turn.parsed.stems for turn in context.turns))
    for attribution in _ATTRIBUTION.finditer(normalise(spoken).text):
        unsaid = content_stems(attribution["what"]) - said - COMMON_STEMS
        if len(unsaid) >= UNSAID_STEMS:
            yield f"nobody said that: “{attribution['what'].strip()}”"


def _unquoted(text: str, context: QuestionContext) -> str:
    """The examiner's own words: all but what somebody else did say."""

    def kept(quotation: re.Match[str]) -> str:
        return "…" if wording.is_said(quotation[1], context) else quotation[1]

    return QUOTED.sub(kept, text)


def _is_subject(word: str, context: QuestionContext) -> bool:
    """The question itself or the candidate speaks of it: of the verdicts of a judge model, say."""
    return any(word in each.plain.text for each in Talk.of(context).all)


SHOWN_CHARACTERS = 80
_WORTH = {Rating.PARTIAL: 1, Rating.MET: 2}
_OR = re.compile(r",? \bor\b ")


def leaks(spoken: str, context: QuestionContext) -> Iterator[str]:
    """The words that give a point away, a reason each. ``spoken`` is without quotations."""
    talk, open_ = Talk.of(context), _open(context)
    told = [
        *_points_told(open_, spoken, talk),
        *_numbers_told(open_, spoken, talk),
        *_terms_told(open_, spoken, talk),
    ]
    for each in dict.fromkeys(told):
        yield f"it gives away “{each}”"


def doubtful_leaks(spoken: str, context: QuestionContext) -> Iterator[str]:
    """The words that may give a point away, a reason each, where :func:`leaks` finds none."""
    talk, open_ = Talk.of(context), _open(context)
    halves = (_shown(credit) for credit in _credits(open_, spoken, talk))
    for each in dict.fromkeys((*_key_words(open_, spoken, talk), *halves)):
        yield f"it may give away “{each}”"


def _open(context: QuestionContext) -> list[Criterion]:
    made = {v.criterion for v in context.verdicts if v.verdict is Rating.MET}
    return [c for c in context.rubric.criteria if c.id not in made]


@dataclass(frozen=True)
class Talk:
    """What may be said freely: what was said so far, neutral probes, points left open by runs."""

    candidate: tuple[ParsedAnswer, ...]
    others: tuple[ParsedAnswer, ...]

    @staticmethod
    def of(context: QuestionContext) -> Talk:
        """The talk of a question so far, its authored questions included."""
        answers = tuple(turn.parsed for turn in context.turns if turn.author == "candidate")
        asked = [turn.parsed for turn in context.turns if turn.author == "examiner"]
        for turn in context.turns:
            asked += map(ParsedAnswer, turn.result.open_points if turn.result else ())
        return Talk(answers, (*asked, *_authored(context.rubric)))

    @property
    def all(self) -> tuple[ParsedAnswer, ...]:
        """Whoever said it."""
        return (*self.candidate, *self.others)

    @property
    def stems(self) -> frozenset[str]:
        """The stems that anybody used."""
        return frozenset().union(*(each.stems for each in self.all))


def _authored(rubric: Rubric) -> tuple[ParsedAnswer, ...]:
    probes = (criterion.probe for criterion in rubric.criteria)
    return _parsed((*rubric.asked, *rubric.harder, *rubric.simpler, *probes))


@lru_cache(maxsize=64)
def _parsed(texts: tuple[str, ...]) -> tuple[ParsedAnswer, ...]:
    return tuple(map(ParsedAnswer, texts))


# Credit


def _points_told(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """The words that would earn a whole point; experience is earned by one's own figures alone."""
    facts = [criterion for criterion in criteria if criterion.kind != "experience"]
    for credit in _credits(facts, spoken, talk):
        telling = content_stems(" ".join(credit.earning)) - talk.stems - _everyday_stems()
        if credit.verdict is Rating.MET and not all(map(str.isdigit, telling)):
            yield _shown(credit)


def _credits(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[Credit]:
    """For each point what the words would earn, if it is more than has been said."""
    known, asked = talk.stems, ParsedAnswer(spoken)
    for criterion in criteria:
        credit = credit_of(criterion, asked, known, guarded=False)
        worth = _WORTH.get(credit.verdict, 0)
        if worth > _said(criterion, talk.others, guarded=False) and (
            worth > _said(criterion, talk.candidate, guarded=True)
        ):
            yield credit


def _said(criterion: Criterion, texts: Iterable[ParsedAnswer], *, guarded: bool) -> int:
    none: frozenset[str] = frozenset()
    earned = (credit_of(criterion, each, none, guarded=guarded).verdict for each in texts)
    return max((_WORTH.get(verdict, 0) for verdict in earned), default=0)


def _shown(credit: Credit) -> str:
    return shortened(" … ".join(dict.fromkeys(credit.earning)), SHOWN_CHARACTERS)


# Words of the key


def _key_words(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """Words of the key that nobody has said; either side of an "or" may be an everyday one."""
    key = frozenset[str]().union(*(content_stems(text) for c in criteria for text in _key(c)))
    fresh = key - talk.stems
    if not _OR.search(normalise(spoken).text):
        fresh -= _everyday_stems()
    # Numbers are looked at with their units.
    said = (word for word in words(spoken) if is_content(word) and not word.isdigit())
    yield from (word for word in said if stem(word) in fresh)


def _key(criterion: Criterion) -> tuple[str, ...]:
    return (criterion.claim, *criterion.accept, *criterion.hints, *criterion.secret_terms)


def _terms_told(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    if any(c.isalpha() and not c.isascii() for each in talk.candidate for c in each.text):
        return  # in another script they may have said it
    for term in (each for c in criteria for each in c.secret_terms if len(words(each)) > 1):
        found = term_pattern(term).search(normalise(spoken).text)
        if found and not any(term_pattern(term).search(each.plain.text) for each in talk.all):
            yield found[0]


@lru_cache(maxsize=4096)
def term_pattern(term: str) -> re.Pattern[str]:
    """Finds the term in normalised text, in any inflection, hyphenated, spaced or as one word."""
    parts = (
        f"{re.escape(stem(each))}[a-z]*" if len(each) > SHORT else f"{re.escape(each)}(?:e?s)?"
        for each in re.findall(r"[^\W_]+", normalise(term).text)
    )
    return re.compile(r"(?<![^\W_])" + r"[\W_]*".join(parts) + r"(?![^\W_])")


SHORT = 3
"""Words of so many letters take a plural at most."""


SMALL = 12
"""Up to here a bare number is as often a count as a key figure."""


def _numbers_told(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """Key figures that nobody has said."""
    said = {value for each in talk.all for q in each.quantities for value in _values(q)}
    for each in talk.candidate:
        said |= {float(f"{number * scale:.4g}") for number, scale in numbers(each.read)}
    for quantity in ParsedAnswer(spoken).quantities:
        is_key = any(_is_key(fact, quantity) for c in criteria for fact in c.numbers)
        if is_key and not said.intersection(_values(quantity)):
            yield spoken[slice(*quantity.span)].strip()


def _is_key(fact: NumberFact, quantity: Quantity) -> bool:
    is_telling = quantity.value > SMALL or quantity.value % 1 != 0
    has_unit = is_unit(quantity.tail) or quantity.tail in words(fact.unit)
    has_form = has_unit if fact.unit else is_telling
    return has_form and matches(fact, quantity)


def _values(quantity: Quantity) -> frozenset[float]:
    readings = {quantity.value, quantity.value * SCALES.get(quantity.tail, 1.0)}
    if (size := bytes_of(quantity)) is not None:
        readings.add(size)
    return frozenset(float(f"{value:.4g}") for value in readings)


@cache
def _everyday_stems() -> frozenset[str]:
    return COMMON_STEMS | content_stems(table("everyday", __package__)["words"])
