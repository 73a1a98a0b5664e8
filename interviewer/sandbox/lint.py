"""Lint of challenges, which runs their reference, properties, wrong answers and solutions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from interviewer.content.files import read
from interviewer.content.problems import Locator, Problem
from interviewer.errors import ChallengeError
from interviewer.rubric.library import Library
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox import jobs
from interviewer.sandbox.bench import Bench
from interviewer.sandbox.challenge import Accepted, Catalogue, Challenge, Quantity, Wrong
from interviewer.sandbox.checker import property_holds
from interviewer.sandbox.client import Ended
from interviewer.sandbox.comparison import Expected, Tolerance, coincide
from interviewer.sandbox.jobs import Readings, SourceError, Value, function_in
from interviewer.sandbox.result import CheckResult, Outcome
from interviewer.sandbox.worker.protocol import LANDMARKS, PROPERTIES, STEPS, WRONG_STEPS


async def lint(challenge: Challenge, where: Locator, bench: Bench) -> tuple[Problem, ...]:
    """What is wrong with the challenge, found by running it; empty if it is sound.

    Raises SandboxError if nothing can be run here.
    """
    try:
        known = await bench.expected(challenge)
    except ChallengeError as fault:
        return (where.error(("reference",), str(fault)),)
    problems = [*_shapes(known, where), *_unvisited(known, where), *_thin(challenge, where)]
    problems += await _properties(known, where, bench)
    problems += [*_wrong(known, where), *_wrong_steps(known, where), *_landmarks(known, where)]
    problems += await _recognised(known, where, bench)
    problems += await _solutions(known, where, bench)
    return tuple(problems)


def _shapes(known: Expected, where: Locator) -> Iterator[Problem]:
    challenge = known.challenge
    declared: list[tuple[str, int, Quantity]] = []
    declared += [("answer", n, each) for n, each in enumerate(challenge.answer)]
    declared += [("steps", n, each) for n, each in enumerate(challenge.steps)]
    for kind, place, quantity in declared:
        for number, draw in enumerate(known.draws):
            value = known.value(number, quantity.name)
            asked = jobs.shape_of(quantity.shape, draw.dims)
            if value and value.itself.shape != asked:
                got = list(value.itself.shape)
                message = f"is declared as {list(asked)}, but comes to {got}; correct one of them"
                yield where.error((kind, place, "shape"), message)
                break


def _unvisited(known: Expected, where: Locator) -> Iterator[Problem]:
    for condition in known.unvisited():
        place = known.challenge.visits.index(condition)
        message = f"{condition} was true in no draw; widen the inputs' ranges or drop it"
        yield where.error(("visits", place), message)


def _thin(challenge: Challenge, where: Locator) -> Iterator[Problem]:
    if len(challenge.wrong) < 2:
        yield where.warning(("wrong",), "names fewer than two wrong answers; add likely ones")
    if not challenge.hints:
        yield where.warning(("hints",), "are missing; add where to look, then the relation")


async def _properties(known: Expected, where: Locator, bench: Bench) -> list[Problem]:
    """Every property holds for the reference."""
    challenge = known.challenge
    if not challenge.properties:
        return []
    try:
        function = function_in(challenge.reference)
    except SourceError as error:
        return [where.error(("properties",), f"cannot be read: {error}")]
    reply = await bench.called(known, function)
    got = jobs.read_records(reply.referee)
    finished = reply.ended is Ended.DONE and got.complete
    return [
        where.error(
            ("properties", place),
            f"{held.id} does not hold for the reference{_why(got if finished else None, place)}",
        )
        for place, held in enumerate(challenge.properties)
        if not finished or not property_holds(known, got, place)
    ]


def _why(got: Readings | None, place: int) -> str:
    if got is None:
        return ": it did not finish"
    for (_, item, _), fault in got.faults.items():
        if item == PROPERTIES + place:
            return f": {fault.text}"
    return "; correct it or its tolerance"


def _wrong(known: Expected, where: Locator) -> Iterator[Problem]:
    """Every wrong answer gives numbers that differ from the reference and from the others."""
    codes = list(enumerate((wrong for wrong, _ in known.challenge.wrong_codes), start=1))
    for item, wrong in codes:
        field = _field(known, wrong)
        if fault := _fault(known, item):
            yield where.error(field, f"{wrong.id} cannot be run: {fault}")
        elif _same(known, known.of(item), known.of(0)):
            yield where.error(field, f"{wrong.id} gives the reference's own numbers")
    for (first, one), (second, other) in combinations(codes, 2):
        if other.id in (one.same_as, one.id) or one.id == other.same_as:
            continue
        if one.same_as and one.same_as == other.same_as:
            continue
        if _same(known, known.of(first), known.of(second)):
            message = f"{other.id} gives the same numbers as {one.id}; set same_as or drop one"
            yield where.error(_field(known, other), message)


def _wrong_steps(known: Expected, where: Locator) -> Iterator[Problem]:
    """Wrong values of a step differ from the step itself and from each other."""
    names = [step.name for step in known.challenge.steps]
    seen: list[tuple[str, str, dict[tuple[int, int], Value]]] = []
    for place, (wrong, name, _) in enumerate(known.challenge.wrong_steps):
        values = known.of(WRONG_STEPS + place)
        field = (*_field(known, wrong), "steps", name)
        if fault := _fault(known, WRONG_STEPS + place):
            yield where.error(field, f"cannot be evaluated: {fault}")
        elif _same(known, values, known.of(STEPS + names.index(name))):
            yield where.error(field, f"{name} has its right value here; drop it")
        twins = [other for other, of, theirs in seen if of == name and _same(known, values, theirs)]
        if twins:
            yield where.error(
                field, f"{name} has the same value as in {twins[0]}; drop one of them"
            )
        seen.append((wrong.id, name, values))


def _landmarks(known: Expected, where: Locator) -> Iterator[Problem]:
    """Every form of a landmark has a value, and none of them is another's."""
    seen: list[tuple[int, dict[tuple[int, int], Value]]] = []
    for item, (place, value) in enumerate(known.challenge.landmark_values, start=LANDMARKS):
        field = ("landmarks", place, "values")
        if fault := _fault(known, item):
            yield where.error(field, f"{value} cannot be evaluated: {fault}")
            continue
        values = known.of(item)
        twins = [other for other, theirs in seen if _same(known, values, theirs)]
        if twins:
            yield where.error(field, f"{value} has a value listed before; drop one of them")
        seen.append((place, values))


def _field(known: Expected, wrong: Wrong) -> tuple[str, int]:
    return "wrong", known.challenge.wrong.index(wrong)


def _fault(known: Expected, item: int) -> str:
    """Why an item of the reference job has no value on a draw that counts, "" if it has one."""
    faults = sorted(known.readings.faults.items())
    return next(
        (f.text for (draw, at, _), f in faults if at == item and known.draws[draw].counts), ""
    )


def _same(
    known: Expected, one: dict[tuple[int, int], Value], other: dict[tuple[int, int], Value]
) -> bool:
    counting = {place for place in one if known.draws[place[0]].counts}
    if known.challenge.kind == "estimation":
        counting = {place for place in counting if known.draws[place[0]].instance}
    limit = Tolerance(known.challenge.atol, known.challenge.rtol)
    return bool(counting) and all(
        place in other and coincide(one[place], other[place], limit) for place in counting
    )


async def _recognised(known: Expected, where: Locator, bench: Bench) -> list[Problem]:
    """Each wrong answer, submitted as a function, fails and is recognised as itself."""
    challenge = known.challenge
    problems = []
    for wrong, code in challenge.wrong_codes:
        result = await bench.check(challenge, code, banned=(), known=known)
        expected = wrong.same_as or wrong.id
        if result.outcome is not Outcome.FAILED:
            message = f"{wrong.id} is not caught: {result.summary}"
        elif result.matched != expected:
            named = result.matched or f"nothing ({_message(result)})"
            message = f"{wrong.id} is recognised as {named}"
        else:
            continue
        problems.append(where.error(("wrong", challenge.wrong.index(wrong)), message))
    return problems


async def _solutions(known: Expected, where: Locator, bench: Bench) -> list[Problem]:
    """The reference, the worked derivation and all accepted solutions pass."""
    challenge = known.challenge
    sources: list[tuple[tuple[str | int, ...], str]] = [(("reference",), challenge.reference)]
    if challenge.derivation:
        sources.append((("derivation",), challenge.derivation))
    for place, accepted in enumerate(challenge.accepted):
        sources.append((("accepted", place), _source(accepted)))
    problems = []
    for place_in_file, source in sources:
        banned = () if place_in_file == ("reference",) else None
        result = await bench.check(challenge, source, banned=banned, known=known)
        if not result.passed:
            message = f"does not pass: {result.summary} {_message(result)}".rstrip()
            problems.append(where.error(place_in_file, message))
    return problems


def _source(accepted: Accepted) -> str:
    return accepted.lines or accepted.code or ""


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
