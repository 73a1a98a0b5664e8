"""Does a rubric hold together: can it be passed, can it be failed, does it give nothing away?

The rules for shipped rubrics are strict; a person's own may be less complete and is told, as
warnings, what the lack costs.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from interviewer.rubric.files import read, shipped_folder
from interviewer.rubric.folders import yaml_files
from interviewer.rubric.lint_patterns import lint_patterns
from interviewer.rubric.problems import FieldPath, Locator, Problem
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.rubric.text import normalise

HEAVIEST = 0.6
"""The share of the total weight above which one criterion decides the question alone."""
PROBE_WORDS = range(8, 41)
GIVEN_AWAY = 0.5
"""The share of a claim's own words above which a hint or probe says the claim."""

_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?![\w-])")
_WORD = re.compile(r"[a-z0-9]{4,}")
_STEM = 6
_COMMON_WORDS = """
    about above after also because before being both does each every from have into just less
    more most much must only other over same such than that their them then there these they this
    those when where which while will with without would your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_TWO_CLAIMS = re.compile(
    r";|, and |\band (?:it|they|this|that|so|then|therefore|thus|not|does|is|are|has|have|can"
    r"|must|needs?|keeps?|makes?|gives?)\b"
)


def lint_paths(paths: Iterable[Path], *, strict: bool = False) -> tuple[int, list[Problem]]:
    """Lint files and folders: how many files were read, and all problems in order.

    Shipped rubrics are always held to the strict rules.
    """
    checked = 0
    problems: list[Problem] = []
    shipped = shipped_folder().resolve()
    for path in paths:
        found, unread = yaml_files(path) if path.is_dir() else ((path,), ())
        problems += unread
        first_with: dict[str, Path] = {}
        for file in found:
            checked += 1
            held = strict or file.resolve().is_relative_to(shipped)
            reading = read(file, Rubric)
            problems += reading.problems
            if reading.value is None:
                continue
            problems += lint(reading.value, reading.where, strict=held)
            first = first_with.setdefault(reading.value.id, file)
            if first is not file:
                message = f"is the id of {first} as well; give each its own"
                problems.append(reading.where.error(("id",), message))
    return checked, problems


def lint(rubric: Rubric, where: Locator, *, strict: bool) -> list[Problem]:
    """All problems of one rubric, in the order of the file's lines."""
    problems = [
        *_lint_weights(rubric, where),
        *lint_patterns(rubric, where),
        *_lint_samples(rubric, where, strict=strict),
    ]
    for i, criterion in enumerate(rubric.criteria):
        problems += _lint_criterion(rubric, i, criterion, where, strict=strict)
        problems += _lint_numbers(i, criterion, where)
    for n, text in enumerate(rubric.escalations):
        if text.count("?") != 1:
            problems.append(where.warning(("escalations", n), _one_question(text)))
    return sorted(problems, key=lambda problem: problem.line or 0)


def _lint_weights(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    criteria = rubric.criteria
    if len(criteria) < 2:
        return
    if all(criterion.must_have for criterion in criteria):
        yield where.warning(
            ("criteria",), "are all must_have, so that one slip caps every answer; keep one or two"
        )
    total = sum(criterion.weight for criterion in criteria)
    for i, criterion in enumerate(criteria):
        if criterion.weight > HEAVIEST * total:
            yield where.warning(
                ("criteria", i, "weight"),
                f"is {criterion.weight / total:.0%} of the total, so that this criterion decides "
                "alone; split it or lower the weight",
            )


def _lint_criterion(
    rubric: Rubric, i: int, criterion: Criterion, where: Locator, *, strict: bool
) -> Iterator[Problem]:
    field: FieldPath = ("criteria", i)
    if _TWO_CLAIMS.search(normalise(criterion.claim).text):
        yield where.warning(
            (*field, "claim"), "seems to hold two propositions; make each a criterion of its own"
        )
    if criterion.probe.count("?") != 1:
        yield where.error((*field, "probe"), _one_question(criterion.probe))
    if len(criterion.probe.split()) not in PROBE_WORDS:
        yield where.warning(
            (*field, "probe"),
            f"should have {PROBE_WORDS.start} to {PROBE_WORDS.stop - 1} words; rephrase it",
        )
    if not criterion.patterns:
        message = "are missing; without them the offline examiner falls back on word overlap"
        yield (where.error if strict else where.warning)((*field, "patterns"), message)
    if len(criterion.hints) < 2:
        message = "should be two: where to look, then the relation without the value"
        yield (where.error if strict else where.warning)((*field, "hints"), message)
    yield from _lint_giving_away(rubric, field, criterion, where)


def _lint_giving_away(
    rubric: Rubric, field: FieldPath, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    secret_numbers = _numbers(criterion.claim) - _numbers(rubric.question)
    secret_numbers |= {
        f"{value:g}" for fact in criterion.numbers for value in (fact.value, *fact.alternatives)
    }
    secret_words = _stems(criterion.claim) - _stems(rubric.question)
    said: list[tuple[FieldPath, str]] = [((*field, "probe"), criterion.probe)]
    said += [((*field, "hints", n), hint) for n, hint in enumerate(criterion.hints)]
    for place, text in said:
        numbers = _numbers(text) & secret_numbers
        if numbers:
            yield where.error(place, f"gives the number {min(numbers)} away; take it out")
        told = _stems(text) & secret_words
        if len(secret_words) >= 3 and len(told) > GIVEN_AWAY * len(secret_words):
            yield where.error(place, "holds most words of the claim; say less")


def _lint_numbers(i: int, criterion: Criterion, where: Locator) -> Iterator[Problem]:
    if criterion.kind == "number" and not criterion.numbers:
        yield where.warning(
            ("criteria", i, "numbers"), "are missing in a criterion of kind number; add the value"
        )
    for n, fact in enumerate(criterion.numbers):
        field: FieldPath = ("criteria", i, "numbers", n)
        values = (fact.value, *fact.alternatives)
        if not all(math.isfinite(value) for value in values):
            yield where.error(field, "must be finite; write the value in digits")
        elif fact.rel and 0 in values:
            yield where.error(
                field, "allows a share of 0, which is nothing; set rel to 0 or drop the value"
            )
        elif fact.rel > 0.5:
            yield where.warning(
                (*field, "rel"), "accepts nearly any value; give the share that is still right"
            )


def _lint_samples(rubric: Rubric, where: Locator, *, strict: bool) -> Iterator[Problem]:
    known = {criterion.id for criterion in rubric.criteria}
    for n, sample in enumerate(rubric.samples):
        field: FieldPath = ("samples", n, "verdicts")
        for unknown in sorted(sample.verdicts.keys() - known):
            yield where.error((*field, unknown), "is the id of no criterion; correct or remove it")
        missing = sorted(known - sample.verdicts.keys())
        if missing:
            yield where.error(field, f"lack {', '.join(missing)}; judge every criterion")
        if sample.kind == "empty" and Verdict.MET in sample.verdicts.values():
            yield where.error(field, "credit an empty answer; correct the verdict or the kind")
        if sample.kind == "full" and set(sample.verdicts.values()) - {Verdict.MET}:
            yield where.warning(field, "leave points open in a full answer; call it middle")
    lacking = _lacking_kinds([sample.kind for sample in rubric.samples])
    if lacking:
        message = (
            f"lack {', '.join(lacking)}; write the answer with its verdicts, so that 'rubrics "
            "selftest' can tell how far the grading can be trusted"
        )
        yield (where.error if strict else where.warning)(("samples",), message)


def _lacking_kinds(kinds: Sequence[str]) -> list[str]:
    present = Counter(kinds)
    lacking = [kind for kind in ("empty", "wrong", "full", "recited") if not present[kind]]
    if present["middle"] < 2:
        lacking.append("a second middle" if present["middle"] else "two middle")
    if not present["negated"] + present["swapped"]:
        lacking.append("negated or swapped")
    return lacking


def _one_question(text: str) -> str:
    return f"must ask exactly one question, but has {text.count('?')} question marks; rephrase it"


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(normalise(text).text))


def _stems(text: str) -> set[str]:
    words = _WORD.findall(normalise(text).text)
    return {word[:_STEM] for word in words if word not in _COMMON}
