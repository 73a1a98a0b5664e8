"""Lint of challenges, which runs their reference, properties, wrong answers and solutions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from interviewer.content.fields import Locator, Problem
from interviewer.content.files import read
from interviewer.errors import ChallengeError
from interviewer.rubric.library import Library
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox import jobs
from interviewer.sandbox.bench import Bench
from interviewer.sandbox.challenge import Catalogue, Challenge, TaskQuantity, Wrong
from interviewer.sandbox.checker import property_holds
from interviewer.sandbox.children import Ended
from interviewer.sandbox.comparison import Expected
from interviewer.sandbox.jobs import function_in
from interviewer.sandbox.result import CheckOutcome, CheckResult
from interviewer.sandbox.worker.protocol import LANDMARKS, PROPERTIES, WRONG_STEPS

Field = tuple[str | int, ...]


async def lint(challenge: Challenge, where: Locator, bench: Bench) -> tuple[Problem, ...]:
    """What is wrong with the challenge, found by running it. Raises SandboxError."""
    try:
        known = await bench.expected(challenge)
    except ChallengeError as fault:
        return (where.error(("reference",), str(fault)),)
    found = _Lint(known, bench)
    errors = [*found.shapes(), *found.unvisited(), *found.values()]
    errors += [each async for each in found.properties()]
    errors += [each async for each in found.unrecognised()]
    errors += [each async for each in found.failing_solutions()]
    return tuple(where.error(field, message) for field, message in errors)


class _Lint:
    def __init__(self, known: Expected, bench: Bench) -> None:
        self._known = known
        self._challenge = known.challenge
        self._bench = bench

    def shapes(self) -> Iterator[tuple[Field, str]]:
        """Values have the shapes that are declared."""
        answer, steps = self._challenge.answer, self._challenge.steps
        declared: list[tuple[Field, TaskQuantity]] = [
            *((("answer", n, "shape"), each) for n, each in enumerate(answer)),
            *((("steps", n, "shape"), each) for n, each in enumerate(steps)),
        ]
        for field, quantity in declared:
            for number, draw in enumerate(self._known.draws):
                value = self._known.value(number, quantity.name)
                asked = jobs.shape_of(quantity.shape, draw.dims)
                if value and value.itself.shape != asked:
                    got = list(value.itself.shape)
                    message = f"is declared as {list(asked)}, but comes to {got}"
                    yield field, f"{message}; correct one of them"
                    break

    def unvisited(self) -> Iterator[tuple[Field, str]]:
        """Every condition is true in some draw."""
        draws = range(len(self._known.draws))
        seen = set().union(*map(self._known.visited, draws))
        for place, condition in enumerate(self._challenge.visits):
            if place not in seen:
                message = f"{condition} was true in no draw; widen the inputs' ranges or drop it"
                yield ("visits", place), message

    async def properties(self) -> AsyncIterator[tuple[Field, str]]:
        """Every property holds for the reference."""
        if not self._challenge.properties:
            return
        function = function_in(self._challenge.reference)
        reply = await self._bench.called(self._known, function, free=True)
        got = jobs.read_records(reply.referee)
        finished = reply.ended is Ended.DONE and got.complete
        faults = {item: fault.text for (_, item, _), fault in got.faults.items()}
        for place, held in enumerate(self._challenge.properties):
            if finished and property_holds(self._known, got, place):
                continue
            why = "; correct it or its tolerance"
            if not finished:
                why = ": it did not finish"
            elif PROPERTIES + place in faults:
                why = f": {faults[PROPERTIES + place]}"
            yield ("properties", place), f"{held.id} does not hold for the reference{why}"

    def values(self) -> Iterator[tuple[Field, str]]:
        """Wrong steps and landmarks can be evaluated."""
        items: list[tuple[int, Field, str]] = [
            *(
                (item, (*self._field(wrong), "steps", name), name)
                for item, (wrong, name, _) in enumerate(self._challenge.wrong_steps, WRONG_STEPS)
            ),
            *(
                (item, ("landmarks", place, "values"), value)
                for item, (place, value) in enumerate(self._challenge.landmark_values, LANDMARKS)
            ),
        ]
        for item, field, what in items:
            if fault := self._fault(item):
                yield field, f"{what} cannot be evaluated: {fault}"

    async def unrecognised(self) -> AsyncIterator[tuple[Field, str]]:
        """Each wrong answer, submitted as a function, fails and is recognised as itself."""
        for wrong, code in self._challenge.wrong_codes:
            result = await self._bench.check(self._challenge, code, free=True, known=self._known)
            if result.outcome is not CheckOutcome.FAILED:
                yield self._field(wrong), f"{wrong.id} is not caught: {result.summary}"
            elif result.matched != (wrong.same_as or wrong.id):
                named = result.matched or f"nothing ({_message(result)})"
                yield self._field(wrong), f"{wrong.id} is recognised as {named}"

    async def failing_solutions(self) -> AsyncIterator[tuple[Field, str]]:
        """The reference, the worked derivation and all accepted solutions pass."""
        sources: list[tuple[Field, str | None]] = [
            (("reference",), self._challenge.reference),
            (("derivation",), self._challenge.derivation),
        ]
        for place, accepted in enumerate(self._challenge.accepted):
            sources.append((("accepted", place), accepted.lines or accepted.code))
        for field, source in sources:
            if source is None:
                continue
            free = field == ("reference",)
            result = await self._bench.check(self._challenge, source, free=free, known=self._known)
            if not result.passed:
                yield field, f"does not pass: {result.summary} {_message(result)}".rstrip()

    def _field(self, wrong: Wrong) -> tuple[str, int]:
        return "wrong", self._challenge.wrong.index(wrong)

    def _fault(self, item: int) -> str:
        """Why an item of the reference job has no value on a draw that counts, "" if it has one."""
        faults = sorted(self._known.readings.faults.items())
        draws = self._known.draws
        return next(
            (fault.text for (draw, at, _), fault in faults if at == item and draws[draw].counts), ""
        )


def _message(result: CheckResult) -> str:
    return next((f"line {line.line}: {line.message}" for line in result.lines if line.message), "")


def lint_rubrics_of(challenge: Challenge, where: Locator, library: Library) -> Iterator[Problem]:
    """Rubrics that the challenge names, and criteria its landmarks prove, but that do not exist."""
    for place, rubric in enumerate(challenge.rubrics):
        if rubric not in library.entries:
            hint = library.suggestion(rubric)
            yield where.error(("rubrics", place), f"no rubric is called {rubric}; {hint}")
    yield from _criteria(challenge, where, library)


def _criteria(challenge: Challenge, where: Locator, library: Library) -> Iterator[Problem]:
    named = {place: each.criterion for place, each in enumerate(challenge.landmarks)}
    if not any(named.values()):
        return
    entries = [library.entries[rubric] for rubric in challenge.rubrics if rubric in library.entries]
    rubrics = [read(entry.path, Rubric).value for entry in entries]
    offering = [each for each in rubrics if each is not None and each.challenge == challenge.id]
    known = {criterion.id for rubric in offering for criterion in rubric.criteria}
    for place, criterion in named.items():
        if criterion and criterion not in known:
            message = f"{criterion} is no criterion of a question that offers {challenge.id}"
            if known:
                message += f"; name one of {', '.join(sorted(known))}"
            yield where.error(("landmarks", place, "criterion"), message)


def lint_challenges_of(library: Library, catalogue: Catalogue) -> Iterator[Problem]:
    """Challenges that rubrics offer, and quantities that criteria credit, but that do not exist."""
    for entry in library.entries.values():
        reading = read(entry.path, Rubric)
        rubric = reading.value
        if rubric is None or rubric.challenge is None:
            continue
        found = catalogue.entries.get(rubric.challenge)
        if found is None:
            hint = catalogue.suggestion(rubric.challenge)
            message = f"no challenge is called {rubric.challenge}; {hint}"
            yield reading.where.error(("challenge",), message)
        else:
            yield from _quantities(rubric, found.model, reading.where)


def _quantities(rubric: Rubric, challenge: Challenge, where: Locator) -> Iterator[Problem]:
    names = [quantity.name for quantity in (*challenge.answer, *challenge.steps)]
    for place, criterion in enumerate(rubric.criteria):
        if criterion.bench and criterion.bench not in names:
            message = (
                f"{criterion.bench} is not derived in {challenge.id}; "
                f"name one of {', '.join(names)}"
            )
            yield where.error(("criteria", place, "bench"), message)
