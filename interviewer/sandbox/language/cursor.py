"""Walking over the tokens of an expression, with the limits on what is made of them."""

from __future__ import annotations

from typing import Any, NoReturn, TypeAlias

from interviewer.sandbox.language.tokens import Token, TokenKind, UnreadableError
from interviewer.sandbox.language.words import WORDS, missing_operator, unexpected, unfinished

Node: TypeAlias = list[Any]

MOST_NODES = 400
DEEPEST = 40


class Cursor:
    """A place in a row of tokens; ``end`` is the character behind the last one."""

    def __init__(self, tokens: tuple[Token, ...], end: int) -> None:
        self.tokens, self.end = tokens, end
        self.place = self._nodes = self._depth = 0

    def peek(self, ahead: int = 0) -> Token | None:
        """The next token, or the one ``ahead`` of it; None behind the last."""
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def next(self) -> Token:
        """The next token, taken. Raises UnreadableError where there is none."""
        token = self.peek()
        if token is None:
            raise UnreadableError(unfinished(self.tokens[-1] if self.tokens else None), self.end)
        self.place += 1
        return token

    def take(self, *texts: str) -> Token | None:
        """The next token, taken, if it is one of these operators."""
        token = self.peek()
        if token is None or not token.is_operator(*texts):
            return None
        self.place += 1
        return token

    def expect(self, closing: str, opened: Token) -> None:
        """Take the bracket that closes ``opened``. Raises UnreadableError for anything else."""
        if self.take(closing):
            return
        token = self.peek()
        if token is None:
            raise UnreadableError(f"The {opened.text} here is never closed", opened.start)
        self.stray(token)

    def stray(self, token: Token) -> NoReturn:
        """Refuse a token where an expression should have ended."""
        before = self.tokens[self.place - 1] if self.place else None
        if token.kind is TokenKind.OPERATOR and not token.is_operator("(", "√"):
            raise UnreadableError(unexpected(token), token.start)
        message = WORDS.get(token.text) or missing_operator(before, token)
        raise UnreadableError(message, token.start)

    def starts_list(self) -> bool:
        """A round bracket comes next that holds a list, or nothing: ``(a, b)`` or ``()``."""
        depth = 0
        for place in range(self.place, len(self.tokens)):
            token = self.tokens[place]
            if token.is_operator("(", "["):
                depth += 1
            elif token.is_operator(")", "]"):
                depth -= 1
            if depth == 0:
                return place == self.place + 1
            if depth == 1 and token.is_operator(","):
                return True
        return False

    def enter(self) -> None:
        """Go one level deeper. Raises UnreadableError where that is too deep."""
        self._depth += 1
        if self._depth > DEEPEST:
            token = self.tokens[min(self.place, len(self.tokens) - 1)]
            raise UnreadableError(
                f"This is nested more than {DEEPEST} deep; name an inner part on its own line",
                token.start,
            )

    def leave(self) -> None:
        """Come back from a deeper level."""
        self._depth -= 1

    def made(self, *node: Any) -> Node:
        """A new node. Raises UnreadableError where the line has too many."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise UnreadableError(
                f"This line has more than {MOST_NODES} operations; name some of them on lines of "
                "their own"
            )
        return list(node)
