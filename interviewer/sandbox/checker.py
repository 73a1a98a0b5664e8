"""From numbers to a verdict, line by line. The first line that does not follow decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log10

from interviewer.sandbox import comparison
from interviewer.sandbox.challenge import Challenge, Quantity, Wrong
from interviewer.sandbox.comparison import Difference, Expected, Tolerance, difference, side_by_side
from interviewer.sandbox.jobs import Draw, Readings, Value
from interviewer.sandbox.language import Statement
from interviewer.sandbox.language.notation import unit
from interviewer.sandbox.result import LineResult, LineStatus, Outcome
from interviewer.sandbox.worker.protocol import PROPERTIES

_REL = 0.03
"""How far a typed number may be off where nothing else is declared."""
_FACTORS = (
    (8, "a factor of 8: bits or bytes?"),
    (60, "a factor of 60: seconds, minutes or hours?"),
    (3600, "a factor of 3600: seconds or hours?"),
    (24, "a factor of 24: hours or days?"),
    (86400, "a factor of 86400: seconds or days?"),
)


class Estimates:
    """What applies to the lines of an estimation only; for other challenges it does nothing.

    A part is a number if it depends on no input or dim, directly or through other lines.
    """

    def __init__(self, challenge: Challenge, statements: Sequence[Statement]) -> None:
        self._on = challenge.kind == "estimation"
        self._units = {part.name: (part.unit, part.rel) for part in challenge.answer}
        self._statements = statements
        self._numbers = _numbers(challenge, statements)
        self._only_here: set[int] = set()

    @property
    def points(self) -> list[str]:
        """Sentences about what is right for the numbers of the question only."""
        if not self._on:
            return []
        return [
            f"Line {self._statements[item].line} is right for the numbers given; whether its "
            "formula holds for others is untested."
            for item in sorted(self._only_here)
        ]

    def formula(self, item: int) -> bool:
        """The line defines its name by a formula that holds for other numbers too."""
        return item not in self._only_here

    def figure(self, item: int) -> bool:
        """The line gives its name a typed number, alone or at the end of a chain."""
        below = item + 1
        while below < len(self._statements) and self._statements[below].continues:
            below += 1
        return self._on and any(item <= at < below for at, _ in self._numbers)

    def tolerance(
        self, parts: set[tuple[int, int]], declared: str | None, exact: Tolerance
    ) -> Tolerance:
        """Between these parts (item, part): typed numbers may be rounded, formulas may not."""
        if not (self._on and parts & self._numbers):
            return exact
        return Tolerance(0.0, self._units.get(declared or "", ("", _REL))[1])

    def elsewhere(
        self, item: int, parts: set[tuple[int, int]], found: Difference | None, *, asked: bool
    ) -> None:
        """Note what another draw shows: that a line holds for the question's numbers only.

        A typed number next to a formula says nothing; a typed number as the only value of what was
        ``asked`` does.
        """
        typed = bool(parts & self._numbers)
        if (typed and asked) or (found is not None and not typed):
            self._only_here.add(item)

    def wrong_unit(self, item: int, part: int, name: str | None) -> str:
        """What is wrong with the unit of a number, "" if nothing."""
        asked = self._units.get(name or self._statements[item].defines or "", ("", 0))[0]
        given = self._statements[item].parts[part].unit
        known = unit(asked)
        if not (self._on and known and given) or given == known.dimension:
            return ""
        return f"This is in {given}; give the answer in {asked}."

    def typed(self, item: int, part: int) -> bool:
        """The part is a number, no formula."""
        return (item, part) in self._numbers

    def power(self, found: Difference, name: str | None, *, typed: bool) -> str:
        """The slip in a power or unit that the ratio of two numbers suggests, "" if none."""
        if len(found.got.entries) != 1 or found.got.shape != found.wanted.shape:
            return ""
        got, wanted = found.got.entries[0], found.wanted.entries[0]
        if not (wanted and got / wanted > 0):
            return ""
        ratio = got / wanted
        asked = unit(self._units.get(name or "", ("", 0))[0])
        if asked and asked.dimension == "share" and typed and wanted <= 1 < got:
            return f"It is read as {100 * got:,.4g} %: write {got:.4g} %, or {got / 100:.4g}."
        if typed and got == 1:  # what it is off by would be the answer
            return ""
        for factor, words in _FACTORS:
            if min(abs(ratio / factor - 1), abs(ratio * factor - 1)) < 0.02:
                return f"It is off by {words}"
        power = round(log10(ratio))
        if power and abs(ratio / 10.0**power - 1) < 0.03:
            return (
                f"The digits are right, and it is off by a factor of 10^{abs(power)}: "
                "check the powers of ten and the unit."
            )
        for binary in range(1, 5):
            exact = 1.024**binary
            if min(abs(ratio / exact - 1), abs(ratio * exact - 1)) < 0.004:
                return "It is off by the ratio of powers of 1024 to powers of 1000: GB or GiB?"
        return ""


def _numbers(challenge: Challenge, statements: Sequence[Statement]) -> set[tuple[int, int]]:
    depends = set(challenge.given)
    found: set[tuple[int, int]] = set()
    for item, statement in enumerate(statements):
        for place, part in enumerate(statement.parts):
            if not part.names & depends:
                found.add((item, place))
        if statement.defines and statement.parts[0].names & depends:
            depends.add(statement.defines)
    return found


MOST_OPEN_POINTS = 8
_NO_VALUE = "It returned no value here, although it reported that it had finished."


@dataclass(frozen=True)
class Shown:
    """What the numbers of a derivation or function show."""

    outcome: Outcome
    summary: str
    lines: tuple[LineResult, ...] = ()
    derived: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    matched: str | None = None
    open_points: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Target:
    """What a part of a line should equal: a declared quantity, or an earlier part."""

    part: int
    name: str | None = None
    item: int = 0
    other: int = 0
    what: str = ""

    def parts(self, item: int) -> set[tuple[int, int]]:
        """The parts that are compared, as (item, part), of the line ``item``."""
        own = {(item, self.part)}
        return own if self.name else own | {(self.item, self.other)}


@dataclass(frozen=True)
class _Flaw:
    """Why a line fails. If only a stress draw shows it, it may not ``count``."""

    status: LineStatus
    message: str
    counts: bool = True
    matched: str | None = None
    line: int | None = None
    """For a function: the line of its error, None if unknown."""


class LineJudge:
    """Compares the statements of one derivation with what is expected."""

    def __init__(self, expected: Expected, statements: Sequence[Statement], got: Readings) -> None:
        self._expected = expected
        self._challenge = expected.challenge
        self._statements = statements
        self._got = got
        self._estimates = Estimates(expected.challenge, statements)
        self._defined = {each.defines for each in statements if each.defines}
        self._reached: set[str | int] = set()
        """Steps, and places among the forms of landmarks, that lines have reached."""
        self._open: list[str] = []

    def verdict(self) -> Shown:
        """The lines up to the first that fails, and what they show."""
        lines: list[LineResult] = []
        for item, statement in enumerate(self._statements):
            targets = list(self._targets(item, statement))
            flaw = self._first_flaw(item, statement, targets)
            if flaw is not None:
                lines.append(LineResult(statement.line, flaw.status, flaw.message))
                lines += [_not_judged(later) for later in self._statements[item + 1 :]]
                summary = f"Line {statement.line} does not follow."
                if flaw.status is LineStatus.ERROR:
                    summary = f"Line {statement.line} could not be evaluated."
                return self._shown(Outcome.FAILED, summary, lines, item, flaw.matched)
            lines.append(self._held(item, statement, compared=bool(targets)))
        return self._complete(lines)

    def _held(self, item: int, statement: Statement, *, compared: bool) -> LineResult:
        """A line without a flaw; it holds if it was compared, or has a value to be reached."""
        if not statement.defines:
            return LineResult(statement.line, LineStatus.HOLDS)
        forms = self._challenge.landmark_values
        got = self._got.of(item, 0)
        steps = set(self._expected.steps_with(got)) - self._reached
        places = set(self._expected.landmarks_with(got)) - self._reached
        self._reached |= {*steps, *places}
        shows = sorted(steps)
        if self._expected.quantity(statement.defines) and self._estimates.formula(item):
            shows = [statement.defines, *(steps - {statement.defines})]
        landmarks = (self._challenge.landmarks[forms[place][0]] for place in sorted(places))
        return LineResult(
            statement.line,
            LineStatus.HOLDS if compared or steps or places else LineStatus.DEFINED,
            shows=tuple(shows),
            proves=tuple(dict.fromkeys(each.criterion for each in landmarks if each.criterion)),
        )

    def _criteria(self) -> tuple[str, ...]:
        """The criteria all of whose landmarks have been reached."""
        forms = self._challenge.landmark_values
        met: dict[str, bool] = {}
        for place, landmark in enumerate(self._challenge.landmarks):
            if landmark.criterion:
                own = {form for form, (of, _) in enumerate(forms) if of == place}
                met[landmark.criterion] = met.get(landmark.criterion, True) and bool(
                    own & self._reached
                )
        return tuple(criterion for criterion, reached in met.items() if reached)

    def _shown(
        self,
        outcome: Outcome,
        summary: str,
        lines: Sequence[LineResult],
        upto: int,
        matched: str | None = None,
    ) -> Shown:
        """A verdict with the quantities that the statements before ``upto`` show."""
        named = {
            item: name
            for item, statement in enumerate(self._statements[:upto])
            if (name := statement.defines) and self._expected.quantity(name)
        }
        derived = tuple(dict.fromkeys(name for line in lines for name in line.shows))
        figures = tuple(name for item, name in named.items() if self._estimates.figure(item))
        if outcome is not Outcome.PASSED:
            summary = " ".join(filter(None, (summary, right_lines(self._statements, lines))))
        return Shown(outcome, summary, tuple(lines), derived, figures, self._criteria(), matched)

    def _complete(self, lines: list[LineResult]) -> Shown:
        asked = [part.name for part in self._challenge.answer]
        asked += [step.name for step in self._challenge.steps if step.required]
        missing = [name for name in asked if name not in self._defined]
        if missing:
            verb = "is" if len(missing) == 1 else "are"
            summary = f"Nothing fails so far; {comparison.listed(missing)} {verb} still missing."
            return self._shown(Outcome.INCOMPLETE, summary, lines, len(lines))
        points = [*self._open, *self._unused(), *self._unvisited_sides(), *self._estimates.points]
        points += self._challenge.cannot_see
        draws = len([draw for draw in self._expected.draws if draw.counts])
        summary = f"Every line holds numerically, on {draws} draws."
        if self._challenge.kind == "estimation":
            summary = "Every line holds for the numbers given."
        listed_points = tuple(dict.fromkeys(points))[:MOST_OPEN_POINTS]
        shown = self._shown(Outcome.PASSED, summary, lines, len(lines))
        return replace(shown, open_points=listed_points)

    # -- what each part is compared with -------------------------------------------------

    def _targets(self, item: int, statement: Statement) -> Iterator[_Target]:
        name = statement.defines
        if name and self._expected.quantity(name):
            yield _Target(0, name=name, what=f"the expected {name}")
        if statement.continues and item:
            last = len(self._statements[item - 1].parts) - 1
            yield _Target(0, item=item - 1, other=last, what="the line above")
        for part in range(1, len(statement.parts)):
            yield _Target(part, item=item, other=part - 1, what="the part before it")

    def _wanted(self, draw: int, target: _Target) -> Value | None:
        if target.name is not None:
            return self._expected.value(draw, target.name)
        return self._got.values.get((draw, target.item, target.other))

    # -- flaws --------------------------------------------------------------------------

    def _first_flaw(
        self, item: int, statement: Statement, targets: Sequence[_Target]
    ) -> _Flaw | None:
        for number, draw in enumerate(self._expected.draws):
            flaw = self._flaw_in(number, draw, item, statement, targets)
            if flaw is None:
                continue
            if flaw.counts:
                return flaw
            self._open.append(f"Line {statement.line}, {draw.about}: {flaw.message}")
        return None

    def _flaw_in(
        self, number: int, draw: Draw, item: int, statement: Statement, targets: Sequence[_Target]
    ) -> _Flaw | None:
        for part in range(len(statement.parts)):
            if fault := self._got.faults.get((number, item, part)):
                message = comparison.fault(fault, draw)
                return _Flaw(LineStatus.ERROR, message, draw.counts)
        for target in targets:
            if flaw := self._differs(number, draw, item, statement, target):
                return flaw
        return None

    def _differs(
        self, number: int, draw: Draw, item: int, statement: Statement, target: _Target
    ) -> _Flaw | None:
        got = self._got.values.get((number, item, target.part))
        wanted = self._wanted(number, target)
        if got is None or wanted is None:
            # In a draw that need not hold an earlier line may have ended it.
            return _Flaw(LineStatus.ERROR, _NO_VALUE) if draw.counts else None
        if target.name is None and self._one_number(item, target):
            got, wanted = side_by_side(got, wanted)
        limit = self._limit(item, statement, target)
        if self._challenge.kind == "estimation" and not draw.instance:
            found = difference(got, wanted, limit)
            self._estimates.elsewhere(item, target.parts(item), found, asked=bool(target.name))
            return None
        if unit := self._estimates.wrong_unit(item, target.part, target.name):
            return _Flaw(LineStatus.FAILS, unit)
        found = difference(got, wanted, limit, gradients=draw.gradients)
        if found is None:
            return None
        message = comparison.different(
            found, target.what, comparison.where(number, draw), draw, self._challenge, limit
        )
        flaw = _Flaw(LineStatus.FAILS, message, draw.counts)
        return self._recognised(flaw, item, target, found, limit) if draw.counts else flaw

    def _one_number(self, item: int, target: _Target) -> bool:
        """One side of the claim is a number: it is claimed of every entry of the other."""
        named = self._challenge.inputs.keys() | self._defined
        sides = (
            self._statements[item].parts[target.part],
            self._statements[target.item].parts[target.other],
        )
        return any(not side.names & named for side in sides)

    def _limit(self, item: int, statement: Statement, target: _Target) -> Tolerance:
        declared = target.name or statement.defines
        return self._estimates.tolerance(target.parts(item), declared, self._expected.tolerance)

    def _recognised(
        self, flaw: _Flaw, item: int, target: _Target, found: Difference, limit: Tolerance
    ) -> _Flaw:
        """The same flaw with the words for it, where the numbers say which mistake it is."""
        if wrong := self._known(item, target, limit):
            return replace(flaw, message=wrong.says, matched=wrong.id)
        if self._challenge.kind == "estimation":
            name = target.name or self._statements[item].defines
            typed = self._estimates.typed(item, target.part)
            if power := self._estimates.power(found, name, typed=typed):
                return replace(flaw, message=power)
            if loose := self._statements[item].parts[target.part].loose:
                return replace(flaw, message=f"{flaw.message} {loose}")
        if target.name and (widened := self._widened(item)):
            return replace(flaw, message=f"{flaw.message} {widened}")
        if name := self._named_anew(item, target):
            meant = f"{name} is already defined above, so this line is a claim about it; a changed "
            return replace(flaw, message=f"{flaw.message} {meant}quantity needs its own name.")
        return flaw

    def _named_anew(self, item: int, target: _Target) -> str:
        """The name that a claim begins with, where it may have been meant as a new definition."""
        first = self._statements[item].parts[0]
        if self._statements[item].defines or target.part != 1 or first.node[0] != "name":
            return ""
        name = str(first.node[1])
        above = (statement.defines for statement in self._statements[:item])
        return name if name in above else ""

    def _known(self, item: int, target: _Target, limit: Tolerance) -> Wrong | None:
        if target.name is None:
            return None
        got = self._got.of(item, target.part)
        if self._challenge.kind == "estimation":
            got = {
                draw: value for draw, value in got.items() if self._expected.draws[draw].instance
            }
        found = self._expected.matching(target.name, got, limit)
        return found[0] if found else None

    def _widened(self, item: int) -> str:
        """A broadcast that made a matrix of two vectors, here or in an earlier line."""
        for (draw, at, _), text in sorted(self._got.notes.items(), key=lambda note: -note[0][1]):
            if at <= item:
                line = self._statements[at].line
                named = comparison.with_names(comparison.stripped(text), self._expected.draws[draw])
                return f"In line {line}: {named}."
        return ""

    # -- what a pass leaves open --------------------------------------------------------

    def _unused(self) -> Iterator[str]:
        used = {name for s in self._statements for part in s.parts for name in part.names}
        for statement in self._statements:
            name = statement.defines
            if name and name not in used and not self._expected.quantity(name):
                yield f"Line {statement.line} defines {name}, which nothing uses."

    def _unvisited_sides(self) -> Iterator[str]:
        for (item, _), counts in sorted(self._got.branches.items()):
            if item < len(self._statements) and any(0 in pair for pair in counts):
                line = self._statements[item].line
                yield f"Line {line}: no draw took both branches there, so one is untested."


class FunctionJudge:
    """Compares a function's answers with what is expected; ``held`` is what its properties gave."""

    def __init__(self, expected: Expected, line: int, got: Readings, held: Readings) -> None:
        self._expected = expected
        self._challenge: Challenge = expected.challenge
        self._line = line
        self._got = got
        self._held = held
        self._open: list[str] = []

    def verdict(self) -> Shown:
        """Values on every draw first, then the properties."""
        for number, draw in enumerate(self._expected.draws):
            for part, asked in enumerate(self._challenge.answer):
                flaw = self._flaw(number, draw, part, asked)
                if flaw and flaw.counts:
                    return self._failed(flaw)
                if flaw:
                    self._open.append(f"{draw.about}: {flaw.message}")
        if broken := self._broken_property():
            return self._failed(_Flaw(LineStatus.FAILS, broken))
        counted = len([draw for draw in self._expected.draws if draw.counts])
        held = len(self._challenge.properties)
        summary = f"The function agrees with the reference on {counted} draws"
        summary += f", and {held} properties hold." if held > 1 else "."
        return Shown(
            Outcome.PASSED,
            summary,
            (LineResult(self._line, LineStatus.HOLDS),),
            derived=tuple(part.name for part in self._challenge.answer),
            open_points=(*dict.fromkeys((*self._open, *self._challenge.cannot_see)),),
        )

    def _failed(self, flaw: _Flaw) -> Shown:
        line = LineResult(flaw.line or self._line, flaw.status, flaw.message)
        summary = "The function did not run to completion."
        if flaw.status is LineStatus.FAILS:
            summary = "The function does not do what is asked."
        return Shown(Outcome.FAILED, summary, (line,), matched=flaw.matched)

    def _flaw(self, number: int, draw: Draw, part: int, asked: Quantity) -> _Flaw | None:
        fault = self._got.faults.get((number, 0, part)) or self._got.faults.get((0, 0, 0))
        if fault:
            message, line = comparison.fault(fault, draw), comparison.line_of(fault)
            status = LineStatus.FAILS if fault.code in ("changed", "banned") else LineStatus.ERROR
            return _Flaw(status, message, draw.counts, line=line)
        got = self._got.values.get((number, 0, part))
        wanted = self._expected.value(number, asked.name)
        if got is None or wanted is None:
            return _Flaw(LineStatus.ERROR, _NO_VALUE) if draw.counts else None
        limit = self._expected.tolerance
        found = difference(got, wanted, limit, gradients=draw.gradients)
        if found is None:
            return None
        place = comparison.where(number, draw)
        what = f"the expected {asked.name}"
        message = comparison.different(found, what, place, draw, self._challenge, limit)
        flaw = _Flaw(LineStatus.FAILS, message, draw.counts)
        wrong = self._known(part, limit)
        if wrong:
            return replace(flaw, message=wrong.says, matched=wrong.id)
        if found.kind != "shape" and (broken := self._broken_property()):
            return replace(flaw, message=f"{broken} {message}")
        return flaw

    def _known(self, part: int, limit: Tolerance) -> Wrong | None:
        """The mistake that this part shows, preferring one that all parts show."""
        found = [self._matching(at, limit) for at in range(len(self._challenge.answer))]
        common = set.intersection(*({wrong.id for wrong in each} for each in found))
        here = found[part]
        return next((wrong for wrong in here if wrong.id in common), here[0] if here else None)

    def _matching(self, part: int, limit: Tolerance) -> list[Wrong]:
        name = self._challenge.answer[part].name
        return self._expected.matching(name, self._got.of(0, part), limit)

    def _broken_property(self) -> str:
        """The sentence for the first property that does not hold, "" if all do."""
        for place, held in enumerate(self._challenge.properties):
            if not property_holds(self._expected, self._held, place):
                return held.says
        return ""


def property_holds(expected: Expected, got: Readings, place: int) -> bool:
    """All pairs of the property agree on every draw it was tested on, and there is at least one."""
    held = expected.challenge.properties[place]
    item = PROPERTIES + place
    if any(at == item for _, at, _ in got.faults):
        return False
    limit = Tolerance(held.atol, held.rel)
    pairs = [
        (value, got.values.get((draw, item, part + 1)))
        for (draw, at, part), value in got.values.items()
        if at == item and part % 2 == 0
    ]
    return bool(pairs) and all(
        wanted is not None and difference(mine, wanted, limit, gradients=False) is None
        for mine, wanted in pairs
    )


def right_lines(statements: Sequence[Statement], lines: Sequence[LineResult]) -> str:
    """How many lines are right, and which, as a sentence; "" where none is."""
    right = {each.line for each in lines if each.status is LineStatus.HOLDS}
    names = [each.defines or f"line {each.line}" for each in statements if each.line in right]
    return comparison.right(names, len(lines))


def _not_judged(statement: Statement) -> LineResult:
    return LineResult(statement.line, LineStatus.NOT_JUDGED)
