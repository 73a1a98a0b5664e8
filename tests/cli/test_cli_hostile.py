"""Hostile texts in a session: nothing that is printed or written of it is more than text."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path

import yaml
from markdown_it import MarkdownIt
from support.command_line import call, called
from support.hostile_texts import FINISHED, TEXTS, practised, steering, told_in

ALL = set(TEXTS)
OUR_TAGS = {"h1", "h2", "h3", "h4", "p", "table", "thead", "tbody", "tr", "th", "td", "pre", "code"}
OUR_TAGS |= {"blockquote", "ul", "ol", "li", "strong", "hr"}
HEAD_ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name"}


def tags_of(page: str) -> tuple[set[str], set[tuple[str, str | None]]]:
    """The tags of a page, comments among them, and their attributes."""
    tags: set[str] = set()
    attributes: set[tuple[str, str | None]] = set()

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.add(tag)
            attributes.update(attrs)

        def handle_comment(self, data: str) -> None:
            tags.add(f"<!--{data}")

    Tags().feed(page)
    return tags, attributes


def test_what_is_printed_and_exported_is_text(tmp_path: Path) -> None:
    practised(tmp_path / "data" / "sessions.db")
    called("sessions", "regrade", FINISHED, "--examiner", "offline")
    for command, expected in (
        (("show", FINISHED), ALL),
        (("show", FINISHED, "--full"), ALL),
        (("show", FINISHED, "--json"), ALL),
        (("show", "5e55100001"), {"osc"}),
        (("list",), ALL),
        (("list", "--json"), ALL),
        (("search", "textual"), {"textual"}),
        (("diff", FINISHED), ALL),
        (("export", FINISHED), ALL),
        *((("export", FINISHED, "--format", form), ALL) for form in ("html", "csv", "json")),
    ):
        result = called("sessions", *command)
        assert steering(result.output) == [], command
        assert told_in(result.stdout) >= expected, command
    _of_a_page(called("sessions", "export", FINISHED, "--format", "html").stdout)
    _of_a_table(called("sessions", "export", FINISHED, "--format", "csv").stdout)
    _of_json(called("sessions", "export", FINISHED, "--format", "json").stdout)
    _of_markdown(called("sessions", "export", FINISHED).stdout)


def _of_markdown(text: str) -> None:
    """With raw HTML allowed, as most renderers do, it becomes a page with our tags alone."""
    assert steering(text) == []
    assert told_in(text) == ALL
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    tags, attributes = tags_of(page)
    assert tags <= OUR_TAGS
    assert attributes <= {("class", "language-text"), ("start", "1")}


def _of_a_page(page: str) -> None:
    """It has our tags alone and may run nothing."""
    tags, attributes = tags_of(page)
    assert tags <= OUR_TAGS | {"html", "head", "meta", "title", "style", "body"}
    assert {name for name, _ in attributes} <= HEAD_ATTRIBUTES | {"class", "start"}
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in attributes


def _of_a_table(printed: str) -> None:
    """No cell is a formula."""
    rows = list(csv.DictReader(io.StringIO(printed)))
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(tuple("=+-@"))]
    assert any(cell.startswith("'=HYPERLINK(formula) | @SUM(1)") for cell in cells)
    assert {float(row["weight"]) for row in rows} == {1.0}
    assert len(rows) == 2 * len(TEXTS)


def _of_json(printed: str) -> None:
    """It brings each text back as it was."""
    assert printed.isascii()
    said = {each["text"] for each in json.loads(printed)["events"] if each["event"] == "answer"}
    for text in TEXTS.values():
        assert any(text in each for each in said)


def test_problems_of_a_file_and_of_a_command_line_quote_it_as_text(tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(yaml.safe_dump(dict.fromkeys(TEXTS.values(), "x")), "utf-8")
    said = call("rubrics", "lint", path).output
    assert steering(said) == []
    assert told_in(said) == ALL
    result = call("keys", "\x1b[2J\u202eevil", "more")
    assert result.exit_code == 2
    assert "evil" in result.output
    assert steering(result.output) == []
    for host in ("\u202e", "a" * 80, "a..b", "\x1b[2J"):
        result = call("serve", "--host", host)
        assert result.exit_code in (1, 2)
        assert "Error: " in result.output
        assert steering(result.output) == []
