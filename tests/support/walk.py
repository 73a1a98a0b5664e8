"""Which files one answer passes, from ``Interview.send`` to the next turn of the candidate.

``python -m support.walk offline|llm`` prints them, each with its functions, as JSON in the order of
their first call. It wants a process of its own: what is loaded and kept by the first answer counts.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Examiner
from interviewer.interview.commands import Answer
from interviewer.interview.events import YourTurn
from interviewer.store.store import Store
from support.endpoint import Body, StubEndpoint, judge_nothing
from support.sessions import begin, outline
from support.shipped import shipped

ENGINE = f"{Path(__file__).parents[2]}/interviewer/"
QUESTION = "ppo-kl-penalty-role"
QUOTE = "The KL term keeps the policy near the reference model"
ANSWER = (
    f"{QUOTE}, so that it doesn't drift into text that fools the reward model. We set beta to 0.05 "
    "on a 13B policy with 512 prompts a batch."
)


class Walk:
    """Counts calls of the engine's functions, in all threads, while it is ``on``."""

    def __init__(self) -> None:
        self.on = False
        self.seen: dict[str, dict[str, None]] = {}
        threading.setprofile(self._profile)  # for threads that wait in a pool until then

    def __call__(self) -> None:
        self.on = not self.on
        sys.setprofile(self._profile if self.on else None)

    def _profile(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if self.on and event == "call" and code.co_filename.startswith(ENGINE):
            functions = self.seen.setdefault(code.co_filename.removeprefix(ENGINE), {})
            functions[code.co_qualname] = None


def judge_by_one_quote(body: Body) -> str:
    """The first criterion is met, by the answer's first words."""
    reply = json.loads(judge_nothing(body))
    reply["criteria"][0] |= {"verdict": "met", "evidence": QUOTE, "missing": ""}
    return json.dumps(reply)


@asynccontextmanager
async def examiner_of(kind: str) -> AsyncIterator[Examiner]:
    if kind == "offline":
        yield OfflineExaminer()
        return
    with StubEndpoint(judge=judge_by_one_quote) as stub:
        examiner = LlmExaminer(Endpoint(stub.base_url, None, "stub"), canaries=0.0)
        try:
            yield examiner
        finally:
            await examiner.aclose()


async def walk_of(kind: str, folder: Path) -> dict[str, list[str]]:
    walk, rubric = Walk(), shipped(QUESTION)
    async with examiner_of(kind) as examiner:
        store = Store(folder / "walk.db")
        interview = begin(store, [outline(rubric)], {rubric.id: rubric}, examiner)
        turns = 0
        async for event in interview:
            if isinstance(event, YourTurn):
                turns += 1
                walk()
                if turns == 2:
                    break
                interview.send(Answer(ANSWER))
        store.close()
    return {path: list(functions) for path, functions in walk.seen.items()}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        print(json.dumps(asyncio.run(walk_of(sys.argv[1], Path(temporary)))))
