"""From numbers to a finding, line by line. The first line that does not follow decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from interviewer.sandbox import comparison
from interviewer.sandbox.challenge import TaskQuantity, Wrong
from interviewer.sandbox.comparison import (
    Difference,
    Expected,
    Tolerance,
    difference,
    side_by_side,
)
from interviewer.sandbox.jobs import Draw, Readings, Value
from interviewer.sandbox.language import Derivation, Statement
from interviewer.sandbox.language.notation import unit
from interviewer.sandbox.result import CheckOutcome, CheckResult, LineResult, LineStatus
from interviewer.sandbox.worker.protocol import PROPERTIES

MOST_OPEN_POINTS = 8
_REL = 0.03
"""How far a typed number may be off where nothing else is declared."""
_NO_VALUE = "It returned no value here, although it reported that it had finished."

Spot = tuple[int, int]
"""A part of a line: the places of both."""


@dataclass(frozen=True)
class _Target:
    """What a part of a line should equal: a declared quantity, or an earlier part."""

    spot: Spot
    what: str
    name: str | None = None
    other: Spot = (0, 0)

    @property
    def spots(self) -> set[Spot]:
        """The parts that are compared."""
        return {self.spot} if self.name else {self.spot, self.other}


@dataclass(frozen=True)
class _Flaw:
    """Why a line fails. If only a stress draw shows it, it may not ``count``."""

    status: LineStatus
    message: str
    counts: bool = True
    matched: str | None = None
    line: int | None = None
    """For a function: the line of its error, None if unknown."""


def check_lines(expected: Expected, derivation: Derivation, got: Readings) -> CheckResult:
    """What the readable lines show, together with the first line that could not be read."""
    return with_problem(_Lines(expected, derivation.readable, got).finding(), derivation)


def with_problem(found: CheckResult, derivation: Derivation) -> CheckResult:
    """With the first line that could not be read; lines below the last judged one are named."""
    problem, lines = derivation.problem, found.lines
    if problem is not None and found.outcome is not CheckOutcome.FAILED:
        lines = (*lines, LineResult(problem.line, LineStatus.ERROR, problem.message))
        summary = f"Line {problem.line} could not be read."
        found = replace(found, outcome=CheckOutcome.FAILED, summary=summary, open_points=())
    judged = lines[-1].line if lines else 0
    read = {each.line for each in derivation.statements}
    read |= {each.line for each in derivation.problems}
    below = [LineResult(n, LineStatus.NOT_JUDGED) for n in sorted(read) if n > judged]
    return replace(found, lines=(*lines, *below))


def _counting(expected: Expected) -> int:
    return sum(draw.counts for draw in expected.draws)


class _Lines:
    def __init__(self, expected: Expected, statements: Sequence[Statement], got: Readings) -> None:
        self._expected = expected
        self._challenge = expected.challenge
        self._statements = statements
        self._got = got
        self._defined = {each.defines for each in statements if each.defines}
        self._estimation = expected.challenge.kind == "estimation"
        self._asked = {part.name: part for part in expected.challenge.answer}
        self._typed = self._typed_numbers() if self._estimation else set()
        """In an estimation: parts that depend on no input or dim, so that they may be rounded."""
        self._only_here: set[int] = set()
        """In an estimation: lines that are right for the numbers of the question only."""
        self._reached: set[str | int] = set()
        """Steps, and places among the forms of landmarks, that lines have reached."""
        self._open: list[str] = []

    def _typed_numbers(self) -> set[Spot]:
        depends = set(self._challenge.given)
        found: set[Spot] = set()
        for item, statement in enumerate(self._statements):
            found |= {
                (item, place)
                for place, part in enumerate(statement.parts)
                if not part.names & depends
            }
            if statement.defines and statement.parts[0].names & depends:
                depends.add(statement.defines)
        return found

    def finding(self) -> CheckResult:
        """The lines up to the first that fails, and what they show."""
        lines: list[LineResult] = []
        for item, statement in enumerate(self._statements):
            targets = list(self._targets(item, statement))
            flaw = self._first_flaw(item, statement, targets)
            if flaw is not None:
                lines.append(LineResult(statement.line, flaw.status, flaw.message))
                error = flaw.status is LineStatus.ERROR
                does = "could not be evaluated" if error else "does not follow"
                finding = self._shown(f"Line {statement.line} {does}.", lines, item)
                return replace(finding, outcome=CheckOutcome.FAILED, matched=flaw.matched)
            lines.append(self._held(item, statement, compared=bool(targets)))
        return self._complete(lines)

    def _held(self, item: int, statement: Statement, *, compared: bool) -> LineResult:
        """A line without a flaw; it holds if it was compared, or has a value to be reached."""
        name = statement.defines
        if not name:
            return LineResult(statement.line, LineStatus.HOLDS)
        got = self._got.of(item, 0)
        steps = self._expected.steps_with(got) - self._reached
        places = self._expected.landmarks_with(got) - self._reached
        self._reached |= {*steps, *places}
        shows = sorted(steps)
        if name in self._expected.places and item not in self._only_here:
            shows = [name, *(steps - {name})]
        forms, landmarks = self._challenge.landmark_values, self._challenge.landmarks
        proves = (landmarks[forms[place][0]].criterion for place in sorted(places))
        return LineResult(
            statement.line,
            LineStatus.HOLDS if compared or steps or places else LineStatus.DEFINED,
            shows=tuple(shows),
            proves=tuple(dict.fromkeys(each for each in proves if each)),
        )

    def _criteria(self) -> tuple[str, ...]:
        """The criteria all of whose landmarks have been reached."""
        forms = self._challenge.landmark_values
        reached = {place for form, (place, _) in enumerate(forms) if form in self._reached}
        met: dict[str, bool] = {}
        for place, landmark in enumerate(self._challenge.landmarks):
            if landmark.criterion:
                met[landmark.criterion] = met.get(landmark.criterion, True) and place in reached
        return tuple(criterion for criterion, is_met in met.items() if is_met)

    def _shown(self, summary: str, lines: Sequence[LineResult], upto: int) -> CheckResult:
        """A finding with the quantities that the statements before ``upto`` show."""
        names = [each.defines for each in self._statements[:upto]]
        return CheckResult(
            self._challenge.id,
            "lines",
            CheckOutcome.INCOMPLETE,
            summary,
            tuple(lines),
            derived=tuple(dict.fromkeys(name for line in lines for name in line.shows)),
            figures=tuple(
                name
                for item, name in enumerate(names)
                if name in self._expected.places and self._is_figure(item)
            ),
            criteria=self._criteria(),
        )

    def _is_figure(self, item: int) -> bool:
        """The line gives its name a typed number, alone or at the end of a chain."""
        below = item + 1
        while below < len(self._statements) and self._statements[below].continues:
            below += 1
        return any(item <= at < below for at, _ in self._typed)

    def _complete(self, lines: list[LineResult]) -> CheckResult:
        asked = [part.name for part in self._challenge.answer]
        asked += [step.name for step in self._challenge.steps if step.required]
        missing = [name for name in asked if name not in self._defined]
        if missing:
            verb = "is" if len(missing) == 1 else "are"
            summary = f"Nothing fails so far; {comparison.listed(missing)} {verb} still missing."
            return self._shown(summary, lines, len(lines))
        summary = f"Every line holds numerically, on {_counting(self._expected)} draws."
        if self._estimation:
            summary = "Every line holds for the numbers given."
        untested = [
            f"Line {self._statements[item].line} is right for the numbers given; whether its "
            "formula holds for others is untested."
            for item in sorted(self._only_here)
        ]
        points = dict.fromkeys([*self._open, *untested, *self._challenge.cannot_see])
        return replace(
            self._shown("", lines, len(lines)),
            outcome=CheckOutcome.PASSED,
            summary=summary,
            open_points=tuple(points)[:MOST_OPEN_POINTS],
        )

    # -- what each part is compared with

    def _targets(self, item: int, statement: Statement) -> Iterator[_Target]:
        name = statement.defines
        if name in self._expected.places:
            yield _Target((item, 0), f"the expected {name}", name=name)
        if statement.continues and item:
            last = len(self._statements[item - 1].parts) - 1
            yield _Target((item, 0), "the line above", other=(item - 1, last))
        for part in range(1, len(statement.parts)):
            yield _Target((item, part), "the part before it", other=(item, part - 1))

    def _first_flaw(
        self, item: int, statement: Statement, targets: Sequence[_Target]
    ) -> _Flaw | None:
        for number, draw in enumerate(self._expected.draws):
            flaw = self._flaw_in(number, draw, item, statement, targets)
            if flaw is not None and flaw.counts:
                return flaw
            if flaw is not None:
                self._open.append(f"Line {statement.line}, {draw.about}: {flaw.message}")
        return None

    def _flaw_in(
        self, number: int, draw: Draw, item: int, statement: Statement, targets: Sequence[_Target]
    ) -> _Flaw | None:
        for part in range(len(statement.parts)):
            if fault := self._got.faults.get((number, item, part)):
                return _Flaw(LineStatus.ERROR, comparison.fault(fault, draw), draw.counts)
        flaws = (self._differs(number, draw, statement, target) for target in targets)
        return next((flaw for flaw in flaws if flaw), None)

    def _differs(
        self, number: int, draw: Draw, statement: Statement, target: _Target
    ) -> _Flaw | None:
        got = self._got.values.get((number, *target.spot))
        wanted = self._got.values.get((number, *target.other))
        if target.name is not None:
            wanted = self._expected.value(number, target.name)
        elif got is not None and wanted is not None and self._one_number(target):
            got, wanted = side_by_side(got, wanted)
        name = target.name or statement.defines or ""
        limit = self._limit(target, name)
        if self._estimation and not draw.instance:
            if got is not None and wanted is not None:
                self._elsewhere(target, difference(got, wanted, limit))
            return None
        if wrong := self._wrong_unit(target, name):
            return _Flaw(LineStatus.FAILS, wrong)
        flaw = _compared(self._expected, number, got, wanted, target.what, limit)
        if flaw and flaw.status is LineStatus.FAILS and draw.counts:
            return self._recognised(flaw, target, limit)
        return flaw

    def _one_number(self, target: _Target) -> bool:
        """One side of the claim is a number: it is claimed of every entry of the other."""
        named = self._challenge.inputs.keys() | self._defined
        sides = (self._statements[item].parts[part] for item, part in target.spots)
        return any(not side.names & named for side in sides)

    # -- what applies to estimations alone

    def _limit(self, target: _Target, name: str) -> Tolerance:
        """Typed numbers may be rounded, formulas may not."""
        if not target.spots & self._typed:
            return self._expected.tolerance
        asked = self._asked.get(name)
        return Tolerance(0.0, asked.rel if asked else _REL)

    def _elsewhere(self, target: _Target, found: Difference | None) -> None:
        """Note that a line, by another draw, holds for the question's numbers only."""
        typed = bool(target.spots & self._typed)
        if (typed and target.name) or (found is not None and not typed):
            self._only_here.add(target.spot[0])

    def _wrong_unit(self, target: _Target, name: str) -> str:
        asked = self._asked.get(name)
        known = unit(asked.unit) if asked and self._estimation else None
        given = self._statements[target.spot[0]].parts[target.spot[1]].unit
        if asked is None or known is None or not given or given == known.dimension:
            return ""
        return f"This is in {given}; give the answer in {asked.unit}."

    # -- why a line may fail

    def _recognised(self, flaw: _Flaw, target: _Target, limit: Tolerance) -> _Flaw:
        if wrong := self._known(target, limit):
            return replace(flaw, message=wrong.says, matched=wrong.id)
        item, part = target.spot
        statement, names = self._statements[item], [each.defines for each in self._statements]
        kind, name, *_ = statement.parts[0].node
        if not statement.defines and part == 1 and kind == "name" and name in names[:item]:
            hint = f"{name} is defined above, so this line is a claim about it; if it is to be"
            return replace(flaw, message=f"{flaw.message} {hint} changed, use a new name.")
        return flaw

    def _known(self, target: _Target, limit: Tolerance) -> Wrong | None:
        if target.name is None:
            return None
        got: Mapping[int, Value] = self._got.of(*target.spot)
        if self._estimation:
            draws = self._expected.draws
            got = {draw: value for draw, value in got.items() if draws[draw].instance}
        return next(iter(self._expected.matching(target.name, got, limit)), None)


def check_function(expected: Expected, line: int, got: Readings, held: Readings) -> CheckResult:
    """A function's answers on every draw, then its properties; ``held`` is what those gave."""
    answer, properties = expected.challenge.answer, expected.challenge.properties
    open_points: dict[str, None] = {}
    broken = next(
        (each.says for n, each in enumerate(properties) if not property_holds(expected, held, n)),
        "",
    )
    flaws = (
        (draw, _function_flaw(expected, got, broken, number, part))
        for number, draw in enumerate(expected.draws)
        for part in range(len(answer))
    )
    for draw, flaw in flaws:
        if flaw and flaw.counts:
            return _failed(expected, flaw, line)
        if flaw:
            open_points[f"{draw.about}: {flaw.message}"] = None
    if broken:
        return _failed(expected, _Flaw(LineStatus.FAILS, broken), line)
    summary = f"The function agrees with the reference on {_counting(expected)} draws"
    summary += f", and {len(properties)} properties hold." if len(properties) > 1 else "."
    open_points |= dict.fromkeys(expected.challenge.cannot_see)
    return CheckResult(
        expected.challenge.id,
        "function",
        CheckOutcome.PASSED,
        summary,
        (LineResult(line, LineStatus.HOLDS),),
        derived=tuple(part.name for part in answer),
        open_points=tuple(open_points),
    )


def _failed(expected: Expected, flaw: _Flaw, line: int) -> CheckResult:
    summary = "The function did not run to completion."
    if flaw.status is LineStatus.FAILS:
        summary = "The function does not do what is asked."
    lines = (LineResult(flaw.line or line, flaw.status, flaw.message),)
    name, outcome = expected.challenge.id, CheckOutcome.FAILED
    return CheckResult(name, "function", outcome, summary, lines, matched=flaw.matched)


def _function_flaw(
    expected: Expected, got: Readings, broken: str, number: int, part: int
) -> _Flaw | None:
    draw, asked = expected.draws[number], expected.challenge.answer[part]
    fault = got.faults.get((number, 0, part)) or got.faults.get((0, 0, 0))
    if fault:
        refused = fault.code in ("changed", "banned")
        status = LineStatus.FAILS if refused else LineStatus.ERROR
        message = comparison.fault(fault, draw, expected.challenge.instead)
        line = comparison.line_of(fault)
        return _Flaw(status, message, draw.counts, line=line)
    value, wanted = got.values.get((number, 0, part)), expected.value(number, asked.name)
    what = f"the expected {asked.name}"
    flaw = _compared(expected, number, value, wanted, what, expected.tolerance)
    if flaw is None or value is None or wanted is None:
        return flaw
    if wrong := _known_in(expected, got, part):
        return replace(flaw, message=wrong.says, matched=wrong.id)
    if broken and value.itself.shape == wanted.itself.shape:
        return replace(flaw, message=f"{broken} {flaw.message}")
    return flaw


def _compared(
    expected: Expected,
    number: int,
    got: Value | None,
    wanted: Value | None,
    what: str,
    limit: Tolerance,
) -> _Flaw | None:
    """How a value differs from ``what`` it should equal in a draw."""
    draw = expected.draws[number]
    if got is None or wanted is None:
        # In a draw that need not hold an earlier line may have ended it.
        return _Flaw(LineStatus.ERROR, _NO_VALUE) if draw.counts else None
    found = difference(got, wanted, limit, gradients=draw.gradients)
    if found is None:
        return None
    return _Flaw(LineStatus.FAILS, expected.described(found, what, number, limit), draw.counts)


def _known_in(expected: Expected, got: Readings, part: int) -> Wrong | None:
    """The mistake that this part shows, preferring one that all parts show."""
    answer: Sequence[TaskQuantity] = expected.challenge.answer
    found = [
        expected.matching(each.name, got.of(0, place), expected.tolerance)
        for place, each in enumerate(answer)
    ]
    common = set.intersection(*({wrong.id for wrong in each} for each in found))
    here = found[part]
    return next((wrong for wrong in here if wrong.id in common), here[0] if here else None)


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
