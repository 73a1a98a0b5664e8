"""Personas: scripted candidates that say what must and must not follow each of their turns.

A persona is a file of data. Each turn belongs to a question of an interview; ``when`` says which
words of the examiner bring it out. What the examiner does next is scored by code: its move, as a
listener would call it, and its words. Items for a reader's judgement stay open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import yaml
from evals.conduct.played import KINDS_OF_MOVE, LEAVE, Exchange, Played, Recorder
from pydantic import BaseModel, ConfigDict, Field, model_validator
from support.sessions import begin

from interviewer.examiner import protocol
from interviewer.examiner.protocol import Examiner
from interviewer.interview import commands, events
from interviewer.interview.interview import Interview
from interviewer.rubric.rubric import Rubric
from interviewer.store.store import Store

PRACTICE = Path(__file__).parent / "personas"
OTHERWISE_IN_A_ROW = 3
"""Lines outside the script after which the question is left."""
_ROUND_SECONDS = 3600
_RETRIES = 2

Kind = Literal[
    *("answer", "partial_answer", "question_back", "wants_hint", "wants_repeat", "wants_skip"),
    *("wants_answer", "accepts_offer", "declines_offer", "gives_up", "withdrawal", "repetition"),
    *("bare_acknowledgement", "dodge", "off_subject", "order_to_examiner"),
]
_KIND_OF_ACT = {
    **{"wants_rephrase": "wants_repeat", "wants_to_stop": "wants_skip"},
    **{"wants_rubric": "wants_answer", "wants_comfort": "wants_answer"},
    **{"said_that": "repetition", "off_topic": "off_subject", "objects": "off_subject"},
    **{"bare": "bare_acknowledgement", "tries": "bare_acknowledgement"},
    **{"accepts": "accepts_offer", "declines": "declines_offer", "order": "order_to_examiner"},
}
"""The program's acts of dialogue that have another name in the scripts."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Item(_Data):
    """One thing that must, or must not, follow: exactly one of the three fields."""

    moves: tuple[str, ...] = ()
    words: str = ""
    judge: str = ""

    @model_validator(mode="after")
    def _is_one_thing(self) -> Item:
        if sum(map(bool, (self.moves, self.words, self.judge))) != 1:
            raise ValueError("an item has exactly one of moves, words and judge")
        if unknown := set(self.moves) - KINDS_OF_MOVE:
            raise ValueError(f"no such moves: {', '.join(sorted(unknown))}")
        re.compile(self.words)
        return self

    @property
    def text(self) -> str:
        return "/".join(self.moves) or self.words or self.judge


class ScriptedTurn(_Data):
    """What the persona says, or the key they press, and what must follow."""

    say: str = ""
    do: Literal["", "dont_know", "ask_hint", "skip"] = ""
    when: str = ""
    question: int = 1
    kinds: frozenset[Kind]
    must: tuple[Item, ...] = ()
    must_not: tuple[Item, ...] = ()

    @model_validator(mode="after")
    def _says_or_does(self) -> ScriptedTurn:
        if bool(self.say) == bool(self.do):
            raise ValueError("a turn either says or does something")
        re.compile(self.when)
        return self


class ScriptedInterview(_Data):
    """The rubrics of one round, and the turns that the persona has for them."""

    rubrics: tuple[str, ...] = Field(min_length=1)
    drills: bool
    follow_ups: int
    turns: tuple[ScriptedTurn, ...]
    otherwise: tuple[str, ...] = Field(min_length=1)


class Persona(_Data):
    """A candidate with interviews to play. ``knows`` is for readers."""

    persona: str
    about: str
    knows: dict[str, tuple[str, ...]]
    interviews: tuple[ScriptedInterview, ...]


def load_personas(folder: Path = PRACTICE) -> list[Persona]:
    files = sorted(folder.glob("*.yaml"))
    return [Persona.model_validate(yaml.safe_load(f.read_text(encoding="utf-8"))) for f in files]


# -- playing ----------------------------------------------------------------------------


@dataclass
class Script:
    """What is left of an interview's turns; each is used once."""

    interview: ScriptedInterview
    used: set[int] = field(default_factory=set)
    otherwise: int = 0
    in_a_row: int = 0

    def next(self, question: int, heard: str | None) -> int | None:
        """The number of the turn to use now, None for a line outside the script.

        ``heard`` is what the examiner said last, None if that was the question itself.
        """
        left = [
            (number, turn)
            for number, turn in enumerate(self.interview.turns)
            if turn.question == question and number not in self.used
        ]
        if heard is not None:
            for number, turn in left:
                if turn.when and re.search(turn.when, heard, re.IGNORECASE):
                    return self._use(number)
        number = next((number for number, turn in left if not turn.when), None)
        return None if number is None else self._use(number)

    def _use(self, number: int) -> int:
        self.used.add(number)
        self.in_a_row = 0
        return number

    def line(self) -> str | None:
        """The next line outside the script, None after too many of them in a row."""
        if self.in_a_row >= OTHERWISE_IN_A_ROW:
            self.in_a_row = 0
            return None
        lines = self.interview.otherwise
        text = lines[min(self.otherwise, len(lines) - 1)]
        self.otherwise += 1
        self.in_a_row += 1
        return text


@dataclass
class PersonaPlayed:
    """One interview of a persona as played; ``numbers`` are the script's turns by exchange."""

    persona: Persona
    script: ScriptedInterview
    played: Played
    numbers: dict[int, Exchange] = field(default_factory=dict)


_KEYS: Mapping[str, type[commands.Command]] = {
    "dont_know": commands.DontKnow,
    "ask_hint": commands.AskHint,
    "skip": commands.Skip,
}


async def play(
    store: Store,
    examiner: Examiner,
    persona: Persona,
    script: ScriptedInterview,
    library: Mapping[str, Rubric],
    *,
    session: str,
) -> PersonaPlayed:
    """Play one interview of the persona's."""
    rubrics = {name: library[name] for name in script.rubrics}
    round_ = events.RoundOutline(
        title="A round",
        persona=protocol.Persona("Ada", "neutral and brief"),
        seconds=_ROUND_SECONDS,
        follow_ups=script.follow_ups,
        questions=script.rubrics,
        drills=script.drills,
    )
    interview = begin(store, [round_], rubrics, examiner, session=session, now=lambda: 0.0)
    stage = _Stage(store, interview, persona, script)
    async for event in interview:
        if isinstance(event, events.YourTurn):
            stage.speak(event.hint_price)
        elif isinstance(event, events.TurnFailed):
            interview.send(stage.remedy())
    stage.finish()
    return stage.result


class _Stage:
    """A persona in front of an interview."""

    def __init__(
        self, store: Store, interview: Interview, persona: Persona, turns: ScriptedInterview
    ) -> None:
        self._recorder = Recorder(
            store,
            interview,
            questions=len(turns.rubrics),
            follow_ups=turns.follow_ups,
            drills=turns.drills,
        )
        self.result = PersonaPlayed(persona, turns, self._recorder.played)
        self._interview, self._turns = interview, turns
        self._script = Script(turns)
        self._failures = 0

    def speak(self, price: float | None) -> None:
        self._catch_up()
        talks = self.result.played.talks
        heard = talks[-1].exchanges[-1].text if talks[-1].exchanges else None
        number = self._script.next(len(talks), heard)
        if number is not None:
            turn = self._turns.turns[number]
            exchange = Exchange(turn.say, turn.do, turn.kinds, price_shown=price)
            self.result.numbers[number] = exchange
        else:
            line = self._script.line()
            exchange = Exchange(line or "", "" if line else "skip", price_shown=price)
        self._recorder.add(exchange)
        key = _KEYS.get(exchange.did)
        self._interview.send(key() if key else commands.Answer(exchange.said))

    def remedy(self) -> commands.Command:
        self._failures += 1
        return commands.GoOffline() if self._failures > _RETRIES else commands.Retry()

    def finish(self) -> None:
        self._catch_up()
        self._recorder.finish()

    def _catch_up(self) -> None:
        question = len(self.result.played.talks) - 1
        ended = self._recorder.catch_up()
        if ended and ended.turn is not None:
            state = self._interview.state.questions[question]
            turn = next(each for each in state.turns if each.number == ended.turn)
            ended.heard = frozenset(
                _KIND_OF_ACT.get(str(act), str(act)) for act in state.acts_at(turn)
            )


# -- scoring ----------------------------------------------------------------------------

Result = Literal["kept", "broken", "open", "not_reached"]


@dataclass(frozen=True)
class ItemScore:
    """One item of a scripted turn, by the turn's number from 1, and whether it held."""

    number: int
    turn: ScriptedTurn
    must: bool
    item: Item
    exchange: Exchange | None
    result: Result


@dataclass(frozen=True)
class PersonaScore:
    """What came of one interview of a persona."""

    persona: str
    items: tuple[ItemScore, ...]

    def count(self, *, must: bool, result: str) -> int:
        return sum(each.must is must and each.result == result for each in self.items)


def scored(play_: PersonaPlayed) -> PersonaScore:
    return PersonaScore(play_.persona.persona, tuple(_items(play_)))


def _items(play_: PersonaPlayed) -> Iterator[ItemScore]:
    for number, turn in enumerate(play_.script.turns):
        exchange = play_.numbers.get(number)
        for must, items in ((True, turn.must), (False, turn.must_not)):
            for item in items:
                result = _result(play_, exchange, must, item)
                yield ItemScore(number + 1, turn, must, item, exchange, result)


def _result(play_: PersonaPlayed, exchange: Exchange | None, must: bool, item: Item) -> Result:
    if exchange is None:
        return "not_reached"
    left_at_the_cap = exchange.closed is not None and _at_the_cap(play_, exchange)
    if item.moves:
        holds = exchange.move in item.moves
        if left_at_the_cap and exchange.move == LEAVE:
            holds = must  # leaving at the cap is always in order
        return "kept" if holds is must else "broken"
    if not exchange.text:  # nothing was said that words or a judgement could be about
        at_cap = left_at_the_cap and must
        silent: Result = "broken" if must and item.words else "not_reached" if must else "kept"
        return "not_reached" if at_cap else silent
    if not item.words:
        return "open"
    holds = re.search(item.words, exchange.text, re.IGNORECASE) is not None
    return "kept" if holds is must else "broken"


def _at_the_cap(play_: PersonaPlayed, exchange: Exchange) -> bool:
    """All follow-ups of the question were used when it was left."""
    talk = next(talk for talk, each in play_.played.each() if each is exchange)
    said = sum(len(each.utterances) for each in talk.before(exchange))
    return exchange.closed == "follow_ups_used" or said >= talk.follow_ups
