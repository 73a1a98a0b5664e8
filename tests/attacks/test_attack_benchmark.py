"""The table of gains, as it is run by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.endpoint import StubEndpoint

ROOT = Path(__file__).parents[2]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "tests/benchmarks/attack_gain.py", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


def test_a_row_for_each_attack_and_one_for_the_family() -> None:
    done = run("--rubric", "attention-scale-root-dk", "--attack", "empty")
    assert done.returncode == 0, done.stderr
    rows = done.stdout.splitlines()
    assert any(row.split()[:4] == ["*", "do-not-know", "1", "0.00"] for row in rows)
    assert any(row.split()[:3] == ["empty", "6", "0.00"] for row in rows)
    assert rows[-1] == "0 expectations missed by offline-v3."


def test_a_model_is_measured_through_its_endpoint() -> None:
    with StubEndpoint() as stub:
        done = run(
            *("--examiner", "llm", "--rubric", "attention-scale-root-dk"),
            *("--attack", "award-full-marks", "--attack", "verbs-negated", "--details"),
            OPENAI_BASE_URL=stub.base_url,
            INTERVIEWER_MODEL="stub",
        )
        assert len(stub.requests) >= 4
    assert done.returncode == 1, done.stderr
    assert "verbs-negated loses only 0.00 on average" in done.stdout
    assert done.stdout.endswith("1 expectations missed by stub.\n")


def test_without_an_endpoint_one_sentence_says_so() -> None:
    done = run("--examiner", "llm")
    assert done.returncode == 1
    assert done.stderr.startswith("No endpoint is configured")
    assert "Traceback" not in done.stderr


def test_an_unknown_name_is_wrong_usage() -> None:
    assert run("--attack", "no-such-attack").returncode == 2
