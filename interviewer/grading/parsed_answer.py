"""One parse of an answer, shared by judge, checks, policy and claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby

from interviewer.grading import corrections, lexical, numerals, orders
from interviewer.grading.numerals import Numeral, Quantity
from interviewer.rubric.text import Normalised, Span, consecutive, normalise, sentences

READ_CHARACTERS = 60_000
"""Of an answer no more is read: more than an hour of talk. Whatever reads it takes the longer the
more there is, and a pasted file would hold up the interview for minutes."""
LONGEST_STRETCH = 400
"""Characters of one sentence that may make a point together."""


@dataclass(frozen=True)
class ParsedAnswer:
    """A text and views of it, each computed on first use and kept.

    ``sentences``, ``windows`` and ``numerals`` have spans in ``plain.text``; ``quantities`` and
    ``order_spans`` have spans in ``text`` as typed. ``text`` is kept whole, however long; all views
    are of the part that is ``read``.
    """

    text: str

    @cached_property
    def read(self) -> str:
        """The text, or of a very long one the beginning, up to a space if there is one."""
        if len(self.text) <= READ_CHARACTERS:
            return self.text
        space = self.text.rfind(" ", 0, READ_CHARACTERS)
        return self.text[: space if space > 0 else READ_CHARACTERS]

    @property
    def is_read_whole(self) -> bool:
        """Nothing of it is left unread."""
        return len(self.read) == len(self.text)

    @cached_property
    def plain(self) -> Normalised:
        """What is read, in matching form."""
        return normalise(self.read)

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences in order."""
        return sentences(self.plain)

    @cached_property
    def words(self) -> list[str]:
        """Words and numbers in lower case."""
        return lexical.words_of(self.plain)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the content words."""
        return lexical.stems_of(self.words)

    @cached_property
    def numerals(self) -> tuple[Numeral, ...]:
        """All numbers, including their scale words."""
        return numerals.numerals(self.text, self.plain)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """All numbers with the unit that follows them."""
        return tuple(numerals.quantities_of(self.numerals, self.plain))

    @cached_property
    def withdrawn(self) -> tuple[Span, ...]:
        """What the candidate takes back in the same breath, as spans in ``plain.text``."""
        return tuple(corrections.withdrawn(self.plain.text, self.sentences))

    @cached_property
    def standing(self) -> str:
        """``plain.text`` with blanks for what is taken back."""
        text = self.plain.text
        for start, end in self.withdrawn:
            text = text[:start] + " " * (end - start) + text[end:]
        return text

    def takes_back(self, span: Span) -> bool:
        """What stands there, or how it ends, is taken back."""
        return any(start < span[1] <= end for start, end in self.withdrawn)

    @cached_property
    def standing_quantities(self) -> tuple[Quantity, ...]:
        """The quantities that are not taken back."""
        gone = [self.plain.original_span(*span) for span in self.withdrawn]
        return tuple(
            each for each in self.quantities if not any(a <= each.span[0] < b for a, b in gone)
        )

    @cached_property
    def order_spans(self) -> tuple[Span, ...]:
        """The parts that try to give the examiner instructions."""
        return orders.order_spans(self.plain, self.sentences)

    def gives_orders(self, span: Span | None = None) -> bool:
        """The text, or the part overlapping ``span``, tries to give the examiner instructions."""
        if span is None:
            return bool(self.order_spans)
        return any(start < span[1] and span[0] < end for start, end in self.order_spans)

    @cached_property
    def judged_sentences(self) -> tuple[Span, ...]:
        """The sentences that can earn credit: those without instructions to the examiner."""
        return tuple(chain(*self._judged_runs))

    @cached_property
    def windows(self) -> tuple[Span, ...]:
        """Pairs of neighbouring judged sentences; no window spans an instruction."""
        return tuple(chain.from_iterable(map(consecutive, self._judged_runs)))

    @cached_property
    def wide_windows(self) -> tuple[Span, ...]:
        """The windows, and longer stretches that colons and semicolons make one sentence."""
        text = self.plain.text
        stretches: list[list[Span]] = [[]]
        for part in chain.from_iterable(self._judged_runs):
            before = stretches[-1]
            if not before or before[-1][1] + 1 != part[0] or text[before[-1][1] - 1] not in ":;":
                stretches.append(before := [])
            before.append(part)
        return (*self.windows, *chain.from_iterable(map(_longest, stretches)))

    @cached_property
    def _judged_runs(self) -> list[tuple[Span, ...]]:
        def is_clean(sentence: Span) -> bool:
            return not self.gives_orders(self.plain.original_span(*sentence))

        return [tuple(run) for clean, run in groupby(self.sentences, is_clean) if clean]


def _longest(parts: Sequence[Span]) -> Iterator[Span]:
    """From each part on as many neighbours as fit, if they are more than a window has."""
    end = 0
    for n, (start, _) in enumerate(parts):
        first = end
        while end < len(parts) and parts[end][1] - start <= LONGEST_STRETCH:
            end += 1
        if end > max(first, n + 2):
            yield start, parts[end - 1][1]
