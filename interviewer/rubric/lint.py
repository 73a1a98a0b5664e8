"""Whether a rubric makes sense: it can be passed, it can be failed, and it gives nothing away.

An error makes a rubric useless or unfair; what is merely incomplete is a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from interviewer.content.collection import lint_files
from interviewer.content.fields import FieldPath, Locator, Problem, dotted, meant
from interviewer.content.files import read_text
from interviewer.rubric.rubric import (
    AllOf,
    Criterion,
    Rating,
    Rubric,
    compile_pattern,
    hit_texts,
    hits,
    is_usable,
)
from interviewer.rubric.text import (
    content_stems,
    long_words,
    nearly_same,
    normalise,
    says,
    table,
    words_of,
)

LOOSEST = 0.5
"""The relative tolerance above which nearly any number is right."""
SECRET_TERMS = 4
"""More terms than this for one criterion, or words in one term, describe rather than name it."""
GIVEN_AWAY = 0.5
"""The share of a claim's own words above which a hint or probe states the claim."""
RUN = 7
"""This many consecutive words of an accepted phrasing give it away."""
_TEXTS: dict[str, list[str]] = table("lint", "interviewer.rubric")

_UNFINISHED = re.compile(r"\s*(?:TODO|FIXME|TBD)\b")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?![\w-])")


def lint_paths(paths: Iterable[Path]) -> tuple[int, list[Problem]]:
    """Check files and folders: how many files were read, and all problems by file and line."""
    return lint_files(paths, Rubric, lint)


def lint_text(path: Path, text: str) -> list[Problem]:
    """All problems that a rubric file of one's own would have with this text, by line."""
    reading = read_text(path, text, Rubric)
    problems = list(reading.problems)
    if reading.value is not None:
        problems += lint(reading.value, reading.where)
    return sorted(problems, key=lambda problem: problem.line or 0)


def lint(rubric: Rubric, where: Locator) -> list[Problem]:
    """All problems of one rubric by line; of a discussion only the words, as no answer is right."""
    problems = [*_texts(rubric, where), *unreadable_patterns(rubric, where)]
    if not rubric.is_discussion:
        problems += [*_form(rubric, where), *_samples(rubric, where), *_substance(rubric, where)]
        for n, escalation in enumerate(rubric.escalations):
            if escalation.criteria:
                alone, inside = rubric.on_escalation(n), where.within(("escalations", n))
                problems += [*_samples(alone, inside), *_substance(alone, inside, rubric.reference)]
    return sorted(problems, key=lambda problem: problem.line or 0)


def unreadable_patterns(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    """The patterns that are not regular expressions."""
    for n, escalation in enumerate(rubric.escalations):
        if escalation.criteria:
            harder = where.within(("escalations", n))
            yield from unreadable_patterns(rubric.on_escalation(n), harder)
    for i, criterion in enumerate(rubric.criteria):
        for field, alternative in _alternatives(i, criterion):
            for n, regex in enumerate(alternative):
                try:
                    compile_pattern(regex)
                except ValueError as error:
                    yield where.error((*field, n), _unreadable(error))


def _unreadable(error: ValueError) -> str:
    reason = str(error)
    remedy = "close what is open, or escape literal characters with a backslash"
    if "perl operator" in reason or "escape" in reason:
        remedy = "RE2 has no lookaround and no backreferences"
    elif "repetition" in reason or "too large" in reason:
        remedy = "reduce the repetition"
    return f"is not a valid RE2 regular expression ({reason}); {remedy}"


def _alternatives(i: int, criterion: Criterion) -> Iterator[tuple[FieldPath, AllOf]]:
    for name, written in (("patterns", criterion.patterns), ("partly", criterion.partly)):
        yield from ((("criteria", i, name, j), each) for j, each in enumerate(written))
    for k, wrong in enumerate(criterion.misconceptions):
        for j, alternative in enumerate(wrong.patterns):
            yield ("criteria", i, "misconceptions", k, "patterns", j), alternative
    for k, step in enumerate(criterion.steps):
        for j, regex in enumerate(step.patterns):
            yield ("criteria", i, "steps", k, "patterns", j), (regex,)


def _texts(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    texts = [*_said(rubric), (("title",), rubric.title), (("reference",), rubric.reference)]
    texts += [(("criteria", i, "claim"), each.claim) for i, each in enumerate(rubric.criteria)]
    texts += [(("samples", n, "answer"), sample.answer) for n, sample in enumerate(rubric.samples)]
    for field, text in texts:
        if _UNFINISHED.match(text):
            yield where.warning(field, "is still to be written; replace the placeholder")
    if not _LETTERS.search(rubric.question):
        message = "contains no word, so there is nothing to answer; ask a question"
        yield where.error(("question",), message)


def _form(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    """Each question is one, drills can be searched for, and extras are not what is asked for."""
    if all(criterion.extra for criterion in rubric.criteria):
        message = "are all extra, so no answer would get a score; unmark what the question asks for"
        yield where.error(("criteria",), message)
    questions: list[tuple[FieldPath, str]] = [
        (("simpler", n), text) for n, text in enumerate(rubric.simpler)
    ]
    for i, criterion in enumerate(rubric.criteria):
        place = ("criteria", i)
        questions.append(((*place, "probe"), criterion.probe))
        if criterion.deeper:
            questions.append(((*place, "deeper"), criterion.deeper))
        if drill := criterion.drill:
            questions.append(((*place, "drill", "ask"), drill.ask))
            questions.append(((*place, "drill", "again"), drill.again))
            if drill.wants not in _wanted():
                instead = meant(drill.wants, _wanted()) or "take decision, incident or measurement"
                message = f"is no quantity of the ledger; {instead}"
                yield where.error((*place, "drill", "wants"), message)
        if criterion.extra and criterion.must_have:
            message = "is for what the question asks for, and an extra is not; keep one of the two"
            yield where.error((*place, "must_have"), message)
        if criterion.bench and not rubric.challenge:
            message = "names a quantity of a challenge, but the rubric has no challenge; add one"
            yield where.error((*place, "bench"), message)
    for field, text in questions:
        marks = sum(text.count(mark) for mark in "?？؟")
        if marks != 1:
            message = f"must ask exactly one question, but has {marks} question marks; rephrase it"
            yield where.error(field, message)


def _samples(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    known = {criterion.id for criterion in rubric.criteria}
    for n, sample in enumerate(rubric.samples):
        field: FieldPath = ("samples", n, "verdicts")
        for unknown in sorted(sample.verdicts.keys() - known):
            yield where.error((*field, unknown), "is not a criterion's id; correct or remove it")
        if missing := sorted(known - sample.verdicts.keys()):
            yield where.error(field, f"lack {', '.join(missing)}; judge every criterion")
        if sample.kind == "empty" and Rating.MET in sample.verdicts.values():
            yield where.error(field, "credit an empty answer; correct the verdict or the kind")


def _substance(rubric: Rubric, where: Locator, known: str = "") -> Iterator[Problem]:
    """Each criterion asks for what its patterns find; ``known`` was said before an escalation."""
    said = list(_said(rubric))
    for i, criterion in enumerate(rubric.criteria):
        check = _PointCheck(rubric, where, i, criterion, said, known)
        yield from check.claim()
        yield from check.giveaways()
        yield from check.patterns()
        yield from check.numbers()
        yield from check.terms()


class _Text(NamedTuple):
    """A text that a pattern must not match, and what to say of one that does."""

    text: str
    message: str
    is_answer: bool = False
    """It counts only where the pattern's match is asserted, and no misconception is stated."""


_FITS_ANY = [
    *(_Text(word, "is satisfied by a bare word like 'the'") for word in _TEXTS["bare_words"]),
    *(_Text(text, "matches phrases that fit any question") for text in _TEXTS["boilerplate"]),
]


@dataclass(frozen=True)
class _PointCheck:
    """The checks of one criterion, the ``i``-th; ``said`` is all that the examiner says."""

    rubric: Rubric
    where: Locator
    i: int
    criterion: Criterion
    said: Sequence[tuple[FieldPath, str]]
    known: str

    def _field(self, *steps: str | int) -> FieldPath:
        return ("criteria", self.i, *steps)

    def claim(self) -> Iterator[Problem]:
        """It says something of its own."""
        if not set(words_of(self.criterion.claim)) - set(words_of(self.rubric.question)):
            message = (
                "says nothing that the question does not say, so nobody could fail; add what an "
                "answer must contribute"
            )
            yield self.where.error(self._field("claim"), message)
        for n, earlier in enumerate(self.rubric.criteria[: self.i]):
            if nearly_same(self.criterion.claim, earlier.claim):
                message = (
                    f"says nearly the same as criteria[{n}].claim, so one sentence would earn "
                    "both; merge them"
                )
                yield self.where.error(self._field("claim"), message)

    def giveaways(self) -> Iterator[Problem]:
        """What is said about the point tells neither its numbers nor its words."""
        criterion, question = self.criterion, self.rubric.question
        secret_numbers = _numbers(criterion.claim, *criterion.accept) - _numbers(question)
        secret_numbers |= {
            f"{value:g}" for fact in criterion.numbers for value in (fact.value, *fact.alternatives)
        }
        secret_words = long_words(criterion.claim) - long_words(question)
        accepted, asked = [_runs(phrasing) for phrasing in criterion.accept], _runs(question)
        for field, text in self.said:
            if field[:2] != ("criteria", self.i) and field[0] != "simpler":
                continue
            if numbers := _numbers(text) & secret_numbers:
                yield self.where.error(field, f"gives away the number {min(numbers)}; remove it")
            told = long_words(text) & secret_words
            if len(secret_words) >= 3 and len(told) > GIVEN_AWAY * len(secret_words):
                yield self.where.error(field, "contains most words of the claim; say less")
            for n, phrasing in enumerate(accepted):
                if (_runs(text) - asked) & phrasing:
                    yield self.where.error(field, f"repeats accept[{n}] word for word; say less")

    def patterns(self) -> Iterator[Problem]:
        """Patterns match what is right, and nothing else."""
        criterion = self.criterion
        right = (self.rubric.reference, criterion.claim, *criterion.accept)
        first_right: list[int | None] = []
        for field, alternative in _alternatives(self.i, criterion):
            if not is_usable(alternative):
                continue
            for n, regex in enumerate(alternative):
                if compile_pattern(regex).search("") is not None:
                    message = "matches the empty text, so nobody could fail; require a word"
                    yield self.where.error((*field, n), message)
            for message in dict.fromkeys(self._wrong_hits(field, alternative)):
                yield self.where.error(field, f"{message}; narrow it")
            if field[2] == "patterns":
                hit = (n for n, text in enumerate(right) if hits(alternative, text))
                first_right.append(next(hit, None))
                if first_right[-1] is None:
                    message = (
                        "matches neither the claim, nor an accepted phrasing, nor the reference; "
                        "correct the pattern or add the phrasing it is meant for"
                    )
                    yield self.where.error(field, message)
        if first_right and 0 not in first_right:
            message = (
                "match nothing in the reference, so not even that would pass; add a pattern, or "
                "add the point to the reference"
            )
            yield self.where.warning(self._field("patterns"), message)
        if not criterion.patterns:
            message = "are missing; without them the offline examiner judges by words alone"
            yield self.where.warning(self._field("patterns"), message)

    def _wrong_hits(self, field: FieldPath, alternative: AllOf) -> Iterator[str]:
        """What to say of each text that the alternative should not match."""
        if field[2] == "steps":
            return
        if field[2] == "misconceptions":
            sound = [each.text for each in self._sound]
            yield from (
                self._sound[n].message for n in hit_texts(alternative, sound, asserted=True)
            )
            return
        unearned = self._unearned if field[2] == "partly" else self._unearned_in_full
        stated = [each for m in self.criterion.misconceptions for each in m.patterns]
        for n in hit_texts(alternative, [each.text for each in unearned]):
            text, message, is_answer = unearned[n]
            is_caught = is_answer and (
                not hits(alternative, text, asserted=True)
                or any(is_usable(each) and hits(each, text) for each in stated)
            )
            if not is_caught:
                yield message

    @cached_property
    def _unearned(self) -> list[_Text]:
        """What the examiner says, what can be said to any question, and wrong answers."""
        found = [
            _Text(text, f"already matches {_name(field)}, so an echo would earn credit")
            for field, text in self.said
            if field[0] != "escalations"  # asked once the point was made
        ]
        found += _FITS_ANY
        for n, sample in enumerate(self.rubric.samples):
            verdict = sample.verdicts.get(self.criterion.id)
            is_wrong = verdict in {Rating.NOT_MET, Rating.CONTRADICTED}
            if is_wrong and sample.kind not in {"negated", "swapped"}:
                message = f"matches samples[{n}] ({sample.kind}), where the verdict is {verdict}"
                found.append(_Text(sample.answer, message, True))
        return found

    @cached_property
    def _unearned_in_full(self) -> list[_Text]:
        """The same with what may be worth half of the point."""
        found = [*self._unearned]
        if self.known:
            found.append(_Text(self.known, "matches the reference, so that would earn it"))
        for n, text in enumerate(self.criterion.reject):
            found.append(_Text(text, f"matches reject[{n}], which should not count", True))
        return found

    @cached_property
    def _sound(self) -> list[_Text]:
        """What no misconception is."""
        return [
            *(_Text(text, "matches accepted words") for text in self.criterion.accept),
            _Text(self.criterion.claim, "matches the claim"),
            _Text(self.rubric.question, "matches the question, so an echo would be called wrong"),
            *_FITS_ANY,
        ]

    def terms(self) -> Iterator[Problem]:
        """The terms to withhold are few, telling, and not said by the examiner anyway."""
        terms = self.criterion.secret_terms
        if len(terms) > SECRET_TERMS:
            message = f"are more than {SECRET_TERMS}; keep those that would give the point away"
            yield self.where.error(self._field("secret_terms"), message)
        for n, term in enumerate(terms):
            field = self._field("secret_terms", n)
            if len(term.split()) > SECRET_TERMS:
                message = f"has more than {SECRET_TERMS} words; name what gives the point away"
                yield self.where.error(field, message)
            if not content_stems(term):
                message = "is made of everyday words, so it would veto nearly anything; drop it"
                yield self.where.error(field, message)
                continue
            for place, text in self.said:
                if "hints" not in place and says(text, term):  # hints have their price
                    name = _name(place)
                    message = f"stands in {name}, so it is no secret; drop it or reword {name}"
                    yield self.where.error(field, message)

    def numbers(self) -> Iterator[Problem]:
        """Numbers that are asked for are given, and not too loosely."""
        if self.criterion.kind == "number" and not self.criterion.numbers:
            message = "are missing in a criterion of kind number; add the value"
            yield self.where.warning(self._field("numbers"), message)
        for n, fact in enumerate(self.criterion.numbers):
            field = self._field("numbers", n)
            if fact.rel and 0 in (fact.value, *fact.alternatives):
                message = "allows a share of 0, which is nothing; set rel to 0 or drop the value"
                yield self.where.error(field, message)
            elif fact.rel > LOOSEST:
                message = "accepts nearly any value; give the largest share that is still right"
                yield self.where.warning((*field, "rel"), message)


@cache
def _wanted() -> frozenset[str]:
    """What a drill may want; the quantities are those of the ledger, whose table is only data."""
    table = files("interviewer") / "grading" / "claims" / "quantities.yaml"
    ids = re.findall(r"^(\w+):", table.read_text("utf-8"), re.MULTILINE)
    return frozenset(("decision", "incident", "measurement", *ids))


def _said(rubric: Rubric) -> Iterator[tuple[FieldPath, str]]:
    """What the examiner may say of a rubric."""
    yield ("question",), rubric.question
    if rubric.figure:
        yield ("figure",), rubric.figure.words
    for i, criterion in enumerate(rubric.criteria):
        if criterion.probe != rubric.question:  # an escalation is its own
            yield ("criteria", i, "probe"), criterion.probe
        for n, hint in enumerate(criterion.hints):
            yield ("criteria", i, "hints", n), hint
        if criterion.drill:
            yield ("criteria", i, "drill", "ask"), criterion.drill.ask
            yield ("criteria", i, "drill", "again"), criterion.drill.again
    for n, text in enumerate(rubric.simpler):
        yield ("simpler", n), text
    if rubric.own_project:
        yield ("own_project", "question"), rubric.own_project.question
    for n, text in enumerate(rubric.harder):
        yield ("escalations", n), text


def _name(field: FieldPath) -> str:
    return f"the {field[0]}" if field in (("question",), ("figure",)) else dotted(field)


def _numbers(*texts: str) -> set[str]:
    return {number for text in texts for number in _NUMBER.findall(normalise(text).text)}


def _runs(text: str) -> set[tuple[str, ...]]:
    said = words_of(text)
    return {tuple(said[i : i + RUN]) for i in range(len(said) - RUN + 1)}
