"""Does a rubric hold together: can it be passed, can it be failed, does it give nothing away?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from interviewer.content.collection import lint_files
from interviewer.content.kinds import RUBRICS
from interviewer.content.problems import FieldPath, Locator, Problem
from interviewer.rubric.patterns import best_match, compile_pattern
from interviewer.rubric.rubric import AllOf, Criterion, Rubric, Sample, Verdict
from interviewer.rubric.text import Span, is_negated, looks_for_negator, normalise, windows

GIVEN_AWAY = 0.5
"""The share of a claim's own words above which a hint or probe says the claim."""
RUN = 7
"""So many words of an accepted phrasing in a row give it away."""
ALIKE = 0.8
"""The share of their words from which two claims are one."""

_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?![\w-])")
_ANY_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_WORD = re.compile(r"[a-z0-9]{4,}")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_UNFINISHED = re.compile(r"\s*(?:TODO|FIXME|TBD)\b")
_STEM = 6
_COMMON_WORDS = """
    about above after also because before being both does each every from have into just less
    more most much must only other over same such than that their them then there these they this
    those when where which while will with without would your
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def lint_texts(rubric: Rubric, where: Locator, *, strict: bool) -> Iterator[Problem]:
    """Problems of question, reference, claims, probes and hints."""
    complain = where.error if strict else where.warning
    for field, text in _authored(rubric):
        if _UNFINISHED.match(text):
            yield complain(field, "is still to be written; put the text in place of the mark")
    if not _LETTERS.search(rubric.question):
        yield where.error(("question",), "holds no word, so there is nothing to answer; ask one")
    for i, criterion in enumerate(rubric.criteria):
        field = ("criteria", i)
        yield from _nothing_of_its_own(rubric, field, criterion, where)
        yield from _said_before(rubric, i, where)
        yield from _gives_claim_away(rubric, field, criterion, where)
        yield from _gives_phrasing_away(rubric, field, criterion, where)


def _authored(rubric: Rubric) -> Iterator[tuple[FieldPath, str]]:
    yield ("title",), rubric.title
    yield ("question",), rubric.question
    yield ("reference",), rubric.reference
    for i, criterion in enumerate(rubric.criteria):
        yield ("criteria", i, "claim"), criterion.claim
        yield from _spoken(("criteria", i), criterion)
    for n, sample in enumerate(rubric.samples):
        yield ("samples", n, "answer"), sample.answer


def _spoken(field: FieldPath, criterion: Criterion) -> Iterator[tuple[FieldPath, str]]:
    """What the examiner may say about the criterion."""
    yield (*field, "probe"), criterion.probe
    for n, hint in enumerate(criterion.hints):
        yield (*field, "hints", n), hint


def _nothing_of_its_own(
    rubric: Rubric, field: FieldPath, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    if not set(_words(criterion.claim)) - set(_words(rubric.question)):
        yield where.error(
            (*field, "claim"),
            "says nothing that the question does not say, so nobody could fail; add what an answer "
            "has to bring",
        )


def _said_before(rubric: Rubric, i: int, where: Locator) -> Iterator[Problem]:
    mine = set(_words(rubric.criteria[i].claim))
    for n, earlier in enumerate(rubric.criteria[:i]):
        theirs = set(_words(earlier.claim))
        if mine and len(mine & theirs) >= ALIKE * len(mine | theirs):
            yield where.error(
                ("criteria", i, "claim"),
                f"says nearly what criteria[{n}].claim says, so one sentence would be paid twice; "
                "join the two",
            )


def _gives_claim_away(
    rubric: Rubric, field: FieldPath, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    secret_numbers = _numbers(criterion.claim, *criterion.accept) - _numbers(rubric.question)
    secret_numbers |= {
        f"{value:g}" for fact in criterion.numbers for value in (fact.value, *fact.alternatives)
    }
    secret_words = _stems(criterion.claim) - _stems(rubric.question)
    for place, text in _spoken(field, criterion):
        numbers = _numbers(text) & secret_numbers
        if numbers:
            yield where.error(place, f"gives the number {min(numbers)} away; take it out")
        told = _stems(text) & secret_words
        if len(secret_words) >= 3 and len(told) > GIVEN_AWAY * len(secret_words):
            yield where.error(place, "holds most words of the claim; say less")


def _gives_phrasing_away(
    rubric: Rubric, field: FieldPath, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    asked = _runs(rubric.question, RUN)
    for place, text in _spoken(field, criterion):
        said = _runs(text, RUN) - asked
        for n, phrasing in enumerate(criterion.accept):
            if said & _runs(phrasing, RUN):
                yield where.error(place, f"repeats accept[{n}] word for word; say less")


def _numbers(*texts: str) -> set[str]:
    return {number for text in texts for number in _NUMBER.findall(normalise(text).text)}


def _stems(text: str) -> set[str]:
    words = _WORD.findall(normalise(text).text)
    return {word[:_STEM] for word in words if word not in _COMMON}


def _words(text: str) -> list[str]:
    return _ANY_WORD.findall(normalise(text).text)


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    words = _words(text)
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


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
"""What can be said to any question; a pattern that finds something in it finds nothing."""

_BARE_WORDS = ("a", "i", "is", "it", "the", "and", "of", "to", "that", "this", "not", "no", "yes")


def lint_patterns(rubric: Rubric, where: Locator, *, strict: bool) -> Iterator[Problem]:
    """Problems of all patterns, those of misconceptions included."""
    for i, criterion in enumerate(rubric.criteria):
        for field, alternative in _all_alternatives(i, criterion):
            yield from _unusable(field, alternative, where)
        for j, alternative in enumerate(criterion.patterns):
            if _is_usable(alternative):
                field = ("criteria", i, "patterns", j)
                yield from _misses_what_is_right(field, alternative, rubric, criterion, where)
                yield from _finds_what_was_asked(field, alternative, rubric, where)
                yield from _credits_what_is_wrong(field, alternative, rubric, criterion, where)
                yield from _credits_what_was_rejected(field, alternative, criterion, where)
        for j, alternative in enumerate(criterion.partly):
            if _is_usable(alternative):
                field = ("criteria", i, "partly", j)
                yield from _finds_what_was_asked(field, alternative, rubric, where)
                yield from _credits_what_is_wrong(field, alternative, rubric, criterion, where)
        yield from _fails_the_reference(i, criterion, rubric, where, strict=strict)
        yield from _contradicts_what_is_right(i, criterion, where)
        yield from _contradicts_what_was_asked(i, criterion, rubric, where)


def unreadable_patterns(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    """The patterns that are no regular expressions."""
    for i, criterion in enumerate(rubric.criteria):
        for field, alternative in _all_alternatives(i, criterion):
            for n, regex in enumerate(alternative):
                try:
                    compile_pattern(regex)
                except ValueError as error:
                    yield where.error((*field, n), _unreadable(error))


def _unreadable(error: ValueError) -> str:
    reason = str(error)
    mend = "close what is open, or put a backslash before a sign that is meant as it stands"
    if "perl operator" in reason or "escape" in reason:
        mend = "lookaround and backreferences do not exist there"
    elif "repetition" in reason or "too large" in reason:
        mend = "let it repeat less"
    return f"is not a regular expression of RE2 ({reason}); {mend}"


def _all_alternatives(i: int, criterion: Criterion) -> Iterator[tuple[FieldPath, AllOf]]:
    for j, alternative in enumerate(criterion.patterns):
        yield ("criteria", i, "patterns", j), alternative
    for j, alternative in enumerate(criterion.partly):
        yield ("criteria", i, "partly", j), alternative
    for k, wrong in enumerate(criterion.misconceptions):
        for j, alternative in enumerate(wrong.patterns):
            yield ("criteria", i, "misconceptions", k, "patterns", j), alternative


def _unusable(field: FieldPath, alternative: AllOf, where: Locator) -> Iterator[Problem]:
    for n, regex in enumerate(alternative):
        try:
            pattern = compile_pattern(regex)
        except ValueError as error:
            yield where.error((*field, n), _unreadable(error))
            continue
        if any(match.span() == (0, 0) for match in pattern.finditer("")):
            yield where.error(
                (*field, n), "matches the empty text, so nobody could fail; ask for a word"
            )
    bare = next((word for word in _BARE_WORDS if _is_usable_and_hits(alternative, word)), None)
    if bare is not None:
        yield where.error(
            field, f"is satisfied by the bare word '{bare}', so nobody could fail; ask for more"
        )


def _is_usable(alternative: AllOf) -> bool:
    try:
        return all(compile_pattern(regex) is not None for regex in alternative)
    except ValueError:
        return False


def _is_usable_and_hits(alternative: AllOf, text: str) -> bool:
    return _is_usable(alternative) and _hits(alternative, text)


def _hits(alternative: AllOf, text: str, *, unless_negated: bool = False) -> bool:
    """The alternative is found whole within two sentences of the text."""
    plain = normalise(text)
    negative = any(looks_for_negator(regex) for regex in alternative)

    def counts(span: Span) -> bool:
        return not unless_negated or negative or not is_negated(plain.text, span)

    return best_match([alternative], plain.text, windows(plain), counts).fraction == 1


def _misses_what_is_right(
    field: FieldPath, alternative: AllOf, rubric: Rubric, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    right = (criterion.claim, *criterion.accept, rubric.reference)
    if not any(_hits(alternative, text) for text in right):
        yield where.error(
            field,
            "finds neither the claim, nor an accepted phrasing, nor the reference; "
            "correct the pattern or add the phrasing it is meant for",
        )


def _fails_the_reference(
    i: int, criterion: Criterion, rubric: Rubric, where: Locator, *, strict: bool
) -> Iterator[Problem]:
    usable = [each for each in criterion.patterns if _is_usable(each)]
    if usable and not any(_hits(alternative, rubric.reference) for alternative in usable):
        yield (where.error if strict else where.warning)(
            ("criteria", i, "patterns"),
            "find nothing in the reference, so not even that would pass; add a pattern, or the "
            "point to the reference",
        )


def _finds_what_was_asked(
    field: FieldPath, alternative: AllOf, rubric: Rubric, where: Locator
) -> Iterator[Problem]:
    for name, text in _examiners_words(rubric):
        if _hits(alternative, text):
            yield where.error(
                field, f"already matches {name}, so an echo would earn credit; narrow it"
            )
    if any(_hits(alternative, text) for text in BOILERPLATE):
        yield where.error(field, "matches phrases that fit any question; narrow it")
    for n, text in enumerate(rubric.escalations):
        if _hits(alternative, text):
            yield where.warning(field, f"matches escalations[{n}]; reword one of the two")


def _examiners_words(rubric: Rubric) -> Iterator[tuple[str, str]]:
    yield "the question", rubric.question
    for i, criterion in enumerate(rubric.criteria):
        yield f"criteria[{i}].probe", criterion.probe
        for n, hint in enumerate(criterion.hints):
            yield f"criteria[{i}].hints[{n}]", hint


def _credits_what_is_wrong(
    field: FieldPath, alternative: AllOf, rubric: Rubric, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    for n, sample in enumerate(rubric.samples):
        verdict = sample.verdicts.get(criterion.id)
        if verdict not in {Verdict.NOT_MET, Verdict.CONTRADICTED} or _is_left_to_guards(
            sample, criterion
        ):
            continue
        if _hits(alternative, sample.answer, unless_negated=True):
            yield where.error(
                field,
                f"matches samples[{n}] ({sample.kind}), where the verdict is {verdict.value}; "
                "narrow the pattern",
            )


def _credits_what_was_rejected(
    field: FieldPath, alternative: AllOf, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    for n, text in enumerate(criterion.reject):
        if _hits(alternative, text, unless_negated=True):
            yield where.warning(field, f"matches reject[{n}], which should not count; narrow it")


def _is_left_to_guards(sample: Sample, criterion: Criterion) -> bool:
    """Negated and swapped answers, and stated misconceptions, are told apart by other means."""
    return sample.kind in {"negated", "swapped"} or any(
        _is_usable_and_hits(alternative, sample.answer)
        for wrong in criterion.misconceptions
        for alternative in wrong.patterns
    )


def _contradicts_what_is_right(i: int, criterion: Criterion, where: Locator) -> Iterator[Problem]:
    for k, wrong in enumerate(criterion.misconceptions):
        for j, alternative in enumerate(wrong.patterns):
            right = (criterion.claim, *criterion.accept)
            if _is_usable(alternative) and any(
                _hits(alternative, text, unless_negated=True) for text in right
            ):
                yield where.warning(
                    ("criteria", i, "misconceptions", k, "patterns", j),
                    "matches the claim or an accepted phrasing; narrow it",
                )


def _contradicts_what_was_asked(
    i: int, criterion: Criterion, rubric: Rubric, where: Locator
) -> Iterator[Problem]:
    for k, wrong in enumerate(criterion.misconceptions):
        for j, alternative in enumerate(wrong.patterns):
            if not _is_usable(alternative):
                continue
            field = ("criteria", i, "misconceptions", k, "patterns", j)
            if _hits(alternative, rubric.question, unless_negated=True):
                yield where.error(
                    field, "matches the question, so an echo would be called wrong; narrow it"
                )
            if any(_hits(alternative, text, unless_negated=True) for text in BOILERPLATE):
                yield where.error(field, "matches phrases that fit any question; narrow it")


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
    """Check files and folders: how many files were read, and all problems by file and line.

    Shipped rubrics are always held to the strict rules.
    """
    shipped = RUBRICS.shipped.resolve()

    def checked(rubric: Rubric, where: Locator) -> list[Problem]:
        is_shipped = where.path.resolve().is_relative_to(shipped)
        return lint(rubric, where, strict=strict or is_shipped)

    return lint_files(paths, Rubric, checked)


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
