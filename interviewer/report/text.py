"""A debrief and a transcript as plain lines, as Markdown, and as a web page that needs no other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import escape
from textwrap import indent

from interviewer.interview.debrief import Debrief
from interviewer.interview.journal import Replay
from interviewer.report.document import Line, Section, document
from interviewer.report.figures import captioned, drawn, told
from interviewer.report.plain import printable

FIGURE_WIDTH = 76
_INLINE = re.compile(r"([\\`*_{}\[\]<>|~&$#])")
_LINE_START = re.compile(r"^([-+=]|\d+(?=[.)]))(.?)")
_BACKTICKS = re.compile(r"`+")
_STYLE = """
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
blockquote { margin-left: 0; padding-left: 1rem; border-left: 0.2rem solid; }
pre { white-space: pre-wrap; }
"""


# -- plain lines, for terminals, pipes and screen readers ------------------------------------


def debrief_lines(debrief: Debrief, replay: Replay | None = None) -> Iterator[str]:
    """The debrief, with an empty line between its sections; with the session who said what when."""
    for number, section in enumerate(document(debrief, replay)):
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


# -- Markdown and HTML ------------------------------------------------------------------------


def transcript_markdown(replay: Replay, debrief: Debrief) -> str:
    """The debrief, and who said what and when with every verdict."""
    blocks = [*_section_blocks(document(debrief, replay))]
    apart = (block for block, above in zip(blocks, ["", *blocks], strict=False) if block or above)
    return "\n".join(apart).rstrip("\n") + "\n"


def transcript_page(replay: Replay, debrief: Debrief) -> str:
    """What :func:`transcript_markdown` tells, as HTML that may load or run nothing."""
    from markdown_it import MarkdownIt

    text = transcript_markdown(replay, debrief)
    body = MarkdownIt("commonmark", {"html": False}).render(text)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(printable(debrief.plan_title))}</title>\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def inline(text: str) -> str:
    """Text on one line with all markup escaped."""
    one_line = " ".join(printable(text).split())
    escaped = _INLINE.sub(r"\\\1", one_line)
    return _LINE_START.sub(_escaped_start, escaped)


def fenced(text: str) -> str:
    """Text as a code block, with a fence longer than any inside it."""
    shown = printable(text)
    longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"


def quoted(text: str) -> str:
    """Text as a block quote: line breaks kept, markup escaped."""
    lines = [inline(line) for line in printable(text).strip().split("\n")]
    following = [*lines[1:], ""]
    return "\n".join(
        f"> {line}\\" if line and after else f"> {line}".rstrip()
        for line, after in zip(lines, following, strict=True)
    )


def _escaped_start(match: re.Match[str]) -> str:
    mark, after = match.groups()
    return f"{mark}\\{after}" if mark.isdigit() else f"\\{mark}{after}"


def _section_blocks(sections: Iterable[Section]) -> Iterator[str]:
    for section in sections:
        if section.title:
            yield from (f"{'#' * section.level} {inline(section.title)}", "")
        for line in section.lines:
            yield from _turn_blocks(line) if line.style == "turn" else _blocks(line)
        yield ""


def _blocks(line: Line) -> Iterator[str]:
    """An item with what is below it, or a block; a paragraph stands apart."""
    when = _moment(line.facts.at) if line.facts.at else ""
    match line.style:
        case "prose":
            yield quoted(line.text)
        case "verbatim":
            yield fenced(line.text)
        case "paragraph":
            yield from ("", inline(line.text), "")
        case _:
            yield f"- {inline(f'{line.whole} {when}')}"
            for each in line.details:
                yield from (indent(part, "  ") for part in _blocks(each))


def _turn_blocks(line: Line) -> Iterator[str]:
    when = f", {_moment(line.facts.at)}" if line.facts.at else ""
    yield f"**{inline(line.label)}**{when}"
    for each in line.details:
        yield from ("", *_blocks(each), "")
    if line.facts.figure:
        figure = line.facts.figure
        values = ["", *told(figure)] if figure.plot else []
        drawing = fenced("\n".join([*drawn(figure, FIGURE_WIDTH), *values]))
        yield from (inline(captioned(figure)), "", drawing, "")


def _moment(at: datetime) -> str:
    """UTC, to the second: a document travels between time zones."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
