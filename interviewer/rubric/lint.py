"""Whether a rubric makes sense: it can be passed, it can be failed, and it gives nothing away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from interviewer.content.collection import lint_files, meant
from interviewer.content.files import read_text
from interviewer.content.kinds import RUBRICS
from interviewer.content.problems import FieldPath, Locator, Problem, dotted
from interviewer.rubric.escalations import escalation_problems
from interviewer.rubric.figure import WIDEST, Figure
from interviewer.rubric.overlaps import overlaps
from interviewer.rubric.patterns import asserts, compile_pattern, hits, is_usable
from interviewer.rubric.rubric import AllOf, Criterion, Rating, Rubric, Sample
from interviewer.rubric.sample_rules import broken_rules
from interviewer.rubric.speech import is_common, long_words, says
from interviewer.rubric.style import (
    PROBE_WORDS,
    SIMPLER_WORDS,
    asked,
    examiners_texts,
    one_question,
    spoken,
    style,
)
from interviewer.rubric.text import nearly_same, normalise, words_of

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
BOILERPLATE = (
    "That is a great question. It really depends on the use case and on the requirements of the "
    "project. There are several approaches, each with advantages and disadvantages, so one has to "
    "weigh the trade-offs carefully.",
    "I have a lot of experience with large language models and with distributed training. I am "
    "familiar with the best practices, I always monitor the important metrics, and I work closely "
    "with the team to find the best solution.",
    "It is a very powerful technique that improves performance, efficiency and scalability. It is "
    "widely used in state-of-the-art systems and it plays a key role in modern deep learning.",
)
"""What can be said to any question; a pattern that matches it proves nothing."""

_BARE_WORDS = ("a", "i", "is", "it", "the", "and", "of", "to", "that", "this", "not", "no", "yes")
_TWO_CLAIMS = re.compile(
    r";|, and |\band (?:it|they|this|that|so|then|therefore|thus|not|does|is|are|has|have|can"
    r"|must|needs?|keeps?|makes?|gives?)\b"
)
_OF_OWN = re.compile(
    r"\b(?:the candidate|(?:runs?|models?|projects?|set-up) of their own)\b", re.IGNORECASE
)
_UNFINISHED = re.compile(r"\s*(?:TODO|FIXME|TBD)\b")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?![\w-])")


def lint_paths(
    paths: Iterable[Path], *, strict: bool = False, apart: bool = False
) -> tuple[int, list[Problem]]:
    """Check files and folders: how many files were read, and all problems by file and line.

    Shipped rubrics are always held to the strict rules. With ``apart`` it also names the sentences
    of samples that earn two criteria at once.
    """
    shipped = RUBRICS.shipped.resolve()
    heard: dict[str, str] = {}

    def checked(rubric: Rubric, where: Locator) -> list[Problem]:
        is_shipped = where.path.resolve().is_relative_to(shipped)
        found = lint(rubric, where, strict=strict or is_shipped)
        said = (each for i, c in enumerate(rubric.criteria) for each in spoken(i, c))
        for field, text in (each for each in said if "drill" in each[0]):
            here = f"{rubric.id}, {dotted(field)}"
            if (first := heard.setdefault(text, here)) != here:
                found.append(where.error(field, f"is what {first} asks; name what is special here"))
        return [*found, *overlaps(rubric, where)] if apart else found

    return lint_files(paths, Rubric, checked)


def lint_text(path: Path, text: str) -> list[Problem]:
    """All problems that a rubric file of one's own would have with this text, by line."""
    reading = read_text(path, text, Rubric)
    problems = list(reading.problems)
    if reading.value is not None:
        problems += lint(reading.value, reading.where, strict=False)
    return sorted(problems, key=lambda problem: problem.line or 0)


def lint(rubric: Rubric, where: Locator, *, strict: bool) -> list[Problem]:
    """All problems of one rubric, in the order of the file's lines.

    A discussion has no right answers, so only its words are looked at.
    """
    if rubric.is_discussion:
        return [*_texts(rubric, where, strict), *style(rubric, where, strict=strict)]
    checks = [
        _CriterionLint(rubric, where, strict, i, criterion)
        for i, criterion in enumerate(rubric.criteria)
    ]
    problems = [*_weights(rubric, where, strict), *_texts(rubric, where, strict)]
    for check in checks:
        problems += check.secrets()
    for check in checks:
        problems += check.patterns()
    problems += _samples(rubric, where, strict)
    problems += broken_rules(rubric, where)
    for check in checks:
        problems += check.form()
        problems += check.terms()
    problems += _ways_in(rubric, where, strict)
    problems += style(rubric, where, strict=strict)
    for n in range(len(rubric.escalations)):
        problems += _harder(rubric, n, where.within(("escalations", n)), strict)
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


def _weights(rubric: Rubric, where: Locator, strict: bool) -> Iterator[Problem]:
    yield from _asked_for(rubric, where)
    criteria = rubric.criteria
    total = sum(criterion.weight for criterion in criteria if not criterion.extra)
    if len(criteria) < 2 or not total:
        return
    asked_for = sum(not criterion.extra for criterion in criteria)
    if sum(criterion.must_have for criterion in criteria) > 1:
        message = (
            "have more than one must_have, so that one gap fails an answer which makes every other "
            "point; keep the one that the question turns on"
        )
        yield where.warning(("criteria",), message)
    heaviest = max(criterion.weight for criterion in criteria)
    for i, criterion in enumerate(criteria):
        field: FieldPath = ("criteria", i, "weight")
        if criterion.weight > HEAVIEST * total and asked_for > 1:
            message = (
                f"is {criterion.weight / total:.0%} of the total, so this criterion alone decides; "
                "split it or lower the weight"
            )
            yield where.warning(field, message)
        if criterion.weight < LIGHTEST * heaviest:
            message = (
                f"is under a tenth of the heaviest, {heaviest:g}, so it hardly counts; raise it or "
                "drop the criterion"
            )
            yield _lack(where, strict, field, message)


def _asked_for(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    """The question asks for something; what it does not ask for, or a slip, decides nothing."""
    if all(criterion.extra for criterion in rubric.criteria):
        message = "are all extra, so no answer would get a score; unmark what the question asks for"
        yield where.error(("criteria",), message)
    has_method = any(c.kind != "number" and not c.extra for c in rubric.criteria)
    for i, criterion in enumerate(rubric.criteria):
        if criterion.extra and criterion.must_have:
            message = "is for what the question asks for, and an extra is not; keep one of the two"
            yield where.error(("criteria", i, "must_have"), message)
        if criterion.must_have and criterion.kind == "number" and has_method:
            message = "on a number fails a right method with a slip; put it on the method"
            yield where.warning(("criteria", i, "must_have"), message)
        if not criterion.extra and rubric.kind != "project" and _OF_OWN.search(criterion.claim):
            message = (
                "is about the candidate's own work, which the question does not ask for; mark it "
                "extra: true"
            )
            yield where.warning(("criteria", i, "claim"), message)


def _texts(rubric: Rubric, where: Locator, strict: bool) -> Iterator[Problem]:
    texts: list[tuple[FieldPath, str]] = [*examiners_texts(rubric)]
    texts += [(("samples", n, "answer"), sample.answer) for n, sample in enumerate(rubric.samples)]
    for field, text in texts:
        if _UNFINISHED.match(text):
            message = "is still to be written; replace the placeholder"
            yield _lack(where, strict, field, message)
    if not _LETTERS.search(rubric.question):
        message = "contains no word, so there is nothing to answer; ask a question"
        yield where.error(("question",), message)
    if rubric.figure:
        yield from _figure(rubric.figure, where, strict)


def _figure(figure: Figure, where: Locator, strict: bool) -> Iterator[Problem]:
    """It can be read on a terminal of 80 columns, with a caption that fits one line."""
    name = "code" if figure.code else "text"
    wide = [n for n, line in enumerate(figure.listing.split("\n"), 1) if len(line) > WIDEST]
    if wide:
        message = f"has over {WIDEST} characters in its line {wide[0]}; break it"
        yield _lack(where, strict, ("figure", name), message)
    if len(figure.caption) > WIDEST:
        message = f"should have at most {WIDEST} characters; the question says the rest"
        yield _lack(where, strict, ("figure", "caption"), message)


def _ways_in(rubric: Rubric, where: Locator, strict: bool) -> Iterator[Problem]:
    for n, text in enumerate(rubric.simpler):
        yield from asked(("simpler", n), text, SIMPLER_WORDS, where, strict=strict)
    if strict and not rubric.simpler:
        message = "is missing; ask something easier that leads to the main point"
        yield where.error(("simpler",), message)


def _harder(rubric: Rubric, n: int, where: Locator, strict: bool) -> Iterator[Problem]:
    """The n-th escalation asks one thing, and its criteria are held to what others are."""
    ask, criteria = rubric.harder[n], rubric.escalations[n].criteria
    if ask.count("?") != 1:
        yield where.warning(("ask",) if criteria else (), one_question(ask))
    if not criteria:
        return
    alone = rubric.on_escalation(n)
    for i, criterion in enumerate(alone.criteria):
        check = _HarderLint(alone, where, strict, i, criterion)
        yield from check.secrets()
        yield from check.patterns()
        yield from check.form()
        yield from check.terms()
    yield from escalation_problems(rubric, n, where, strict=strict)
    yield from broken_rules(alone, where)


def _samples(rubric: Rubric, where: Locator, strict: bool) -> Iterator[Problem]:
    known = {criterion.id for criterion in rubric.criteria}
    for n, sample in enumerate(rubric.samples):
        field: FieldPath = ("samples", n, "verdicts")
        for unknown in sorted(sample.verdicts.keys() - known):
            yield where.error((*field, unknown), "is not a criterion's id; correct or remove it")
        missing = sorted(known - sample.verdicts.keys())
        if missing:
            yield where.error(field, f"lack {', '.join(missing)}; judge every criterion")
        if sample.kind == "empty" and Rating.MET in sample.verdicts.values():
            yield where.error(field, "credit an empty answer; correct the verdict or the kind")
        if sample.kind == "full" and set(sample.verdicts.values()) - {Rating.MET}:
            yield where.warning(field, "leave points open in a full answer; make its kind middle")
    lacking = _lacking_kinds(rubric)
    if lacking:
        message = (
            f"lack {', '.join(lacking)}; add answers with verdicts, so that 'rubrics selftest' can "
            "measure how reliable the grading is"
        )
        yield _lack(where, strict, ("samples",), message)


def _lacking_kinds(rubric: Rubric) -> list[str]:
    present = Counter(sample.kind for sample in rubric.samples)
    lacking: list[str] = [k for k in ("empty", "wrong", "full", "recited") if not present[k]]
    if present["middle"] < 2:
        lacking.append("a second middle" if present["middle"] else "two middle")
    if not present["negated"] + present["swapped"]:
        lacking.append("negated or swapped")
    return lacking


@dataclass(frozen=True)
class _CriterionLint:
    """The checks of one criterion, the ``i``-th of its rubric."""

    rubric: Rubric
    where: Locator
    strict: bool
    i: int
    criterion: Criterion

    def _field(self, *steps: str | int) -> FieldPath:
        return ("criteria", self.i, *steps)

    def secrets(self) -> Iterator[Problem]:
        """The claim says something of its own, and neither probe nor hints give it away."""
        yield from self._says_nothing_new()
        yield from self._gives_claim_away()
        yield from self._gives_phrasing_away()

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
        for field, text in self._spoken():
            if numbers := _numbers(text) & secret_numbers:
                yield self.where.error(field, f"gives away the number {min(numbers)}; remove it")
            told = long_words(text) & secret_words
            if len(secret_words) >= 3 and len(told) > GIVEN_AWAY * len(secret_words):
                yield self.where.error(field, "contains most words of the claim; say less")

    def _gives_phrasing_away(self) -> Iterator[Problem]:
        asked = _runs(self.rubric.question)
        for field, text in self._spoken():
            said = _runs(text) - asked
            for n, phrasing in enumerate(self.criterion.accept):
                if said & _runs(phrasing):
                    yield self.where.error(field, f"repeats accept[{n}] word for word; say less")

    def _spoken(self) -> Iterator[tuple[FieldPath, str]]:
        yield from spoken(self.i, self.criterion)
        for n, text in enumerate(self.rubric.simpler):
            yield ("simpler", n), text

    def patterns(self) -> Iterator[Problem]:
        """Patterns match what is right, and nothing else."""
        criterion = self.criterion
        for field, alternative in _alternatives(self.i, criterion):
            yield from self.matches_anything(field, alternative)
        for j, alternative in enumerate(criterion.patterns):
            if is_usable(alternative):
                yield from self.as_pattern(self._field("patterns", j), alternative)
        for j, alternative in enumerate(criterion.partly):
            if is_usable(alternative):
                field = self._field("partly", j)
                yield from self._matches_the_examiner(field, alternative)
                yield from self._credits_wrong_samples(field, alternative)
        usable = [each for each in criterion.patterns if is_usable(each)]
        if usable and not any(hits(each, self.rubric.reference) for each in usable):
            message = (
                "match nothing in the reference, so not even that would pass; add a pattern, or "
                "add the point to the reference"
            )
            yield _lack(self.where, self.strict, self._field("patterns"), message)
        yield from self._misconceptions()

    def as_pattern(self, field: FieldPath, alternative: AllOf) -> Iterator[Problem]:
        """One usable alternative matches what is right, and nothing else."""
        yield from self._misses_what_is_right(field, alternative)
        yield from self._matches_the_examiner(field, alternative)
        yield from self._credits_wrong_samples(field, alternative)
        yield from self._credits_rejected(field, alternative)

    def matches_anything(self, field: FieldPath, alternative: AllOf) -> Iterator[Problem]:
        """Its patterns can be read and need a word."""
        for n, regex in enumerate(alternative):
            try:
                pattern = compile_pattern(regex)
            except ValueError as error:
                yield self.where.error((*field, n), _unreadable(error))
                continue
            if any(match.span() == (0, 0) for match in pattern.finditer("")):
                message = "matches the empty text, so nobody could fail; require a word"
                yield self.where.error((*field, n), message)
        if not is_usable(alternative):
            return
        bare = next((word for word in _BARE_WORDS if hits(alternative, word)), None)
        if bare is not None:
            message = f"is satisfied by the bare word '{bare}', so nobody could fail; require more"
            yield self.where.error(field, message)

    def _misses_what_is_right(self, field: FieldPath, alternative: AllOf) -> Iterator[Problem]:
        criterion = self.criterion
        right = (criterion.claim, *criterion.accept, self.rubric.reference)
        if not any(hits(alternative, text) for text in right):
            message = (
                "matches neither the claim, nor an accepted phrasing, nor the reference; correct "
                "the pattern or add the phrasing it is meant for"
            )
            yield self.where.error(field, message)

    def _matches_the_examiner(self, field: FieldPath, alternative: AllOf) -> Iterator[Problem]:
        for name, text in _with_hints(self.rubric):
            if hits(alternative, text):
                message = f"already matches {name}, so an echo would earn credit; narrow it"
                yield self.where.error(field, message)
        if any(hits(alternative, text) for text in BOILERPLATE):
            yield self.where.error(field, "matches phrases that fit any question; narrow it")
        for n, text in enumerate(self.rubric.harder):
            if hits(alternative, text):
                message = f"matches escalations[{n}]; reword one of the two"
                yield self.where.warning(field, message)

    def _credits_wrong_samples(self, field: FieldPath, alternative: AllOf) -> Iterator[Problem]:
        for n, sample in enumerate(self.rubric.samples):
            verdict = sample.verdicts.get(self.criterion.id)
            if verdict not in {Rating.NOT_MET, Rating.CONTRADICTED}:
                continue
            if not self._is_left_to_guards(sample) and asserts(alternative, sample.answer):
                message = (
                    f"matches samples[{n}] ({sample.kind}), where the verdict is {verdict.value}; "
                    "narrow the pattern"
                )
                yield self.where.error(field, message)

    def _is_left_to_guards(self, sample: Sample) -> bool:
        """Negated and swapped answers, and stated misconceptions, are caught by other means."""
        return sample.kind in {"negated", "swapped"} or any(
            is_usable(alternative) and hits(alternative, sample.answer)
            for wrong in self.criterion.misconceptions
            for alternative in wrong.patterns
        )

    def _credits_rejected(self, field: FieldPath, alternative: AllOf) -> Iterator[Problem]:
        for n, text in enumerate(self.criterion.reject):
            if asserts(alternative, text):
                message = f"matches reject[{n}], which should not count; narrow it"
                yield self.where.warning(field, message)

    def _misconceptions(self) -> Iterator[Problem]:
        right = (self.criterion.claim, *self.criterion.accept)
        for k, wrong in enumerate(self.criterion.misconceptions):
            for j, alternative in enumerate(wrong.patterns):
                if not is_usable(alternative):
                    continue
                field = self._field("misconceptions", k, "patterns", j)
                if any(asserts(alternative, text) for text in right):
                    message = "matches the claim or an accepted phrasing; narrow it"
                    yield self.where.warning(field, message)
                if asserts(alternative, self.rubric.question):
                    message = "matches the question, so an echo would be called wrong; narrow it"
                    yield self.where.error(field, message)
                if any(asserts(alternative, text) for text in BOILERPLATE):
                    message = "matches phrases that fit any question; narrow it"
                    yield self.where.error(field, message)

    def form(self) -> Iterator[Problem]:
        """One proposition, one question, two hints, numbers with a sensible tolerance."""
        criterion, where = self.criterion, self.where
        yield from self._proposition()
        yield from asked(
            self._field("probe"), criterion.probe, PROBE_WORDS, where, strict=self.strict
        )
        if len(criterion.hints) < 2:
            message = "should be two: where to look, then the relation without the value"
            yield _lack(where, self.strict, self._field("hints"), message)
        yield from self._drill()
        yield from self._numbers()
        if criterion.bench and not self.rubric.challenge:
            message = "names a quantity of a challenge, but the rubric has no challenge; add one"
            yield where.error(self._field("bench"), message)

    def _drill(self) -> Iterator[Problem]:
        """It asks one thing, and for something that a reply can be searched for."""
        for field, text in spoken(self.i, self.criterion):
            asks = text.count("?") == 1 and text.endswith("?")
            if "drill" in field and not (asks and len(text.split()) in SIMPLER_WORDS):
                yield self.where.error(field, "must ask one question, and in 5 to 30 words")
        drill = self.criterion.drill
        if drill and drill.wants not in _wanted():
            instead = meant(drill.wants, _wanted()) or "take decision, incident or measurement"
            message = f"is no quantity of the ledger; {instead}"
            yield self.where.error(self._field("drill", "wants"), message)

    def _proposition(self) -> Iterator[Problem]:
        criterion, where = self.criterion, self.where
        if _TWO_CLAIMS.search(normalise(criterion.claim).text):
            message = "seems to contain two propositions; make each a criterion of its own"
            yield where.warning(self._field("claim"), message)
        if not criterion.patterns:
            message = "are missing; without them the offline examiner judges by words alone"
            yield _lack(where, self.strict, self._field("patterns"), message)

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


class _HarderLint(_CriterionLint):
    """The checks of a criterion of an escalation, which is asked for by that alone."""

    def _spoken(self) -> Iterator[tuple[FieldPath, str]]:
        yield ("ask",), self.rubric.question

    def form(self) -> Iterator[Problem]:
        """One proposition, and numbers with a sensible tolerance."""
        yield from self._proposition()
        yield from self._numbers()


@cache
def _wanted() -> frozenset[str]:
    """What a drill may want; the quantities are those of the ledger, whose table is only data."""
    table = files("interviewer") / "grading" / "claims" / "quantities.yaml"
    ids = re.findall(r"^(\w+):", table.read_text("utf-8"), re.MULTILINE)
    return frozenset(("decision", "incident", "measurement", *ids))


def _lack(where: Locator, strict: bool, field: FieldPath, message: str) -> Problem:
    """What is merely incomplete: an error by the strict rules only."""
    return (where.error if strict else where.warning)(field, message)


def _examiner_texts(rubric: Rubric) -> Iterator[tuple[str, str]]:
    """What the examiner says of a rubric unasked, each with its name; hints are asked for."""
    yield from (each for each in _with_hints(rubric) if ".hints[" not in each[0])


def _with_hints(rubric: Rubric) -> Iterator[tuple[str, str]]:
    yield "the question", rubric.question
    if rubric.figure:
        yield "the figure", rubric.figure.words
    for i, criterion in enumerate(rubric.criteria):
        texts = spoken(i, criterion)
        yield from ((dotted(field), text) for field, text in texts if text != rubric.question)
    for n, text in enumerate(rubric.simpler):
        yield f"simpler[{n}]", text


def _said_freely(rubric: Rubric) -> Iterator[tuple[str, str]]:
    """What may come unasked, whatever the candidate has said, on a project of theirs, too."""
    yield from _examiner_texts(rubric)
    if rubric.own_project:
        yield "own_project.question", rubric.own_project.question
    for n, text in enumerate(rubric.harder):
        yield f"escalations[{n}]", text


def _alternatives(i: int, criterion: Criterion) -> Iterator[tuple[FieldPath, AllOf]]:
    for j, alternative in enumerate(criterion.patterns):
        yield ("criteria", i, "patterns", j), alternative
    for j, alternative in enumerate(criterion.partly):
        yield ("criteria", i, "partly", j), alternative
    for k, wrong in enumerate(criterion.misconceptions):
        for j, alternative in enumerate(wrong.patterns):
            yield ("criteria", i, "misconceptions", k, "patterns", j), alternative
    for k, step in enumerate(criterion.steps):
        for j, regex in enumerate(step.patterns):
            yield ("criteria", i, "steps", k, "patterns", j), (regex,)


def _unreadable(error: ValueError) -> str:
    reason = str(error)
    remedy = "close what is open, or escape literal characters with a backslash"
    if "perl operator" in reason or "escape" in reason:
        remedy = "RE2 has no lookaround and no backreferences"
    elif "repetition" in reason or "too large" in reason:
        remedy = "reduce the repetition"
    return f"is not a valid RE2 regular expression ({reason}); {remedy}"


def _numbers(*texts: str) -> set[str]:
    return {number for text in texts for number in _NUMBER.findall(normalise(text).text)}


def _runs(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
