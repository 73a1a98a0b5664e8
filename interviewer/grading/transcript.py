"""The turns of a question, and the one parse of each that all share who read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain, groupby
from typing import TYPE_CHECKING, Literal

from interviewer.grading import numerals
from interviewer.grading.numerals import Numeral, Quantity
from interviewer.rubric.text import (
    Normalised,
    Span,
    consecutive,
    normalise,
    overlap,
    sentences,
    stems_of,
    words_in,
)
from interviewer.sandbox.result import CheckResult

if TYPE_CHECKING:
    from interviewer.rubric.figure import Figure

Author = Literal["examiner", "candidate"]


class TurnKind(StrEnum):
    """What kind of utterance a turn is; the examiner's are named for their move."""

    QUESTION = "question"
    ANSWER = "answer"
    BENCH = "bench"
    """A run at the bench. It is not an answer until the candidate submits it."""
    DONT_KNOW = "dont_know"
    ASIDE = "aside"
    """A candidate's turn with nothing to judge: a wish, a question back, a repetition."""
    PIN_DOWN = "pin_down"
    PROBE = "probe"
    CHALLENGE = "challenge"
    DRILL = "drill"
    ESCALATE = "escalate"
    HINT = "hint"
    TELL = "tell"
    REDIRECT = "redirect"
    NUMBERS = "numbers"
    """Takes up numbers of the candidate's that fit together."""
    SIMPLIFY = "simplify"
    OFFER = "offer"
    """Offers a hint; giving it is a turn of its own."""
    CLARIFY = "clarify"
    REFRAME = "reframe"
    """Takes up what the candidate has just withdrawn."""


RESPONSES = frozenset({TurnKind.ANSWER, TurnKind.DONT_KNOW})
"""Turns that answer, if only by saying that one does not know."""


class DialogueAct(StrEnum):
    """What a candidate does with a turn. One turn can do several of these."""

    ANSWER = "answer"
    """It holds something that can be judged."""
    QUESTION_BACK = "question_back"
    WANTS_HINT = "wants_hint"
    WANTS_REPEAT = "wants_repeat"
    WANTS_REPHRASE = "wants_rephrase"
    """Asks for the question in other words."""
    WANTS_SMALLER = "wants_smaller"
    """Asks for a smaller piece of the question, or an easier one."""
    WANTS_SKIP = "wants_skip"
    WANTS_TO_STOP = "wants_to_stop"
    WANTS_ANSWER = "wants_answer"
    WANTS_RUBRIC = "wants_rubric"
    """Asked for criteria, weights, prompts or the score."""
    WANTS_COMFORT = "wants_comfort"
    """Asks how it goes, or needs a word of calm."""
    OBJECTS = "objects"
    """Objects to the question, or to what was made of their words."""
    SAID_THAT = "said_that"
    """"I said that", "see above"."""
    TRIES = "tries"
    """Wants a moment, or to try before any help."""
    ACCEPTS = "accepts"
    """Takes the hint that was offered."""
    DECLINES = "declines"
    GIVES_UP = "gives_up"
    WITHDRAWAL = "withdrawal"
    """Takes back something said before."""
    REPETITION = "repetition"
    """Says again what they or the examiner said before."""
    BARE = "bare"
    """"Okay", and no more."""
    DODGE = "dodge"
    OFF_TOPIC = "off_topic"
    UNREAD = "unread"
    """It brought nothing that the examiner could read, and something that it could not."""
    ORDER = "order"
    """Tries to instruct the examiner."""
    INSULT = "insult"


ASKS_BACK = frozenset(
    {DialogueAct.QUESTION_BACK, DialogueAct.WANTS_REPEAT, DialogueAct.WANTS_REPHRASE}
)


@dataclass(frozen=True)
class Turn:
    """One utterance. ``number`` counts all turns of the session, from 1."""

    number: int
    author: Author
    kind: TurnKind
    text: str
    target: str | None = None
    """The criterion that an examiner's follow-up was aimed at."""
    hint_level: int = 0
    """1 or 2 on a hint, else 0."""
    result: CheckResult | None = None
    """The result of the run; on bench turns only."""
    run: int | None = None
    """On an answer that submits a run: the number of the run's turn."""
    figure: Figure | None = None
    """On a question that gives something to look at."""

    @cached_property
    def parsed(self) -> ParsedAnswer:
        """The parsed text."""
        return ParsedAnswer(self.text)


def exchange(question: str, answer: str) -> tuple[Turn, Turn]:
    """A question and one answer to it, for judging outside a session."""
    return (
        Turn(1, "examiner", TurnKind.QUESTION, question),
        Turn(2, "candidate", TurnKind.ANSWER, answer),
    )


# What is taken back in the same breath: one rule, used everywhere, on text in matching form.

_LEAD = r"(?:^|(?<=[,.;:(-])|(?<=[,.;:(-] ))"
_IN_BREATH = (
    rf"{_LEAD}(?:(?:oh|hm+|well|er|uh|um|ah|but|and|actually)\W+)*"
    r"(?:no,? wait|wait,? no|no,? sorry|sorry,? no|no,? no|sorry(?=\W)|no(?=,)|hold on|i meant"
    r"|i mean(?=(?: [^\s,]+){1,2}(?:[.,;:!]|$))|or rather|make that|correction(?=\W))\b"
)
_TAKES_BACK = re.compile(
    r"\b(?:scratch|strike) (?:that|this|it)\b|\bi(?:'ll| will| have to| must)? take (?:that|it"
    r"|this|those) back\b|\bforget (?:that|what i (?:just )?said)\b|\bi misspoke\b"
    r"|\blet me correct (?:that|myself)\b"
    r"|\b(?:that's|that is|that was) (?:wrong|not right|not true)(?= of me|[,.;:!]|$)"
)
_OPENS_WITH = re.compile(
    r"\W*(?:(?:hm+|oh|ah|er+m?)\W+)?(?:actually,? no|no,? wait|wait,? no|sorry,? no)\b"
)
_CUE = re.compile(f"{_IN_BREATH}|{_TAKES_BACK.pattern}")
_WITHIN = re.compile(r"^(?:no|sorry|i meant?|or rather|make that|correction)$")
"""At the beginning of a sentence they answer or go on."""
_CLAUSE_END = re.compile(r"[,;:](?= )")
_NUMBER = (
    r"(?:[~$]?\d[\d.,]*[a-z%]*|(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen)+)"
)
_FIGURE = re.compile(rf"(?<![\w.]){_NUMBER}(?:[ -][a-z%/]+){{0,2}}$")
_INSTEAD = re.compile(rf"\W*(?:\w+ ){{0,2}}?{_NUMBER}(?!\w)")
"""Another figure in its place: then no more than the figure is gone."""


def withdrawing_words(text: str) -> Span | None:
    """Where the text takes back what was said before it, beyond the same breath; else None."""
    found = _TAKES_BACK.search(text) or _OPENS_WITH.match(text)
    return found.span() if found else None


def taken_back(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    """What is gone, with the words that take it back: the clause or the sentence before them."""
    for before, (start, end) in zip((None, *sentences), sentences, strict=False):
        for cue in _CUE.finditer(text, start, end):
            said = text[start : cue.start()].rstrip(" ,;:.-")
            if said:
                clauses = [0, *(match.end() for match in _CLAUSE_END.finditer(said))]
                figure = _FIGURE.search(said) if _INSTEAD.match(text, cue.end()) else None
                yield start + (figure.start() if figure else clauses[-1]), cue.end()
            elif before and not _WITHIN.search(cue[0]):
                yield before[0], cue.end()


# Sentences that tell the examiner how to grade: in English, at the start of a clause. Talk about
# prompts, judges and attacks names whom it tells; an order to the examiner names nobody.

_CLAUSE = (
    r"(?:(?<!\w)(?:please|kindly|now|just|simply|you (?:must|should|can|may|will)|asks? you to"
    r"|instruct(?:s|ed)? you to|so|then|and|first) |(?:^|[.!?;:,(] ?)[\"'*#>-]* ?)"
)
_RULES = (
    r"(?:instructions?|rubrics?|rules|criteria|guidelines|prompts?|answer key|grading|scoring"
    r"|marking|orders)\b(?! (?:tokens?|masks?)\b)"
)
_FULL = r"(?:full|max(?:imum)?|top|highest|perfect|best|complete)(?: possible)?"
_MARKS = r"(?:marks?|scores?|credits?|points?|grades?|bands?|ratings?)"
_MET = r"(?:fully )?\"?(?:met|satisfied|fulfilled|passed|correct|perfect|complete)\b"
_OF_SOME = r"(?! (?:in|for|only|when|if|by|at|on|before|until|once|unless|or|as long|because)\b)"
_NOT_OTHERS = (
    r"(?! (?:among|to|of|in|from|over|between|per|matri|vector|tensor|map"
    r"|for (?!this|that|my|it\b|me\b|all|every)))"
)
_CASES = ("when", "if", "once", "until", "unless", "whether", "that", "where")
_NOT_A_CASE = "".join(f"(?<!{word} )" for word in _CASES)
_PERSONA = r"(?:examiner|grader|judge|interviewer|assistant|teacher|tutor|evaluator|friend)"
_MINE = r"(?:me|us|it|this|that|my|the candidate|the answer|everything|all|every|each)"
_ORDER = re.compile(
    rf"{_CLAUSE}(?:ignore|disregard|forget|override|bypass|don't (?:follow|use|apply))"
    rf"(?: \w+){{0,4}}? (?:your|previous|prior|above|earlier|the|all|any|these)(?: \w+){{0,3}}?"
    rf" {_RULES}"
    rf"|{_CLAUSE}(?:give|award|grant|assign|record|return|output|enter|put)"
    rf" (?:{_MINE}(?: \w+){{0,3}}? )?(?:an? |the )?{_FULL} {_MARKS}\b{_NOT_OTHERS}"
    rf"|{_CLAUSE}(?:mark|grade|rate|count|set|treat|consider|score|judge|accept|deem) {_MINE}\b"
    rf"[^.?!]{{0,40}}?\b{_MET}{_OF_SOME}"
    rf"|{_NOT_A_CASE}\b(?:all|every|each)(?: of)?(?: the| your| its)? (?:criteri\w+|requirements?"
    rf"|rubric items?)(?: \w+){{0,4}}? {_MET}{_OF_SOME}"
    r"|\b(?:candidate|answer|response|i) (?:has |have )?(?:already |fully )?(?:met|meets|satisf\w+"
    r"|fulfil\w*) (?:all|every|each)\b[^.?!]{0,20}\b(?:criteri|requirement|rubric)"
    rf"|\byou are (?:now|no longer)\b[^.?!]{{0,30}}\b{_PERSONA}\b"
    r"|\bfrom now on,? (?:you|accept|grade|mark|treat|count|score)\b"
    rf"|{_CLAUSE}(?:print|reveal|repeat|show me|tell me|give me|list|paste)\b[^.?!]{{0,30}}?\b"
    r"(?:your (?:rubric|system prompt|prompt|criteria|answer key|instructions)"
    r"|all (?:the )?rubric|the answer key)"
    rf"|{_CLAUSE}(?:pass me|let me pass|give me (?:the|this|that) (?:point|credit|job))\b"
    r"|^\W{0,4}(?:\[|<)?(?:system|developer|assistant|examiner|interviewer|grader|judge|admin)"
    r"(?: (?:message|prompt|note|override))? ?[:\]>]"
    r"(?=.{0,120}\b(?:candidate|criteri|verdict|rubric|grad|marks|score))"
    r"|^\W*\"(?:verdicts?|criteria\w*|score|grade|band)\" ?:|\bverdict ?[:=] ?\"?(?:met|pass|full)"
)
LEAD = 60
"""Characters before a sentence that may lead into it."""
_EXAMPLE = re.compile(
    r"(?:\b\w+ |[,:] ?)(?:[\"]|(?<!\w)')(?=[^\"']*$)"
    r"|\b(?:injections?|attack\w*|jailbreak\w*|says?|saying|writes?|like|such as|example)\b"
    r"[^.?!]*$"
)
"""An open quotation, or words that lead into an example of what others write."""


def _orders(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    for start, end in sentences:
        found = (start + match.start() for match in _ORDER.finditer(text[start:end]))
        if any(not _EXAMPLE.search(text, max(0, start - LEAD), at + 1) for at in found):
            yield start, end


READ_CHARACTERS = 60_000
"""Of an answer no more is read: more than an hour of talk. Whatever reads it takes the longer the
more there is, and a pasted file would hold up the interview for minutes."""
LONGEST_STRETCH = 400
"""Characters of one sentence that may make a point together."""


@dataclass(frozen=True)
class ParsedAnswer:
    """A text and views of the part that is ``read``, each computed on first use and kept.

    Spans of ``quantities`` and ``order_spans`` are in ``text``, all others in ``plain.text``.
    """

    text: str

    @cached_property
    def read(self) -> str:
        """The text, or of a very long one the beginning, up to a space if there is one."""
        if len(self.text) <= READ_CHARACTERS:
            return self.text
        space = self.text.rfind(" ", 0, READ_CHARACTERS)
        return self.text[: space if space > 0 else READ_CHARACTERS]

    @property
    def is_read_whole(self) -> bool:
        """Nothing of it is left unread."""
        return len(self.read) == len(self.text)

    @cached_property
    def plain(self) -> Normalised:
        """What is read, in matching form."""
        return normalise(self.read)

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences in order."""
        return sentences(self.plain)

    def sentences_at(self, span: Span) -> list[Span]:
        """The sentences that characters of the text as typed lie in."""
        typed = [self.plain.original_span(*each) for each in self.sentences]
        return [each for each, at in zip(self.sentences, typed, strict=True) if overlap(at, span)]

    @cached_property
    def words(self) -> list[str]:
        """Words and numbers in lower case."""
        return words_in(self.plain)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the content words."""
        return stems_of(self.words)

    @cached_property
    def numerals(self) -> tuple[Numeral, ...]:
        """All numbers, including their scale words."""
        return numerals.numerals(self.text, self.plain)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """All numbers with the unit that follows them."""
        return tuple(numerals.quantities_of(self.numerals, self.plain))

    @cached_property
    def withdrawn(self) -> tuple[Span, ...]:
        """What the candidate takes back in the same breath, as spans in ``plain.text``."""
        return tuple(taken_back(self.plain.text, self.sentences))

    @cached_property
    def standing(self) -> str:
        """``plain.text`` with blanks for what is taken back."""
        text = self.plain.text
        for start, end in self.withdrawn:
            text = text[:start] + " " * (end - start) + text[end:]
        return text

    def takes_back(self, span: Span) -> bool:
        """What stands there, or how it ends, is taken back."""
        return any(start < span[1] <= end for start, end in self.withdrawn)

    @cached_property
    def standing_quantities(self) -> tuple[Quantity, ...]:
        """The quantities that are not taken back."""
        gone = [self.plain.original_span(*span) for span in self.withdrawn]
        return tuple(
            each for each in self.quantities if not any(a <= each.span[0] < b for a, b in gone)
        )

    @cached_property
    def order_spans(self) -> tuple[Span, ...]:
        """The sentences that try to give the examiner instructions."""
        orders = _orders(self.plain.text, self.sentences)
        return tuple(self.plain.original_span(*sentence) for sentence in orders)

    def gives_orders(self, span: Span | None = None) -> bool:
        """The text, or the part overlapping ``span``, tries to give the examiner instructions."""
        if span is None:
            return bool(self.order_spans)
        return any(overlap(each, span) for each in self.order_spans)

    @cached_property
    def judged_sentences(self) -> tuple[Span, ...]:
        """The sentences that can earn credit: those without instructions to the examiner."""
        return tuple(chain(*self._judged_runs))

    @cached_property
    def windows(self) -> tuple[Span, ...]:
        """Pairs of neighbouring judged sentences; no window spans an instruction."""
        return tuple(chain.from_iterable(map(consecutive, self._judged_runs)))

    @cached_property
    def wide_windows(self) -> tuple[Span, ...]:
        """The windows, and longer stretches that colons and semicolons make one sentence."""
        return (*self.windows, *chain.from_iterable(map(self._stretches, self._judged_runs)))

    def _stretches(self, run: Sequence[Span]) -> Iterator[Span]:
        """From each sentence on as many neighbours as fit, if they are more than a window has."""
        end = 0
        for n, (start, _) in enumerate(run):
            first, end = end, max(end, n + 1)
            while end < len(run) and run[end][1] - start <= LONGEST_STRETCH:
                last = run[end - 1][1]
                if last + 1 != run[end][0] or self.plain.text[last - 1] not in ":;":
                    break
                end += 1
            if end > max(first, n + 2):
                yield start, run[end - 1][1]

    @cached_property
    def _judged_runs(self) -> list[tuple[Span, ...]]:
        def is_clean(sentence: Span) -> bool:
            return not self.gives_orders(self.plain.original_span(*sentence))

        return [tuple(run) for clean, run in groupby(self.sentences, is_clean) if clean]
