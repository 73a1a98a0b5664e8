"""Checks every follow-up before it is asked; one that fails is replaced by the authored probe.

These are the rules of a structured interview: ask one short question that takes up what was said,
is new and neutral, asks for the kind of answer wanted, and gives nothing away. Which follow-up to
ask, and when to stop, is up to :mod:`interviewer.interview.policy`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interviewer.examiner.moves import Authored, Escalate, Open, Spoken, target_of
from interviewer.examiner.protocol import LEAST_WORDS, MOST_WORDS, QuestionContext
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.lexical import (
    COMMON_STEMS,
    MIN_CONTENT_WORDS,
    content_stems,
    shared_trigrams,
    words,
)
from interviewer.grading.numerals import quantities
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.transcript import TurnKind
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.rubric.text import normalise

REPEATED_FROM = 0.6
MOST_OPENING_WORDS = 70
"""An opening quotes a whole sentence from the notes, so it may be longer than a follow-up."""
LEAST_QUOTED_WORDS = 3
_QUOTED = re.compile(r"[“\"](.*?)[”\"]")
_LEADING = re.compile(
    r"^(isn't|aren't|wasn't|don't you|doesn't|wouldn't you|so you mean|would you agree)\b"
    r"|(,\s*(right|correct)|\bisn't it|\bdon't you think|\bwouldn't you say)\s*\?"
)
_YES_OR_NO = re.compile(
    r"^(?:(?:so|and|now|then|but|ok|okay|well),? )?(?:is|are|was|were|do|does|did|can|could|would"
    r"|will|should|has|have|had)\b(?!.*\b(?:or|how|why|what|which|where|when|who)\b)"
)
_VERDICT = re.compile(
    r"^(correct|right|wrong|yes|no|exactly|great|perfect|excellent|nice|good)\b|\b(that's|you're"
    r"|you are|it's|answer is) (quite |not |partly |simply )?(correct|incorrect|right|wrong"
    r"|mistaken)\b|\b(well done|excellent|good (answer|point|job)|great (answer|point|job)"
    r"|impressive|brilliant|not quite)\b"
)
_SYSTEM_TEXT = re.compile(
    r"[{}]|\b(rubric|criteri(on|a)|weight \d|must_have|verdict|system prompt|as an ai)\b"
    r"|<\|?\w+\|?>"
)
_STACKED = re.compile(r"\band also\b.*\?|\badditionally\b.*\?")
_ASKS_FOR_QUANTITY = re.compile(
    r"\bhow (?:many|much|long|often|big|large|small|far|fast|high|low|wide|deep)\b"
    r"|\b(?:number|figure|value|amount|size|order|magnitude|share|fraction|ratio|rate|percent\w*"
    r"|bytes?|gigabytes?|count|total|sum|estimate|compute|calculat\w*|multipl\w*|set)\b"
)
_ASKS_FOR_MECHANISM = re.compile(
    r"\b(?:how|why|what|which|where|walk|explain|derive|show|because|cause)\b"
)
_FITTING = {"number": _ASKS_FOR_QUANTITY, "mechanism": _ASKS_FOR_MECHANISM}


def objections(text: str, context: QuestionContext, move: Spoken) -> tuple[str, ...]:
    """What is wrong with the utterance; empty if nothing is.

    Authored and computed utterances are not checked.
    """
    if isinstance(move, Authored):
        return ()
    if isinstance(move, Open):
        return tuple(_opening(text, context))
    return (*_form(text, context), *_substance(text, context, move))


def _opening(text: str, context: QuestionContext) -> Iterator[str]:
    """A question on the candidate's own project quotes their notes and asks one thing."""
    spoken = _QUOTED.sub(" ", text)
    if spoken.count("?") != 1 or _STACKED.search(spoken.lower()):
        yield "it does not ask exactly one question"
    if not LEAST_WORDS <= len(words(text)) <= MOST_OPENING_WORDS:
        yield "its length is off"
    if _LEADING.search(spoken.lower()) or _YES_OR_NO.search(_question_sentence(spoken)):
        yield "yes or no would answer it"
    if _VERDICT.search(" ".join(words(spoken))) or _SYSTEM_TEXT.search(spoken.lower()):
        yield "it passes judgement or speaks of the grading"
    own = context.rubric.own_project
    notes = normalise(own.passage).text if own else ""
    quoted = [normalise(each).text.strip(" .,;:…") for each in _QUOTED.findall(text)]
    if not any(len(words(each)) >= LEAST_QUOTED_WORDS for each in quoted):
        yield "it does not quote the notes"
    if any(each not in notes for each in quoted):
        yield "the notes do not say what it quotes"


def _form(text: str, context: QuestionContext) -> Iterator[str]:
    """Its form: one question of the right length, open, neutral, and about the subject only."""
    spoken = _QUOTED.sub(" ", text)
    plain = " ".join(words(spoken))
    if spoken.count("?") != 1 or _STACKED.search(spoken.lower()):
        yield "it does not ask exactly one question"
    if not LEAST_WORDS <= len(words(text)) <= MOST_WORDS:
        yield "its length is off"
    if _LEADING.search(plain) or _LEADING.search(spoken.lower()):
        yield "it is a leading question"
    elif _YES_OR_NO.search(_question_sentence(spoken)):
        yield "yes or no would answer it"
    if _VERDICT.search(plain) and context.exam:
        yield "it passes judgement"
    if _SYSTEM_TEXT.search(spoken.lower()):
        yield "it speaks of the grading"
    if ParsedAnswer(text).gives_orders():
        yield "it repeats an instruction"


def _substance(text: str, context: QuestionContext, move: Spoken) -> Iterator[str]:
    """Its content: grounded in the answer, new, of the right kind, and giving nothing away.

    A harder variant need not be grounded in the answer."""
    if misquoted := _misquoted(text, context):
        yield f"the candidate never said “{misquoted}”"
    elif not isinstance(move, Escalate) and not is_grounded(text, context):
        yield "it picks up nothing the candidate said"
    if leaks := leaked_stems(text, context, move):
        yield f"it gives away {', '.join(sorted(leaks))}"
    if shared_trigrams(words(text), _asked_before(context)) >= REPEATED_FROM:
        yield "it was asked before"
    target = target_of(move)
    kind = context.rubric.criterion(target).kind if target else ""
    if kind in _FITTING and not _FITTING[kind].search(normalise(text).text):
        yield f"it does not ask for a {kind}"


def _question_sentence(spoken: str) -> str:
    """The sentence that ends in the question mark, in lower case."""
    before = spoken.partition("?")[0]
    return re.split(r"[.!:;]\s", before)[-1].strip(" ,–—-").lower()


def is_grounded(text: str, context: QuestionContext) -> bool:
    """It shares a term with an answer, unless the answers hold hardly any."""
    stems = frozenset().union(*(turn.parsed.stems for turn in candidate_turns(context.turns)))
    return len(stems) < MIN_CONTENT_WORDS or bool(content_stems(text) & stems)


def _misquoted(text: str, context: QuestionContext) -> str:
    """A quotation of two or more words that nobody said, or ""."""
    heard = [turn.parsed.plain.text for turn in context.turns]
    for quoted in _QUOTED.findall(text):
        plain = normalise(quoted).text.strip(" .,;:…")
        if " " in plain and not any(plain in each for each in heard):
            return str(quoted)
    return ""


def _asked_before(context: QuestionContext) -> Iterator[list[str]]:
    for turn in context.turns:
        if turn.author == "examiner" and turn.kind != TurnKind.HINT:
            yield turn.parsed.words


def leaked_stems(text: str, context: QuestionContext, move: Spoken) -> frozenset[str]:
    """Stems and numbers from the answer key that nobody has mentioned yet.

    Quotations do not count: another check makes sure that they are the candidate's words.
    """
    text = _QUOTED.sub(" ", text)
    rubric = context.rubric
    made = {v.criterion for v in context.verdicts if v.verdict is Verdict.MET}
    targets = [c for c in rubric.criteria if c.id == target_of(move) or c.id not in made]
    public = list(_public(rubric, context))
    secret = content_stems(" ".join(_secrets(targets)))
    leaked = (content_stems(text) & secret).difference(COMMON_STEMS, *(p.stems for p in public))
    known_numbers = {q.value for part in public for q in part.quantities}
    numbers = {f"{q.value:g}" for q in quantities(text) if q.value not in known_numbers}
    secret_parts = (*_secrets(targets), rubric.reference)
    secret_numbers = {f"{q.value:g}" for part in secret_parts for q in quantities(part)}
    return leaked | (numbers & secret_numbers)


def _secrets(criteria: list[Criterion]) -> list[str]:
    return [part for c in criteria for part in (c.claim, *c.accept)]


def _public(rubric: Rubric, context: QuestionContext) -> Iterator[ParsedAnswer]:
    """All that may be said freely: the question, the turns so far, the neutral probes.

    So may points that bench runs left open: they are there to be asked about.
    """
    probes = [criterion.probe for criterion in rubric.criteria]
    yield from map(ParsedAnswer, (rubric.question, *rubric.escalations, *probes))
    for turn in context.turns:
        yield turn.parsed
        yield from map(ParsedAnswer, turn.result.open_points if turn.result else ())
