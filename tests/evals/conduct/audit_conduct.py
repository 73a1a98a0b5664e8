"""The audit's items on what the examiner does: listening, help, the flow of a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from evals.conduct.audit_words import ASKING, echoes_order, plain, quotations
from evals.conduct.auditing import each_question, each_turn, each_utterance
from evals.conduct.played import LEAVE, Exchange, Played, Talk, Utterance

from interviewer.grading.transcript import ParsedAnswer
from interviewer.grading.verdicts import Flag, Source, credit
from interviewer.interview.state import FREE
from interviewer.rubric.rubric import Criterion, Rating
from interviewer.rubric.text import content_stems, words

_MUST_BE_HEARD = frozenset(
    {"order_to_examiner", "wants_hint", "wants_skip", "wants_repeat", "gives_up", "question_back"}
)
_WISHES = frozenset({"wants_hint", "wants_skip", "wants_repeat", "accepts_offer", "question_back"})
_PRESSES = frozenset({"challenge", "contradiction", "harder", "hint"})
_FREE_AT_FIRST = ("redirect", "answer_back")
_EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
_OWN = re.compile(
    r"\byour own\b|\byourself\b|\b(?:did|do|have|had) you\b|\bof yours\b|\byour (?:run|config)\b"
    r"|\byou (?:actually |have )?(?:set|ran|run|used|use|measured|saw|see|chose|picked|trained|had"
    r"|did)\b"
)
_OF_OWN_WORK = frozenset({"drill", "use_numbers", "contradiction", "reframe"})
_NO_ASKING = frozenset({"answer_back", "redirect", "offer", "hint", "simplify"})
_ON_THE_POINT = frozenset({"probe", "pin_down", "challenge", "drill"})
_PRICE = re.compile(r"\b(?:quarter|half|cost|costs|price|percent)\b|%")
COPIED_STEMS = 3
HALF = 0.5


def _only(exchange: Exchange, *kinds: str) -> bool:
    """The turn does nothing but this, according to the script."""
    return bool(exchange.kinds) and exchange.kinds <= set(kinds)


def _does(exchange: Exchange, *kinds: str) -> bool:
    return bool(exchange.kinds and exchange.kinds & set(kinds))


def _used(talk: Talk, exchange: Exchange | None = None) -> int:
    """What of the cap is used up, before this exchange's utterances if one is given."""
    exchanges = talk.exchanges if exchange is None else talk.before(exchange)
    free = dict.fromkeys(_FREE_AT_FIRST, FREE)
    used = 0
    for said in (u for each in exchanges for u in each.utterances):
        if said.move in ("tell", "hint", "offer"):
            continue
        if free.get(said.move):
            free[said.move] -= 1
        else:
            used += 1
    return used


def _at_the_cap(talk: Talk, exchange: Exchange) -> bool:
    return exchange.move == LEAVE and _used(talk, exchange) >= talk.follow_ups


def _gained(talk: Talk, exchange: Exchange) -> bool:
    before, after = talk.standing_before(exchange), talk.standing_after(exchange)
    return any(
        credit(verdict) > (credit(before[name]) if name in before else 0.0)
        for name, verdict in after.items()
    )


def _met(talk: Talk, exchange: Exchange, criterion: str) -> bool:
    verdict = talk.standing_after(exchange).get(criterion)
    return verdict is not None and verdict.verdict is Rating.MET


def _hints_left(talk: Talk, exchange: Exchange) -> bool:
    given = {
        (u.target, u.level)
        for each in talk.before(exchange)
        for u in each.utterances
        if u.move == "hint"
    }
    return any(
        not _met(talk, exchange, c.id) and (c.id, level) not in given
        for c in talk.rubric.criteria
        for level in range(1, len(c.hints) + 1)
    )


# -- listening --------------------------------------------------------------------------


@each_turn(1, "wishes, orders, questions back and giving up are heard")
def heard_right(_talk: Talk, exchange: Exchange) -> Iterator[str]:
    if exchange.kinds is None or exchange.heard is None:
        return
    if missed := exchange.kinds & _MUST_BE_HEARD - exchange.heard:
        yield f"not heard: {', '.join(sorted(missed))}"


@each_turn(2, "a question back is answered first")
def question_answered(talk: Talk, exchange: Exchange) -> Iterator[str]:
    asks = _only(exchange, "question_back", "wants_repeat")
    if asks and exchange.move != "answer_back" and not _at_the_cap(talk, exchange):
        yield f"followed by {exchange.move}"


@each_turn(3, "a wish for a hint is honoured")
def hint_honoured(talk: Talk, exchange: Exchange) -> Iterator[str]:
    before = talk.before(exchange)
    offered = bool(before and before[-1].utterances) and before[-1].move == "offer"
    wants = _does(exchange, "wants_hint") or (offered and _does(exchange, "accepts_offer"))
    if not wants or not _hints_left(talk, exchange) or _used(talk, exchange) >= talk.follow_ups:
        return
    if exchange.move not in (("hint",) if offered else ("hint", "offer")):
        yield f"followed by {exchange.move}"


@each_turn(4, "a wish to skip is obeyed")
def skip_obeyed(_talk: Talk, exchange: Exchange) -> Iterator[str]:
    skips = _does(exchange, "wants_skip") and not _does(exchange, "answer", "declines_offer")
    if skips and exchange.move != LEAVE:
        yield f"followed by {exchange.move}"


@each_utterance(6, "nothing that was answered is asked again")
def not_asked_again(talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    asks = said.move in ("probe", "challenge", "simplify", "offer", "hint")
    if asks and said.target and _met(talk, exchange, said.target):
        yield f"{said.target} has been made"
    earlier = [u for u in talk.utterances if u.turn < said.turn and u.text == said.text]
    if earlier and said.move in ASKING:
        yield "word for word what was asked before"


@each_turn(7, "a withdrawal is asked about once")
def withdrawal_once(talk: Talk, exchange: Exchange) -> Iterator[str]:
    so_far = [*talk.before(exchange), exchange]
    asked = sum(u.move == "reframe" for each in so_far for u in each.utterances)
    if exchange.move == "reframe" and asked > sum(_does(each, "withdrawal") for each in so_far):
        yield "nothing was withdrawn that has not been asked about"
    if _only(exchange, "withdrawal") and exchange.move in _PRESSES:
        yield f"a withdrawal is followed by {exchange.move}"


@each_turn(8, "an echo earns nothing")
def echo_earns_nothing(talk: Talk, exchange: Exchange) -> Iterator[str]:
    if _only(exchange, "repetition") and _gained(talk, exchange):
        yield "a repetition was credited"


def _strays(exchange: Exchange) -> bool:
    """The turn is about something else, or gives orders, and does no more."""
    only = _only(exchange, "off_subject", "dodge", "order_to_examiner")
    return only and _does(exchange, "off_subject", "order_to_examiner")


@each_turn(9, "a stray is led back, unquoted")
def stray_led_back(talk: Talk, exchange: Exchange) -> Iterator[str]:
    if not _strays(exchange):
        return
    own = plain(exchange.said)
    for quoted in quotations(exchange.text):
        if plain(quoted).strip(" .,;:…") in own:
            yield f"“{quoted}” is quoted from it"
    again = any(_strays(each) for each in talk.before(exchange))
    if not again and exchange.move not in _FREE_AT_FIRST and not _at_the_cap(talk, exchange):
        yield f"followed by {exchange.move}"


@each_question(20, "in a drill round, own work comes within two follow-ups")
def own_work_early(_played: Played, talk: Talk) -> Iterator[str]:
    if not talk.drills or talk.rubric.kind in _EXERCISES:
        return
    asked: list[str] = []
    for exchange in talk.exchanges:
        answer = ParsedAnswer(exchange.said)
        if answer.quantities and re.search(r"\b(?:we|i|our|my|us)\b", answer.plain.text):
            return  # told unasked
        for said in exchange.utterances:
            if said.move in _OF_OWN_WORK or _OWN.search(plain(said.text)):
                return
            asked += [said.text] if said.move not in _NO_ASKING else []
        if len(asked) >= 2:
            yield f"neither “{asked[0]}” nor “{asked[1]}” asks for it"
            return


@each_turn(27, "orders are neither obeyed nor echoed")
def orders_ignored(talk: Talk, exchange: Exchange) -> Iterator[str]:
    if not _does(exchange, "order_to_examiner"):
        return
    if echoes_order(exchange.said, exchange.text):
        yield "the order is echoed"
    if ParsedAnswer(exchange.text).gives_orders():
        yield "the examiner's words hold an order"
    if _only(exchange, "order_to_examiner"):
        if _gained(talk, exchange):
            yield "the order was credited"
        if exchange.closed in ("covered", "harder_open", "skipped"):
            yield f"the question was closed as {exchange.closed}"


# -- help -------------------------------------------------------------------------------


@each_utterance(31, "no hint unasked")
def no_hint_unasked(_talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    wanted = exchange.did == "ask_hint" or _does(exchange, "wants_hint", "accepts_offer")
    if said.move == "hint" and not wanted:
        yield "nobody asked for it"


@each_utterance(32, "the price is named before")
def price_named(talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    if said.move == "offer" and not _PRICE.search(plain(said.text)):
        yield "the offer names no price"
    if said.move != "hint" or said.price is None:
        return
    before = talk.before(exchange)
    offered = bool(before) and before[-1].move == "offer"
    if not offered and exchange.price_shown != said.price:
        yield f"it costs {said.price:g}, and {exchange.price_shown} was shown"


@each_question(33, "only hints that were taken cost")
def only_taken_hints_cost(_played: Played, talk: Talk) -> Iterator[str]:
    hints = [u for u in talk.utterances if u.move == "hint"]
    for verdict in talk.grade.verdicts if talk.grade else ():
        if verdict.source not in (Source.HINT_1, Source.HINT_2):
            continue
        if not any(u.target == verdict.criterion for u in hints):
            yield f"{verdict.criterion} is charged for a hint that was not given"


@each_utterance(34, "the level rises step by step")
def level_rises(talk: Talk, _exchange: Exchange, said: Utterance) -> Iterator[str]:
    if said.move != "hint":
        return
    earlier = [
        u.level
        for u in talk.utterances
        if u.move == "hint" and u.target == said.target and u.turn < said.turn
    ]
    if said.level != len(earlier) + 1:
        yield f"level {said.level} after {earlier or 'none'}"


@each_turn(35, "help counts against the cap")
def help_counts(talk: Talk, exchange: Exchange) -> Iterator[str]:
    helps = [u for u in exchange.utterances if u.move in ("hint", "offer")]
    if helps and _used(talk, exchange) >= talk.follow_ups:
        yield f"help after {_used(talk, exchange)} of {talk.follow_ups} follow-ups"


@each_turn(36, "who gives up gets something easier, then something else")
def easier_then_on(talk: Talk, exchange: Exchange) -> Iterator[str]:
    if not _only(exchange, "gives_up"):
        return
    if exchange.move in _PRESSES:
        yield f"followed by {exchange.move}"
    before = talk.before(exchange)
    asked = {u.target for each in before for u in each.utterances if u.move in _ON_THE_POINT}
    last = before[-1].utterances[-1:] if before else []
    for said in exchange.utterances:
        again = any(said.target == u.target for u in last) and said.target in asked - {""}
        if again and said.move in _ON_THE_POINT:
            yield f"{said.move} on {said.target} once more"


@each_turn(37, "what the examiner said first is not credited")
def told_is_not_credited(talk: Talk, exchange: Exchange) -> Iterator[str]:
    before, after = talk.standing_before(exchange), talk.standing_after(exchange)
    told = [u.text for each in talk.before(exchange) for u in each.utterances if u.move != "hint"]
    own = frozenset[str]().union(*(content_stems(e.said) for e in talk.before(exchange)))
    for name, verdict in after.items():
        new = credit(verdict) > (credit(before[name]) if name in before else 0.0)
        stems = content_stems(verdict.evidence) - own
        copied = len(stems) >= COPIED_STEMS and any(stems <= content_stems(t) for t in told)
        if new and copied and verdict.source is not Source.TOLD:
            yield f"{name} for “{verdict.evidence}”"


# -- flow -------------------------------------------------------------------------------


@each_turn(38, "promised caps hold")
def caps_hold(talk: Talk, exchange: Exchange) -> Iterator[str]:
    used = _used(talk, exchange)
    asks = [u for u in exchange.utterances if u.move not in ("tell", "hint", "offer")]
    free = [
        m
        for m in _FREE_AT_FIRST
        if sum(u.move == m for e in talk.before(exchange) for u in e.utterances) < FREE
    ]
    if used >= talk.follow_ups and any(u.move not in free for u in asks):
        yield f"one more after {used} of {talk.follow_ups}"
    if exchange.closed == "follow_ups_used" and used < talk.follow_ups:
        yield f"closed after {used} of {talk.follow_ups}"


def _asked_about(talk: Talk, exchange: Exchange) -> str:
    """The criterion that this turn of the candidate's was asked about, "" for none."""
    before = talk.before(exchange)
    said = before[-1].utterances if before else []
    return said[-1].target if said and said[-1].move not in _NO_ASKING - {"simplify"} else ""


def _stays_with(exchange: Exchange, target: str) -> bool:
    """Help does not count: to who is stuck, smaller steps come in a row."""
    helps = ("hint", "offer", "answer_back", "simplify")
    asks = (u for u in exchange.utterances if u.move not in helps)
    return any(u.target == target for u in asks)


@each_turn(39, "two gainless turns: another topic")
def gainless_left(talk: Talk, exchange: Exchange) -> Iterator[str]:
    target, before = _asked_about(talk, exchange), talk.before(exchange)
    if not target or _does(exchange, *_WISHES) or not before:
        return
    if _asked_about(talk, before[-1]) != target or _gained(talk, before[-1]):
        return
    if not _gained(talk, exchange) and _stays_with(exchange, target):
        yield f"a third time on {target}"


@each_turn(40, "thinning answers: another topic")
def thinning_left(talk: Talk, exchange: Exchange) -> Iterator[str]:
    target, before = _asked_about(talk, exchange), talk.before(exchange)
    if not target or len(before) < 2 or _gained(talk, exchange):
        return
    lengths = [len(words(each.said)) for each in (*before[-2:], exchange)]
    thins = all(b <= HALF * a for a, b in pairwise(lengths))
    pressed = any(u.move not in ("simplify", "offer") for u in exchange.utterances)
    if thins and pressed and _stays_with(exchange, target):
        yield f"answers of {lengths} words, and still on {target}"


@each_utterance(41, "must-haves first, harder last")
def must_haves_first(talk: Talk, exchange: Exchange, said: Utterance) -> Iterator[str]:
    if exchange.judged and Flag.RECITED in exchange.judged.flags:
        return
    waiting = [c.id for c in talk.rubric.criteria if c.must_have and _untouched(talk, exchange, c)]
    if not waiting:
        return
    if said.move == "harder":
        yield f"{', '.join(waiting)} not asked about"
    if said.move == "probe" and said.target:
        criterion = talk.rubric.criterion(said.target)
        own = talk.drills and criterion.kind in ("experience", "number")
        if not criterion.must_have and not own:
            yield f"{said.target} before {', '.join(waiting)}"


def _untouched(talk: Talk, exchange: Exchange, criterion: Criterion) -> bool:
    """Neither made nor asked about so far."""
    verdict = talk.standing_after(exchange).get(criterion.id)
    asked = any(u.target == criterion.id for e in talk.before(exchange) for u in e.utterances)
    return verdict is not None and verdict.verdict is Rating.NOT_MET and not asked


@each_question(42, "a cap never ends the round")
def round_goes_on(played: Played, talk: Talk) -> Iterator[str]:
    if talk is played.talks[-1] and len(played.talks) < played.planned:
        yield f"{len(played.talks)} of {played.planned} questions were asked"
