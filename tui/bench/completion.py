"""What the bench's editor offers while a word is typed: names of the task, own names, functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interviewer.grading.evidence import name_defined

if TYPE_CHECKING:
    from interviewer.sandbox.challenge import Challenge, Size
    from interviewer.sandbox.language.functions import Completion

SHORTEST = 2
"""Letters typed before anything is offered."""
LONGEST_TEXT = 4_000
"""Characters; in a longer text nothing is offered, so that keys are never held up."""
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*$")
_OPENED = re.compile(r"(\w+)\s*$")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_MOST_OTHERS = 4


@dataclass(frozen=True)
class Offer:
    """What to say below the editor, and the letters that would complete the word."""

    says: str
    rest: str = ""


NOTHING = Offer("")


def offered(challenge: Challenge, above: Sequence[str], before: str, after: str) -> Offer:
    """What is offered at a place: below the lines ``above``, between ``before`` and ``after``.

    Inside a call without a word to complete, the function is explained.
    """
    code = _QUOTED.sub("", before)
    if "#" in code or '"' in code or "'" in code:
        return NOTHING
    found = _WORD.search(before)
    word = found.group() if found else ""
    if len(word) >= SHORTEST and not re.match(r"\w", after):
        starts = before.strip() == word
        items = _fitting(challenge, above, word, starts=starts)
        if items:
            return _offer(items, word, after)
    return Offer(_call(code))


def _fitting(
    challenge: Challenge, above: Sequence[str], word: str, *, starts: bool
) -> list[Completion]:
    from interviewer.sandbox.language.functions import completions, meant_by

    names = list(_names(challenge, above, starts=starts))
    asked = (each.name for each in (*challenge.answer, *challenge.steps))
    if meant_by(word) or word in asked or any(name.text == word for name in names):
        return []  # finished: it may be meant as it stands
    return completions(word, names, challenge.banned)


def _names(challenge: Challenge, above: Sequence[str], *, starts: bool) -> Iterator[Completion]:
    """Names a line may use; one that ``starts`` may also define what is asked for."""
    from interviewer.sandbox.language.functions import Completion

    defined = {name: line for line in above if (name := name_defined(line))}
    for name, given in challenge.inputs.items():
        yield Completion(name, _shaped(name, given.shape), given.about)
    for name, size in challenge.dims.items():
        yield Completion(name, f"{name} = {size}", "a size")
    for name, line in defined.items():
        if name not in challenge.given:
            yield Completion(name, line.strip(), "defined above")
    if starts:
        for asked in (*challenge.answer, *challenge.steps):
            if asked.name not in defined:
                yield Completion(asked.name, _shaped(asked.name, asked.shape), asked.about)


def _shaped(name: str, shape: Sequence[Size]) -> str:
    return f"{name} [{', '.join(map(str, shape))}]" if shape else name


def _offer(items: Sequence[Completion], word: str, after: str) -> Offer:
    first, *others = items
    rest = first.text[len(word) :]
    if f"{first.text}(" in first.usage and not after.startswith("("):
        rest += "("
    more = [other.text for other in others[:_MOST_OTHERS]]
    also = f"also {', '.join(more)}" if more else ""
    return Offer(" · ".join(filter(None, (_told(first), also))), rest)


def _told(item: Completion) -> str:
    return " · ".join(filter(None, (item.usage, item.meaning)))


def _call(code: str) -> str:
    """The function whose brackets are open here, explained; "" if there is none."""
    from interviewer.sandbox.language.functions import explained, meant_by

    depth = 0
    for place in range(len(code) - 1, -1, -1):
        depth += (code[place] == ")") - (code[place] == "(")
        if depth < 0:
            name = _OPENED.search(code[:place])
            item = explained(meant_by(name[1]) or "") if name else None
            if item:
                return _told(item)
            depth = 0
    return ""
