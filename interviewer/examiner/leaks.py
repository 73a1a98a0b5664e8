"""What an utterance would give away of the answer key.

The test is the offline judge itself: would the examiner's words, said by a candidate, earn a point
that is still open? Then they leak it, whatever words they use. Key numbers and the terms that an
author marked as secret are looked for besides, since a bare word earns nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from interviewer.examiner.assertions import assertions
from interviewer.examiner.offline.judge import Credit, credit_of
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.lexical import COMMON_STEMS, FUNCTION_WORDS, content_stems, stem, words
from interviewer.grading.numerals import Quantity, bytes_of, matches
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.units import SCALES
from interviewer.rubric.patterns import occurrences
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.rubric.text import has_negator, normalise

SHOWN_CHARACTERS = 80
_WORTH = {Verdict.PARTIAL: 1, Verdict.MET: 2}
RECALLED_WORDS = 3
"""So many telling words of a criterion that nobody has said need no pattern."""
RECALLED_FROM = 0.5
"""Nor does so much of one right phrasing, whatever its words."""
STATED_WORDS = 2
"""So many are enough in a clause that states them instead of asking."""
RECITED_FROM, RECITED_WORDS = 0.8, 4
"""Nor does nearly all of one, even in words that came up one by one."""
_EVERYDAY = COMMON_STEMS | content_stems(
    "against along anything arithmetic arrive ask away back batch becomes begin believe besides "
    "bill bits block bytes came cards carry case check choice code colleague compare count curve "
    "day decide device dies direction documents done draw eight end everything exactly expect "
    "experiment factor far figure file final find fine fixed follow form format four gigabytes "
    "gradients hand head hold hour inside item job judge keep last layer layout learn learned "
    "leave left length lie line list long look machine material method move name network never "
    "new next nothing notice often optimiser order paper parameter pass pay per place policy "
    "position product prompts quantity read report rest room round samples schedule scheme score "
    "scorer sequence settings several shape share show side single sit somebody split stage stands "
    "start stop sum switched table tell ten tensors text thousand three trained turn two update "
    "users walk weights went wires words write wrong yours yourself "
    "everybody nobody wants wanted ran gone gain want wait finish repeat round rate billion "
    "measure note noted "
    "million hundred thousandth hundredth bf16 fp16 matmul five six seven nine eleven twelve "
    "twenty fifty minutes seconds days "
    "slow slower fast faster larger smaller bigger higher lower longer shorter better worse bad"
)
"""What questions of examiners are made of; these words tell nothing."""
_NUMBER_STEMS = content_stems(
    "two three four five six seven eight nine ten eleven twelve fifteen sixteen twenty thirty "
    "forty fifty sixty hundred thousand million billion half third quarter"
)


def leaks(spoken: str, context: QuestionContext) -> Iterator[str]:
    """The words that give a point away, a reason each. ``spoken`` is without quotations."""
    talk = Talk.of(context)
    made = {v.criterion for v in context.verdicts if v.verdict is Verdict.MET}
    still_open = [c for c in context.rubric.criteria if c.id not in made]
    known = [each for each in still_open if not _is_own_figure(each, spoken, talk)]
    told = [
        *_credit_told(known, spoken, talk),
        *_stated(still_open, spoken, talk),
        *_numbers_told(still_open, spoken, talk),
        *_counts_stated(still_open, spoken, talk),
        *_terms_told(still_open, spoken, talk),
        *_names_told(still_open, spoken, talk),
    ]
    for each in dict.fromkeys(told):
        yield f"it gives away “{each}”"


def _is_own_figure(criterion: Criterion, spoken: str, talk: Talk) -> bool:
    """It asks for own experience, and all figures in the words are the candidate's: no news."""
    theirs = {quantity.value for each in talk.candidate for quantity in each.quantities}
    said = {quantity.value for quantity in ParsedAnswer(spoken).quantities}
    return criterion.kind == "experience" and bool(said) and said <= theirs


@dataclass(frozen=True)
class Talk:
    """All that may be said freely: the question, what was said so far, the neutral probes.

    So may points that bench runs left open: they are there to be asked about.
    """

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


@lru_cache(maxsize=64)
def _authored_texts(texts: tuple[str, ...]) -> tuple[ParsedAnswer, ...]:
    return tuple(map(ParsedAnswer, texts))


def _authored(rubric: Rubric) -> tuple[ParsedAnswer, ...]:
    probes = (criterion.probe for criterion in rubric.criteria)
    return _authored_texts((rubric.question, *rubric.escalations, *rubric.simpler, *probes))


# Credit


def _credit_told(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """The words that would earn a point, or more of it than has been said."""
    known = talk.stems
    asked = tuple(map(ParsedAnswer, forms(spoken)))
    for criterion in criteria:
        if recalled := _recalled(criterion, spoken, talk):
            yield ", ".join(recalled)
            continue
        for form in asked:
            credit = credit_of(criterion, form, known, guarded=False)
            if credit.verdict in _WORTH and _is_new(criterion, credit, form, talk, spoken):
                yield _shown(credit)
                break


def _is_new(
    criterion: Criterion, credit: Credit, form: ParsedAnswer, talk: Talk, spoken: str
) -> bool:
    """The credit is more than what the talk so far would earn."""
    worth = _WORTH[credit.verdict]
    if worth <= _said(criterion, talk.others, guarded=False):
        return False
    if worth <= _said(criterion, talk.candidate, guarded=True):
        return False
    if worth <= _said(criterion, talk.candidate, guarded=False):
        # The candidate denied it or hedged: to say so is no news, to affirm it is.
        affirmed = credit_of(criterion, form, talk.stems, guarded=True)
        return not has_negator(form.plain.text) and affirmed.verdict in _WORTH
    earning = " ".join(credit.earning)
    telling = _alphabetic(content_stems(earning) - talk.stems - _EVERYDAY)
    counts = worth > 1 and not _is_by_other_numbers(criterion, earning)
    if len(content_stems(earning)) <= 1:
        counts = counts and any(earning in clause for clause in assertions(spoken))
    return bool(telling or counts) and not _are_own_words(credit, talk)


def _is_by_other_numbers(criterion: Criterion, earning: str) -> bool:
    """Any number would do for the point, and this one stands nowhere in the key."""
    values = _values_in(earning)
    key = {value for fact in criterion.numbers for value in (fact.value, *fact.alternatives)}
    examples = [value for phrasing in criterion.accept for value in _values_in(phrasing)]
    key |= _values_in(criterion.claim) | {v for v in examples if examples.count(v) >= OFTEN}
    return bool(values) and not values & key


def _said(criterion: Criterion, texts: Iterable[ParsedAnswer], *, guarded: bool) -> int:
    """The most that one of the texts would earn."""
    none: frozenset[str] = frozenset()
    earned = (credit_of(criterion, each, none, guarded=guarded).verdict for each in texts)
    return max((_WORTH.get(verdict, 0) for verdict in earned), default=0)


def _are_own_words(credit: Credit, talk: Talk) -> bool:
    """The candidate used all of the earning words close together, if in another order."""
    earning = content_stems(" ".join(credit.earning))
    asked = content_stems(talk.others[0].text) if talk.others else frozenset()
    for answer in talk.candidate:
        for window in answer.windows:
            if earning <= content_stems(answer.plain.text[slice(*window)]) | asked:
                return True
    return False


def _shown(credit: Credit) -> str:
    """The earning words, each place once, in short."""
    places = [
        each
        for each in dict.fromkeys(credit.earning)
        if not any(each in other and each != other for other in credit.earning)
    ]
    shown = " … ".join(places)
    return shown if len(shown) <= SHOWN_CHARACTERS else shown[:SHOWN_CHARACTERS] + "…"


def _recalled(criterion: Criterion, spoken: str, talk: Talk) -> list[str]:
    """Words of the key: most of what a right phrasing says, or telling ones from several."""
    here = content_stems(spoken)
    told: frozenset[str] = frozenset()
    for phrasing in (criterion.claim, *criterion.accept):
        whole = content_stems(phrasing)
        fresh = whole - talk.stems
        told |= (fresh & here) - _EVERYDAY
        if len(fresh & here) >= max(RECALLED_WORDS, RECALLED_FROM * len(fresh)):
            told |= fresh & here
        elif len(whole & here) >= max(RECITED_WORDS, RECITED_FROM * len(whole)):
            said = max(len(whole & each.stems) for each in talk.all)
            told |= whole & here if said < len(whole & here) else frozenset()
    if len(_alphabetic(told)) < RECALLED_WORDS:
        return []
    return [word for word in dict.fromkeys(words(spoken)) if stem(word) in told]


# What an utterance states


def _stated(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """Part of a point, stated where the question should leave it open."""
    known = talk.stems
    for clause in assertions(spoken):
        for criterion in criteria:
            key = _key_stems(criterion) - known
            telling = _alphabetic((key & content_stems(clause)) - _EVERYDAY)
            if len(telling) >= STATED_WORDS:
                yield ", ".join(
                    word for word in dict.fromkeys(words(clause)) if stem(word) in telling
                )
            elif parts := _parts_stated(criterion, clause, key, talk):
                yield " … ".join(parts)


def _parts_stated(
    criterion: Criterion, clause: str, key: frozenset[str], talk: Talk
) -> tuple[str, ...]:
    """What a clause adds to the talk of one pattern: a whole phrase, or several words."""
    for all_of in criterion.patterns:
        found: list[str] = []
        for regex in all_of:
            part = next((clause[slice(*span)] for span in occurrences(regex, clause)), "")
            if part and content_stems(part) & key and not _is_spoken_of(regex, talk):
                found.append(part)
        phrases = [part for part in found if _is_phrase(part)]
        if phrases or len(set(found)) >= STATED_WORDS:
            return tuple(phrases or dict.fromkeys(found))
    return ()


def _is_phrase(part: str) -> bool:
    """More than a word: "inside each node", but not "nine hours"."""
    plain = [word for word in words(part) if word.isalpha() and stem(word) not in _NUMBER_STEMS]
    stems = content_stems(" ".join(plain))
    return len(stems) >= STATED_WORDS or (
        len(plain) > STATED_WORDS and stems > COMMON_STEMS & stems
    )


def _is_spoken_of(regex: str, talk: Talk) -> bool:
    return any(any(occurrences(regex, each.plain.text)) for each in talk.all)


@lru_cache(maxsize=4096)
def _key_stems(criterion: Criterion) -> frozenset[str]:
    return frozenset().union(*map(content_stems, (criterion.claim, *criterion.accept)))


def _alphabetic(stems: frozenset[str]) -> frozenset[str]:
    """Numbers are looked at with their units."""
    return frozenset(each for each in stems if not each.isdigit())


# Other forms of the same sentence

_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|may|might|must)"
)
_LEAD = (
    r"(?:(?:so|and|but|now|then|well|ok|okay|right|given that|assuming that|assuming|if|since"
    r"|suppose that|suppose|say|would you (?:then )?(?:say|agree|think|expect)(?: that)?"
    r"|don't you (?:think|agree)(?: that)?|do you (?:think|believe|agree|mean)(?: that)?"
    r"|are you saying(?: that)?|so you mean(?: that)?|is it (?:not )?(?:true|because|that|so that)"
    r"|isn't it (?:true|because|that|so)(?: that)?|could it be(?: that)?|you (?:said|mentioned)"
    r"(?: that)?)\b,? )"
)
_FRAMED = re.compile(
    rf"^{_LEAD}*(?:(?:why|how|when|where|what|which)(?: (?:exactly|much|many|often|fast|far))? )?"
    rf"(?P<auxiliary>{_AUXILIARY})(?:n't| not)? (?P<rest>.+)$"
)
_LEADS = re.compile(rf"^{_LEAD}+")
_SUBJECT_WORDS = 6
"""The subject of an inverted question is rarely longer."""
_OPTION_WORDS = 4
_OR = re.compile(r",? \bor\b ")


def forms(spoken: str) -> Iterator[str]:
    """The utterance, its questions turned into statements, and each alternative alone."""
    yield spoken
    plain = ParsedAnswer(spoken)
    for start, end in plain.sentences:
        sentence = plain.plain.text[start:end].rstrip(" ?!.")
        yield from _statements(sentence)
        yield from _single_options(sentence)


def _statements(question: str) -> Iterator[str]:
    """The question as a statement, its verb put behind each word that may end the subject."""
    unled = _LEADS.sub("", question)
    if unled != question:
        yield unled
    for clause in dict.fromkeys((question, *re.split(r", ", unled))):
        framed = _FRAMED.match(clause)
        if not framed:
            continue
        rest = framed["rest"].split()
        yield " ".join(rest)
        if framed["auxiliary"] not in ("do", "does", "did"):
            for at in range(1, min(_SUBJECT_WORDS, len(rest) - 1) + 1):
                yield " ".join((*rest[:at], framed["auxiliary"], *rest[at:]))


def _single_options(sentence: str) -> Iterator[str]:
    """The sentence with one side of each "or" left out, whichever words belong to that side."""
    for found in _OR.finditer(sentence):
        before, after = sentence[: found.start()].split(), sentence[found.end() :].split()
        for count in range(1, _OPTION_WORDS + 1):
            if count < len(before):
                yield " ".join((*before[:-count], *after))
            if count < len(after):
                yield " ".join((*before, *after[count:]))
        yield " ".join(before)


# Numbers

SMALL = 12
"""Up to here a bare number is as often a count as a key figure."""
_VERY_SMALL = frozenset((0.0, 1.0, 2.0))
OFTEN = 2
"""A figure in one accepted phrasing alone may be an example."""

_UNIT_NAMES = {
    **{"%": "percent", "x": "times", "ms": "milliseconds", "s": "seconds", "sec": "seconds"},
    **{"us": "microseconds", "min": "minutes", "h": "hours", "hr": "hours", "hrs": "hours"},
}


def _numbers_told(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """Key figures that nobody has said."""
    parsed = ParsedAnswer(spoken)
    if not parsed.quantities:
        return
    said = {value for each in talk.all for q in each.quantities for value in _values(q)}
    fresh = [q for q in parsed.quantities if not said.intersection(_values(q))]
    for criterion in criteria:
        for quantity in fresh:
            if _is_key(criterion, quantity, spoken):
                yield spoken[slice(*quantity.span)].strip()


def _counts_stated(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """A number of the claim, however small, stated with another word of the claim."""
    said = {numeral.factor for each in talk.all for numeral in each.numerals}
    for clause in assertions(spoken):
        fresh = _counts_in(clause) - said - _VERY_SMALL
        for criterion in criteria if fresh else ():
            shared = _alphabetic(content_stems(criterion.claim) & content_stems(clause))
            if fresh & _counts_in(criterion.claim) and shared - _NUMBER_STEMS - COMMON_STEMS:
                yield clause


def _is_key(criterion: Criterion, quantity: Quantity, spoken: str) -> bool:
    """The quantity is one of the criterion's, with its unit, and more than an example."""
    unit, values = _unit(quantity), _values(quantity)

    def holds(text: str) -> bool:
        stated = ParsedAnswer(text).quantities
        return any(_values(q) & values and _unit(q) in (unit, "") for q in stated)

    if unit:
        is_fact = any(fact.unit and matches(fact, quantity) for fact in criterion.numbers)
        return is_fact or holds(criterion.claim) or sum(map(holds, criterion.accept)) >= OFTEN
    is_digits = spoken[quantity.span[0]].isdigit()
    is_telling = is_digits and (quantity.value > SMALL or quantity.value % 1 != 0)
    return is_telling and any(matches(fact, quantity) for fact in criterion.numbers)


@lru_cache(maxsize=4096)
def _counts_in(text: str) -> frozenset[float]:
    """All numbers of a text, spelt out or in figures, whatever they count."""
    return frozenset(numeral.factor for numeral in ParsedAnswer(text).numerals)


@lru_cache(maxsize=4096)
def _values_in(text: str) -> frozenset[float]:
    """All numbers of a text under every reading."""
    return frozenset().union(*map(_values, ParsedAnswer(text).quantities))


def _values(quantity: Quantity) -> frozenset[float]:
    """The number under every reading of what follows it, rounded."""
    readings = {quantity.value, quantity.value * SCALES.get(quantity.tail, 1.0)}
    if (size := bytes_of(quantity)) is not None:
        readings.add(size)
    return frozenset(float(f"{value:.4g}") for value in readings)


def _unit(quantity: Quantity) -> str:
    """The unit after a number, one spelling for all sizes in bytes; "" for no unit."""
    tail = quantity.tail
    if bytes_of(quantity) is not None:
        return "byte"
    name = _UNIT_NAMES.get(tail, tail)
    return "" if name in FUNCTION_WORDS or name in SCALES else stem(name)


# Secret terms


def _terms_told(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """Secret terms that nobody has said."""
    plain = normalise(spoken).text
    for criterion in criteria:
        for term in criterion.secret_terms:
            pattern = term_pattern(term)
            found = pattern.search(plain)
            if found and not any(pattern.search(each.plain.text) for each in talk.all):
                yield found[0]


_NAME = re.compile(
    r"(?<=[\w,;:] )(?P<person>[A-Z][a-z]{2,}(?:[-–][A-Z][a-z]+)*)\b(?! ?\()"
    r"|(?P<code>\b[a-z][\w.]*(?:_\w+|\(\)))"
)


_COMMON_NAMES = frozenset(
    words(
        "adam python english german french llama linux d_model monday tuesday wednesday thursday "
        "friday saturday sunday"
    )
)


def _names_told(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """Names of people, methods and functions that stand in the key and nowhere else."""
    for found in _NAME.finditer(spoken):
        name = normalise(found[0]).text.rstrip("()")
        for part in (name, *re.split(r"[-–]", name)) if name not in _COMMON_NAMES else ():
            word = re.compile(rf"(?<![^\W_]){re.escape(part)}")
            if any(word.search(each.plain.text) for each in talk.all):
                break
            if any(word.search(_key_text(criterion)) for criterion in criteria):
                yield found[0]
                break


@lru_cache(maxsize=4096)
def _key_text(criterion: Criterion) -> str:
    """All that an author wrote down of what is right, or helps towards it."""
    key = (criterion.claim, *criterion.accept, *criterion.hints)
    return normalise(" | ".join(key)).text


_FAMILIES = tuple(
    tuple(words(endings))
    for endings in (
        "isations izations isation ization ising izing ised ized iser izer ises izes ise ize",
        "ies ied y",
        "ations ation ating ated ates ate ions ion ings ing ed es e s",
    )
)
"""Endings that take each other's place; the longer ones of a family come first."""
_ANY_OF_THE_LAST = rf"(?:{'|'.join(_FAMILIES[-1])}|ers?|ors?)?"
_STEM_LETTERS = 4
_BETWEEN = r"[\W_]*(?:\b(?:it|them|this|that|the|a|an|each|every)\b[\W_]+)?"
"""A term of several words may hold an object: "subtracted (it) from the reward"."""


@lru_cache(maxsize=4096)
def term_pattern(term: str) -> re.Pattern[str]:
    """Finds the term in normalised text, in any inflection, hyphenated, spaced or as one word."""
    parts = re.findall(r"[^\W_]+", normalise(term).text)
    inflected = _BETWEEN.join(map(_inflected, parts)) or "(?!)"
    return re.compile(rf"(?<![^\W_]){inflected}(?![^\W_])")


def _inflected(word: str) -> str:
    """The word with other endings; short words and names with figures take a plural at most."""
    if not word.isalpha() or len(word) < _STEM_LETTERS:
        return re.escape(word) + "(?:e?s)?"
    for family in _FAMILIES:
        ending = next((each for each in family if word.endswith(each)), "")
        base = word.removesuffix(ending)
        if not ending or len(base) < _STEM_LETTERS:
            continue
        if family is not _FAMILIES[-1]:
            return re.escape(base) + f"(?:{'|'.join(family)})"
        return _with_verb_endings(base)
    return _with_verb_endings(word)


def _with_verb_endings(base: str) -> str:
    """The stem with or without its last consonant doubled, and any ending of a verb."""
    single = base[:-1] if base[-2:-1] == base[-1] else base
    return re.escape(single) + re.escape(single[-1]) + "?" + _ANY_OF_THE_LAST
