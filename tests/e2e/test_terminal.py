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


def test_it_opens_says_who_examines_and_leaves(folders: dict[str, str]) -> None:
    with Terminal(environment=folders) as terminal:
        shown = terminal.wait_for("New mock", "Examiner: offline")
        assert "Nothing leaves this machine" in shown
        terminal.press("q")
        assert terminal.wait() == 0


def test_a_console_of_sixteen_colours_shows_every_word(folders: dict[str, str]) -> None:
    """As the console of Linux is, or a serial line."""
    console = {"TERM": "linux", "COLORTERM": ""}
    with Terminal(environment={**folders, **console}) as terminal:
        begin(terminal)
        terminal.press("It keeps the logits near unit variance.")
        terminal.wait_for("near unit variance", "saved")
        assert terminal.invisible() == ""
        terminal.press(SEND)
        terminal.wait_for("You", "Your turn", "near unit variance")
        assert terminal.invisible() == ""
        assert terminal.colours() <= SIXTEEN


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


def test_no_more_than_two_calls_between_an_answer_and_the_next_question(
    folders: dict[str, str],
) -> None:
    with (
        StubEndpoint() as endpoint,
        Terminal(environment=examined_by(endpoint, folders)) as terminal,
    ):
        begin(terminal)
        for number in (1, 2):
            terminal.press(f"Answer number {number}: the variance grows with the width.")
            terminal.wait_for("saved")
            before = len(endpoint.requests)
            terminal.press(SEND)
            terminal.wait_for(f"Answer number {number}", "Your answer", "Your turn")
            assert 1 <= len(endpoint.requests) - before <= 2
    outcomes = rows(folders, "select stage, outcome from model_calls")
    assert {outcome for _, outcome in outcomes} == {"ok"}
    assert ("judge", "ok") in outcomes


def test_a_whole_mock_ends_in_a_debrief_and_its_transcript_opens(folders: dict[str, str]) -> None:
    with Terminal(environment=folders) as terminal:
        begin(terminal)
        terminal.press("We divide because the variance of the products grows with the width.")
        terminal.wait_for("saved")
        terminal.press(SEND)
        terminal.wait_for("You", "variance of the products", "Your answer", "Your turn")
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


@pytest.mark.parametrize(
    ("size", "number"),
    [((80, 24), signal.SIGTERM), ((200, 60), signal.SIGTERM), ((80, 24), signal.SIGHUP)],
)
def test_the_terminal_may_close_at_any_moment_though_no_signal_says_so(
    folders: dict[str, str], size: tuple[int, int], number: signal.Signals
) -> None:
    columns, lines = size
    with Terminal(environment=folders, columns=columns, rows=lines) as terminal:
        begin(terminal)
        terminal.press("Typed right before the end")
        terminal.wait_for("Typed right before the end")
        if number is signal.SIGTERM:
            terminal.process.terminate()
        else:
            terminal.hang_up()
        assert terminal.wait() == 128 + number
    assert rows(folders, "select text from drafts") == [("Typed right before the end",)]
