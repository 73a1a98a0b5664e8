"""Whether a rubric makes sense: it can be passed, it can be failed, and it gives nothing away.

An error makes a rubric useless or unfair; what is merely incomplete or hard to say is a warning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from interviewer.content.collection import lint_files
from interviewer.content.files import read_text
from interviewer.content.problems import FieldPath, Locator, Problem, dotted, meant
from interviewer.rubric.figure import WIDEST, Figure
from interviewer.rubric.patterns import compile_pattern, hit_texts, hits, hits_any, is_usable
from interviewer.rubric.rubric import AllOf, Criterion, Rating, Rubric
from interviewer.rubric.text import is_common, long_words, nearly_same, normalise, says, words_of
from interviewer.yaml_tables import table

HEAVIEST = 0.6
"""The share of the total weight above which one criterion decides the question alone."""
LIGHTEST = 0.1
"""The share of the heaviest weight below which a criterion hardly counts."""
LOOSEST = 0.5
"""The relative tolerance above which nearly any number is right."""
SECRET_TERMS = 4
"""More terms than this for one criterion, or words in one term, describe rather than name it."""
GIVEN_AWAY = 0.5
"""The share of a claim's own words above which a hint or probe states the claim."""
RUN = 7
"""This many consecutive words of an accepted phrasing give it away."""
QUESTION_WORDS, ONE_LINER_WORDS, HINT_WORDS = 30, 15, 25
"""What can be taken in when it is heard once."""
ONE_LINER_POINTS = 2
PROBE_WORDS, SIMPLER_WORDS = range(5, 26), range(5, 31)
_TEXTS: dict[str, list[str]] = table("lint", "interviewer.rubric")
BOILERPLATE, _BARE_WORDS = _TEXTS["boilerplate"], _TEXTS["bare_words"]

_UNFINISHED = re.compile(r"\s*(?:TODO|FIXME|TBD)\b")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?![\w-])")

Texts = Sequence[tuple[FieldPath, str]]


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
    """All problems of one rubric, in the order of the file's lines.

    A discussion has no right answers, so only its words are looked at.
    """
    problems = [*_texts(rubric, where), *_lengths(rubric, where)]
    if not rubric.is_discussion:
        problems += [
            *_weights(rubric, where),
            *_samples(rubric, where),
            *_sample_kinds(rubric, where),
        ]
        for n, text in enumerate(rubric.simpler):
            problems += asked(("simpler", n), text, SIMPLER_WORDS, where)
        easier = [(("simpler", n), text) for n, text in enumerate(rubric.simpler)]
        for i, criterion in enumerate(rubric.criteria):
            check = _Check(rubric, where, i, criterion, [*spoken(i, criterion), *easier])
            problems += [*check.substance(), *check.form()]
        for n, escalation in enumerate(rubric.escalations):
            problems += _harder(rubric, n, where.within(("escalations", n)))
            if escalation.ask and question_marks(escalation.ask) != 1:
                field = ("escalations", n, *(("ask",) if escalation.criteria else ()))
                problems.append(where.warning(field, one_question(escalation.ask)))
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


def _weights(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    """The question asks for something; nothing but the main point decides it alone."""
    criteria = rubric.criteria
    due = [criterion for criterion in criteria if not criterion.extra]
    if not due:
        message = "are all extra, so no answer would get a score; unmark what the question asks for"
        yield where.error(("criteria",), message)
    if sum(criterion.must_have for criterion in criteria) > 1:
        message = (
            "have more than one must_have, so that one gap fails an answer which makes every other "
            "point; keep the one that the question turns on"
        )
        yield where.warning(("criteria",), message)
    has_method = any(criterion.kind != "number" for criterion in due)
    total, heaviest = sum(c.weight for c in due), max(c.weight for c in criteria)
    for i, criterion in enumerate(criteria):
        field: FieldPath = ("criteria", i)
        if criterion.extra and criterion.must_have:
            message = "is for what the question asks for, and an extra is not; keep one of the two"
            yield where.error((*field, "must_have"), message)
        if criterion.must_have and criterion.kind == "number" and has_method:
            message = "on a number fails a right method with a slip; put it on the method"
            yield where.warning((*field, "must_have"), message)
        if len(due) > 1 and criterion.weight > HEAVIEST * total:
            message = (
                f"is {criterion.weight / total:.0%} of the total, so this criterion alone decides; "
                "split it or lower the weight"
            )
            yield where.warning((*field, "weight"), message)
        if due and criterion.weight < LIGHTEST * heaviest:
            message = (
                f"is under a tenth of the heaviest, {heaviest:g}, so it hardly counts; raise it or "
                "drop the criterion"
            )
            yield where.warning((*field, "weight"), message)


def _texts(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    texts = [*examiners_texts(rubric)]
    texts += [(("samples", n, "answer"), sample.answer) for n, sample in enumerate(rubric.samples)]
    for field, text in texts:
        if _UNFINISHED.match(text):
            yield where.warning(field, "is still to be written; replace the placeholder")
    if not _LETTERS.search(rubric.question):
        message = "contains no word, so there is nothing to answer; ask a question"
        yield where.error(("question",), message)
    if rubric.figure:
        yield from _figure(rubric.figure, where)


def _figure(figure: Figure, where: Locator) -> Iterator[Problem]:
    """It can be read on a terminal of 80 columns, with a caption that fits one line."""
    name = "code" if figure.code else "text"
    wide = [n for n, line in enumerate(figure.listing.split("\n"), 1) if len(line) > WIDEST]
    if wide:
        message = f"has over {WIDEST} characters in its line {wide[0]}; break it"
        yield where.warning(("figure", name), message)
    if len(figure.caption) > WIDEST:
        message = f"should have at most {WIDEST} characters; the question says the rest"
        yield where.warning(("figure", "caption"), message)


def _lengths(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    """What is too long to be heard once."""
    is_one_liner = rubric.kind == "one-liner"
    longest = ONE_LINER_WORDS if is_one_liner else QUESTION_WORDS
    if len(rubric.question.split()) > longest:
        message = f"should have at most {longest} words; leave the rest to the probes"
        yield where.warning(("question",), message)
    if is_one_liner and sum(not point.extra for point in rubric.criteria) > ONE_LINER_POINTS:
        message = f"ask for more than {ONE_LINER_POINTS} points; make it a question of another kind"
        yield where.warning(("criteria",), message)
    for i, criterion in enumerate(rubric.criteria):
        for n, hint in enumerate(criterion.hints):
            if len(hint.split()) > HINT_WORDS:
                message = f"should have at most {HINT_WORDS} words; say one thing"
                yield where.warning(("criteria", i, "hints", n), message)


def asked(field: FieldPath, text: str, words: range, where: Locator) -> Iterator[Problem]:
    """One question of the right length."""
    if question_marks(text) != 1:
        yield where.error(field, one_question(text))
    if len(text.split()) not in words:
        message = f"should have {words[0]} to {words[-1]} words; rephrase it"
        yield where.warning(field, message)


def question_marks(text: str) -> int:
    """How many question marks the text has, those of Chinese among them."""
    return sum(text.count(mark) for mark in "?？؟")


def one_question(text: str) -> str:
    """What to say of a text that asks nothing, or several things."""
    many = question_marks(text)
    return f"must ask exactly one question, but has {many} question marks; rephrase it"


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
        if sample.kind == "full" and set(sample.verdicts.values()) - {Rating.MET}:
            yield where.warning(field, "leave points open in a full answer; make its kind middle")


def _sample_kinds(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    present = Counter(sample.kind for sample in rubric.samples)
    lacking: list[str] = [k for k in ("empty", "wrong", "full", "recited") if not present[k]]
    if present["middle"] < 2:
        lacking.append("a second middle" if present["middle"] else "two middle")
    if not present["negated"] + present["swapped"]:
        lacking.append("negated or swapped")
    if lacking:
        message = (
            f"lack {', '.join(lacking)}; add answers with verdicts, so that 'rubrics selftest' can "
            "measure how reliable the grading is"
        )
        yield where.warning(("samples",), message)


def _harder(rubric: Rubric, n: int, where: Locator) -> Iterator[Problem]:
    """The criteria of the n-th escalation, if it is graded, are held to what others are."""
    if not rubric.escalations[n].criteria:
        return
    alone = rubric.on_escalation(n)
    for i, criterion in enumerate(alone.criteria):
        check = _Check(alone, where, i, criterion, [(("ask",), alone.question)])
        yield from check.substance()
        for j, alternative in enumerate(criterion.patterns):
            if is_usable(alternative) and hits(alternative, rubric.reference):
                message = "matches the reference, so the question's own answer would earn it"
                yield where.warning(("criteria", i, "patterns", j), message)
    yield from _samples(alone, where)
    given = {verdict for sample in alone.samples for verdict in sample.verdicts.values()}
    if not {Rating.MET, Rating.NOT_MET} <= given:
        message = (
            "should be at least 2, one that meets a criterion and one that doesn't; "
            "'rubrics selftest' grades them"
        )
        yield where.warning(("samples",), message)


_FITS_ANY = "matches phrases that fit any question; narrow it"


class _Unearned(NamedTuple):
    """A text that earns nothing, and what to say of a pattern that matches it."""

    text: str
    message: str
    is_warning: bool = False
    asserted: bool = False
    """Only where the text asserts what is matched."""


@dataclass(frozen=True)
class _Check:
    """The checks of one criterion, the ``i``-th of its rubric; ``spoken`` is said about it."""

    rubric: Rubric
    where: Locator
    i: int
    criterion: Criterion
    spoken: Texts

    def _field(self, *steps: str | int) -> FieldPath:
        return ("criteria", self.i, *steps)

    def substance(self) -> Iterator[Problem]:
        """It asks for something of its own, which its patterns find and nothing gives away."""
        for check in (
            self._says_nothing_new,
            self._gives_claim_away,
            self._gives_phrasing_away,
            self._patterns,
            self._misconceptions,
            self._numbers,
            self._terms,
        ):
            yield from check()

    def form(self) -> Iterator[Problem]:
        """One question as a probe, two hints, a drill that a reply can be searched for."""
        criterion, where = self.criterion, self.where
        yield from asked(self._field("probe"), criterion.probe, PROBE_WORDS, where)
        if criterion.deeper:
            yield from asked(self._field("deeper"), criterion.deeper, PROBE_WORDS, where)
        if len(criterion.hints) < 2:
            message = "should be two: where to look, then the relation without the value"
            yield where.warning(self._field("hints"), message)
        yield from self._drill()
        if criterion.bench and not self.rubric.challenge:
            message = "names a quantity of a challenge, but the rubric has no challenge; add one"
            yield where.error(self._field("bench"), message)

    def _says_nothing_new(self) -> Iterator[Problem]:
        mine = set(words_of(self.criterion.claim))
        if not mine - set(words_of(self.rubric.question)):
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

    def _gives_claim_away(self) -> Iterator[Problem]:
        criterion, question = self.criterion, self.rubric.question
        secret_numbers = _numbers(criterion.claim, *criterion.accept) - _numbers(question)
        secret_numbers |= {
            f"{value:g}" for fact in criterion.numbers for value in (fact.value, *fact.alternatives)
        }
        secret_words = long_words(criterion.claim) - long_words(question)
        for field, text in self.spoken:
            if numbers := _numbers(text) & secret_numbers:
                yield self.where.error(field, f"gives away the number {min(numbers)}; remove it")
            told = long_words(text) & secret_words
            if len(secret_words) >= 3 and len(told) > GIVEN_AWAY * len(secret_words):
                yield self.where.error(field, "contains most words of the claim; say less")

    def _gives_phrasing_away(self) -> Iterator[Problem]:
        asked = _runs(self.rubric.question)
        for field, text in self.spoken:
            said = _runs(text) - asked
            for n, phrasing in enumerate(self.criterion.accept):
                if said & _runs(phrasing):
                    yield self.where.error(field, f"repeats accept[{n}] word for word; say less")

    def _patterns(self) -> Iterator[Problem]:
        """Patterns match what is right, and nothing else."""
        criterion, rubric = self.criterion, self.rubric
        for field, alternative in _alternatives(self.i, criterion):
            yield from self._matches_anything(field, alternative)
        right = (criterion.claim, *criterion.accept, rubric.reference)
        usable = [(j, each) for j, each in enumerate(criterion.patterns) if is_usable(each)]
        for j, alternative in usable:
            field = self._field("patterns", j)
            if not hits_any(alternative, right):
                message = (
                    "matches neither the claim, nor an accepted phrasing, nor the reference; "
                    "correct the pattern or add the phrasing it is meant for"
                )
                yield self.where.error(field, message)
            yield from self._matches_what_earns_nothing(field, alternative)
            for n in hit_texts(alternative, criterion.reject, asserted=True):
                message = f"matches reject[{n}], which should not count; narrow it"
                yield self.where.warning(field, message)
        for j, alternative in enumerate(criterion.partly):
            if is_usable(alternative):
                yield from self._matches_what_earns_nothing(self._field("partly", j), alternative)
        if usable and not any(hits(each, rubric.reference) for _, each in usable):
            message = (
                "match nothing in the reference, so not even that would pass; add a pattern, or "
                "add the point to the reference"
            )
            yield self.where.warning(self._field("patterns"), message)
        if not criterion.patterns:
            message = "are missing; without them the offline examiner judges by words alone"
            yield self.where.warning(self._field("patterns"), message)

    def _matches_anything(self, field: FieldPath, alternative: AllOf) -> Iterator[Problem]:
        """Its patterns can be read and need a word."""
        for n, regex in enumerate(alternative):
            try:
                pattern = compile_pattern(regex)
            except ValueError as error:
                yield self.where.error((*field, n), _unreadable(error))
                continue
            if pattern.search("") is not None:
                message = "matches the empty text, so nobody could fail; require a word"
                yield self.where.error((*field, n), message)
        bare = next(hit_texts(alternative, _BARE_WORDS), None) if is_usable(alternative) else None
        if bare is not None:
            word = _BARE_WORDS[bare]
            message = f"is satisfied by the bare word '{word}', so nobody could fail; require more"
            yield self.where.error(field, message)

    def _matches_what_earns_nothing(
        self, field: FieldPath, alternative: AllOf
    ) -> Iterator[Problem]:
        for n in hit_texts(alternative, [each.text for each in self._earns_nothing]):
            text, message, is_warning, asserted = self._earns_nothing[n]
            if not asserted or hits(alternative, text, asserted=True):
                yield (self.where.warning if is_warning else self.where.error)(field, message)

    @cached_property
    def _earns_nothing(self) -> list[_Unearned]:
        """What the examiner says, what can be said to any question, and wrong answers."""
        found = [
            _Unearned(text, f"already matches {name}, so an echo would earn credit; narrow it")
            for name, text in _with_hints(self.rubric)
        ]
        found += [_Unearned(text, _FITS_ANY) for text in BOILERPLATE]
        found += [
            _Unearned(text, f"matches escalations[{n}]; reword one of the two", is_warning=True)
            for n, text in enumerate(self.rubric.harder)
        ]
        guarded = self._guarded()
        for n, sample in enumerate(self.rubric.samples):
            verdict = sample.verdicts.get(self.criterion.id)
            if n not in guarded and verdict in {Rating.NOT_MET, Rating.CONTRADICTED}:
                message = f"matches samples[{n}] ({sample.kind}), where the verdict is {verdict}"
                found.append(
                    _Unearned(sample.answer, f"{message}; narrow the pattern", asserted=True)
                )
        return found

    def _guarded(self) -> set[int]:
        """Negated and swapped samples, and stated misconceptions, are caught by other means."""
        answers = [sample.answer for sample in self.rubric.samples]
        wrong = [each for m in self.criterion.misconceptions for each in m.patterns]
        stated = {n for each in wrong if is_usable(each) for n in hit_texts(each, answers)}
        kinds = enumerate(sample.kind for sample in self.rubric.samples)
        return stated | {n for n, kind in kinds if kind in {"negated", "swapped"}}

    def _misconceptions(self) -> Iterator[Problem]:
        right = (self.criterion.claim, *self.criterion.accept)
        for field, alternative in _alternatives(self.i, self.criterion):
            if "misconceptions" not in field or not is_usable(alternative):
                continue
            if hits_any(alternative, right, asserted=True):
                message = "matches the claim or an accepted phrasing; narrow it"
                yield self.where.warning(field, message)
            if hits(alternative, self.rubric.question, asserted=True):
                message = "matches the question, so an echo would be called wrong; narrow it"
                yield self.where.error(field, message)
            if hits_any(alternative, BOILERPLATE, asserted=True):
                yield self.where.error(field, _FITS_ANY)

    def _drill(self) -> Iterator[Problem]:
        """It asks one thing, and for something that a reply can be searched for."""
        drill = self.criterion.drill
        if drill is None:
            return
        for name, text in (("ask", drill.ask), ("again", drill.again)):
            asks = question_marks(text) == 1 and text.endswith(("?", "？"))
            if not asks or len(text.split()) not in SIMPLER_WORDS:
                field = self._field("drill", name)
                yield self.where.error(field, "must ask one question, and in 5 to 30 words")
        if drill.wants not in _wanted():
            instead = meant(drill.wants, _wanted()) or "take decision, incident or measurement"
            message = f"is no quantity of the ledger; {instead}"
            yield self.where.error(self._field("drill", "wants"), message)

    def _terms(self) -> Iterator[Problem]:
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
            if is_common(term):
                message = "is made of everyday words, so it would veto nearly anything; drop it"
                yield self.where.error(field, message)
                continue
            for name, text in _said_freely(self.rubric):
                if says(text, term):
                    message = f"stands in {name}, so it is no secret; drop it or reword {name}"
                    yield self.where.error(field, message)
            for earlier in terms[:n]:
                if says(term, earlier):
                    message = f"is covered by '{earlier}', whose inflections count too; drop it"
                    yield self.where.warning(field, message)

    def _numbers(self) -> Iterator[Problem]:
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


def examiners_texts(rubric: Rubric) -> Iterator[tuple[FieldPath, str]]:
    """All that a candidate hears or reads of the examiner's."""
    yield ("title",), rubric.title
    yield ("question",), rubric.question
    yield ("reference",), rubric.reference
    for i, criterion in enumerate(rubric.criteria):
        yield ("criteria", i, "claim"), criterion.claim
        yield from spoken(i, criterion)
    for n, text in enumerate(rubric.simpler):
        yield ("simpler", n), text


def spoken(i: int, criterion: Criterion) -> Iterator[tuple[FieldPath, str]]:
    """What the examiner may say about the i-th criterion."""
    yield ("criteria", i, "probe"), criterion.probe
    for n, hint in enumerate(criterion.hints):
        yield ("criteria", i, "hints", n), hint
    if criterion.drill:
        yield ("criteria", i, "drill", "ask"), criterion.drill.ask
        yield ("criteria", i, "drill", "again"), criterion.drill.again


def _with_hints(rubric: Rubric) -> Iterator[tuple[str, str]]:
    """What the examiner says of a rubric, each with its name."""
    yield "the question", rubric.question
    if rubric.figure:
        yield "the figure", rubric.figure.words
    for i, criterion in enumerate(rubric.criteria):
        texts = spoken(i, criterion)
        yield from ((dotted(field), text) for field, text in texts if text != rubric.question)
    for n, text in enumerate(rubric.simpler):
        yield f"simpler[{n}]", text


def _said_freely(rubric: Rubric) -> Iterator[tuple[str, str]]:
    """What may come unasked, whatever the candidate has said; hints have their price."""
    yield from (each for each in _with_hints(rubric) if ".hints[" not in each[0])
    if rubric.own_project:
        yield "own_project.question", rubric.own_project.question
    for n, text in enumerate(rubric.harder):
        yield f"escalations[{n}]", text


def _numbers(*texts: str) -> set[str]:
    return {number for text in texts for number in _NUMBER.findall(normalise(text).text)}


def _runs(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
