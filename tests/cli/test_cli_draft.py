"""``interviewer rubrics draft``: from notes to a file, or to a sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import call, called
from support.drafts import drafted
from support.endpoint import Body, StubEndpoint

from interviewer.content.files import read
from interviewer.rubric.rubric import Rubric


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "config" / "rubrics"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "EMA of weights.md"
    path.write_text("# EMA\nAveraging takes the jitter out.")
    return path


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubEndpoint]:
    with StubEndpoint(judge=lambda body: drafted()) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        monkeypatch.setenv("INTERVIEWER_MODEL", "stub")
        yield stub


def test_a_draft_is_written_linted_and_said_to_be_one(
    own: Path, notes: Path, endpoint: StubEndpoint
) -> None:
    result = called("rubrics", "draft", "--from", notes, "--round", "own", "--topic", "optimiser")
    path = own / "ema-weights.yaml"
    assert result.stdout == f"{path}\n"
    assert f"stub at {endpoint.base_url} drafts a rubric from {notes}" in result.stderr
    assert f"warning: {path}:" in result.stderr
    assert "to fix; check every fact of the draft as well." in result.stderr
    lines = path.read_text().splitlines()
    assert lines[0] == "# yaml-language-server: $schema=rubric.schema.json"
    assert lines[1] == "# Drafted by stub from EMA of weights.md: check every fact."
    rubric = read(path, Rubric).required()
    assert (rubric.title, rubric.topic) == ("EMA of the weights", "optimiser")
    assert "EMA of the weights" in called("rubrics", "list").stdout


def test_the_id_and_the_title_are_the_authors(
    own: Path, notes: Path, endpoint: StubEndpoint
) -> None:
    called("rubrics", "draft", "--from", notes, "--id", "my-ema", "--title", "Mine")
    assert read(own / "my-ema.yaml", Rubric).required().title == "Mine"


def test_nothing_is_asked_for_a_name_that_is_taken(
    own: Path, notes: Path, endpoint: StubEndpoint
) -> None:
    called("rubrics", "draft", "--from", notes)
    result = call("rubrics", "draft", "--from", notes)
    assert result.exit_code == 1
    assert "is the id of" in result.stderr
    assert len(endpoint.requests) == 1


def test_a_useless_reply_leaves_no_rubric_and_its_words_are_kept(
    own: Path, notes: Path, endpoint: StubEndpoint
) -> None:
    endpoint.judge = lambda body: drafted(difficulty="brutal")
    for kept in ("ema-weights.draft.txt", "ema-weights.draft-2.txt"):
        result = call("rubrics", "draft", "--from", notes)
        assert result.exit_code == 1
        last = result.stderr.strip().splitlines()[-1]
        assert last.startswith("Error: The draft by stub cannot be used (difficulty: ")
        assert f"its reply is saved in {own / kept}" in last
        assert "brutal" in (own / kept).read_text()
    assert list(own.glob("*.yaml")) == []
    assert len(endpoint.requests) == 4


def test_without_a_model_the_other_ways_are_named(notes: Path) -> None:
    result = call("rubrics", "draft", "--from", notes)
    assert result.exit_code == 1
    assert "A draft needs a model, and none is configured" in result.stderr
    assert "'interviewer rubrics new' and 'interviewer rubrics import'" in result.stderr


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"  \n", "is empty; write down"),
        (b"a\0b", "is not a text file"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"x" * 50_000, "is larger than 48 KB"),
    ],
)
def test_notes_that_cannot_be_sent_are_told(
    tmp_path: Path, endpoint: StubEndpoint, content: bytes, sentence: str
) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(content)
    result = call("rubrics", "draft", "--from", path)
    assert (result.exit_code, endpoint.requests) == (1, [])
    assert sentence in result.stderr


def test_stopping_leaves_nothing_behind(own: Path, notes: Path, endpoint: StubEndpoint) -> None:
    asked, release = threading.Event(), threading.Event()

    def wait(body: Body) -> str:
        asked.set()
        release.wait(60)
        return drafted()

    endpoint.judge = wait
    process = subprocess.Popen(
        [sys.executable, "-m", "interviewer", "rubrics", "draft", "--from", str(notes)],
        env=os.environ.copy(),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert asked.wait(60)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    release.set()
    assert process.returncode == 1
    assert told.strip().splitlines()[-1].startswith("Error: Stopped before the draft was complete")
    assert not own.exists()


@pytest.fixture
def bare(own: Path, tmp_path: Path) -> Path:
    """An imported question without an answer."""
    listed = tmp_path / "list.md"
    listed.write_text("- What does an average of the weights bring?\n", encoding="utf-8")
    called("rubrics", "import", listed)
    (path,) = own.glob("*.yaml")
    return path


def test_an_answer_that_a_list_lacks_is_taken_from_the_person(bare: Path, tmp_path: Path) -> None:
    said = tmp_path / "said.txt"
    said.write_text("The jitter of late steps goes.\n\nEvaluation gets better at once.\n")
    called("rubrics", "answer", bare.stem, "--from", said)
    rubric = read(bare, Rubric).required()
    assert rubric.question == "What does an average of the weights bring?"
    assert [each.claim for each in rubric.criteria] == [
        "The jitter of late steps goes.",
        "Evaluation gets better at once.",
    ]
    assert bare.read_text().startswith("# yaml-language-server: $schema=rubric.schema.json\n# Imp")
    again = call("rubrics", "answer", bare.stem, "--from", said)
    assert again.exit_code == 1
    assert "has an answer already" in again.stderr


def test_an_answer_may_come_on_stdin_and_must_say_something(bare: Path) -> None:
    before = bare.read_text()
    assert "nothing was written" in call("rubrics", "answer", bare.stem, stdin=" \n").stderr
    assert bare.read_text() == before
    called("rubrics", "answer", bare.stem, stdin="The jitter of late steps goes.\n")
    assert read(bare, Rubric).required().reference == "The jitter of late steps goes."


def test_a_model_drafts_the_key_of_a_question_and_leaves_its_words(
    bare: Path, endpoint: StubEndpoint
) -> None:
    called("rubrics", "answer", bare.stem, "--draft")
    rubric = read(bare, Rubric).required()
    assert (rubric.id, rubric.question) == (bare.stem, "What does an average of the weights bring?")
    assert [each.claim for each in rubric.criteria] == [
        "Averaging removes the jitter of late steps.",
        "A decay of 0.999 looks back about a thousand steps.",
    ]
    (sent,) = endpoint.requests
    assert "What does an average of the weights bring?" in str(sent)
    assert call("grade", bare.stem, "--answer", "-", stdin="The noise cancels out.").exit_code == 0


def test_a_useless_draft_of_a_key_leaves_the_question_as_it_was(
    bare: Path, endpoint: StubEndpoint
) -> None:
    before = bare.read_text()
    endpoint.judge = lambda body: drafted(difficulty="brutal")
    result = call("rubrics", "answer", bare.stem, "--draft")
    assert result.exit_code == 1
    assert "cannot be used" in result.stderr
    assert bare.read_text() == before


def test_a_shipped_question_has_its_answer() -> None:
    refused = call("rubrics", "answer", "dpo-derivation")
    assert refused.exit_code == 1
    assert "has an answer already" in refused.stderr
