"""Do a criterion's patterns find what is right, and only that?"""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.rubric.negation import is_negated, looks_for_negator
from interviewer.rubric.patterns import best_match, compile_pattern
from interviewer.rubric.problems import FieldPath, Locator, Problem
from interviewer.rubric.rubric import AllOf, Criterion, Rubric, Sample, Verdict
from interviewer.rubric.text import Span, normalise, windows

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

    def counts(said: str, span: Span) -> bool:
        return not unless_negated or negative or not is_negated(said, span)

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
