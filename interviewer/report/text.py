"""A debrief and a transcript as plain lines, for terminals, pipes and screen readers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from interviewer.interview.debrief import Debrief
from interviewer.interview.journal import Replay
from interviewer.report.document import Line, Section, document
from interviewer.report.figures import captioned, told


def debrief_lines(debrief: Debrief, *, full: bool = False) -> Iterator[str]:
    """The debrief: the person, what to do, each question in brief; ``full`` adds the appendix."""
    found = document(debrief)
    shown = (found.head, *found.overview, *found.rounds, *(found.appendix if full else ()))
    yield from section_lines(shown)


def transcript_lines(replay: Replay, debrief: Debrief, *, full: bool = False) -> Iterator[str]:
    """Everything that was said, with the verdicts after each question once they may be seen.

    A finished session's debrief comes last, where a terminal is read first.
    """
    found = document(debrief, replay)
    shown = (found.head, *found.rounds, *found.overview, *(found.appendix if full else ()))
    yield from section_lines(shown)


def section_lines(sections: Iterable[Section]) -> Iterator[str]:
    """Sections with their lines, an empty line between them."""
    for number, section in enumerate(sections):
        if number:
            yield ""
        yield from lines_of(section)


def lines_of(section: Section) -> Iterator[str]:
    """A section with its title."""
    if section.title:
        yield section.title
    for line in section.lines:
        yield from text_lines(line)


def text_lines(line: Line, indent: str = "  ") -> Iterator[str]:
    """A line with what is below it; what was said stands at the margin."""
    if line.style == "turn":
        yield from _turn(line)
        return
    when = local_time(line.facts.at) if line.facts.at else ""
    indent = "" if line.style == "paragraph" else indent
    for part in f"{line.whole} {when}".split("\n"):
        yield f"{indent}{part}".rstrip()
    for each in line.details:
        yield from text_lines(each, f"{indent}    ")


def _turn(line: Line) -> Iterator[str]:
    when = f", {local_time(line.facts.at)}" if line.facts.at else ""
    said = "\n".join(each.text for each in line.details)
    gap = "\n" if any(each.style == "verbatim" for each in line.details) and "\n" in said else " "
    yield f"{line.label}{when}:{gap}{said}"
    if line.facts.figure:
        yield captioned(line.facts.figure)
        yield from told(line.facts.figure)


def local_time(at: datetime) -> str:
    """A moment to the minute, in the time zone of this machine."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"
