"""An answer read once: judge, checks, policy and claims share one parse of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby

from interviewer.grading import lexical, numerals, orders
from interviewer.grading.numerals import Numeral, Quantity
from interviewer.rubric.text import Normalised, Span, consecutive, normalise, sentences


@dataclass(frozen=True)
class ParsedAnswer:
    """A text with its views, each computed at first use and kept.

    Spans of ``sentences`` and ``windows`` index ``plain.text``; those of ``quantities`` and
    ``order_spans`` index ``text`` as typed.
    """

    text: str

    @cached_property
    def plain(self) -> Normalised:
        """The text in matching form."""
        return normalise(self.text)

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """All sentences, in order."""
        return sentences(self.plain)

    @cached_property
    def words(self) -> list[str]:
        """Words and numbers in lower case."""
        return lexical.words(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the content words."""
        return lexical.content_stems(self.text)

    @cached_property
    def numerals(self) -> tuple[Numeral, ...]:
        """All numbers, scale words included."""
        return numerals.numerals(self.text)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """All numbers with the unit that follows them."""
        return tuple(numerals.quantities(self.text))

    @cached_property
    def order_spans(self) -> tuple[Span, ...]:
        """The parts that try to instruct the examiner."""
        return orders.order_spans(self.plain, self.sentences)

    def gives_orders(self, span: Span | None = None) -> bool:
        """The text, or a part of it that overlaps ``span``, tries to instruct the examiner."""
        if span is None:
            return bool(self.order_spans)
        return any(start < span[1] and span[0] < end for start, end in self.order_spans)

    @cached_property
    def judged_sentences(self) -> tuple[Span, ...]:
        """The sentences that can earn credit: those that give no orders."""
        return tuple(chain(*self._judged_runs))

    @cached_property
    def windows(self) -> tuple[Span, ...]:
        """Every two neighbouring judged sentences; no window reaches across an order."""
        return tuple(chain.from_iterable(map(consecutive, self._judged_runs)))

    @cached_property
    def _judged_runs(self) -> list[tuple[Span, ...]]:
        def is_clean(sentence: Span) -> bool:
            return not self.gives_orders(self.plain.original_span(*sentence))

        return [tuple(run) for clean, run in groupby(self.sentences, is_clean) if clean]
