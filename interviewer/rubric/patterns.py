"""Matching a rubric's patterns.

RE2 runs in time linear in the text whatever the pattern, so no rubric file can hang the program.
The price: no lookaround, no backreferences, and ``\\w`` and ``\\b`` only know ASCII letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import re2

from interviewer.rubric.text import Span, is_negated, looks_for_negator, normalise, windows

KEPT_PATTERNS = 2048
"""Enough for a long mock. RE2 caches states with each pattern: all that ship would take hundreds of
megabytes."""
MOST_TRIES = 8
"""How many matches of a pattern in one window are tried before it counts as not found."""


@dataclass(frozen=True)
class AllOfMatch:
    """Where all patterns of an all-of list were found in one window.

    ``spans`` are their places in the whole text, in the order of the list; ``alternative`` is the
    index of the list.
    """

    spans: tuple[Span, ...]
    alternative: int = 0

    @property
    def end(self) -> int:
        """Where the last of them ends."""
        return max(end for _, end in self.spans)


Counts = Callable[[Span, str], bool]
"""Whether a match, given with the pattern that was found there, may count."""


def always(_span: Span, _regex: str) -> bool:
    """Accept every match."""
    return True


@lru_cache(maxsize=KEPT_PATTERNS)
def compile_pattern(regex: str) -> re.Pattern[str]:
    """Compile a pattern for normalised text, which is in lower case.

    Raises ValueError with RE2's reason if it is invalid.
    """
    options = re2.Options()
    options.case_sensitive = regex == regex.lower()  # folding what is folded takes a third longer
    options.log_errors = False
    options.never_capture = True  # groups are not read, and cost a second pass over each match
    try:
        return cast("re.Pattern[str]", re2.compile(regex, options))
    except re2.error as error:
        reason = error.args[0]
        raise ValueError(reason.decode() if isinstance(reason, bytes) else reason) from error


def occurrences(regex: str, text: str, window: Span | None = None) -> Iterator[Span]:
    """Where the pattern matches in ``text``, or in one window of it, as spans of ``text``.

    Empty matches are left out.
    """
    start, end = window or (0, len(text))
    for match in compile_pattern(regex).finditer(text[start:end]):
        first, last = match.span()
        if first < last:
            yield start + first, start + last


def find(
    alternatives: Iterable[Sequence[str]],
    text: str,
    windows: Sequence[Span] | None = None,
    counts: Counts = always,
) -> AllOfMatch | None:
    """The first of the all-of lists that is whole within any one window (the whole text if None).

    ``text`` must be normalised. ``counts(span, regex)`` may reject a match, say a negated one; the
    next match of the same pattern in the window is then tried.
    """
    for index, all_of in enumerate(alternatives):
        # Searching the whole text first spares most patterns the search of every window.
        if not all(_may_match(regex, text) for regex in all_of):
            continue
        for window in windows if windows is not None else [(0, len(text))]:
            if spans := _spans_in(all_of, text, window, counts):
                return AllOfMatch(spans, index)
    return None


def is_usable(alternative: Sequence[str]) -> bool:
    """Whether all of its patterns can be compiled."""
    try:
        return all(compile_pattern(regex) is not None for regex in alternative)
    except ValueError:
        return False


def hits(alternative: Sequence[str], text: str, *, asserted: bool = False) -> bool:
    """Whether the whole alternative is found within two sentences; ``asserted``: and not denied."""
    plain = normalise(text).text
    if not all(_may_match(regex, plain) for regex in alternative):
        return False  # usually; no need to look for its sentences
    negative = not asserted or any(looks_for_negator(regex) for regex in alternative)

    def counts(span: Span, _regex: str) -> bool:
        return negative or not is_negated(plain, span)

    return any(_spans_in(alternative, plain, window, counts) for window in _windows_of(text))


def hit_texts(
    alternative: Sequence[str], texts: Sequence[str], *, asserted: bool = False
) -> Iterator[int]:
    """The places of the texts that the alternative hits: usually none, which is soon told."""
    together = _joined(tuple(texts))
    if all(_may_match(regex, together) for regex in alternative):
        yield from (n for n, text in enumerate(texts) if hits(alternative, text, asserted=asserted))


@lru_cache(maxsize=512)
def _joined(texts: tuple[str, ...]) -> str:
    return "\n".join(normalise(text).text for text in texts)


@lru_cache(maxsize=512)
def _windows_of(text: str) -> tuple[Span, ...]:
    return windows(normalise(text))


def _may_match(regex: str, text: str) -> bool:
    """False if no window of the text can match."""
    return _is_anchored(regex) or compile_pattern(regex).search(text) is not None


@lru_cache(maxsize=KEPT_PATTERNS)
def _is_anchored(regex: str) -> bool:
    """It may match at a window's edge only; the sign of a negated class is no anchor."""
    return bool(re.search(r"(?<![\[\\])\^|(?<!\\)\$|\\[Az]", regex))


def _spans_in(
    all_of: Sequence[str], text: str, window: Span, counts: Counts
) -> tuple[Span, ...] | None:
    """A match of each pattern, None if one has none."""
    found: list[Span] = []
    for regex in all_of:
        span = _counting(regex, text, window, counts)
        if span is None:
            return None
        found.append(span)
    return tuple(found)


def _counting(regex: str, text: str, window: Span, counts: Counts) -> Span | None:
    """The first match that counts; one that does not may hide another starting inside it."""
    start, end = window
    for _ in range(MOST_TRIES):
        span = next(occurrences(regex, text, (start, end)), None)
        if span is None or counts(span, regex):
            return span
        start = span[0] + 1
    return None
