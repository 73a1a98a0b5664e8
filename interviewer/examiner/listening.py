"""What a candidate's turn does where no model listens: answers, wishes, questions back, the rest.

Sentences are heard by a small trained model, ``wishes.json``: a logistic regression over words,
their neighbours and letters, written by ``tests/evals/training/wishes.py``. Rules know silence,
repetition and the reply to an offer.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from base64 import b85decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from interviewer.grading.transcript import (
    DialogueAct,
    ParsedAnswer,
    Turn,
    TurnKind,
    withdrawing_words,
)
from interviewer.rubric.text import content_stems, normalise, recall, shared_trigrams, table

FILE = Path(__file__).with_name("wishes.json")
SURE, SURE_COSTLY, SURE_BESIDE = 0.5, 0.85, 0.95
"""The likelihood from which a sentence is taken for a wish, for what costs or offends whoever only
answered, and for a wish beside an answer."""
_COSTS_OR_OFFENDS = ("wants_hint", "wants_skip", "wants_to_stop", "objects", "order", "insult")
SCALE = 10
"""Weights are stored as tenths, a byte each."""
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|\?")
_DIGITS = re.compile(r"\d+")
_LENGTHS = (2, 5, 9, 15)
_BEGINNING = 4
ANSWERING_STEMS = 3
"""With this many content words beside a wish or a question, the turn answers, too."""
A_YES = 14
"""The most words of a turn that takes an offer."""
REPEATED_FROM = 0.8
REPEATED_WORDS = 8
SAID_AGAIN_FROM = 0.5
"""The share of an answer's content words that one of before holds, if it is announced so."""
MUCH_SAID = 10
"""With this many content words nobody says that they have nothing to tell."""


@cache
def _listed(name: str) -> str:
    return str(table("listening", __package__)[name])


@cache
def _signs(name: str) -> re.Pattern[str]:
    return re.compile(_listed(name).replace("\n", ""))


def _says(name: str, text: str) -> bool:
    return bool(_signs(name).search(text))


def _words(name: str) -> frozenset[str]:
    return frozenset(_listed(name).split())


def acts_of(
    turns: Sequence[Turn], by_model: frozenset[DialogueAct] = frozenset()
) -> frozenset[DialogueAct]:
    """What the last turn does as a model heard it; by rules if none did.

    Rules have the last word on what costs the candidate something beside an answer.
    """
    if not by_model:
        return _acts_by_rule(turns)
    offered = {DialogueAct.ACCEPTS} if _offers(turns[-2]) else set()
    if by_model <= _ANSWERS_NOTHING | offered:
        return by_model
    by_rule = _acts_by_rule(turns)
    if DialogueAct.ANSWER not in by_rule:
        return by_rule | (by_model - _COSTLY - {DialogueAct.ANSWER, DialogueAct.OFF_TOPIC})
    return frozenset({DialogueAct.ANSWER}) | (by_rule & _COSTLY) | (by_model - _COSTLY)


def _acts_by_rule(turns: Sequence[Turn]) -> frozenset[DialogueAct]:
    """ANSWER is among them only if it holds something to judge."""
    turn, before = turns[-1], turns[:-1]
    if turn.kind is TurnKind.DONT_KNOW:
        return frozenset({DialogueAct.GIVES_UP})
    if turn.run is not None:  # lines of a derivation are an answer, whatever their words
        return frozenset({DialogueAct.ANSWER})
    answer = turn.parsed
    if not any(map(str.isalnum, answer.text)):  # "..." is silence
        return frozenset({DialogueAct.GIVES_UP})
    if reply := _reply_to_offer(answer, before):
        return reply
    if _repeats(answer, before):
        return frozenset({DialogueAct.REPETITION})
    if 0 < len(answer.words) <= 4 and set(answer.words) <= _words("bare") | _words("refusals"):
        refuses = set(answer.words) <= _words("refusals")
        return frozenset({DialogueAct.GIVES_UP if refuses else DialogueAct.BARE})
    acts = _heard(answer)
    if withdrawing_words(answer.plain.text) and DialogueAct.TRIES not in acts:
        acts |= {DialogueAct.WITHDRAWAL, DialogueAct.ANSWER}
    if answer.gives_orders():
        acts |= {DialogueAct.ORDER}
    return acts


def _heard(answer: ParsedAnswer) -> frozenset[DialogueAct]:
    """What its sentences ask for, and ANSWER if the others hold enough, or nothing is asked."""
    text = answer.plain.text
    sentences = [text[slice(*each)] for each in answer.sentences]
    heard = {each: wish_of(each) for each in sentences}
    wishes = {DialogueAct(each) for each in heard.values() if each}
    said = " ".join(each for each, wish in heard.items() if not wish)
    if DialogueAct.WITHDRAWAL in wishes:
        return frozenset(wishes | {DialogueAct.ANSWER})
    has_figure = any(map(str.isdigit, said))
    if wishes and len(content_stems(said)) < ANSWERING_STEMS and not has_figure:
        return frozenset(wishes)
    plain = [wish_of(each, SURE_BESIDE) for each in sentences]
    beside = {DialogueAct(each) for each in plain if each} - _BESIDE_NO_ANSWER
    last = {DialogueAct(each) for each in plain[-1:] if each}
    return frozenset((beside - _COSTLY) | (beside & last) | {DialogueAct.ANSWER})


_BESIDE_NO_ANSWER = frozenset({DialogueAct.GIVES_UP, DialogueAct.TRIES, DialogueAct.WANTS_SMALLER})
"""What means nothing beside an answer: "I don't know its exact value"."""


SpokenKind = Literal[TurnKind.ANSWER, TurnKind.DONT_KNOW, TurnKind.ASIDE]


def kind_of(acts: frozenset[DialogueAct]) -> SpokenKind:
    """How such a turn goes into the transcript; only answers are judged."""
    if DialogueAct.ANSWER in acts:
        return TurnKind.ANSWER
    return TurnKind.DONT_KNOW if acts == {DialogueAct.GIVES_UP} else TurnKind.ASIDE


def _reply_to_offer(answer: ParsedAnswer, before: Sequence[Turn]) -> frozenset[DialogueAct]:
    if not before or not _offers(before[-1]):
        return frozenset()
    plain = answer.plain.text
    refuses = _says("no_hint", plain)
    if not refuses and wish_of(plain) == DialogueAct.WANTS_HINT:
        return frozenset({DialogueAct.ACCEPTS})
    if _says("says_yes", plain) and len(answer.words) <= A_YES:
        return frozenset({DialogueAct.ACCEPTS})
    if refuses or _says("says_no", plain):
        more = _heard(answer) & {DialogueAct.ANSWER} if len(answer.stems) >= ANSWERING_STEMS else ()
        return frozenset({DialogueAct.DECLINES, *more})
    return frozenset()


def _offers(turn: Turn) -> bool:
    if turn.kind is TurnKind.OFFER:
        return True
    reminded = turn.kind in (TurnKind.REDIRECT, TurnKind.CLARIFY)
    return reminded and _says("hint_mentioned", turn.text)


def _repeats(answer: ParsedAnswer, before: Sequence[Turn]) -> bool:
    """Nearly all of it stands in one earlier turn, the candidate's or the examiner's."""
    if len(answer.words) < REPEATED_WORDS or says_no(answer):
        return False
    said = [turn.parsed for turn in before if turn.kind not in (TurnKind.BENCH, TurnKind.ASIDE)]
    if repeats(answer, said):
        return True
    own = [turn.parsed.stems for turn in before if turn.author == "candidate"]
    announced = _says("as_i_said", answer.plain.text)
    return announced and any(recall(answer.stems, each) >= SAID_AGAIN_FROM for each in own)


def repeats(answer: ParsedAnswer, said: Iterable[ParsedAnswer]) -> bool:
    """It is long enough to be a passage, and nearly all of it stands in one of these."""
    found = (shared_trigrams(answer.words, [each.words]) for each in said)
    return len(answer.words) >= REPEATED_WORDS and any(each >= REPEATED_FROM for each in found)


_ANSWERS_NOTHING = frozenset(
    {
        DialogueAct.QUESTION_BACK,
        DialogueAct.OBJECTS,
        DialogueAct.SAID_THAT,
        DialogueAct.TRIES,
        DialogueAct.GIVES_UP,
        DialogueAct.DECLINES,
        *(act for act in DialogueAct if act.name.startswith("WANTS_")),
    }
)
_COSTLY = frozenset(
    {
        DialogueAct.ACCEPTS,
        DialogueAct.ORDER,
        DialogueAct.WANTS_SKIP,
        DialogueAct.WANTS_TO_STOP,
    }
)
"""What would cost the candidate a point or the question."""


def tells_of_own_work(answer: ParsedAnswer) -> bool:
    """The answer says what the speaker decided, did or saw."""
    return _says("own_decision", answer.plain.text)


def says_none(answer: ParsedAnswer) -> bool:
    """The speaker says that they have nothing of the kind to tell."""
    return _says("at_a_loss", answer.plain.text)


def says_no(answer: ParsedAnswer) -> bool:
    """They have nothing to tell, and tell nothing: honest, however often it is said."""
    is_short = len(answer.stems) < MUCH_SAID
    return is_short and says_none(answer) and not commits(answer)


def commits(answer: ParsedAnswer) -> bool:
    """The answer states a number, or something the speaker decided, did or saw."""
    return bool(answer.quantities) or tells_of_own_work(answer)


# -- wishes ---------------------------------------------------------------------------


def features(sentence: str) -> frozenset[str]:
    """What the model goes by: one to three neighbouring words, beginnings of words, and letters."""
    text = _DIGITS.sub("0", normalise(sentence).text.lower())
    tokens = ["^", *_TOKEN.findall(text), "$"]
    letters = f"^{text.strip(' .!')}$"
    length = sum(len(tokens) - 2 > each for each in _LENGTHS)
    return frozenset(
        (
            *(" ".join(each) for each in _runs(tokens, 1, 3)),
            *(f"{each[:_BEGINNING]}~" for each in tokens if len(each) > _BEGINNING),
            *(f"c{each}" for each in _runs(letters, 3, 5)),
            f"#{length}",
        )
    )


def _runs(items: Any, shortest: int, longest: int) -> Iterator[Any]:
    for length in range(shortest, longest + 1):
        for start in range(len(items) - length + 1):
            yield items[start : start + length]


class _WishModel:
    """The file's contents: a row of weights for each feature, in the order of the classes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.classes: list[str] = data["classes"]
        self._start: list[int] = data["start"]
        weights = array("b", b85decode(data["weights"]))
        width = len(self.classes)
        self._rows = {
            name: weights[place * width : (place + 1) * width]
            for place, name in enumerate(data["features"])
        }

    def likelihoods(self, sentence: str) -> list[float]:
        """Of each class, 0..1."""
        rows = [row for each in features(sentence) if (row := self._rows.get(each))]
        totals = [math.exp(sum(each) / SCALE) for each in zip(self._start, *rows, strict=True)]
        return [each / sum(totals) for each in totals]


@cache
def _model() -> _WishModel:
    return _WishModel(json.loads(FILE.read_text(encoding="utf-8")))


@lru_cache(maxsize=256)
def _nearest(sentence: str) -> tuple[float, str]:
    """The likeliest class, after its likelihood."""
    model = _model()
    return max(zip(model.likelihoods(sentence), model.classes, strict=True))


def wish_of(sentence: str, sure: float = SURE) -> str | None:
    """What the sentence asks for, as a value of ``DialogueAct``; None for an answer or in doubt."""
    best, wish = _nearest(sentence)
    needed = max(sure, SURE_COSTLY) if wish in _COSTS_OR_OFFENDS else sure
    return wish if wish != "answer" and best >= needed else None
