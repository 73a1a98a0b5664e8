"""What a mock costs in tokens, and how much a prefix cache can serve.

    python -m tests.evals endpoint.prompts [--plan ID] [--length L] [--doubt]

Holds whole mocks with the model's examiner against an endpoint that judges by the offline patterns
and would always take up a topic near the answer, drill, or go on to another topic. The candidate
gives the rubrics' own samples as answers. Tokens are estimated at four characters each; cacheable
is the longest beginning that a prompt shares with an earlier one of the mock. With --doubt the
endpoint is unsure of every point that the patterns find: the most second looks there can be.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from evals.figures import Figure, share
from support.sessions import begin

from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.llm.messages import CHARACTERS_PER_TOKEN
from interviewer.examiner.offline.judge import judge
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.commands import Answer
from interviewer.interview.drawing import lay_out
from interviewer.interview.events import QuestionAsked, TurnFailed, YourTurn
from interviewer.interview.plans import Length, load_plans
from interviewer.rubric.library import load_library
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.rubric.text import content_stems
from interviewer.store.store import Store

PLAN = "three-rounds"
ROUNDS = 3
"""So many are held: all of the plan, or the last ones of a longer one."""
FOLLOW_UP = "Staying with that for a moment: what did you set there, and how did you know?"
DRILL = "What did you actually set there in run {run}, and what told you that it was right?"

NO_FIGURES: dict[str, object] = {"figures": [], "circumstances": [], "objection": ""}


@dataclass
class Spent:
    """Counts by role: calls, and characters sent, shared with an earlier prompt, received."""

    calls: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    shared: Counter[str] = field(default_factory=Counter)
    received: Counter[str] = field(default_factory=Counter)
    prompts: list[str] = field(default_factory=list)

    def add(self, role: str, prompt: str, reply: str) -> None:
        self.calls[role] += 1
        self.sent[role] += len(prompt)
        self.shared[role] += max((_common(prompt, each) for each in self.prompts), default=0)
        self.received[role] += len(reply)
        self.prompts.append(prompt)

    @property
    def tokens(self) -> int:
        return (self.sent.total() + self.received.total()) // CHARACTERS_PER_TOKEN


def _common(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


class Bench:
    """An endpoint that judges by patterns, listens for topics, and counts."""

    def __init__(self, rubrics: Mapping[str, Rubric], *, doubts: bool) -> None:
        self.spent = Spent()
        self._by_question = {rubric.question: rubric for rubric in rubrics.values()}
        self._doubts = doubts

    def answer(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        role = _role(body)
        match role:
            case "ask":
                reply = FOLLOW_UP
            case "figures":
                reply = json.dumps(NO_FIGURES)
            case "giveaways":
                reply = _cleared(body)
            case "listen":
                reply = self._heard(body)
            case _:
                reply = self._judged(body)
        prompt = "\n".join(f"{m['role']}: {m['content']}" for m in body["messages"])
        self.spent.add(role, prompt, reply)
        message = {"role": "assistant", "content": reply}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        return httpx.Response(200, json={"model": "bench", "choices": choices})

    def _heard(self, body: dict[str, Any]) -> str:
        told = [_lines(message["content"]) for message in body["messages"][-3:]]
        question, answer, task = (json.loads(lines[-1]) for lines in told)
        left = [topic for topic in question["topics"] if topic["id"] not in task["settled"]]
        words = content_stems(answer["text"])
        left.sort(key=lambda topic: -len(content_stems(topic["question"]) & words))
        new = [topic for topic in left if topic["id"] not in task["tried"]]
        new.sort(key=lambda topic: "first" not in topic)
        said = [("pin_down", topic["id"], topic["question"]) for topic in left[:1]]
        said.append(("drill", "", DRILL.format(run=self.spent.calls.total())))
        if "harder" in question and not any("first" in topic for topic in new):
            said.append(("escalate", "", question["harder"]))
        elif new:
            said.append(("probe", new[0]["id"], new[0]["question"]))
        say = [{"move": move, "topic": topic, "text": text} for move, topic, text in said]
        return json.dumps({"acts": ["answer"], "say": say, **NO_FIGURES})

    def _judged(self, body: dict[str, Any]) -> str:
        _, key, transcript, *_, last = (message["content"] for message in body["messages"])
        rubric = self._by_question[json.loads(key.split("\n", 1)[1])["question"]]
        turns = [
            Turn(turn["turn"], turn["author"], TurnKind(turn["kind"]), turn["text"])
            for turn in map(json.loads, _lines(transcript))
        ]
        found = {finding.criterion: finding for finding in judge(rubric, turns).findings}
        entries = []
        for wanted in json.loads(last.split("\n")[-1]):
            criterion = wanted["id"] if isinstance(wanted, dict) else wanted
            finding = found.get(criterion)
            verdict = finding.verdict if finding else Rating.NOT_MET
            unsure = self._doubts and verdict is Rating.MET
            entries.append(
                {
                    "id": criterion,
                    "evidence": [finding.evidence] if finding and finding.evidence else [],
                    "verdict": verdict,
                    "missing": "" if verdict is Rating.MET else "the step from one to the other",
                    "sure": "low" if unsure else "high",
                    "otherwise": Rating.NOT_MET if unsure else "none",
                    "doubt": "whether the words say so or only come near it" if unsure else "",
                }
            )
        return json.dumps({"criteria": entries})


def _cleared(body: dict[str, Any]) -> str:
    numbers = [json.loads(line)["number"] for line in _lines(body["messages"][-1]["content"])]
    entries = [{"number": n, "point": "", "words": "", "gives_away": False} for n in numbers]
    return json.dumps({"utterances": entries})


def _role(body: dict[str, Any]) -> str:
    if "response_format" not in body:
        return "ask"
    fields = body["response_format"]["json_schema"]["schema"]["properties"]
    if "utterances" in fields:
        return "giveaways"
    if "acts" in fields or "figures" in fields:
        return "listen" if "acts" in fields else "figures"
    first_look = body["messages"][-1]["content"].startswith("Judge") and not body["temperature"]
    return "judge" if first_look else "settle"


def _lines(content: str) -> list[str]:
    _, _, *lines = content.split("\n")
    return lines[: next(n for n, line in enumerate(lines) if line.startswith("END "))]


def answers_to(rubric: Rubric) -> Iterator[str]:
    """The samples, half-good ones first, over and over.

    With a word before them: a sample that is the answer to the letter is no example of itself, and
    the answer key would differ from call to call as it never does with people.
    """
    samples = sorted(
        (sample for sample in rubric.samples if sample.kind != "empty"),
        key=lambda sample: sample.kind != "middle",
    )
    while True:
        yield from (f"Well, {sample.answer}" for sample in samples)


async def hold(plan_id: str, length: Length, *, doubts: bool) -> tuple[Spent, int, int]:
    """The last rounds of a mock; what it spent, its questions and its answers."""
    library = load_library()
    rounds = lay_out(load_plans().get(plan_id).model, library, length=length, seed=1)
    rounds = rounds[-ROUNDS:]
    rubrics = {name: library.get(name).model for each in rounds for name in each.questions}
    bench = Bench(rubrics, doubts=doubts)
    client = httpx.AsyncClient(transport=httpx.MockTransport(bench.answer))
    examiner = LlmExaminer(Endpoint("http://bench.test/v1", None, "bench", http_client=client))
    given = 0
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "sessions.db")
        interview = begin(store, rounds, rubrics, examiner, now=lambda: 0.0)
        answers: Iterator[str] = iter(())
        async for event in interview:
            if isinstance(event, QuestionAsked):
                answers = answers_to(rubrics[event.rubric])
            elif isinstance(event, TurnFailed):
                raise SystemExit(event.message)
            elif isinstance(event, YourTurn):
                given += 1
                interview.send(Answer(next(answers)))
        store.close()
    return bench.spent, len(rubrics), given


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plan", default=PLAN, metavar="ID")
    parser.add_argument("--length", type=Length, default=Length.STANDARD)
    parser.add_argument("--doubt", action="store_true")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    spent, questions, answers = asyncio.run(hold(asked.plan, asked.length, doubts=asked.doubt))
    roles = [
        f"{role:9} {calls:4} calls  {spent.sent[role] // CHARACTERS_PER_TOKEN:8,} tokens sent  "
        f"{spent.shared[role] / spent.sent[role]:.0%} cacheable"
        for role, calls in spent.calls.items()
    ]
    what = f"{asked.plan}: {questions} questions, {answers} answers"
    yield Figure(f"tokens of {ROUNDS} rounds", spent.tokens, what, roles)
    cacheable = spent.shared.total() / spent.sent.total()
    yield Figure("prompt tokens that a cache can serve", cacheable)
    second = spent.calls["ask"] + spent.calls["giveaways"]
    yield share("answers with a second wait", second, answers)
