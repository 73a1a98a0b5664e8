"""The program as a person meets it: a real terminal, a real database, a real socket."""

from __future__ import annotations

import json
import signal
import sqlite3
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.endpoint import StubEndpoint
from support.terminal import Terminal

SEND, ESCAPE, F8 = "\x13", "\x1b", "\x1b[19~"
BENCH, RUN = "\x1b[20~", "\x12"
JUDGED = "select payload from entries where kind = 'judged' order by seq"
NAMES = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
SIXTEEN = {"default", *NAMES, *(f"bright{name}" for name in NAMES)}
PLAN = """
id: three-rounds
version: 1
title: Always the same
description: One question that can be derived; in place of the default plan, and so the first.
rounds:
  - id: only
    title: The only round
    persona: {name: Mara, manner: calm}
    minutes: 20
    count: 1
    ask: [attention-scale-root-dk]
"""


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, str]:
    plans = tmp_path / "config" / "plans"
    plans.mkdir(parents=True)
    (plans / "always-the-same.yaml").write_text(PLAN, encoding="utf-8")
    return {
        "INTERVIEWER_DATA_DIR": str(tmp_path / "data"),
        "INTERVIEWER_CONFIG_DIR": str(tmp_path / "config"),
    }


def rows(folders: dict[str, str], query: str) -> list[tuple[object, ...]]:
    database = Path(folders["INTERVIEWER_DATA_DIR"]) / "sessions.db"
    with sqlite3.connect(database) as connection:
        return list(connection.execute(query))


def examined_by(endpoint: StubEndpoint, folders: dict[str, str]) -> dict[str, str]:
    return folders | {"OPENAI_BASE_URL": endpoint.base_url, "INTERVIEWER_MODEL": "stub"}


def begin(terminal: Terminal) -> None:
    terminal.wait_for("New mock")
    terminal.press("n")
    terminal.wait_for("Always the same", "Start")
    terminal.press(SEND)
    terminal.wait_for("Always the same", "Your turn", "left")


def test_killed_while_typing_it_resumes_with_the_draft(folders: dict[str, str]) -> None:
    with Terminal(environment=folders) as terminal:
        begin(terminal)
        terminal.press("Half a sentence about the head")
        terminal.wait_for("Half a sentence about the head", "saved")
        terminal.kill()
    with Terminal(environment=folders) as terminal:
        terminal.wait_for("Resume")
        terminal.press("\r")
        terminal.wait_for("Half a sentence about the head", "Your turn")
    assert rows(folders, "select count(*) from turns") == [(1,)]


def test_killed_while_the_examiner_thinks_it_resumes_at_that_step(
    folders: dict[str, str],
) -> None:
    answer = "The setting that must not be asked for twice, whatever happens to the power."
    with StubEndpoint(hold_listening=True) as endpoint:
        environment = examined_by(endpoint, folders)
        with Terminal(environment=environment) as terminal:
            begin(terminal)
            terminal.press(answer)
            terminal.wait_for("saved")
            terminal.press(SEND)
            terminal.wait_for("reading your answer")
            terminal.kill()
        endpoint.release.set()
        with Terminal(environment=environment) as terminal:
            terminal.wait_for("Resume")
            terminal.press("\r")
            terminal.wait_for("Which setting did you use in your run?", "Your turn")
    kinds = Counter(kind for (kind,) in rows(folders, "select kind from turns"))
    assert kinds.total() == 3
    assert (kinds["question"], kinds["answer"]) == (1, 1)


def test_a_whole_mock_ends_in_a_debrief_and_its_transcript_opens(folders: dict[str, str]) -> None:
    """On a console of sixteen colours, as that of Linux is: every word is seen."""
    console = {"TERM": "linux", "COLORTERM": ""}
    with Terminal(environment={**folders, **console}) as terminal:
        begin(terminal)
        terminal.press("We divide because the variance of the products grows with the width.")
        terminal.wait_for("variance of the products", "saved")
        assert terminal.invisible() == ""
        terminal.press(SEND)
        terminal.wait_for("You", "variance of the products", "Your answer", "Your turn")
        assert terminal.invisible() == ""
        assert terminal.colours() <= SIXTEEN
        terminal.press(F8)
        terminal.wait_for("Yes")
        terminal.press("y")
        terminal.wait_for("Do next")
        terminal.press(ESCAPE)
        terminal.wait_for("New mock")
        terminal.press("s")
        terminal.wait_for("finished")
        terminal.press("\r")
        terminal.wait_for("Debrief", "Practise")
        terminal.press("t")
        terminal.wait_for("Transcript", "variance of the products", "yours to mark")
        terminal.press(ESCAPE)
        terminal.wait_for("Debrief", "Practise")
        terminal.press("\x11")
        assert terminal.wait() == 0


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
def test_a_derivation_typed_at_the_bench_is_run_and_moves_the_grade(
    folders: dict[str, str],
) -> None:
    with Terminal(environment=folders) as terminal:
        begin(terminal)
        terminal.press(BENCH)
        terminal.wait_for("Your lines", "^r Run")  # the keys of the bench: it has the focus
        terminal.press("variance = d * s_q * s_k")
        terminal.wait_for("variance = d * s_q * s_k", "saved")
        terminal.press(RUN)
        terminal.wait_for("fails")
        terminal.press(" ** 2 * s_q * s_k / s_k")
        terminal.wait_for("s_k ** 2 * s_q * s_k / s_k", "saved")
        terminal.press(RUN)
        terminal.wait_for("holds numerically")
        terminal.press(SEND)
        terminal.wait_for("submitted", "Your answer", "Your turn")
        terminal.press(F8)
        terminal.wait_for("Yes")
        terminal.press("y")
        terminal.wait_for("Do next")
    kinds = Counter(kind for (kind,) in rows(folders, "select kind from turns"))
    assert (kinds["bench"], kinds["answer"]) == (2, 1)
    judged = [json.loads(body) for (body,) in rows(folders, JUDGED)]
    (verdict,) = (v for v in judged[-1]["verdicts"] if v["criterion"] == "variance-grows")
    line = "variance = d * s_q * s_k ** 2 * s_q * s_k / s_k"
    assert (verdict["verdict"], verdict["evidence"]) == ("met", line)


def test_the_terminal_may_close_at_any_moment_though_no_signal_says_so(
    folders: dict[str, str],
) -> None:
    with Terminal(environment=folders) as terminal:
        begin(terminal)
        terminal.press("Typed right before the end")
        terminal.wait_for("Typed right before the end")
        terminal.hang_up()
        assert terminal.wait() == 128 + signal.SIGHUP
    assert rows(folders, "select text from drafts") == [("Typed right before the end",)]
