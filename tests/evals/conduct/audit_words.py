"""The audit's items on the examiner's words: form, leaks, neutrality."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from evals.conduct.auditing import each_question, each_utterance
from evals.conduct.played import Exchange, Played, Talk, Utterance

from interviewer.examiner.offline.judge import judge
from interviewer.grading.numerals import matches, quantities
from interviewer.grading.transcript import ParsedAnswer
from interviewer.grading.transcript import exchange as turns_of
from interviewer.grading.verdicts import credit
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.rubric.text import normalise, stem, words

HELP = frozenset({"offer", "hint", "tell"})
OWN_NUMBERS = frozenset({"contradiction", "use_numbers"})
"""Computed from what the candidate said, which may well be what a point asks for."""
ASKING = frozenset(
    {"drill", "pin_down", "use_numbers", "contradiction", "challenge", "probe", "simplify"}
    | {"offer", "harder", "reframe"}
)
_QUOTED = re.compile(r"[“\"](.*?)[”\"]")
_END = re.compile(r"(?<=[.!?])\s+")
_FILLER = re.compile(r"^(?:(?:so|and|now|then|but|ok|okay|well|all right|noted)[,:]? )+")
_AUXILIARY = re.compile(
    r"^(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|isn't|aren't|don't"
    r"|doesn't|didn't|wouldn't|won't)\b"
)
_WH = re.compile(r"\b(?:or|how|why|what|which|where|when|who|whose)\b")
_DANGLING = re.compile(
    r"^(?:(?:and|so|then) )(?:the|its|their) (?:other|second|third|rest|latter)\b"
    r"|\bthe other (?:one|two|half)\b|\bthe (?:former|latter)\b"
    r"|\byour (?:sum|formula|calculation|derivation)\b"
)
_VERDICT = re.compile(
    r"\b(?:that|this|it|you|your answer)(?:'s| is|'re| are) (?:\w+ ){0,2}"
    r"(?:right|wrong|correct|incorrect|mistaken|false|spot on)\b"
    r"|\b(?:well done|well put|exactly right|not quite|spot on|good|great|nice|excellent|perfect) "
    r"(?:answer|point|job|start|work|summary|thinking)\b"
    r"|^(?:correct|exactly|right|wrong|great|good|nice|perfect|excellent|impressive|brilliant)[,.!]"
    r"|\b(?:well done|impressive|brilliant)\b"
)
_SYSTEM = re.compile(
    r"[{}]|\b(?:rubrics?|criteri(?:on|a)|must_have|(?:my|your) verdicts?|answer key)\b"
)
_ACKNOWLEDGES = re.compile(
    r"^(?:noted|ok|okay|all right|alright|understood|i see|i follow|thanks|thank you|fine|got it"
    r"|clear|right|good|so you|you said)\b"
)
LEAST_WORDS, MOST_WORDS = 8, 40
LONGEST_ACKNOWLEDGEMENT = 6
SAME_PHRASE = 5
"""So many words in a row are a phrase that was said before."""
COPIED_WORDS = 7
_NEGATORS = re.compile(
    r"\b(?:not|never|no|nor|without|hardly|\w+n't|cannot|neither|nobody|nothing)\W+(?:\w+\W+){0,2}$"
)


def unquoted(text: str) -> str:
    return _QUOTED.sub(" ", text)


def quotations(text: str) -> list[str]:
    return _QUOTED.findall(text)


def plain(text: str) -> str:
    return normalise(text).text


def runs(text: str, length: int) -> set[tuple[str, ...]]:
    """All so many words in a row."""
    said = words(text)
    return {tuple(said[n : n + length]) for n in range(len(said) - length + 1)}


def _said_before(talk: Talk, exchange: Exchange) -> list[str]:
    """All that the candidate had said on this question."""
    return [each.said for each in (*talk.before(exchange), exchange)]


def _earlier_words(talk: Talk, said: Utterance) -> list[str]:
    """What the examiner had said on this question before this, the question included."""
    return [talk.text, *(u.text for u in talk.utterances if u.turn < said.turn)]


@each_utterance(11, "one question")
def one_question(_talk: Talk, _exchange: Exchange, said: Utterance) -> Iterator[str]:
    marks = unquoted(said.text).count("?")
    asks = said.move in ASKING and said.engine_move != "bad_line"
    if marks > 1 or (asks and marks == 0):
        yield f"{marks} question marks"


@each_utterance(12, "8 to 40 words")
def fair_length(_talk: Talk, _exchange: Exchange, said: Utterance) -> Iterator[str]:
    count = len(words(said.text))
    if said.move in ASKING and not LEAST_WORDS <= count <= MOST_WORDS:
        yield f"{count} words"


@each_utterance(13, "no yes or no")
def open_question(_talk: Talk, _exchange: Exchange, said: Utterance) -> Iterator[str]:
    if said.move not in ASKING - {"offer"}:
        return
    before = unquoted(said.text).partition("?")[0]
    sentence = re.split(r"[.!:;]\s", before)[-1].strip(" ,–—-").lower()
    sentence = _FILLER.sub("", sentence)
    if _AUXILIARY.search(sentence) and not _WH.search(sentence):
        yield f"yes or no answers “{sentence}”"


@each_utterance(15, "nothing dangles")
def nothing_dangles(talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    own = plain(unquoted(said.text))
    found = _DANGLING.search(own)
    told = [plain(talk.text), *map(plain, _said_before(talk, exchange))]
    if found and not any(words(found[0])[-1] in words(each) for each in told):
        yield f"nobody said what “{found[0]}” is"


@each_utterance(16, "quotations are literal, 2 to 8 words, with their negation")
def fair_quotation(talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    heard = [plain(each) for each in _said_before(talk, exchange)]
    for quoted in quotations(said.text):
        inner = plain(quoted).strip(" .,;:…")
        sources = [each for each in heard if inner in each]
        if not sources and inner not in plain(talk.text):
            yield f"nobody said “{quoted}”"
        if sources and not 2 <= len(quoted.split()) <= 8:
            yield f"“{quoted}” has {len(quoted.split())} words"
        before = [re.split(r"[.!?;:]\s", each.partition(inner)[0])[-1] for each in sources]
        if sources and all(_NEGATORS.search(each) for each in before):
            yield f"“{quoted}” was denied"


@each_question(17, "no phrase twice")
def no_phrase_twice(_played: Played, talk: Talk) -> Iterator[str]:
    known = runs(talk.text, SAME_PHRASE)
    for said in talk.utterances:
        if said.move in ("answer_back", "offer") or said.remark == "said_that":
            continue  # what was asked for again
        here = runs(unquoted(said.text), SAME_PHRASE)
        if again := sorted(here & known - runs(talk.text, SAME_PHRASE)):
            yield f"“{' '.join(again[0])}” again: {said.text}"
        known |= here


@each_question(18, "openings vary")
def openings_vary(_played: Played, talk: Talk) -> Iterator[str]:
    previous = ""
    for said in talk.utterances:
        opening = _opening(said.text)
        if opening and opening == previous:
            yield f"“{opening}” twice in a row: {said.text}"
        previous = opening


def _opening(text: str) -> str:
    """The acknowledgement, else the first two words; "" for a quotation."""
    if text.startswith(("“", '"')):
        return ""
    first = _END.split(text.strip())[0]
    return " ".join(words(first)[: 3 if len(words(first)) <= 3 else 2])


@each_utterance(21, "its own words earn no point that is still open")
def earns_nothing(talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    if said.move in HELP | OWN_NUMBERS:
        return
    earned = _earned(talk.rubric, unquoted(said.text))
    told = [_earned(talk.rubric, each) for each in _earlier_words(talk, said)]
    for criterion, verdict in talk.standing_after(exchange).items():
        level = earned.get(criterion, 0.0)
        already = max([credit(verdict), *(each.get(criterion, 0.0) for each in told)])
        if level > already:
            yield f"it would earn {level:g} on {criterion}"


@lru_cache(maxsize=2000)
def _earned_of(key: str, text: str) -> tuple[tuple[str, float], ...]:
    rubric = _RUBRICS[key]
    value = {Rating.MET: 1.0, Rating.PARTIAL: 0.5}
    findings = judge(rubric, turns_of(rubric.question, text)).findings
    return tuple((f.criterion, value[f.verdict]) for f in findings if f.verdict in value)


_RUBRICS: dict[str, Rubric] = {}


def _earned(rubric: Rubric, text: str) -> dict[str, float]:
    """What the text would earn by criterion, said by a candidate."""
    _RUBRICS[rubric.id] = rubric
    return dict(_earned_of(rubric.id, text))


@each_utterance(22, "no key number")
def no_key_number(talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    if said.move in HELP:
        return
    told = [*_earlier_words(talk, said), *_said_before(talk, exchange), *talk.rubric.harder]
    known = [quantity for text in told for quantity in quantities(text)]
    made = talk.standing_after(exchange)
    for criterion in talk.rubric.criteria:
        if criterion.id in made and made[criterion.id].verdict is Rating.MET:
            continue
        for fact in criterion.numbers:
            if not fact.unit or any(matches(fact, quantity) for quantity in known):
                continue
            for quantity in quantities(unquoted(said.text)):
                if matches(fact, quantity):
                    yield f"{quantity.value:g} is part of {criterion.id}"


@each_utterance(23, "no secret term")
def no_secret_term(talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    if said.move in HELP:
        return
    told = [*_earlier_words(talk, said), *_said_before(talk, exchange)]
    made = talk.standing_after(exchange)
    for criterion in talk.rubric.criteria:
        if criterion.id in made and made[criterion.id].verdict is Rating.MET:
            continue
        for term in criterion.secret_terms:
            says = _speaks_of(term, unquoted(said.text))
            if says and not any(_speaks_of(term, each) for each in told):
                yield f"“{term}” is secret in {criterion.id}"


def _speaks_of(term: str, text: str) -> bool:
    """The term's words stand in the text in a row, inflected or not."""
    wanted, stems = [[stem(word) for word in words(each)] for each in (term, text)]
    starts = range(len(stems) - len(wanted) + 1)
    return bool(wanted) and any(stems[n : n + len(wanted)] == wanted for n in starts)


@each_utterance(25, "no verdict in an exam")
def no_verdict(_talk: Talk, _exchange: Exchange, said: Utterance) -> Iterator[str]:
    if found := _VERDICT.search(plain(unquoted(said.text))):
        yield f"“{found[0]}” is a verdict"


@each_utterance(26, "nothing of the rubric or of the machinery")
def no_inner_text(talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    own = unquoted(said.text)
    told = " ".join([talk.text, *_said_before(talk, exchange)])
    if (found := _SYSTEM.search(own.lower())) and found[0] not in told.lower():
        yield f"“{found[0]}”"
    rubric = talk.rubric
    yield from (f"the id {c.id}" for c in rubric.criteria if "-" in c.id and c.id in own)
    key = [rubric.reference]
    for criterion in rubric.criteria:
        key += [criterion.claim, *criterion.accept, *criterion.reject]
    copied = runs(own, COPIED_WORDS) - runs(told, COPIED_WORDS)
    for text in key:
        if shared := sorted(copied & runs(text, COPIED_WORDS)):
            yield f"“{' '.join(shared[0])}” stands in the key"
            return


@each_utterance(30, "an acknowledgement is short and neutral")
def short_acknowledgement(_talk: Talk, _exchange: Exchange, said: Utterance) -> Iterator[str]:
    first, *rest = _END.split(said.text.strip())
    may_be = rest and not first.endswith("?") and said.move != "drill"  # which names its figure
    acknowledges = may_be and _ACKNOWLEDGES.search(plain(first))
    count = len(words(unquoted(first)))
    if acknowledges and count > LONGEST_ACKNOWLEDGEMENT:
        yield f"“{first}” has {count} words"


def echoes_order(candidate: str, said: str) -> bool:
    """The examiner repeats four words in a row of an order to it."""
    answer = ParsedAnswer(candidate)
    orders = " | ".join(candidate[start:end] for start, end in answer.order_spans)
    return bool(runs(orders or candidate, 4) & runs(said, 4))
