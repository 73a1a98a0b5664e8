"""What a reply that streams in costs, and how soon keys are seen meanwhile.

The real program in a terminal of its own, with a model's server on this machine that sends a
hundred tokens a second: the share of one core that the program takes beside what it takes at rest,
and one key until it is seen, beside the same while nothing happens. Linux only (/proc).
"""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import dataclass, field

from evals.speed.responsiveness import ANSWER, key_times
from evals.speed.start_up import COMPILED, processor_seconds
from support.endpoint import Body, StubEndpoint, judge_nothing
from support.terminal import Terminal

TOKENS_A_SECOND = 100
WATCHED = 4.0
"""Seconds."""
LONGEST = 3_000
"""Tokens; no reply ends while it is watched."""
SEND = "\x13"


@dataclass
class Seen:
    """Shares of one core, 0..1, and keys in milliseconds."""

    streaming: list[float] = field(default_factory=list)
    resting: list[float] = field(default_factory=list)
    keys: list[float] = field(default_factory=list)
    resting_keys: list[float] = field(default_factory=list)


def at_length(body: Body) -> str:
    judged = json.loads(judge_nothing(body))
    for each in judged["criteria"]:
        each["missing"] = "all of it, " * (4 * LONGEST // 10)
    return json.dumps(judged)


def share(terminal: Terminal) -> float:
    """Of one core, for a while."""
    spent, begun = processor_seconds(terminal.process.pid), time.perf_counter()
    time.sleep(WATCHED)
    return (processor_seconds(terminal.process.pid) - spent) / (time.perf_counter() - begun)


def measured(rounds: int, keys: int = 60) -> Seen:
    """So many interviews, each at rest first and then waiting for a reply."""
    seen = Seen()
    for _ in range(rounds):
        with (
            tempfile.TemporaryDirectory() as folder,
            StubEndpoint(judge=at_length, pause=1 / TOKENS_A_SECOND) as endpoint,
        ):
            environment = {
                **COMPILED,
                "INTERVIEWER_DATA_DIR": folder,
                "INTERVIEWER_CONFIG_DIR": folder,
                "OPENAI_BASE_URL": endpoint.base_url,
                "INTERVIEWER_MODEL": "stub",
            }
            with Terminal(environment=environment) as terminal:
                _to_first_question(terminal)
                seen.resting.append(share(terminal))
                seen.resting_keys += key_times(terminal, keys)
                terminal.press("\x15" + ANSWER)
                terminal.wait_for("saved")
                terminal.press(SEND)
                terminal.wait_for("reading your answer")
                seen.streaming.append(share(terminal))
                seen.keys += key_times(terminal, keys)
                terminal.wait_for("reading your answer")
    return seen


def _to_first_question(terminal: Terminal) -> None:
    terminal.wait_for("New mock")
    terminal.press("n")
    terminal.wait_for("The driller", "Start")
    terminal.press(SEND)
    terminal.wait_for("Your turn", "left")
    time.sleep(2.0)  # for what is loaded ahead
