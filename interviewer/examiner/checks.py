"""Checks every follow-up before it is asked; one that fails is replaced by the authored probe.

These are the rules of a structured interview: ask one short question that is new and neutral,
quotes fairly and gives nothing away. A harmless question must pass: each rule names the words that
it objects to and nothing else. Which follow-up to ask, and when to stop, is up to
:mod:`interviewer.interview.policy`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interviewer.examiner import leaks, wording
from interviewer.examiner.protocol import (
    LEAST_WORDS,
    MOST_WORDS,
    WORDED,
    Move,
    MoveKind,
    QuestionContext,
)
from interviewer.examiner.wording import QUOTED
from interviewer.grading.transcript import ParsedAnswer, TurnKind
from interviewer.rubric.speech import closed
from interviewer.rubric.text import COMMON_STEMS, content_stems, normalise, shared_trigrams, words

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
    return (*_form(text, context), *_substance(text, context))


def possible_leaks(text: str, context: QuestionContext, move: Move) -> tuple[str, ...]:
    """The words that may give a point away: what nothing objects to is not said unless cleared."""
    if move.kind not in WORDED:
        return ()
    return tuple(leaks.possible_leaks(_unquoted(text, context), context))


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


def _form(text: str, context: QuestionContext) -> Iterator[str]:
    """Its form: one question of the right length, open, neutral, and about the subject only."""
    spoken = _unquoted(text, context)
    plain = normalise(spoken).text
    marks, count = spoken.count("?"), len(words(text))
    if marks != 1:
        yield f"it does not ask exactly one question but {marks}"
    elif stacked := _STACKED.search(plain):
        yield f"it does not ask exactly one question: “{stacked[0].split(' ')[0]} …”"
    if not LEAST_WORDS <= count <= MOST_WORDS:
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


def _substance(text: str, context: QuestionContext) -> Iterator[str]:
    """Its content: fair in its quotations, new, and giving nothing away."""
    spoken = _unquoted(text, context)
    yield from wording.faults(text, context)
    yield from leaks.leaks(spoken, context)
    yield from _attributed(spoken, context)
    if shared_trigrams(words(spoken), _asked_before(context)) >= REPEATED_FROM:
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
