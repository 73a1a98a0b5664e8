"""What the amounts of a sentence have around them: its terms, and what was said before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from interviewer.grading.claims.rules.amounts import Token
from interviewer.grading.claims.rules.sentence import Sentence
from interviewer.grading.claims.rules.vocabulary import words

PER = words("per / a an each every one any @ ea")
SKIPPED = words(
    "of the our my these those its their single individual given such all other full one"
)
DETERMINERS = frozenset(["the", "our", "my", "its", "their"])
SCOPES = words(
    "step batch second minute hour day week month card rank node dgx seq example token core turn "
    "microbatch prompt group response rollout document epoch param layer head request pp stage "
    "expert forward"
) | {"gpu hour", "node hour"}
STOPS = words(
    ". , ; : ! ? ( ) = => -> and or but so with from by than that which we i it our over across "
    "through after before then as on for to in at is was were are per a an each every the their "
    "its has had have took takes into via if when where while because since until"
)


@dataclass
class Past:
    """What the sentences before left to refer to."""

    counted: list[str] = field(default_factory=list)
    """Terms of things in the plural, the last ones last."""
    recent: list[frozenset[str]] = field(default_factory=list)
    """The words and terms of the last two sentences."""
    topics: list[str] = field(default_factory=list)
    """The terms of the last sentence."""
    text: str = ""
    """The last of the text, with letters for amounts."""
    knows_size: bool = False
    """The size of a model was given."""
    knows_bubble: bool = False
    """The bubble of a pipeline was."""


@dataclass
class View:
    """One sentence while its amounts are measured, left to right."""

    sentence: Sentence
    past: Past
    used: dict[int, str] = field(default_factory=dict)
    """Heads of earlier amounts, with the letter of the amount."""
    by_label: set[int] = field(default_factory=set)
    """Those of them that stood before their amount."""
    knows_size: bool = False

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Those of the sentence."""
        return self.sentence.tokens

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words and terms."""
        return frozenset(t.word for t in self.tokens) | frozenset(t.term for t in self.tokens)

    @cached_property
    def around(self) -> frozenset[str]:
        """Those of the two sentences before too."""
        return self.words.union(*self.past.recent)

    def last_counted(self, at: int) -> str | None:
        """The last thing in the plural before a place."""
        for place in range(at - 1, -1, -1):
            token = self.tokens[place]
            if token.term == "length":
                return "seq"
            if self._is_uncounted(place):
                return None
            if token.is_plural and token.term in SCOPES:
                return token.term
        return self.past.counted[-1] if self.past.counted else None

    def _is_uncounted(self, at: int) -> bool:
        """ "seven crashes": things that no measure is about."""
        token = self.tokens[at]
        is_noun = not token.term and token.amount is None and token.word.isalpha()
        is_plural = (
            token.word.endswith("s") and not token.word.endswith("ss") and len(token.word) > 3
        )
        return is_noun and is_plural and at > 0 and self.tokens[at - 1].word == "N"

    def per(self, at: int, before: int | None = None) -> tuple[str, int] | None:
        """What "per", "each" or "a" at this place is of, and where that stands.

        A bare "each" is of the last things counted ``before`` a place.
        """
        word = self.tokens[at].word
        is_bare = self.tokens[at].term == "apiece"
        if word not in PER and not is_bare and not self.is_one(at):
            return None
        place = at + 1
        while place < len(self.tokens) and place < at + 6 and not is_bare:
            token = self.tokens[place]
            if token.term in SCOPES and (word != "/" or place == at + 1):
                return token.term, place
            if token.word in DETERMINERS and self.tokens[place - 1].word != "of":
                break
            is_passed = (
                token.word in SKIPPED
                or token.word in PER
                or (token.word == "N" and word in ("each", "every", "per", "one"))
            )
            is_adjective = not token.term and token.word.isalpha() and token.word not in STOPS
            if not is_passed and not (is_adjective and place <= at + 2 and word not in ("a", "/")):
                break
            place += 1
        if word != "each" and not is_bare and not (word == "every" and self._is(at + 1, "N")):
            return None
        counted = self.last_counted(at if before is None else before)
        return None if counted is None else (counted, at)

    def is_one(self, at: int) -> bool:
        """ "one step", where the number counts nothing."""
        token = self.tokens[at]
        following = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        is_one = token.word == "N" and token.amount is not None and token.amount.value == 1
        return (
            is_one
            and following is not None
            and following.term in SCOPES
            and (not following.is_plural and following.term not in ("card", "node", "seq"))
        )

    def _is(self, at: int, word: str) -> bool:
        return at < len(self.tokens) and self.tokens[at].word == word
