"""The offline examiner. Authored patterns decide, words where there are none; guards may object."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from interviewer.examiner.offline import ABOUT, NAME, by_words, guards
from interviewer.examiner.offline.guards import denies, is_asserted
from interviewer.examiner.protocol import (
    AnswerToRead,
    Heard,
    ModelCall,
    Move,
    QuestionContext,
    Rejected,
    Retrying,
)
from interviewer.examiner.wording import utterance
from interviewer.grading.claims import rules
from interviewer.grading.claims.quantity import Reading, word_lists
from interviewer.grading.evidence import MIN_WORDS, candidate_turns
from interviewer.grading.transcript import ParsedAnswer, Turn, TurnKind
from interviewer.grading.verdicts import MOST_QUOTES, Evidence, Flag, Judgement, Ungraded, Verdict
from interviewer.rubric.importing import ANY_ANSWER
from interviewer.rubric.rubric import (
    AllOf,
    AllOfMatch,
    Criterion,
    Further,
    Rating,
    Rubric,
    Step,
    find,
    occurrences,
)
from interviewer.rubric.text import (
    COMMON_STEMS,
    MIN_CONTENT_WORDS,
    Span,
    content_stems,
    has_negator,
    looks_for_negator,
    nearly_same,
    normalise,
    overlapping,
    recall,
    shared_trigrams,
    words,
)
from interviewer.rubric.text import denies as is_denial

QUOTE_CHARACTERS = 240


def quote(answer: ParsedAnswer, spans: Sequence[Span]) -> str:
    """The candidate's words around the spans, as typed; whole sentences if they are short."""
    text = answer.plain.text
    start, end = min(a for a, _ in spans), max(b for _, b in spans)
    around = [(a, b) for a, b in answer.judged_sentences if a < end and start < b]
    if around and around[-1][1] - around[0][0] <= QUOTE_CHARACTERS:
        start, end = around[0][0], around[-1][1]
    elif around and end - start > QUOTE_CHARACTERS:
        start, end = around[0]
    else:
        start, end = _with_neighbours(text, start, end)
    if len(words(text[start:end])) < MIN_WORDS:
        start, end = _with_neighbours(text, start, end)
    first, last = answer.plain.original_span(start, end)
    return answer.text[first:last]


def quotes(answer: ParsedAnswer, spans: Sequence[Span]) -> tuple[str, ...]:
    """One quote around the spans or, where they lie far apart, one for each, at most three."""
    if max(b for _, b in spans) - min(a for a, _ in spans) <= QUOTE_CHARACTERS:
        return (quote(answer, spans),)
    return tuple(dict.fromkeys(quote(answer, (span,)) for span in sorted(spans)))[:MOST_QUOTES]


def _with_neighbours(text: str, start: int, end: int) -> Span:
    for _ in range(3):
        start = text.rfind(" ", 0, max(0, start - 1)) + 1
        following = text.find(" ", end + 1)
        end = len(text) if following < 0 else following
    return start, end


class Guard:
    """Decides for each hit whether it supports the criterion, and remembers why not."""

    def __init__(self, criterion: Criterion, answer: ParsedAnswer) -> None:
        self._claim = normalise(criterion.claim).text
        self._accept = tuple(normalise(text).text for text in criterion.accept)
        self._denies = has_negator(self._claim)
        self._wants_list = guards.wants_list(self._accept)
        self._answer = answer
        self.flag: Flag | None = None

    @property
    def objection(self) -> str:
        """Why a hit was not let through, in a sentence; "" if none was held back as a list."""
        return "A list of terms without an explanation." if self.flag else ""

    def find(self, alternatives: Sequence[AllOf]) -> AllOfMatch | None:
        """The first alternative whose hits pass, in any neighbouring parts of a sentence or two."""
        hits = (self._hit(alternative) for alternative in alternatives)
        return next((hit for hit in hits if hit), None)

    def _hit(self, alternative: AllOf) -> AllOfMatch | None:
        """The match whose sentences deny nothing, or as much as the pattern or the claim does."""
        text, windows = self._answer.standing, self._answer.wide_windows
        if plain := find([alternative], text, windows, self.lets_through):
            return plain
        looks_for_denial = any(map(looks_for_negator, alternative))
        if looks_for_denial or (self._denies and len(alternative) > 1):
            counts = partial(self.lets_through, may_deny=True)
            match = find([alternative], text, windows, counts)
            if match and (self._denies or any(has_negator(text[slice(*s)]) for s in match.spans)):
                return match
        return None

    def lets_through(self, span: Span, regex: str = "", *, may_deny: bool = False) -> bool:
        """It is not one of a list nor, unless it may, in a sentence that denies."""
        text, sentences = self._answer.standing, self._answer.judged_sentences
        if any(is_denial(text[slice(*sentences[n])]) for n in overlapping(sentences, span)):
            return False
        if guards.is_listed(text, sentences, span, wanted=self._wants_list):
            self.flag = Flag.KEYWORD_LIST
            return False
        return may_deny or not denies(text, sentences, span)


def misconception(criterion: Criterion, answer: ParsedAnswer) -> AllOfMatch | None:
    """The first misconception that the answer asserts."""
    text, sentences = answer.standing, answer.judged_sentences

    def is_stated(span: Span, regex: str) -> bool:
        return is_asserted(text, sentences, span, regex)

    patterns = [each for wrong in criterion.misconceptions for each in wrong.patterns]
    return find(patterns, text, answer.windows, is_stated)


RECITED_FROM = 0.6
RECITED_WORDS = 30


@dataclass(frozen=True)
class _TurnFinding:
    """What one answer shows about one criterion."""

    verdict: Rating
    quote: str = ""
    further: tuple[str, ...] = ()
    """What was said in an earlier answer and belongs to it."""
    guarded: str = ""
    """Why a hit was not credited, "" if none was held back."""
    flag: Flag | None = None
    doubt: str = ""
    """What makes the verdict uncertain, "" if nothing."""
    alternative: Rating | None = None
    """The verdict that it might be instead."""


def judge(rubric: Rubric, turns: Sequence[Turn]) -> Judgement:
    """The findings on every criterion over all answers to the question. Deterministic."""
    return next(filter(None, in_steps(rubric, turns)))


def in_steps(rubric: Rubric, turns: Sequence[Turn]) -> Iterator[Judgement | None]:
    """The same after None for each criterion in each answer, so that others can run in between."""
    answers = candidate_turns(turns)
    replies = _replies_to_escalation(turns)
    by_turn: dict[Criterion, list[_TurnFinding]] = {}
    for criterion in rubric.criteria:
        if _says_nothing(criterion):
            continue
        found: list[_TurnFinding] = []
        said = replies if isinstance(criterion, Further) else answers
        for turn in said:
            alone = _judge_turn(rubric, turns, criterion, turn)
            found.append(_completed(turns, criterion, turn, alone, found))
            yield None
        by_turn[criterion] = found
    yield guards.set_aside(rubric, turns, _judgement(rubric, answers, by_turn))


def _says_nothing(criterion: Criterion) -> bool:
    """It stands in for an answer still to be written, with nothing to compare words with."""
    return criterion.claim == ANY_ANSWER and not (
        criterion.accept or criterion.patterns or criterion.partly
    )


def _judgement(
    rubric: Rubric,
    answers: Sequence[Turn],
    by_turn: Mapping[Criterion, Sequence[_TurnFinding]],
) -> Judgement:
    """What the findings on the single answers come to."""
    flags = {found.flag for each in by_turn.values() for found in each if found.flag}
    if any(_is_recited(rubric, turn) for turn in answers):
        flags.add(Flag.RECITED)
    findings = [ordered(_finding(c, each), c, answers) for c, each in by_turn.items()]
    short = sum(len(turn.parsed.stems) for turn in answers) < _fewest_words(rubric)
    if short and not any(finding.verdict is Rating.MET for finding in findings):
        findings = [Verdict(c.id, Rating.NOT_MET) for c in by_turn]
        flags = {Flag.TOO_SHORT}
    without_key = (c.id for c in rubric.criteria if c not in by_turn)
    findings += [Verdict(each, None, ungraded=(Ungraded.NO_KEY,)) for each in without_key]
    return Judgement(tuple(findings), NAME, frozenset(flags))


def _replies_to_escalation(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The answers from the harder variant on: before it, its words stand for something else."""
    asked = next((t.number for t in turns if t.kind is TurnKind.ESCALATE), 0)
    return candidate_turns(t for t in turns if t.number > asked)


def _fewest_words(rubric: Rubric) -> int:
    """Fewer content words show nothing; a key of bare terms may be answered with a single one."""
    return MIN_CONTENT_WORDS if any(c.patterns for c in rubric.criteria) else 1


def _finding(criterion: Criterion, by_turn: Sequence[_TurnFinding]) -> Verdict:
    """The finding over all answers: the best since the last contradiction."""
    since = max((i for i, f in enumerate(by_turn) if f.verdict is Rating.CONTRADICTED), default=-1)
    settled = by_turn[since + 1 :]
    for wanted in (Rating.MET, Rating.PARTIAL):
        if best := next((f for f in settled if f.verdict is wanted), None):
            partly = wanted is Rating.PARTIAL
            missing = "Mentioned, but not in full." if partly else ""
            return Verdict(
                criterion.id,
                wanted,
                best.quote,
                missing=missing,
                vague=partly,
                further=tuple(map(Evidence, best.further)),
                doubt=best.doubt,
                alternative=best.alternative,
                matched=bool(criterion.patterns or criterion.partly),
            )
    if since >= 0:
        return Verdict(criterion.id, Rating.CONTRADICTED, by_turn[since].quote)
    guarded = next((f.guarded for f in by_turn if f.guarded), "")
    doubt = next((f.doubt for f in by_turn if f.doubt), "")
    other = next((f.alternative for f in by_turn if f.alternative), None)
    return Verdict(
        criterion.id,
        Rating.NOT_MET,
        missing=guarded,
        vague=bool(guarded),
        doubt=doubt,
        alternative=other,
    )


def _judge_turn(
    rubric: Rubric, turns: Sequence[Turn], criterion: Criterion, turn: Turn
) -> _TurnFinding:
    answer = turn.parsed
    text = answer.standing
    if any(guards.repeats(text[a:b], criterion.claim) for a, b in answer.judged_sentences):
        return _held_back("Word for word from the answer key.", Flag.RECITED)
    if guards.names_the_key(text, (each.id for each in rubric.criteria)):
        return _held_back("Names points by the ids of the answer key.", Flag.RECITED)
    guard = Guard(criterion, answer)
    hit = guard.find(criterion.patterns)
    wrong = misconception(criterion, answer)
    given = _given(rubric, turns, turn)
    if wrong and (
        _outlasts(answer, hit, wrong) or _is_spoken_of_besides(criterion, answer, wrong, given)
    ):
        return _held_back("Said otherwise too, so what you meant is not certain.")
    if wrong:
        return _TurnFinding(Rating.CONTRADICTED, quote(answer, wrong.spans))
    if not (criterion.patterns or criterion.partly):
        return _judge_words(rubric, criterion, answer, guard, given)
    if hit:
        first, *further = quotes(answer, hit.spans)
        return _TurnFinding(Rating.MET, first, further=tuple(further))
    part = guard.find(criterion.partly)
    if part and not _is_rejected(criterion, answer, part.spans):
        return _TurnFinding(Rating.PARTIAL, quote(answer, part.spans))
    if find(criterion.patterns, answer.plain.text, answer.wide_windows):
        return _held_back(guard.objection or "Read as the opposite claim.", guard.flag)
    return _TurnFinding(Rating.NOT_MET)


def _outlasts(answer: ParsedAnswer, one: AllOfMatch | None, other: AllOfMatch) -> bool:
    """It ends in another sentence than the other or later in the same."""
    if one is None:
        return False
    mine, theirs = one.end, other.end
    between = overlapping(answer.judged_sentences, (min(mine, theirs) - 1, max(mine, theirs)))
    return mine > theirs or len(between) > 1


def _is_spoken_of_besides(
    criterion: Criterion, answer: ParsedAnswer, wrong: AllOfMatch, given: frozenset[str]
) -> bool:
    """Another sentence is on the point too, and may well make or mend it: a few words suffice."""
    own = content_stems(" ".join((criterion.claim, *criterion.accept))) - given
    start = min(start for start, _ in wrong.spans)
    return not answer.gives_orders() and any(
        len(own & content_stems(answer.standing[a:b])) >= (AFTER if a > wrong.end else BEFORE)
        for a, b in answer.judged_sentences
        if a > wrong.end or b <= start
    )


def with_elsewhere(judgement: Judgement, context: QuestionContext) -> Judgement:
    """The judgement, with what lacks here and was said on another question in so many words."""
    known = {c.id: c for c in context.rubric.criteria if not isinstance(c, Further)}
    said = [turn.parsed for turn in candidate_turns(context.elsewhere)]
    sentences = [each.plain.text[a:b] for each in said for a, b in each.judged_sentences]
    stems = {each: content_stems(each) for each in sentences}

    def found(finding: Verdict) -> Verdict:
        criterion = known.get(finding.criterion)
        if criterion is None or finding.verdict in (Rating.MET, Rating.CONTRADICTED):
            return finding
        wordings = [content_stems(each) for each in (criterion.claim, *criterion.accept)]
        near = (s for s in sentences if any(_says_same(stems[s], each) for each in wordings))
        met = (s for s in near if Guard(criterion, ParsedAnswer(s)).find(criterion.patterns))
        return next((Verdict(criterion.id, Rating.MET, s, matched=True) for s in met), finding)

    return replace(judgement, findings=tuple(map(found, judgement.findings)))


SHARED_STEMS, SAID_FROM = 3, 0.6
"""A sentence of another question that makes a point has so many words of it, and this share."""


def _says_same(said: frozenset[str], wording: frozenset[str]) -> bool:
    shared = said & wording - COMMON_STEMS
    return len(shared) >= SHARED_STEMS and recall(wording, said) >= SAID_FROM


BEFORE, AFTER = 3, 2
"""Words of the point in a sentence that is on it, before and after a wrong one."""


def _completed(
    turns: Sequence[Turn],
    criterion: Criterion,
    turn: Turn,
    alone: _TurnFinding,
    earlier: Sequence[_TurnFinding],
) -> _TurnFinding:
    """The finding, or met if a reply on this very point adds what was lacking before."""
    half = earlier[-1] if earlier else None
    asked = next((t for t in reversed(turns) if t.number < turn.number), None)
    if (
        alone.verdict not in (Rating.NOT_MET, Rating.PARTIAL)
        or half is None
        or half.verdict is not Rating.PARTIAL
        or asked is None
        or asked.target != criterion.id
    ):
        return alone
    before = normalise(half.quote).text.rstrip(" .,;:")
    both = ParsedAnswer(f"{before}. {turn.parsed.plain.text}")
    hit = Guard(criterion, both).find(criterion.patterns)
    edge = len(before) + 2
    spans = hit.spans if hit else ()
    added = [(start - edge, end - edge) for start, end in spans if start >= edge]
    if not added:
        return alone
    return _TurnFinding(Rating.MET, quote(turn.parsed, added), further=(half.quote,))


def _is_rejected(criterion: Criterion, answer: ParsedAnswer, spans: Sequence[Span]) -> bool:
    """A sentence of these spans says the same as a wording that is not enough."""
    text, sentences = answer.plain.text, answer.judged_sentences
    touched = {n for span in spans for n in overlapping(sentences, span)}
    said = [text[slice(*sentences[n])] for n in touched]
    return any(nearly_same(each, wording) for each in said for wording in criterion.reject)


BY_WORDS = "judged by words alone, as this criterion has no patterns"


def _judge_words(
    rubric: Rubric, criterion: Criterion, answer: ParsedAnswer, guard: Guard, given: frozenset[str]
) -> _TurnFinding:
    """What the words of the sentences that no guard objects to are worth."""
    sentences = [
        span for span in answer.judged_sentences if guard.lets_through(span, may_deny=True)
    ]
    key = by_words.Key.of(rubric, criterion, given)
    reading = by_words.read(key, answer, by_words.windows(answer, sentences))
    if reading is None:
        return _TurnFinding(
            Rating.NOT_MET, guarded=guard.objection, flag=guard.flag, doubt=BY_WORDS
        )
    found = _TurnFinding(reading.verdict, doubt=BY_WORDS, alternative=reading.alternative)
    if reading.verdict is not Rating.NOT_MET:
        return replace(found, quote=quote(answer, (reading.window,)))
    return replace(found, guarded=guard.objection, flag=guard.flag)


def _held_back(why: str, flag: Flag | None = None) -> _TurnFinding:
    return _TurnFinding(Rating.NOT_MET, guarded=why, flag=flag)


@dataclass(frozen=True)
class Credit:
    """What words would earn on their own, and the words that earn it."""

    verdict: Rating
    earning: tuple[str, ...] = ()


def credit_of(
    criterion: Criterion, text: ParsedAnswer, given: frozenset[str], *, guarded: bool
) -> Credit:
    """What the text alone would earn, whoever says it; ``given`` are stems known already.

    Unguarded, a point counts even if it is negated, hedged or in a list: it gives the point away.
    """
    plain = text.plain.text
    guard = Guard(criterion, text)
    if not (criterion.patterns or criterion.partly):
        window, share = _overlap(criterion, text, given)
        worth = Rating.PARTIAL if share >= PARTIAL_FROM else Rating.NOT_MET
        return Credit(Rating.MET if share >= MET_FROM else worth, (plain[slice(*window)],))
    for verdict, written in (
        (Rating.MET, criterion.patterns),
        (Rating.PARTIAL, criterion.partly),
    ):
        hit = guard.find(written) if guarded else find(written, plain, text.windows)
        if hit:
            return Credit(verdict, tuple(plain[slice(*span)] for span in hit.spans))
    return Credit(Rating.NOT_MET)


MET_FROM, PARTIAL_FROM = 0.75, 0.45
"""The share of a right phrasing's words that says it, or half of it."""


def _given(rubric: Rubric, turns: Sequence[Turn], turn: Turn) -> frozenset[str]:
    before = (t for t in turns if t.author == "examiner" and t.number < turn.number)
    return content_stems(rubric.question).union(*(t.parsed.stems for t in before))


def _overlap(
    criterion: Criterion, answer: ParsedAnswer, given: frozenset[str]
) -> tuple[Span, float]:
    """The window that shares most words with a right phrasing, less those given, and the share."""
    wanted = [content_stems(p) - given for p in (criterion.claim, *criterion.accept)]
    text = answer.plain.text
    best: tuple[Span, float] = ((0, len(text)), 0.0)
    for span in answer.windows:
        here = content_stems(text[slice(*span)])
        share = max((recall(stems, here) for stems in wanted if len(stems) >= 3), default=0.0)
        if share > best[1]:
            best = (span, share)
    return best


def _is_recited(rubric: Rubric, turn: Turn) -> bool:
    tokens = turn.parsed.words
    if len(tokens) < RECITED_WORDS:
        return False
    return shared_trigrams(tokens, [words(rubric.reference)]) >= RECITED_FROM


_TURNED = re.compile(
    r"\b(?:after|before|once|unless|until|last|right away|only (?:if|when|then))\b"
)
"""In "offload only after sharding" the later step is named first, and rightly so."""


def ordered(finding: Verdict, criterion: Criterion, turns: Sequence[Turn]) -> Verdict:
    """The finding; half of it where a point was made without its steps in their order."""
    made = finding.verdict is Rating.MET and criterion.steps
    if not made or in_order(criterion.steps, [turn.parsed.read for turn in turns]):
        return finding
    missing, doubt = "Not all its steps in their order.", "its steps may be worded otherwise"
    half = replace(finding, verdict=Rating.PARTIAL, missing=missing, vague=True)
    return replace(half, doubt=doubt, alternative=Rating.MET)


def in_order(steps: Sequence[Step], answers: Sequence[str]) -> bool:
    """Each step is said after the one before it, or all are, and words tell the order."""
    said = ParsedAnswer("\n".join(answers))
    text, at = said.plain.text, -1
    places = [[a for each in step.patterns for a, _ in occurrences(each, text)] for step in steps]
    for step in places:
        at = min((place for place in step if place > at), default=len(text))
    told = [text[a:b] for a, b in said.sentences for step in places for p in step if a <= p < b]
    return at < len(text) or (all(places) and any(map(_TURNED.search, told)))


class OfflineExaminer:
    """Judges with authored patterns and asks authored probes. Deterministic."""

    name = NAME
    version = NAME
    about = ABOUT

    async def judge(self, context: QuestionContext) -> Judgement:
        """Never fails, and can be cancelled between any two of its steps."""
        for judgement in in_steps(context.rubric, context.turns):
            if judgement:
                return with_elsewhere(judgement, context)
            await asyncio.sleep(0)
        raise AssertionError("the last step is the judgement")

    async def settle(self, context: QuestionContext, doubts: Sequence[Verdict]) -> Judgement:
        """Nothing: a second look at patterns would find the same."""
        return Judgement((), NAME)

    async def listen(self, context: QuestionContext) -> Heard:
        """The figures; what the turn does is told by rules, which are applied to every turn."""
        return Heard(frozenset(), reading=await self.read_figures(context.to_read))

    async def read_figures(self, answer: AnswerToRead) -> Reading:
        """By rules, what is explicit."""
        return rules.read(
            answer.turn.parsed,
            answer.turn.number,
            own_work=answer.on_own_work or _asks_own(answer.asked),
            to_objection=answer.to_objection,
            known=answer.figures,
            since=answer.since,
            asked=answer.asked,
        )

    async def ask(
        self, context: QuestionContext, move: Move, rejected: Sequence[Rejected] = ()
    ) -> str:
        """The template of the move."""
        return utterance(context, move)

    async def giveaways(self, context: QuestionContext, texts: Sequence[str]) -> tuple[str, ...]:
        """All of each: what patterns leave in doubt they cannot clear. It says authored words."""
        return tuple(texts)

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """Always empty: no model is called."""
        return ()

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        """Do nothing: no call is made, so none is retried."""

    async def aclose(self) -> None:
        """Nothing to release."""


def _asks_own(asked: str) -> bool:
    return bool(word_lists()["asks_own"].search(asked.lower()))
