"""Hostile texts in a session: nothing that is printed or written of it is more than text."""

from __future__ import annotations

import csv
import io
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt
from support.command_line import call, called
from support.hostile_texts import FINISHED, TEXTS, practised, steering, told_in

from interviewer.settings import load_settings
from tui.engine import Engine

ALL = set(TEXTS)
OUR_TAGS = {"h1", "h2", "h3", "h4", "p", "table", "thead", "tbody", "tr", "th", "td", "pre", "code"}
OUR_TAGS |= {"blockquote", "ul", "ol", "li", "strong", "hr"}
HEAD_ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name"}
PRINTED = {
    "show": (("sessions", "show", FINISHED), ALL),
    "show in full": (("sessions", "show", FINISHED, "--full"), ALL),
    "show an open one": (("sessions", "show", "5e55100001"), {"osc"}),
    "list": (("sessions", "list"), ALL),
    "search": (("sessions", "search", "textual"), {"textual"}),
    "diff": (("sessions", "diff", FINISHED), ALL),
    "as JSON": (("sessions", "show", FINISHED, "--json"), ALL),
    "list as JSON": (("sessions", "list", "--json"), ALL),
    "export as Markdown": (("sessions", "export", FINISHED), ALL),
    "export as a page": (("sessions", "export", FINISHED, "--format", "html"), ALL),
    "export as CSV": (("sessions", "export", FINISHED, "--format", "csv"), ALL),
    "export as JSON": (("sessions", "export", FINISHED, "--format", "json"), ALL),
}


@pytest.fixture(autouse=True)
def _held(tmp_path: Path) -> None:
    practised(tmp_path / "data" / "sessions.db")


@pytest.mark.parametrize("place", PRINTED)
def test_what_is_printed_is_text(place: str) -> None:
    words, expected = PRINTED[place]
    if place == "diff":
        called("sessions", "regrade", FINISHED, "--examiner", "offline")
    result = called(*words)
    assert steering(result.output) == []
    assert told_in(result.stdout) >= expected


def test_problems_of_a_file_quote_it_as_text(tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(yaml.safe_dump(dict.fromkeys(TEXTS.values(), "x")), "utf-8")
    said = call("rubrics", "lint", path).output
    assert steering(said) == []
    assert told_in(said) == ALL


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= set(attrs)

    def handle_comment(self, data: str) -> None:
        self.tags.add(f"<!--{data}")


def test_an_export_that_becomes_a_page_has_our_tags_alone() -> None:
    """With raw HTML allowed, as most renderers do."""
    engine = Engine(load_settings())
    with closing(engine.store):
        text = engine.export(FINISHED).read_text("utf-8")
    assert steering(text) == []
    assert told_in(text) == ALL
    found = _Tags()
    found.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(text))
    assert found.tags <= OUR_TAGS
    assert found.attributes <= {("class", "language-text"), ("start", "1")}


def test_a_page_has_our_tags_alone_and_may_run_nothing() -> None:
    page = called("sessions", "export", FINISHED, "--format", "html").stdout
    found = _Tags()
    found.feed(page)
    assert found.tags <= OUR_TAGS | {"html", "head", "meta", "title", "style", "body"}
    assert {name for name, _ in found.attributes} <= HEAD_ATTRIBUTES | {"class", "start"}
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in found.attributes


def test_no_cell_of_a_csv_is_a_formula() -> None:
    printed = called("sessions", "export", FINISHED, "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(tuple("=+-@"))]
    assert any(cell.startswith("'=HYPERLINK(formula) | @SUM(1)") for cell in cells)
    assert {float(row["weight"]) for row in rows} == {1.0}
    assert len(rows) == 2 * len(TEXTS)


def test_what_is_wrong_with_a_command_line_quotes_it_as_text() -> None:
    result = call("keys", "\x1b[2J\u202eevil", "more")
    assert result.exit_code == 2
    assert "evil" in result.output
    assert steering(result.output) == []


@pytest.mark.parametrize("host", ["\u202e", "a" * 80, "a..b", "\x1b[2J"])
def test_a_host_that_is_none_is_told_so(host: str) -> None:
    result = call("serve", "--host", host)
    assert result.exit_code == 2
    assert "no name or address of a machine" in result.output
    assert steering(result.output) == []
