"""Org files, Obsidian's callouts, numbered plain text and chats, as lines for the Markdown reader.

No line is added or taken away, so that the numbers of the lines hold. What asks is found by shape:
by signs that number, a place at the margin, labels that repeat; not by the words of a language.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from interviewer.rubric.markdown_words import asks, plain
from interviewer.rubric.text import table

_SHAPES: dict[str, Any] = table("list_shapes", "interviewer.rubric")
_LINE = {name: re.compile(each, re.I) for name, each in _SHAPES.items() if name != "org"}
FEWEST = 3
"""So many of a kind make a series."""
_ASKING_CALLOUTS = {"question", "help", "faq"}
"""What Obsidian calls them, whatever the language."""


@dataclass(frozen=True)
class Asked:
    """A line that asks, counted from 0; its answer is the lines from ``body`` up to ``end``."""

    at: int
    title: str
    body: int
    end: int
    number: int | None = None


def shaped(lines: list[str], ending: str) -> tuple[list[str], list[Asked]]:
    """The lines as Markdown, and those that ask by the shape of the whole."""
    if ending == ".org":
        return list(_of_org(lines)), []
    if ending == ".txt" and sum(bool(re.match(r"#{1,6} |```", line)) for line in lines) < 2:
        lines, speakers = _chat(lines)
        return lines, _Numbered(lines, speakers).asked()
    return _callouts(lines)


def _of_org(lines: Sequence[str]) -> Iterator[str]:
    told = " ".join(line.partition(":")[2] for line in lines if re.match(r"#\+(SEQ_)?TODO:", line))
    states = "|".join({"TODO", "DONE", *re.findall(r"[A-Z]+", re.sub(r"\(.*?\)", "", told))})
    signs = [(each.replace("{states}", f"(?:{states})"), new) for each, new in _SHAPES["org"]]
    is_code = in_drawer = False
    for line in lines:
        in_drawer = in_drawer and not line.startswith("*")
        if block := _LINE["org_block"].fullmatch(line):
            fences = block[2].lower() in ("src", "example")
            is_code = fences and block[1].lower() == "begin"
            yield f"```{block[3] if is_code else ''}" if fences else ""
        elif not is_code and (in_drawer or _LINE["org_drawer"].fullmatch(line)):
            in_drawer = line.strip().upper() != ":END:"
            yield "" if line.strip().startswith(":") else line
        elif not is_code:
            for sign, new in signs:
                line = re.sub(sign, new, line)
            line = re.sub(r"^\*+#", lambda stars: "#" * min(len(stars[0]) - 1, 6), line)
            yield line.replace("+", "|") if re.fullmatch(r"\s*\|[-+]+\|\s*", line) else line
        else:
            yield line


def _callouts(lines: list[str]) -> tuple[list[str], list[Asked]]:
    """The callouts of the kind that asks, without the signs of a quotation."""
    heads = {at: head for at, line in enumerate(lines) if (head := _LINE["callout"].match(line))}
    total = Counter(head[1].lower() for head in heads.values())
    asking = Counter(head[1].lower() for head in heads.values() if asks(plain(head[2])))
    often = {kind for kind, n in asking.items() if n >= max(FEWEST, 0.6 * total[kind])}
    kinds = _ASKING_CALLOUTS if _ASKING_CALLOUTS & set(total) else often
    if heads:
        lines = [_LINE["wiki_link"].sub(lambda link: link[1] or "", line) for line in lines]
    asked = []
    for at, head in heads.items():
        if head[1].lower() not in kinds or not head[2].strip():
            continue
        end = at + 1
        while end < len(lines) and lines[end].lstrip().startswith(">") and end not in heads:
            inner = _LINE["nested_callout"].fullmatch(line := re.sub(r"^\s*> ?", "", lines[end]))
            lines[end] = inner[1] if inner else line
            end += 1
        lines[at] = re.sub(_SHAPES["callout"], r"\2", lines[at])
        asked.append(Asked(at, lines[at], at + 1, end))
    return lines, asked


def _chat(lines: list[str]) -> tuple[list[str], list[str]]:
    """The lines of a chat without who said them, and that; of other text, the lines alone."""
    said: list[str] = []
    speakers: list[str] = []
    heads = 0
    for line in lines:
        spoken, speaker = (_LINE[name].fullmatch(line) for name in ("spoken", "speaker"))
        heads += bool(spoken or speaker)
        who = (spoken or speaker or [""] * 2)[1] or (speakers or [""])[-1]
        said.append(spoken[2] if spoken else "" if speaker else line)
        speakers.append(who.strip())
    is_chat = heads >= 2 * FEWEST and 4 * heads > sum(bool(line.strip()) for line in lines)
    return (said, speakers) if is_chat else (lines, [])


@dataclass(frozen=True)
class _Entry:
    """A numbered line; its words may stand on the next, and the answer begins at ``body``."""

    at: int
    number: int
    words: str
    indent: int
    body: int


class _Numbered:
    """Plain text whose questions are numbered."""

    def __init__(self, lines: list[str], speakers: Sequence[str]) -> None:
        self.lines, self.speakers = lines, speakers
        self.entries, others = self._series()
        stops = sorted({*(entry.at for entry in self.entries), *others, len(lines)})
        self.bounds = dict(pairwise(stops))
        labels: Counter[str] = Counter()
        for entry in self.entries:
            below = lines[entry.body : self.bounds[entry.at]]
            labels.update({m[2] for line in below[:4] if (m := _LINE["labelled"].fullmatch(line))})
        said = sum(any(map(str.strip, lines[e.body : self.bounds[e.at]])) for e in self.entries)
        self.label = next(
            (each for each, n in labels.most_common(1) if n >= max(FEWEST, said / 2)), ""
        )
        beside = [entry for entry in self.entries if self._text(entry.body)]
        deeper = [e for e in beside if _indent(lines[e.body]) > e.indent]
        self.is_indented = len(deeper) > 0.6 * len(beside)
        above = (self._above(0, entry.at) for entry in self.entries)
        self.signs = Counter(_sign(lines[at]) for at in above if at is not None)

    def _text(self, at: int) -> str:
        return self.lines[at].strip() if at < len(self.lines) else ""

    def _families(self) -> list[list[_Entry]]:
        """The numbered lines, by their signs and how far they are indented."""
        found: list[tuple[int, re.Match[str]]] = []
        for at, line in enumerate(self.lines):
            alone = _LINE["numbered_alone"].fullmatch(line)
            m = alone if alone and self._text(at + 1) else _LINE["numbered"].fullmatch(line)
            if m and not _LINE["contents"].fullmatch(line):
                found.append((at, m))
        long = {(m[2], m[4], len(m[1])) for _, m in found if len(m[3]) == 2}
        families: dict[tuple[str, str, int], list[_Entry]] = defaultdict(list)
        for at, m in found:
            # " 9)" stands above "10)"
            column = len(m[1]) - (len(m[3]) == 1 and (m[2], m[4], len(m[1]) - 1) in long)
            words, body = (m[5], at + 1) if m.re.groups == 5 else (self._text(at + 1), at + 2)
            entry = _Entry(at, int(m[3]), words.strip(), len(m[1]), body)
            families[m[2].strip().lower(), m[4].strip(), column].append(entry)
        return list(families.values())

    def _series(self) -> tuple[list[_Entry], set[int]]:
        """The questions of the family that asks most, and where its other entries are."""
        best: tuple[float, list[_Entry], set[int]] = (0, [], set())
        for family in self._families():
            runs = _runs(family)
            whole = _share([entry for run in runs for entry in run])
            said = [run for run in runs if _share(run) > 0 and _share(run) >= 0.3 * whole]
            if not whole:
                said = [r for r in runs if 2 * sum(bool(self._text(e.body)) for e in r) > len(r)]
            entries = sorted((e for run in said for e in run), key=lambda entry: entry.at)
            worth = len(entries) * (0.1 + _share(entries)) - family[0].indent / 100
            if len(entries) >= FEWEST and worth > best[0]:
                best = worth, entries, {e.at for run in runs for e in run if run not in said}
        return best[1:]

    def asked(self) -> list[Asked]:
        """The questions; labels are made English, and titles of parts headings."""
        found: list[Asked] = []
        for entry, after in zip(self.entries, [*self.entries[1:], None], strict=False):
            end = self._end(entry, is_last=after is None or after.number <= 1)
            found.append(Asked(entry.at, entry.words, entry.body, end, entry.number or None))
        low = 0
        for each in found:
            above = self._above(low, each.at)
            if above is not None:
                self.lines[above] = f"## {self._text(above)}"
            low = each.end
            for at in range(each.body, each.end):
                labelled = _LINE["labelled"].fullmatch(self.lines[at])
                if self.label and labelled and labelled[2] == self.label:
                    self.lines[at] = f"{labelled[1]}Answer: {labelled[3]}"
        return found

    def _is_labelled(self, at: int) -> bool:
        found = _LINE["labelled"].fullmatch(self.lines[at])
        return bool(self.label and found and found[2] == self.label)

    def _end(self, entry: _Entry, *, is_last: bool) -> int:
        """Where the answer ends: before other speakers, the margin, a rule or the next title."""
        body, bound = entry.body, self.bounds[entry.at]
        own = [at for at in range(body, bound) if self._text(at)]
        if self.speakers:
            asker = self.speakers[entry.at]
            again = (at for at in own if self.speakers[at] == asker)
            return next(again, bound)
        if self.is_indented:
            margin = max(each.indent for each in self.entries)
            return next((at for at in own if _indent(self.lines[at]) <= margin), bound)
        if self.label and own and own[0] > body and not self._is_labelled(own[0]):
            return body
        rules = (
            at for at in own if _LINE["rule"].fullmatch(self.lines[at]) and self.lines[at][0] != " "
        )
        end = next((at for at in rules if not self._text(at - 1)), bound)
        while (title := self._above(body, end)) is not None:
            sign = _sign(self.lines[title])
            is_underlined = bool(_LINE["rule"].fullmatch(self.lines[title + 1]))
            apart = is_last or is_underlined or self.signs[sign] > 1
            if not apart and not self._text(title).isupper() and self._text(title - 2):
                break
            end = title
        return end

    def _above(self, low: int, at: int) -> int | None:
        """The title right above a line, if there is one: short, alone, without a stop."""
        while at > low and not self._text(at - 1):
            at -= 1
        at -= 2 if at - 1 > low and _LINE["rule"].fullmatch(self.lines[at - 1]) else 1
        if at < low or not self._text(at) or (at > 0 and self._text(at - 1)):
            return None
        is_other = any(
            _LINE[each].fullmatch(self.lines[at]) for each in ("stop", "numbered", "rule")
        )
        return at if len(self._text(at)) <= 80 and not is_other else None


def _runs(family: Sequence[_Entry]) -> list[list[_Entry]]:
    """Its series, each counted up, but none inside an answer, after which the outer goes on."""
    runs: list[list[_Entry]] = []
    for entry in family:
        follows = [n for n, run in enumerate(runs) if 0 < entry.number - run[-1].number <= 2]
        if follows and entry.number > 1:
            del runs[follows[-1] + 1 :]
            runs[-1].append(entry)
        elif entry.number <= 1 or not runs:
            runs.append([entry])
    return runs


def _share(run: Sequence[_Entry]) -> float:
    return sum(asks(plain(entry.words)) for entry in run) / max(len(run), 1)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _sign(title: str) -> str:
    """What the titles of parts have in common: "Part A", "II. Training", "二、训练"."""
    numeral = re.match(r"\w{1,4}([、.．)）])", title.strip())
    return numeral[1] if numeral else title.split()[0]
