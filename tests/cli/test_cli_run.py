"""``interviewer run``: a whole interview over streams."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.command_line import (
    FULL_ANSWER,
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
from support.terminal import Terminal

from interviewer.errors import ExaminerError

GAP = "The variance of the dot product grows with the width of a head."


def of_kind(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["event"] for event in events]


def answers_of_latest() -> list[str]:
    """What the candidate said in the session used last."""
    [session, *_] = json.loads(called("sessions", "list", "--json").stdout)
    shown = json.loads(called("sessions", "show", session["id"], "--json").stdout)
    return [event["text"] for event in of_kind(shown["events"], "answer")]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> ScriptedExaminer:
    """An examiner whose first judgement fails."""
    examiner = ScriptedExaminer(fail_judge=[ExaminerError("The server is on fire.")])
    monkeypatch.setattr("interviewer.composition.make_examiner", lambda *_: examiner)
    return examiner


def test_a_shipped_plan_runs_to_the_debrief_from_a_script(tmp_path: Path) -> None:
    script = write_script(
        tmp_path / "script.yaml",
        "I would divide by the root of the width, since the variance grows with it.",
        "/hint",
        {"say": "/skip is a word that I say."},
        {"command": "skip"},
        *["/idk", "/skip"] * 8,
    )
    result = called("run", "--seed", 1, "--script", script, "--json")
    events = json_lines(result.stdout)
    assert kinds(events)[:4] == ["session", "round", "question", "your_turn"]
    assert len(of_kind(events, "question")) == 6
    assert [event["round"] for event in of_kind(events, "round_end")] == [1, 2, 3]
    assert of_kind(events, "answer")[1]["text"] == "/skip is a word that I say."
    assert "judged" not in kinds(events)
    assert "grade" not in kinds(events)
    ended = events[-1]
    assert (ended["event"], ended["graded"], ended["not_asked"]) == ("debrief", 6, 0)
    questions = [q for part in ended["debrief"]["rounds"] for q in part["questions"]]
    assert [q["rubric"] for q in questions] == [q["rubric"] for q in of_kind(events, "question")]
    assert all(q["grade"]["verdicts"] for q in questions)


def test_a_plan_that_was_renamed_is_found_by_its_old_name(config: Path, tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", "/end")
    started, *_ = json_lines(called("run", "--plan", "sprint", "--script", script, "--json").stdout)
    assert started["plan"] == "three-rounds"


def test_a_session_of_a_plan_that_went_is_resumed_and_debriefed(
    config: Path, tmp_path: Path
) -> None:
    own = write_plan(config, RUBRIC, plan_id="sprint")
    pausing = write_script(tmp_path / "pausing.yaml", GAP, "/pause")
    started, *_ = json_lines(
        called("run", "--plan", "sprint", "--script", pausing, "--json").stdout
    )
    assert started["plan"] == "sprint"
    own.unlink()
    script = write_script(tmp_path / "script.yaml", "/end")
    called("run", "--resume", started["session"], "--script", script)
    assert "Band" in called("sessions", "show", started["session"]).stdout
    for name in ("sprint", "three-rounds"):
        told = call("sessions", "regrade", "--all", "--plan", name, "--examiner", "offline").output
        assert "1 session" in told


def test_a_key_of_other_programs_sends_nothing_anywhere(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-program")
    monkeypatch.setenv("HTTPS_PROXY", "http://me:secret@gate:3128")
    script = write_script(tmp_path / "script.yaml", "/end")
    result = called("run", "--plan", "one-question", "--script", script)
    way = "https://api.openai.com/v1 through the proxy http://gate:3128."
    assert f"would send your answers to {way}" in result.stderr
    assert "Examiner: offline" in result.stdout


def asked_by(*options: str, script: Path) -> list[str]:
    events = json_lines(called("run", *options, "--script", script, "--json").stdout)
    return [event["rubric"] for event in of_kind(events, "question")]


def test_one_question_or_one_topic_needs_no_plan(config: Path, tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", *["/skip"] * 6)
    assert asked_by("--question", "attention-scale-root-dk", script=script) == [
        "attention-scale-root-dk"
    ]
    topic = json.loads(called("rubrics", "show", "dpo-derivation", "--json").stdout)["topic"]
    of_topic = asked_by("--topic", topic, script=script)
    assert len(of_topic) > 1
    listed = json.loads(called("rubrics", "list", "--json").stdout)
    assert {each["topic"] for each in listed if each["id"] in of_topic} == {topic}


def test_an_imported_list_is_asked_as_mine_and_by_its_headings(
    config: Path, tmp_path: Path
) -> None:
    found = tmp_path / "list.md"
    found.write_text(
        "# My list\n\n## Optimiser state\n\n1. What is a moment?\n\nA running mean.\n\n"
        "2. Why correct its bias?\n\nIt starts at zero.\n\n## Sharding\n\n"
        "3. What does stage one shard?\n\nThe optimiser states.\n",
        encoding="utf-8",
    )
    called("rubrics", "import", found)
    script = write_script(tmp_path / "script.yaml", *["/skip"] * 6)
    assert len(asked_by("--plan", "mine", script=script)) == 4  # with the one that was there
    assert len(asked_by("--topic", "optimiser-state", script=script)) == 2
    assert len(asked_by("--topic", "sharding", script=script)) == 1


def test_what_is_due_is_asked_again(config: Path, tmp_path: Path) -> None:
    nothing = call("run", "--due")
    assert nothing.exit_code == 1
    assert "Nothing is due today" in nothing.stderr
    wrong = write_script(tmp_path / "wrong.yaml", "I do not remember a thing of it.", "/end")
    called("run", "--question", "attention-scale-root-dk", "--script", wrong)
    with sqlite3.connect(tmp_path / "data" / "sessions.db") as database:
        database.execute("UPDATE entries SET at = '2020-01-01T00:00:00'")
    assert asked_by("--due", script=wrong) == ["attention-scale-root-dk"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--question", "attention-scale"), "did you mean attention-scale-root-dk"),
        (("--topic", "pretraning"), "did you mean pretraining"),
        (("--topic", "x", "--due"), "--topic and --due cannot be combined"),
        (("--plan", "three-rounds", "--question", "x"), "--plan and --question cannot be combined"),
    ],
)
def test_what_cannot_be_asked_is_told(config: Path, options: tuple[str, ...], said: str) -> None:
    refused = call("run", *options)
    assert refused.exit_code != 0
    assert said in refused.stderr


def test_a_full_answer_in_text_mode_ends_with_its_debrief(config: Path, tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER)
    told = called("run", "--plan", PLAN, "--script", script).stdout
    assert "Ada: Why does attention scale its logits?" in told
    assert "● heard: The dot product's variance grows" in told
    before, after = told.split("Debrief: ")
    for part in (before, after):
        assert part.count("hears textbook words in English") == 1
    assert "Band 4.0 of 4" in told


def test_practice_tells_the_grade_as_the_question_closes(config: Path, tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER)
    result = called("run", "--plan", PLAN, "--mode", "practice", "--script", script, "--json")
    [graded] = of_kind(json_lines(result.stdout), "grade")
    assert graded["grade"]["final"] == 1.0
    assert graded["examiner_kind"] == "offline"
    told = called("run", "--plan", PLAN, "--mode", "practice", "--script", script).stdout
    assert told.index("● heard") < told.index("Round 1 is over.")


def test_the_same_seed_draws_the_same_questions(tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", "/end")
    options = ("run", "--plan", "three-rounds", "--script", script, "--json")

    def first_round(database: str) -> list[str]:
        started = json_lines(
            called("--database", tmp_path / database, *options, "--seed", 5).stdout
        )[0]
        return [rubric for part in started["rounds"] for rubric in part["questions"]]

    assert first_round("a.db") == first_round("b.db")


def test_length_quick_asks_one_question_a_round(config: Path, tmp_path: Path) -> None:
    write_rubric(config, "second-one")
    write_plan(config, RUBRIC, "second-one", plan_id="pair")
    script = write_script(tmp_path / "script.yaml", "/end")
    result = called("run", "--plan", "pair", "--length", "quick", "--script", script, "--json")
    (begun,) = (e for e in json_lines(result.stdout) if e["event"] == "round")
    assert begun["questions"] == 1


def test_a_script_that_runs_out_pauses_and_the_session_goes_on(
    config: Path, tmp_path: Path
) -> None:
    first = json_lines(
        called(
            "run", "--plan", PLAN, "--json", "--script", write_script(tmp_path / "a.yaml", GAP)
        ).stdout
    )
    assert first[-1]["event"] == "paused"
    session = first[0]["session"]
    finish = write_script(tmp_path / "b.yaml", "A fresh model starts at a loss of 11.5 nats.")
    second = json_lines(called("run", "--resume", session[:5], "--json", "--script", finish).stdout)
    assert second[0]["event"] == "resumed"
    assert second[0]["session"] == session
    assert [turn["author"] for turn in second[0]["turns"]] == ["examiner", "candidate", "examiner"]
    assert second[0]["turns"][1]["text"] == GAP
    assert second[-1]["event"] == "debrief"
    assert second[-1]["band"] == 4.0


def test_text_mode_says_how_to_go_on_under_the_same_options(config: Path, tmp_path: Path) -> None:
    database = tmp_path / "my sessions.db"
    told = typed("--database", database, "run", "--plan", PLAN).stdout
    command = r"interviewer --database '.*' run --resume \w+"
    found = re.search(rf"Paused\. To continue: ({command})$", told)
    assert found
    assert str(database) in found[1]


def test_resume_without_an_id_takes_the_latest(config: Path) -> None:
    begun = typed("run", "--plan", PLAN, "--json").stdout
    went_on = typed("run", "--resume", "--json").stdout
    assert json_lines(went_on)[0]["session"] == json_lines(begun)[0]["session"]


def test_a_finished_session_is_not_resumed(config: Path, tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", "/end")
    session = json_lines(called("run", "--plan", PLAN, "--script", script, "--json").stdout)[0][
        "session"
    ]
    result = call("run", "--resume", session)
    assert result.exit_code == 1
    assert f"interviewer sessions show {session}" in result.stderr


def test_a_session_that_is_open_elsewhere_is_resumed_only_to_take_it_over(config: Path) -> None:
    with running("run", "--plan", PLAN, stdin=subprocess.PIPE) as child:
        assert child.stdin
        read_until(child, "[your turn")
        refused = call("run", "--resume")
        assert refused.exit_code == 1
        assert f"is open in another window (in process {child.pid})" in refused.stderr
        assert "--take-over" in refused.stderr
        assert "Paused." in typed("run", "--resume", "--take-over").stdout
        child.stdin.write("Variance grows with the width.\n\n")
        child.stdin.flush()
        assert child.wait(60) == 1
    assert answers_of_latest() == []
    assert typed("run", "--resume").exit_code == 0


def test_deleting_what_is_open_elsewhere_says_so_and_that_window_shows_the_answer(
    config: Path,
) -> None:
    with running("run", "--plan", PLAN, stdin=subprocess.PIPE) as child:
        assert child.stdin
        assert child.stdout
        read_until(child, "[your turn")
        [session] = json.loads(called("sessions", "list", "--json").stdout)
        asked = call("sessions", "delete", session["id"])
        assert asked.exit_code == 2
        assert f"open in another window (in process {child.pid})" in asked.stderr
        called("sessions", "delete", session["id"], "--yes")
        child.stdin.write("Variance grows with the width.\n\n")
        child.stdin.flush()
        told = child.stdout.read()
        assert child.wait(60) == 1
    assert "This answer is not saved:\nVariance grows with the width." in told
    assert "Traceback" not in told


def test_at_a_terminal_the_window_whose_session_was_deleted_just_ends(config: Path) -> None:
    options = ("-m", "interviewer", "run", "--plan", PLAN)
    with Terminal(*options, environment=os.environ) as terminal:
        terminal.wait_for("[your turn")
        [session] = json.loads(called("sessions", "list", "--json").stdout)
        called("sessions", "delete", session["id"], "--yes")
        terminal.write("Variance grows\n")
        terminal.wait_for(f"There is no session '{session['id']}': it was deleted.")
        terminal.write("\n")
        assert terminal.wait() == 0
        assert "This answer is not saved:" in terminal.text
        assert terminal.text.count("Variance grows") >= 2


def test_taking_over_needs_a_session(config: Path) -> None:
    result = call("run", "--take-over")
    assert result.exit_code == 2
    assert "name it with --resume" in result.stderr


def test_typed_lines_make_an_answer_up_to_the_empty_line(config: Path) -> None:
    done = typed("run", "--plan", PLAN, stdin="Variance grows\nwith the width.\n\n/hint\n/skip\n")
    assert "Debrief: One question" in done.stdout
    assert "(Hint: the point now counts for 75%.)" in done.stdout
    assert answers_of_latest() == ["Variance grows\nwith the width."]


def test_the_end_of_piped_input_sends_what_was_typed(config: Path) -> None:
    done = typed("run", "--plan", PLAN, stdin=FULL_ANSWER)
    assert "Band 4.0 of 4" in done.stdout


def test_a_command_in_an_unfinished_answer_is_refused_and_the_answer_stays(config: Path) -> None:
    done = typed(
        "run", "--plan", PLAN, stdin="The variance grows\n/skip\nwith the width.\n\n/end\n"
    )
    assert "(Your answer is unfinished; send it with an empty line before /skip.)" in done.stdout
    assert answers_of_latest() == ["The variance grows\nwith the width."]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/retry", "Nothing has failed"),
        ("/offline", "Nothing has failed"),
        ("/cancel", "nothing to cancel"),
        ("/dance", "There is no command 'dance'"),
    ],
)
def test_a_command_that_cannot_be_carried_out_is_one_sentence(
    config: Path, line: str, said: str
) -> None:
    done = typed("run", "--plan", PLAN, stdin=f"{line}\n/end\n")
    assert said in done.stdout
    events = json_lines(typed("run", "--plan", PLAN, "--json", stdin=f'"{line}"\n"/end"\n').stdout)
    [refused] = of_kind(events, "refused")
    assert said in refused["message"]
    assert events[-1]["event"] == "debrief"


def test_a_hint_is_refused_when_none_is_left(config: Path) -> None:
    write_rubric(
        config,
        "hintless",
        criteria=[
            {
                "id": "variance",
                "claim": "The variance grows.",
                "weight": 1,
                "kind": "mechanism",
                "probe": "What happens to one logit when a head doubles in size?",
            }
        ],
        samples=[],
    )
    write_plan(config, "hintless", plan_id="no-hints")
    done = typed("run", "--plan", "no-hints", "--json", stdin='"/hint"\n"/end"\n')
    events = json_lines(done.stdout)
    assert of_kind(events, "your_turn")[0]["hint_price"] is None
    assert of_kind(events, "your_turn")[0]["has_hints"] is False
    assert of_kind(events, "refused")[0]["message"] == "There are no hints for this question."


@pytest.mark.parametrize(
    "line", ['{"say": ""}', '""', "plain words", "[1]", '{"say": "a", "command": "b"}', "{}", "7"]
)
def test_a_json_line_that_is_nothing_is_refused_and_the_interview_goes_on(
    config: Path, line: str
) -> None:
    events = json_lines(typed("run", "--plan", PLAN, "--json", stdin=f'{line}\n\n"/end"\n').stdout)
    assert len(of_kind(events, "refused")) == 1
    assert events[-1]["event"] == "debrief"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- fine\n- {say: 1, command: skip}\n", 2),
        ("- fine\n- fine\n- /dance\n", 3),
        ("- fine\n- ''\n", 2),
        ("- fine\n- [a, b]\n", 2),
        ("say: no list\n", 1),
        ("- 'never closed\n- x\n", 3),
        ('"fine"\n{"command": "dance"}\n', 2),
        ('"fine"\n\n{"say": \n', 3),
    ],
)
def test_a_bad_script_is_told_with_its_line_before_anything_begins(
    config: Path, tmp_path: Path, text: str, line: int
) -> None:
    path = tmp_path / "script"
    path.write_text(text, "utf-8")
    result = call("run", "--plan", PLAN, "--script", path)
    assert result.exit_code == 1
    assert f"{path}:{line}: " in result.stderr
    assert result.stdout == ""
    assert json.loads(called("sessions", "list", "--json").stdout) == []


def test_a_script_may_be_json_lines(config: Path, tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text(json.dumps(GAP) + '\n\n{"command": "/end"}\n', "utf-8")
    events = json_lines(called("run", "--plan", PLAN, "--script", path, "--json").stdout)
    assert of_kind(events, "answer")[0]["text"] == GAP
    assert events[-1]["event"] == "debrief"


def test_numbers_in_a_yaml_script_stay_as_they_were_written(config: Path, tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("- 011.50\n- yes\n- /end\n", "utf-8")
    events = json_lines(called("run", "--plan", PLAN, "--script", path, "--json").stdout)
    assert [event["text"] for event in of_kind(events, "answer")] == ["011.50", "yes"]


def test_a_failure_can_be_answered_with_retry(
    config: Path, tmp_path: Path, failing: ScriptedExaminer
) -> None:
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER, "/retry")
    events = json_lines(called("run", "--plan", PLAN, "--script", script, "--json").stdout)
    assert of_kind(events, "error")[0]["message"] == "The server is on fire."
    assert len(of_kind(events, "answer")) == 1
    assert events[-1]["band"] == 4.0


def test_a_failure_can_be_answered_with_offline(
    config: Path, tmp_path: Path, failing: ScriptedExaminer
) -> None:
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER, "/offline")
    told = called("run", "--plan", PLAN, "--script", script).stdout
    assert "The server is on fire.\nType /retry, /offline" in told
    assert "Examiner changed to offline-v3." in told
    assert "Band 4.0 of 4" in told


def test_a_script_without_a_remedy_pauses_and_fails(
    config: Path, tmp_path: Path, failing: ScriptedExaminer
) -> None:
    script = write_script(tmp_path / "script.yaml", GAP, FULL_ANSWER, FULL_ANSWER)
    result = call("run", "--plan", PLAN, "--script", script, "--json")
    assert result.exit_code == 1
    assert "interviewer run --resume" in result.stderr
    events = json_lines(result.stdout)
    assert len(of_kind(events, "answer")) == 1
    assert events[-1]["event"] == "paused"


def test_what_is_said_cannot_steer_the_terminal(config: Path, tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    said = "The variance of the dot product grows\x1b[31m\x07 with the \u202ewidth of a head."
    path.write_text(json.dumps(said) + '\n"/end"\n')
    told = called("run", "--plan", PLAN, "--script", path).stdout
    assert "\x1b" not in told
    assert "\x07" not in told
    assert "\u202e" not in told
    assert "grows␛[31m␇" in told


@contextmanager
def running(*arguments: str, stdin: int) -> Iterator[subprocess.Popen[str]]:
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


def read_until(child: subprocess.Popen[str], wanted: str) -> str:
    assert child.stdout
    read = ""
    for line in child.stdout:
        read += line
        if wanted in line:
            return read
    raise AssertionError(f"{wanted!r} never came:\n{read}")


def test_ctrl_c_pauses_and_the_session_is_resumable(config: Path) -> None:
    with running("run", "--plan", PLAN, stdin=subprocess.PIPE) as child:
        read_until(child, "[your turn")
        child.send_signal(signal.SIGINT)
        told, complaint = child.communicate(timeout=30)
    assert child.returncode == 1
    assert "Paused." in told
    assert complaint.startswith("Error: Interrupted")
    assert "Traceback" not in complaint
    [row] = json.loads(typed("sessions", "list", "--json").stdout)
    assert row["status"] == "paused"


def test_an_unfinished_answer_outlives_the_process(config: Path) -> None:
    with running("run", "--plan", PLAN, stdin=subprocess.PIPE) as child:
        assert child.stdin
        read_until(child, "[your turn")
        child.stdin.write("Variance grows with the width.\n/hint\n")
        child.stdin.flush()
        read_until(child, "(Hint")
        child.kill()
    done = typed("run", "--resume", stdin="The loss starts at 11.5 nats.\n\n/end\n")
    assert (
        "Your unfinished answer (an empty line sends it):\nVariance grows with the width."
        in done.stdout
    )
    assert answers_of_latest() == ["Variance grows with the width.\nThe loss starts at 11.5 nats."]


def test_a_person_at_a_terminal_keeps_the_draft_at_ctrl_d(config: Path) -> None:
    master, slave = pty.openpty()
    try:
        with running("run", "--plan", PLAN, stdin=slave) as child:
            read_until(child, "[your turn")
            os.write(master, b"Variance grows.\n\x04")
            told, _ = child.communicate(timeout=30)
    finally:
        os.close(master)
        os.close(slave)
    assert child.returncode == 0
    assert "Paused." in told
    resumed = typed("run", "--resume", "--json", stdin="").stdout
    [opening, *_] = json_lines(resumed)
    assert [turn["author"] for turn in opening["turns"]] == ["examiner"]
    assert opening["draft"] == "Variance grows."
    assert "Paused." in typed("run", "--resume").stdout
    assert answers_of_latest() == []
    typed("run", "--resume", stdin="\n/end\n")
    assert answers_of_latest() == ["Variance grows."]


def test_a_model_may_examine_and_an_offline_resume_takes_over(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StubEndpoint() as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        monkeypatch.setenv("INTERVIEWER_MODEL", "stub")
        script = write_script(tmp_path / "a.yaml", GAP)
        events = json_lines(called("run", "--plan", PLAN, "--script", script, "--json").stdout)
    assert events[0]["examiner"] == "stub"
    (follow_up,) = of_kind(events, "follow_up")
    assert follow_up["examiner"] == "stub"
    pause = write_script(tmp_path / "p.yaml", "/pause")
    called("run", "--resume", "--examiner", "offline", "--script", pause)
    end = write_script(tmp_path / "b.yaml", "/end")
    resumed = called("run", "--resume", "--script", end, "--json")
    assert "'--examiner llm' goes back to the model" in resumed.stderr
    again = json_lines(resumed.stdout)
    assert again[0]["examiner"] == "offline-v3"
    assert again[-1]["event"] == "debrief"


def test_a_figure_is_told_in_values_and_drawn_on_request(config: Path) -> None:
    write_rubric(config, figure=CURVES.as_data())
    write_plan(config)
    stdin = "Variance grows\n/figure\nwith the width.\n\n/skip\n"
    done = typed("run", "--plan", PLAN, stdin=stdin).stdout
    asked, drawn = done.split("(/figure draws these values as curves.)")
    assert "Figure: A small run, made up" in asked
    assert ["300", "2", "2.75", "1000"] in [line.split() for line in asked.splitlines()]
    assert "gradient norm, log scale" not in asked
    assert "gradient norm, log scale" in drawn
    assert answers_of_latest() == ["Variance grows\nwith the width."]


def test_a_program_gets_the_figure_as_data(config: Path) -> None:
    write_rubric(config, figure=CURVES.as_data())
    write_plan(config)
    stdin = '"/figure"\n{"command": "skip"}\n'
    seen = json_lines(typed("run", "--plan", PLAN, "--json", stdin=stdin).stdout)
    [asked] = of_kind(seen, "question")
    assert asked["figure"]["plot"]["series"][2]["values"] == [1, 0.1, 10, 1000]
    [shown] = of_kind(seen, "figure")
    assert shown["figure"] == CURVES.as_data()


def test_without_a_figure_the_command_says_so(config: Path) -> None:
    write_rubric(config)
    write_plan(config)
    done = typed("run", "--plan", PLAN, stdin="/figure\n/skip\n").stdout
    assert "(This question has no figure.)" in done
