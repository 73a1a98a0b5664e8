"""Choosing the questions of a session, what was never asked first, and the next one of a round."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.examiner.protocol import Persona
from interviewer.interview.events import RoundOutline
from interviewer.interview.plans import Length, Part, Pick, Plan, PlanRound, wanted
from interviewer.interview.state import RoundState, SessionState
from interviewer.rubric.library import Library


def lay_out(
    plan: Plan,
    library: Library,
    *,
    length: Length = Length.STANDARD,
    seed: int,
    asked: Sequence[str] = (),
) -> tuple[RoundOutline, ...]:
    """Choose the questions of every round; the same arguments give the same questions.

    ``asked`` were asked before, the latest first: they come again only where nothing else is left,
    the one longest ago first. With a ladder, enough is drawn for every path through its rungs; with
    a chain, questions are held in reserve for those that a poor answer rules out. Raises
    UnknownNameError for an id that no rubric has, RubricFileError for a round without a question.
    """
    _require_known(plan, library)
    deck = _Deck(library, random.Random(seed), asked)
    deck.taken |= {rubric for part in plan.rounds for rubric in part.named}
    outlines = []
    for part in plan.rounds:
        asks = wanted(part, length)
        outline = _ladder(part, asks, deck) if part.ladder else _in_parts(part, asks, deck)
        if not outline.questions:
            raise RubricFileError(
                f"Round {part.id!r} of plan {plan.id!r} finds no question; "
                "widen its pick or add rubrics for it."
            )
        outlines.append(outline)
    return tuple(outlines)


def _require_known(plan: Plan, library: Library) -> None:
    for part in plan.rounds:
        for rubric in part.named:
            if rubric not in library.entries:
                raise UnknownNameError(
                    f"Plan {plan.id!r} asks {rubric!r} in round {part.id!r}, but there is no such "
                    f"rubric; {library.suggestion(rubric)}"
                )


class _Deck:
    """Deals rubrics, each at most once."""

    def __init__(self, library: Library, draw: random.Random, asked: Sequence[str]) -> None:
        self._library = library
        self.draw = draw
        self._since = {rubric: since for since, rubric in reversed([*enumerate(asked, start=1)])}
        self.taken: set[str] = set()

    def pool(self, pick: Pick) -> list[str]:
        """All that the pick allows and nothing has taken, shuffled."""
        drawn = pick.of(self._library.summaries())
        allowed = [each.id for each in drawn if each.id not in self.taken]
        self.draw.shuffle(allowed)
        return allowed

    def is_fresh(self, rubric: str) -> bool:
        return rubric not in self._since

    def fresh_first(self, rubrics: Iterable[str]) -> list[str]:
        """What was never asked in its order, then the rest, the longest ago first."""
        return sorted(rubrics, key=lambda each: -self._since.get(each, len(self._since) + 1))

    def deal(self, pick: Pick, most: int) -> tuple[str, ...]:
        """Up to ``most`` of its pool, those never asked first; what the pick lists in its order."""
        dealt = self.fresh_first(self.pool(pick))[:most]
        self.taken.update(dealt)
        if not pick.only:
            return tuple(dealt)
        fresh = [each for each in pick.only if each in dealt and self.is_fresh(each)]
        return (*fresh, *(each for each in dealt if each not in fresh))


def _in_parts(part: PlanRound, asks: int, deck: _Deck) -> RoundOutline:
    """A round of parts, each with the rubrics that it can ask: as named, or drawn, shuffled."""
    stretches = [(p, tuple(deck.pool(p.pick)) if p.pick else p.ask) for p in part.in_parts]
    chosen = _chosen(stretches, asks, deck)
    in_order = dict.fromkeys(rubric for _, rubrics in stretches for rubric in rubrics)
    spare = [each for each in in_order if each not in chosen and deck.is_fresh(each)]
    may_fall_out = sum(1 for _ in _links(stretches, chosen))
    questions = (*chosen, *spare[:may_fall_out])
    deck.taken.update(questions)
    outline = _outline(part, questions, len(chosen))
    asks = len(chosen) if len(questions) > len(chosen) else 0
    return replace(outline, asks=asks, links=tuple(_links(stretches, questions)))


_Stretch = tuple[Part, tuple[str, ...]]


def _chosen(stretches: Sequence[_Stretch], asks: int, deck: _Deck) -> tuple[str, ...]:
    """The questions of a session in the order of the parts.

    Parts that are always asked come first, then the others take their shares of what was never
    asked, in an order of chance. What they leave over is filled with anything else never asked, and
    then with what was asked longest ago.
    """
    chosen: dict[str, tuple[int, int]] = {}

    def add(place: int, rubrics: Iterable[str]) -> None:
        for rubric in rubrics:
            if len(chosen) < asks:
                chosen.setdefault(rubric, (place, stretches[place][1].index(rubric)))

    for place, (part, rubrics) in enumerate(stretches):
        if part.always:
            add(place, deck.fresh_first(rubrics)[: part.share])
    for place in deck.draw.sample(range(len(stretches)), len(stretches)):
        part, rubrics = stretches[place]
        if not part.always:
            fresh = [each for each in rubrics if deck.is_fresh(each) and each not in chosen]
            most = min(part.share, asks - len(chosen))
            is_in_order = part.chain or part.pick or len(fresh) <= most
            add(place, fresh[:most] if is_in_order else deck.draw.sample(fresh, most))
    named_first = sorted(range(len(stretches)), key=lambda place: bool(stretches[place][0].pick))
    left = {rubric: place for place in named_first for rubric in stretches[place][1]}
    for rubric in deck.fresh_first(left):
        add(left[rubric], [rubric])
    return tuple(sorted(chosen, key=chosen.__getitem__))


def _links(stretches: Sequence[_Stretch], among: Collection[str]) -> Iterator[tuple[str, str]]:
    """Pairs of a question and the one before it in its chain, where both are among these."""
    for part, rubrics in stretches:
        if part.chain:
            here = [rubric for rubric in rubrics if rubric in among]
            yield from zip(here[1:], here, strict=False)


def _outline(part: PlanRound, questions: tuple[str, ...], asks: int) -> RoundOutline:
    return RoundOutline(
        title=part.title,
        persona=Persona(**part.persona.model_dump()),
        seconds=round(part.minutes * 60 * asks / part.count),
        follow_ups=part.follow_ups,
        questions=questions,
        drills=part.drills,
        optional=part.optional,
    )


def _ladder(part: PlanRound, asks: int, deck: _Deck) -> RoundOutline:
    start = part.start - 1
    # The first question stands on the start rung, the next at most one rung off, and so on.
    reachable = (max(asks - abs(rung - start), 0) for rung in range(len(part.ladder)))
    rungs = tuple(deck.deal(pick, most) for pick, most in zip(part.ladder, reachable, strict=True))
    questions = tuple(rubric for rung in rungs for rubric in rung)
    asks = min(asks, len(questions))
    return replace(_outline(part, questions, asks), rungs=rungs, start=start, asks=asks)


# -- during the interview --------------------------------------------------------------

HARDER_FROM = 3
"""From this band on, the next question is one level harder."""
EASIER_TO = 1
"""Up to this band, it is one level easier."""
WELL_ENOUGH = 2
"""From this band on, a question that builds on this one is asked."""


def next_question(state: SessionState) -> str | None:
    """The rubric to ask next in the running round, None if it has no question left.

    Without adaptive difficulty it is the next in the list, unless the question that it builds on
    was answered poorly. With it, it is one of the current level, or of the nearest level with a
    question left, the easier of two.
    """
    running = state.rounds[-1]
    asked = frozenset(question.rubric for question in running.questions)  # once if tried again
    outline = running.outline
    if len(asked) >= outline.count:
        return None
    if not outline.rungs:
        out = _ruled_out(running)
        return next((r for r in outline.questions if r not in asked and r not in out), None)
    here = level_of(state)
    nearest = sorted(range(len(outline.rungs)), key=lambda level: (abs(level - here), level))
    left = (r for level in nearest for r in outline.rungs[level] if r not in asked)
    return next(left, None)


def _ruled_out(running: RoundState) -> frozenset[str]:
    """The rubrics that build on one answered poorly; what could not be graded rules out nothing."""
    grades = {q.rubric: q.grade for q in running.questions if q.grade and not q.point}
    bands = {rubric: grade.band for rubric, grade in grades.items() if grade.band is not None}
    return frozenset(
        rubric
        for rubric, before in running.outline.links
        if bands.get(before, WELL_ENOUGH) < WELL_ENOUGH
    )


def level_of(state: SessionState) -> int:
    """The running round's level of difficulty, from 0, after the questions graded so far.

    A later round starts one level below where the previous adaptive round ended, but not below its
    own start: another subject, but the same candidate.
    """
    level: int | None = None
    for each in state.rounds:
        if not each.outline.rungs:
            continue
        start, hardest = each.outline.start, len(each.outline.rungs) - 1
        level = min(start if level is None else max(start, level - 1), hardest)
        for question in each.questions:
            band = question.grade.band if question.grade and not question.point else None
            if band is not None:
                step = int(band >= HARDER_FROM) - int(band <= EASIER_TO)
                level = min(max(level + step, 0), hardest)
    return level or 0
