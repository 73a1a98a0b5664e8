"""``interviewer run``: a whole interview over streams."""

from __future__ import annotations

import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.command_line import (
    FULL_ANSWER,
    GAP,
    PLAN,
    RUBRIC,
    call,
    called,
    json_lines,
    typed,
    write_plan,
    write_rubric,
    write_script,
)
from support.endpoint import StubEndpoint
from support.examiners import ScriptedExaminer
from support.figures import CURVES
from support.tables import table

from interviewer.errors import ExaminerError

CASES = table("cli_run", __file__)

ATTENTION = "attention-scale-root-dk"
PLANNED = ("run", "--plan", PLAN)
Follow = Callable[..., list[dict[str, Any]]]


def of_kind(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


def answers_of_latest() -> list[str]:
    """What the candidate said in the session used last."""
    [session, *_] = json.loads(called("sessions", "list", "--json").stdout)
    shown = json.loads(called("sessions", "show", session["id"], "--json").stdout)
    return [event["text"] for event in of_kind(shown["events"], "answer")]


@pytest.fixture
def follow(tmp_path: Path) -> Follow:
    """The events of a run with these options that follows a script."""

    def events(*options: str, script: list[Any]) -> list[dict[str, Any]]:
        path = write_script(tmp_path / "script.yaml", *script)
        return json_lines(called("run", *options, "--script", path, "--json").stdout)

    return events


def test_a_shipped_plan_runs_to_the_debrief_from_a_script(follow: Follow) -> None:
    script = [
        "I would divide by the root of the width, since the variance grows with it.",
        "/hint",
        {"say": "/skip is a word that I say."},
        {"command": "skip"},
        *["/idk", "/skip"] * 8,
    ]
    events = follow("--seed", "1", script=script)
    kinds = [event["event"] for event in events]
    assert kinds[:4] == ["session", "round", "question", "your_turn"]
    assert len(of_kind(events, "question")) == 6
    assert [event["round"] for event in of_kind(events, "round_end")] == [1, 2, 3]
    assert of_kind(events, "answer")[1]["text"] == "/skip is a word that I say."
    assert not {"judged", "grade"} & {*kinds}
    ended = events[-1]
    assert (ended["event"], ended["graded"], ended["not_asked"]) == ("debrief", 6, 0)
    questions = [q for part in ended["debrief"]["rounds"] for q in part["questions"]]
    assert [q["rubric"] for q in questions] == [q["rubric"] for q in of_kind(events, "question")]
    assert all(q["grade"]["verdicts"] for q in questions)


def test_a_session_of_a_plan_that_was_renamed_or_went_is_resumed(
    config: Path, follow: Follow
) -> None:
    started, *_ = follow("--plan", "sprint", script=["/end"])
    assert started["plan"] == "three-rounds"
    own = write_plan(config, RUBRIC, plan_id="sprint")
    started, *_ = follow("--plan", "sprint", script=[GAP, "/pause"])
    assert started["plan"] == "sprint"
    own.unlink()
    follow("--resume", started["session"], script=["/end"])
    assert "points heard" in called("sessions", "show", started["session"]).stdout


def test_a_key_of_other_programs_sends_nothing_anywhere(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-program")
    monkeypatch.setenv("HTTPS_PROXY", "http://me:secret@gate:3128")
    result = typed(*PLANNED, stdin="/end\n")
    way = "https://api.openai.com/v1 through the proxy http://gate:3128."
    assert f"would send your answers to {way}" in result.stderr
    assert "Examiner: offline" in result.stdout


def asked_in(events: list[dict[str, Any]]) -> list[str]:
    return [event["rubric"] for event in of_kind(events, "question")]


def test_one_question_one_topic_or_an_imported_list_needs_no_plan(
    config: Path, tmp_path: Path, follow: Follow
) -> None:
    skips = ["/skip"] * 6
    assert asked_in(follow("--question", ATTENTION, script=skips)) == [ATTENTION]
    topic = json.loads(called("rubrics", "show", "dpo-derivation", "--json").stdout)["topic"]
    of_topic = asked_in(follow("--topic", topic, script=skips))
    assert len(of_topic) > 1
    listed = json.loads(called("rubrics", "list", "--json").stdout)
    assert {each["topic"] for each in listed if each["id"] in of_topic} == {topic}
    found = tmp_path / "list.md"
    found.write_text(
        "# My list\n\n## Optimiser state\n\n1. What is a moment?\n\nA running mean.\n\n"
        "2. Why correct its bias?\n\nIt starts at zero.\n\n## Sharding\n\n"
        "3. What does stage one shard?\n\nThe optimiser states.\n",
        encoding="utf-8",
    )
    called("rubrics", "import", found)
    assert len(asked_in(follow("--plan", "mine", script=skips))) == 4  # with the one there was
    assert len(asked_in(follow("--topic", "optimiser-state", script=skips))) == 2


def test_what_is_due_is_asked_again(config: Path, tmp_path: Path, follow: Follow) -> None:
    nothing = call("run", "--due")
    assert nothing.exit_code == 1
    assert "Nothing is due today" in nothing.stderr
    wrong = ["I do not remember a thing of it.", "/end"]
    follow("--question", ATTENTION, script=wrong)
    with sqlite3.connect(tmp_path / "data" / "sessions.db") as database:
        database.execute("UPDATE entries SET at = '2020-01-01T00:00:00'")
    assert asked_in(follow("--due", script=wrong)) == [ATTENTION]


@pytest.mark.parametrize(("options", "said"), CASES["what_cannot_be_asked_is_told"])
def test_what_cannot_be_asked_is_told(config: Path, options: list[str], said: str) -> None:
    refused = call("run", *options)
    assert refused.exit_code != 0
    assert said in refused.stderr


def test_practice_tells_the_grade_as_the_question_closes_and_both_end_with_the_debrief(
    config: Path, follow: Follow
) -> None:
    practice = ("--plan", PLAN, "--mode", "practice")
    [graded] = of_kind(follow(*practice, script=[FULL_ANSWER]), "grade")
    assert (graded["grade"]["final"], graded["examiner_kind"]) == (1.0, "offline")
    # The end of piped input sends what was typed.
    told = typed("run", *practice, stdin=FULL_ANSWER).stdout
    assert "Ada: Why does attention scale its logits?" in told
    before, after = told.split("Debrief: ")
    assert before.index("● heard: The dot product's") < before.index("Round 1 is over.")
    for part in (before, after):
        assert part.count("hears textbook words in English") == 1
    assert "2 of 2 points heard" in after


def test_a_script_that_runs_out_pauses_and_the_session_goes_on(
    config: Path, follow: Follow
) -> None:
    first = follow("--plan", PLAN, script=[GAP])
    assert first[-1]["event"] == "paused"
    session = first[0]["session"]
    rest = ["A fresh model starts at a loss of 11.5 nats."]
    second = follow("--resume", session[:5], script=rest)
    assert (second[0]["event"], second[0]["session"]) == ("resumed", session)
    assert [turn["author"] for turn in second[0]["turns"]] == ["examiner", "candidate", "examiner"]
    assert second[0]["turns"][1]["text"] == GAP
    assert (second[-1]["event"], second[-1]["band"]) == ("debrief", 4.0)


@contextmanager
def running(*arguments: str, stdin: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        [sys.executable, "-m", "interviewer", *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def read_until(child: subprocess.Popen[str], wanted: str) -> None:
    assert child.stdout
    read = ""
    for line in child.stdout:
        read += line
        if wanted in line:
            return
    raise AssertionError(f"{wanted!r} never came:\n{read}")


def write_to(child: subprocess.Popen[str], text: str) -> None:
    assert child.stdin
    child.stdin.write(text)
    child.stdin.flush()


def test_a_session_that_is_open_elsewhere_is_resumed_only_to_take_it_over(config: Path) -> None:
    with running(*PLANNED) as child:
        read_until(child, "[your turn")
        refused = call("run", "--resume")
        assert refused.exit_code == 1
        assert f"is open in another window (in process {child.pid})" in refused.stderr
        assert "--take-over" in refused.stderr
        assert "Paused." in typed("run", "--resume", "--take-over").stdout
        write_to(child, "Variance grows with the width.\n\n")
        assert child.wait(60) == 1
    assert answers_of_latest() == []
    assert typed("run", "--resume").exit_code == 0


def test_deleting_what_is_open_elsewhere_says_so_and_that_window_shows_the_answer(
    config: Path,
) -> None:
    with running(*PLANNED) as child:
        assert child.stdout
        read_until(child, "[your turn")
        [session] = json.loads(called("sessions", "list", "--json").stdout)
        asked = call("sessions", "delete", session["id"])
        assert asked.exit_code == 2
        assert f"open in another window (in process {child.pid})" in asked.stderr
        called("sessions", "delete", session["id"], "--yes")
        write_to(child, "Variance grows with the width.\n\n")
        told = child.stdout.read()
        assert child.wait(60) == 1
    assert "This answer is not saved:\nVariance grows with the width." in told
    assert "Traceback" not in told


def test_typed_lines_make_an_answer_up_to_the_empty_line(config: Path) -> None:
    done = typed(*PLANNED, stdin="Variance grows\n/skip\nwith the width.\n\n/hint\n/skip\n").stdout
    assert "(Your answer is unfinished; send it with an empty line before /skip.)" in done
    assert "Debrief: One question" in done
    assert "(Hint: the point now counts for 75%.)" in done
    assert answers_of_latest() == ["Variance grows\nwith the width."]


def test_a_json_line_that_is_nothing_is_refused_and_the_interview_goes_on(config: Path) -> None:
    lines = [
        *('{"say": ""}', '""', "plain words", "[1]", '{"say": "a", "command": "b"}', "{}", "7"),
        *('{"command": "hint", "source": "p"}', '{"command": "bench", "source": 3}'),
        *('{"command": "bench", "source": "p", "more": "x"}', '{"source": "p"}'),
    ]
    stdin = "\n\n".join((*lines, '"/end"'))
    events = json_lines(typed(*PLANNED, "--json", stdin=stdin).stdout)
    assert len(of_kind(events, "refused")) == len(lines)
    assert events[-1]["event"] == "debrief"


@pytest.mark.parametrize(("text", "place"), CASES["a_bad_script_is_told_with_its_place"])
def test_a_bad_script_is_told_with_its_place_before_anything_begins(
    config: Path, tmp_path: Path, text: str, place: str
) -> None:
    path = tmp_path / "script"
    path.write_text(text, "utf-8")
    result = call(*PLANNED, "--script", path)
    assert result.exit_code == 1
    assert f"{path}{place}: " in result.stderr
    assert result.stdout == ""
    assert json.loads(called("sessions", "list", "--json").stdout) == []


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An examiner whose first judgement fails."""
    examiner = ScriptedExaminer(fail_judge=[ExaminerError("The server is on fire.")])
    monkeypatch.setattr("interviewer.composition.make_examiner", lambda *_: examiner)


def test_a_failure_can_be_answered_with_retry(config: Path, failing: None, follow: Follow) -> None:
    events = follow("--plan", PLAN, script=[FULL_ANSWER, "/retry"])
    assert of_kind(events, "error")[0]["message"] == "The server is on fire."
    assert len(of_kind(events, "answer")) == 1
    assert events[-1]["band"] == 4.0


def test_a_failure_can_be_answered_with_offline(config: Path, failing: None) -> None:
    told = typed(*PLANNED, stdin=f"{FULL_ANSWER}\n\n/offline\n").stdout
    assert "The server is on fire.\nType /retry, /offline" in told
    assert "Examiner changed to offline-v3." in told
    assert "2 of 2 points heard" in told


def test_a_script_without_a_remedy_pauses_and_fails(
    config: Path, tmp_path: Path, failing: None
) -> None:
    script = write_script(tmp_path / "script.yaml", GAP, FULL_ANSWER, FULL_ANSWER)
    result = call(*PLANNED, "--script", script, "--json")
    assert result.exit_code == 1
    assert "interviewer run --resume" in result.stderr
    events = json_lines(result.stdout)
    assert len(of_kind(events, "answer")) == 1
    assert events[-1]["event"] == "paused"


def test_ctrl_c_pauses_and_the_session_is_resumable(config: Path) -> None:
    with running(*PLANNED) as child:
        read_until(child, "[your turn")
        child.send_signal(signal.SIGINT)
        told, complaint = child.communicate(timeout=30)
    assert child.returncode == 1
    assert "Paused." in told
    assert complaint.startswith("Error: Interrupted")
    assert "Traceback" not in complaint
    [row] = json.loads(called("sessions", "list", "--json").stdout)
    assert row["status"] == "paused"


def test_an_unfinished_answer_outlives_the_process(config: Path) -> None:
    with running(*PLANNED) as child:
        read_until(child, "[your turn")
        write_to(child, "Variance grows with the width.\n/hint\n")
        read_until(child, "(Hint")
        child.kill()
    done = typed("run", "--resume", stdin="The loss starts at 11.5 nats.\n\n/end\n").stdout
    kept = "Your unfinished answer (an empty line sends it):\nVariance grows with the width."
    assert kept in done
    assert answers_of_latest() == ["Variance grows with the width.\nThe loss starts at 11.5 nats."]


def test_a_person_at_a_terminal_keeps_the_draft_at_ctrl_d(config: Path) -> None:
    master, slave = pty.openpty()
    try:
        with running(*PLANNED, stdin=slave) as child:
            read_until(child, "[your turn")
            os.write(master, b"Variance grows.\n\x04")
            told, _ = child.communicate(timeout=30)
    finally:
        os.close(master)
        os.close(slave)
    assert child.returncode == 0
    assert "Paused." in told
    [opening, *_] = json_lines(typed("run", "--resume", "--json", stdin="").stdout)
    assert [turn["author"] for turn in opening["turns"]] == ["examiner"]
    assert opening["draft"] == "Variance grows."
    assert "Paused." in typed("run", "--resume").stdout
    assert answers_of_latest() == []
    typed("run", "--resume", stdin="\n/end\n")
    assert answers_of_latest() == ["Variance grows."]


def test_a_model_may_examine_and_an_offline_resume_takes_over(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, follow: Follow
) -> None:
    with StubEndpoint() as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        monkeypatch.setenv("INTERVIEWER_MODEL", "stub")
        events = follow("--plan", PLAN, script=[GAP])
    assert events[0]["examiner"] == "stub"
    (follow_up,) = of_kind(events, "follow_up")
    assert follow_up["examiner"] == "stub"
    follow("--resume", "--examiner", "offline", script=["/pause"])
    end = write_script(tmp_path / "end.yaml", "/end")
    resumed = called("run", "--resume", "--script", end, "--json")
    assert "'--examiner llm' goes back to the model" in resumed.stderr
    again = json_lines(resumed.stdout)
    assert (again[0]["examiner"], again[-1]["event"]) == ("offline-v3", "debrief")


def test_a_figure_is_told_in_values_and_is_data_for_programs(config: Path) -> None:
    write_rubric(config, figure=CURVES.as_data())
    write_plan(config)
    asked = typed(*PLANNED, stdin="/skip\n").stdout
    assert "Figure: A small run, made up" in asked
    assert ["300", "2", "2.75", "1000"] in [line.split() for line in asked.splitlines()]
    assert "gradient norm, log scale" not in asked
    seen = json_lines(typed(*PLANNED, "--json", stdin='{"command": "skip"}\n').stdout)
    [question] = of_kind(seen, "question")
    assert question["figure"]["plot"]["series"][2]["values"] == [1, 0.1, 10, 1000]
