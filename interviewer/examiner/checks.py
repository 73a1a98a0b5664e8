"""Checks every follow-up before it is asked; one that fails is replaced by the authored probe.

These are the rules of a structured interview: ask one short question that is new and neutral,
quotes fairly and gives nothing away. A harmless question must pass: each rule names the words that
it objects to and nothing else. Which follow-up to ask, and when to stop, is up to
:mod:`interviewer.interview.policy`.

Some of what gives the key away is certain, so it is never said (:func:`leaks`): words that would
earn an open point in full if a candidate said them, key figures, secret terms, names. For the rest
words alone do not tell (:func:`possible_leaks`): half a point is often made of words that any
question holds, and a word of the key is often none of the point. There a model with the key
decides, and what it does not clear is not said either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

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
from interviewer.grading.numerals import SCALES, Quantity, bytes_of, matches
from interviewer.grading.transcript import ParsedAnswer, TurnKind
from interviewer.rubric.rubric import Criterion, Rating, Rubric
from interviewer.rubric.text import (
    COMMON_STEMS,
    FUNCTION_WORDS,
    closed,
    content_stems,
    is_content,
    normalise,
    shared_trigrams,
    stem,
    words,
)
from interviewer.yaml_tables import table

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
    r"|could it (?:not )?be (?:that|because)\b|surely\b)"
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
    """What is wrong with the utterance, a short reason each that names the words; empty if nothing.

    Authored and computed utterances are not checked.
    """
    if move.kind is MoveKind.OPEN:
        return tuple(_opening(text, context))
    if move.kind not in WORDED:
        return ()
    return (*_form(text, context, move), *_substance(text, context, move))


def possible_leaks(text: str, context: QuestionContext, move: Move) -> tuple[str, ...]:
    """The words that may give a point away, less what was cleared on this question before."""
    if move.kind not in WORDED:
        return ()
    doubts = doubtful_leaks(_unquoted(text, context), context)
    return tuple(each for each in doubts if each not in context.cleared)


def _opening(text: str, context: QuestionContext) -> Iterator[str]:
    """A question on the candidate's own project quotes their notes and asks one thing."""
    spoken = QUOTED.sub(" ", text)
    plain = normalise(spoken).text
    if spoken.count("?") != 1 or _STACKED.search(plain):
        yield "it does not ask exactly one question"
    if not LEAST_WORDS <= len(words(text)) <= MOST_OPENING_WORDS:
        yield "its length is off"
    if _LEADING.search(plain) or closed(spoken):
        yield "yes or no would answer it"
    if _VERDICT.search(plain) or _SYSTEM_TEXT.search(plain):
        yield "it passes judgement or speaks of the grading"
    own = context.rubric.own_project
    notes = normalise(own.passage).text if own else ""
    quoted = [normalise(each).text.strip(" .,;:…") for each in QUOTED.findall(text)]
    if not any(len(words(each)) >= LEAST_QUOTED_WORDS for each in quoted):
        yield "it does not quote the notes"
    if any(each not in notes for each in quoted):
        yield "the notes do not say what it quotes"


def _form(text: str, context: QuestionContext, move: Move) -> Iterator[str]:
    """Its form: one question of the right length, open, neutral, and about the subject only.

    What replies to no answer may ask nothing ("Take your time.").
    """
    spoken = _unquoted(text, context)
    plain = normalise(spoken).text
    marks, count = spoken.count("?"), len(words(text))
    asks_nothing = move.kind is MoveKind.REDIRECT and not marks
    if marks != 1 and not asks_nothing:
        yield f"it does not ask exactly one question but {marks}"
    elif stacked := _STACKED.search(plain):
        yield f"it does not ask exactly one question: “{stacked[0].split(' ')[0]} …”"
    if not (asks_nothing or count >= LEAST_WORDS) or count > MOST_WORDS:
        yield f"its length is off: {count} words"
    if leading := next(filter(_asks_on, _LEADING.finditer(plain)), None):
        yield f"it is a leading question: “{leading['words'] or leading['tag']}”"
    if context.exam and (verdict := _VERDICT.search(_without_reply(plain, context))):
        yield f"it passes judgement: “{(verdict['alone'] or verdict['judged']).strip(' ,.')}”"
    for found in dict.fromkeys(_SYSTEM_TEXT.findall(plain)):
        if not _is_subject(found, context):
            yield f"it speaks of the grading: “{found}”"
    if ParsedAnswer(spoken).gives_orders():
        yield "it repeats an instruction"


def _asks_on(leading: re.Match[str]) -> bool:
    """The words open a question: "can't forget is a strong claim." does not ask."""
    return bool(leading["tag"] or re.match(r"[^.!]*\?", leading.string[leading.end("words") :]))


def _without_reply(plain: str, context: QuestionContext) -> str:
    """The words after a yes or no, where that answers a question of the candidate's."""
    last = next((turn for turn in reversed(context.turns) if turn.author == "candidate"), None)
    asked = last is not None and "?" in last.text
    return _REPLY.sub("", plain) if asked else plain


def _substance(text: str, context: QuestionContext, move: Move) -> Iterator[str]:
    """Its content: fair in its quotations, new, and giving nothing away.

    What replies to something else than an answer may quote that and put the question again.
    """
    spoken, replies = _unquoted(text, context), move.kind in (MoveKind.CLARIFY, MoveKind.REDIRECT)
    yield from wording.faults(text, context, of_answers=not replies)
    yield from leaks(spoken, context)
    yield from _attributed(spoken, context)
    if not replies and shared_trigrams(words(spoken), _asked_before(context)) >= REPEATED_FROM:
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
    rubric = context.rubric
    public = (*rubric.asked, *rubric.harder, *rubric.simpler)
    said = (turn.parsed.plain.text for turn in context.turns)
    probes = (normalise(text).text for text in (*public, *(c.probe for c in rubric.criteria)))
    return any(word in each for each in (*said, *probes))


def _asked_before(context: QuestionContext) -> Iterator[list[str]]:
    for turn in context.turns:
        if turn.author == "examiner" and turn.kind != TurnKind.HINT:
            yield turn.parsed.words


SHOWN_CHARACTERS = 80
_WORTH = {Rating.PARTIAL: 1, Rating.MET: 2}
_OR = re.compile(r",? \bor\b ")
_PREMISE = re.compile(
    r"\b(?:since|because|once|given|now that|although|though|as soon as|apart from|besides|if"
    r"|unless|whereas)\b (?!you\b)[^,;:.?!–—]+"
)


def leaks(spoken: str, context: QuestionContext) -> Iterator[str]:
    """The words that give a point away, a reason each. ``spoken`` is without quotations."""
    talk, open_ = Talk.of(context), _open(context)
    told = [
        *_point_told(open_, spoken, talk),
        *_numbers_told(open_, spoken, talk),
        *(() if talk.is_in_other_script else _terms_told(open_, spoken, talk, least_words=2)),
    ]
    for each in dict.fromkeys(told):
        yield f"it gives away “{each}”"


def doubtful_leaks(spoken: str, context: QuestionContext) -> Iterator[str]:
    """The words that may give a point away, a reason each, where :func:`leaks` finds none."""
    talk, open_ = Talk.of(context), _open(context)
    told = [
        *_key_words(open_, spoken, talk),
        *_pairs_of_the_key(open_, spoken, talk),
        *_premises_of_the_key(open_, spoken, talk),
        *_terms_told(open_, spoken, talk, least_words=1),
        *_names_told(open_, spoken, talk),
        *(_shown(credit) for credit in _credits(open_, spoken, talk)),
    ]
    for each in dict.fromkeys(told):
        yield f"it may give away “{each}”"


def _open(context: QuestionContext) -> list[Criterion]:
    made = {v.criterion for v in context.verdicts if v.verdict is Rating.MET}
    return [c for c in context.rubric.criteria if c.id not in made]


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
    def is_in_other_script(self) -> bool:
        """The candidate may have said a term in words that code cannot compare."""
        return any(c.isalpha() and not c.isascii() for each in self.candidate for c in each.text)

    @property
    def stems(self) -> frozenset[str]:
        """The stems that anybody used."""
        return frozenset().union(*(each.stems for each in self.all))


@lru_cache(maxsize=64)
def _authored_texts(texts: tuple[str, ...]) -> tuple[ParsedAnswer, ...]:
    return tuple(map(ParsedAnswer, texts))


def _authored(rubric: Rubric) -> tuple[ParsedAnswer, ...]:
    probes = (criterion.probe for criterion in rubric.criteria)
    return _authored_texts((*rubric.asked, *rubric.harder, *rubric.simpler, *probes))


# Credit


def _point_told(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """The words that would earn a whole point, one that nobody has said among them.

    Experience is another matter: figures of one's own earn it, whichever they are.
    """
    facts = [criterion for criterion in criteria if criterion.kind != "experience"]
    for credit in _credits(facts, spoken, talk):
        telling = content_stems(" ".join(credit.earning)) - talk.stems - _everyday_stems()
        if credit.verdict is Rating.MET and _alphabetic(telling):
            yield _shown(credit)


def _credits(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[Credit]:
    """For each point what the words would earn, if it is more than has been said."""
    known = talk.stems
    asked = tuple(map(ParsedAnswer, forms(spoken)))
    for criterion in criteria:
        earned = (credit_of(criterion, form, known, guarded=False) for form in asked)
        best = max(earned, key=lambda credit: _WORTH.get(credit.verdict, 0))
        worth = _WORTH.get(best.verdict, 0)
        if worth > _said(criterion, talk.others, guarded=False) and (
            worth > _said(criterion, talk.candidate, guarded=True)
        ):
            yield best


def _said(criterion: Criterion, texts: Iterable[ParsedAnswer], *, guarded: bool) -> int:
    """The most that one of the texts would earn."""
    none: frozenset[str] = frozenset()
    earned = (credit_of(criterion, each, none, guarded=guarded).verdict for each in texts)
    return max((_WORTH.get(verdict, 0) for verdict in earned), default=0)


def _shown(credit: Credit) -> str:
    """The earning words, each place once, in short."""
    places = [
        each
        for each in dict.fromkeys(credit.earning)
        if not any(each in other and each != other for other in credit.earning)
    ]
    shown = " … ".join(places)
    return shown if len(shown) <= SHOWN_CHARACTERS else shown[:SHOWN_CHARACTERS] + "…"


# Words of the key


def _key_words(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """Words of the key that nobody has said; either side of an "or" may be an everyday one."""
    everyday = frozenset[str]() if _OR.search(normalise(spoken).text) else _everyday_stems()
    fresh = _alphabetic(_key_stems(criteria) - talk.stems - everyday)
    yield from (word for word in words(spoken) if is_content(word) and stem(word) in fresh)


def _pairs_of_the_key(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """Two content words that follow each other in the key and in nothing said: "four models"."""
    key = frozenset[tuple[str, str]]().union(*(_pairs(text) for c in criteria for text in _key(c)))
    said = frozenset[tuple[str, str]]().union(*(_pairs(each.plain.text) for each in talk.all))
    content = [word for word in words(spoken) if is_content(word)]
    for pair in pairwise(content):
        if (stem(pair[0]), stem(pair[1])) in key - said:
            yield " … ".join(pair)


def _premises_of_the_key(criteria: Iterable[Criterion], spoken: str, talk: Talk) -> Iterator[str]:
    """Premises with any word of the key: "given that every answer got slower"."""
    fresh = _key_stems(criteria) - talk.stems
    for premise in _PREMISE.findall(normalise(spoken).text):
        if content_stems(premise) & fresh:
            yield premise


def _key_stems(criteria: Iterable[Criterion]) -> frozenset[str]:
    return frozenset[str]().union(*(content_stems(text) for c in criteria for text in _key(c)))


@lru_cache(maxsize=4096)
def _pairs(text: str) -> frozenset[tuple[str, str]]:
    stems = [stem(word) for word in words(text) if is_content(word)]
    return frozenset((one, next_) for one, next_ in pairwise(stems) if one != next_)


def _key(criterion: Criterion) -> tuple[str, ...]:
    """All that an author wrote down of what is right, or helps towards it."""
    return (criterion.claim, *criterion.accept, *criterion.hints, *criterion.secret_terms)


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
    for each in talk.candidate:
        said |= {float(f"{number * scale:.4g}") for number, scale in numbers(each.read)}
    fresh = [q for q in parsed.quantities if not said.intersection(_values(q))]
    for criterion in criteria:
        for quantity in fresh:
            if _is_key(criterion, quantity, spoken):
                yield spoken[slice(*quantity.span)].strip()


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


def _terms_told(
    criteria: Iterable[Criterion], spoken: str, talk: Talk, *, least_words: int
) -> Iterator[str]:
    """Secret terms that nobody has said; a single word may also be everybody's."""
    plain = normalise(spoken).text
    for criterion in criteria:
        for term in (each for each in criterion.secret_terms if len(words(each)) >= least_words):
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
            if any(word.search(normalise(text).text) for c in criteria for text in _key(c)):
                yield found[0]
                break


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


@cache
def _everyday_stems() -> frozenset[str]:
    return COMMON_STEMS | content_stems(table("everyday", __package__)["words"])
