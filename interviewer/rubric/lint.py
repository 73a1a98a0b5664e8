"""Does a rubric hold together: can it be passed, can it be failed, does it give nothing away?

The rules for shipped rubrics are strict; a person's own may be less complete and is told, as
warnings, what the lack costs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from interviewer.rubric.files import read, shipped_folder
from interviewer.rubric.folders import yaml_files
from interviewer.rubric.lint_patterns import lint_patterns
from interviewer.rubric.lint_texts import lint_texts
from interviewer.rubric.problems import FieldPath, Locator, Problem
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.rubric.text import normalise

HEAVIEST = 0.6
"""The share of the total weight above which one criterion decides the question alone."""
PROBE_WORDS = range(8, 41)
LIGHTEST = 0.1
"""The share of the heaviest weight below which a criterion does not count."""

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
        *_lint_weights(rubric, where, strict=strict),
        *lint_texts(rubric, where, strict=strict),
        *lint_patterns(rubric, where, strict=strict),
        *_lint_samples(rubric, where, strict=strict),
    ]
    for i, criterion in enumerate(rubric.criteria):
        problems += _lint_criterion(i, criterion, where, strict=strict)
        problems += _lint_numbers(i, criterion, where)
        if criterion.bench and not rubric.challenge:
            message = "names a quantity of a challenge, and the rubric has none; add challenge"
            problems.append(where.error(("criteria", i, "bench"), message))
    for n, text in enumerate(rubric.escalations):
        if text.count("?") != 1:
            problems.append(where.warning(("escalations", n), _one_question(text)))
    return sorted(problems, key=lambda problem: problem.line or 0)


def _lint_weights(rubric: Rubric, where: Locator, *, strict: bool) -> Iterator[Problem]:
    criteria = rubric.criteria
    if len(criteria) < 2:
        return
    if all(criterion.must_have for criterion in criteria):
        yield where.warning(
            ("criteria",), "are all must_have, so that one slip caps every answer; keep one or two"
        )
    total = sum(criterion.weight for criterion in criteria)
    heaviest = max(criterion.weight for criterion in criteria)
    for i, criterion in enumerate(criteria):
        if criterion.weight > HEAVIEST * total:
            yield where.warning(
                ("criteria", i, "weight"),
                f"is {criterion.weight / total:.0%} of the total, so that this criterion decides "
                "alone; split it or lower the weight",
            )
        if criterion.weight < LIGHTEST * heaviest:
            yield (where.error if strict else where.warning)(
                ("criteria", i, "weight"),
                f"is under a tenth of the heaviest, {heaviest:g}, so that nobody would notice it; "
                "raise it or leave the criterion out",
            )


def _lint_criterion(
    i: int, criterion: Criterion, where: Locator, *, strict: bool
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


def _lint_numbers(i: int, criterion: Criterion, where: Locator) -> Iterator[Problem]:
    if criterion.kind == "number" and not criterion.numbers:
        yield where.warning(
            ("criteria", i, "numbers"), "are missing in a criterion of kind number; add the value"
        )
    for n, fact in enumerate(criterion.numbers):
        field: FieldPath = ("criteria", i, "numbers", n)
        if fact.rel and 0 in (fact.value, *fact.alternatives):
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
