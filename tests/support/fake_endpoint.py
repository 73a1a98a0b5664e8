"""A fake OpenAI-compatible endpoint behind the HTTP client, and cases to judge."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import httpx
import respx

from interviewer.examiner.llm.endpoint import Endpoint, capabilities_of
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.protocol import Persona, QuestionContext
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.rubric.rubric import Misconception, Rubric
from support.rubrics import a_criterion, a_rubric

URL = "http://model.test/v1"
KEY = "sk-test-0123456789abcdef"
ANSWER = "The alpha effect decides it since the beta term vanishes early."
QUOTE = "alpha effect decides it"
_QUOTES = {"beta": "since the beta term vanishes early"}


class FakeEndpoint:
    """Answers chat requests from a list, front first; the last one is repeated.

    With ``by_request`` set, that function of the request's body answers instead: for requests that
    go out at the same time, in no order that a test could rely on.
    """

    def __init__(self) -> None:
        self.replies: list[httpx.Response | Exception] = []
        self.by_request: Callable[[dict[str, Any]], httpx.Response | Exception] | None = None
        self.requests: list[httpx.Request] = []
        self.router = respx.MockRouter(assert_all_called=False)
        self.router.post(path="/v1/chat/completions").mock(side_effect=self._reply)

    def will(self, *replies: httpx.Response | Exception) -> None:
        self.replies = list(replies)

    def will_list(self, reply: httpx.Response) -> None:
        self.router.get(path="/v1/models").mock(return_value=reply)

    def endpoint(self, **changes: Any) -> Endpoint:
        handler = httpx.MockTransport(self.router.async_handler)
        plain = Endpoint(URL, KEY, "tiny", http_client=httpx.AsyncClient(transport=handler))
        return replace(plain, **changes)

    def examiner(
        self,
        *,
        canaries: float = 0.0,
        on_retry: Any = None,
        patient: bool = False,
        **changes: Any,
    ) -> LlmExaminer:
        """No canaries unless asked for."""
        examiner = LlmExaminer(
            self.endpoint(**changes),
            canaries=canaries,
            patient=patient,
        )
        if on_retry:
            examiner.on_retry(on_retry)
        return examiner

    def learned(self, **changes: Any) -> tuple[str, ...]:
        return capabilities_of(self.endpoint(**changes)).learned()

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]

    def _reply(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.by_request:
            reply = self.by_request(json.loads(request.content))
        else:
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply


def chunk(text: str | None = None, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    said = {"role": "assistant", **({"content": text} if text is not None else {}), **delta}
    return {"model": "tiny-q4", "choices": [{"index": 0, "delta": said, "finish_reason": finish}]}


def usage(prompt: int, completion: int, cached: int = 0) -> dict[str, Any]:
    details = {"cached_tokens": cached}
    counts = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "prompt_tokens_details": details,
    }
    return {"model": "tiny-q4", "choices": [], "usage": counts}


def streamed(*chunks: dict[str, Any], done: bool = True) -> httpx.Response:
    lines = [f"data: {json.dumps(each)}\n\n" for each in chunks]
    return events("".join([*lines, *(["data: [DONE]\n\n"] if done else [])]))


def events(body: str) -> httpx.Response:
    return httpx.Response(
        200, content=body.encode(), headers={"content-type": "text/event-stream; charset=utf-8"}
    )


def said(*pieces: str, finish: str = "stop") -> httpx.Response:
    return streamed(*(chunk(piece) for piece in pieces), chunk(finish=finish))


def refusal(status: int, message: str, **more: Any) -> httpx.Response:
    headers = more.pop("headers", None)
    return httpx.Response(status, json={"error": {"message": message, **more}}, headers=headers)


def findings(**verdicts: str) -> str:
    """A judge's reply with these verdicts, each with a quote from ANSWER."""
    return judged(
        {"id": each, "evidence": _QUOTES.get(each, QUOTE), "verdict": verdict, "missing": ""}
        for each, verdict in verdicts.items()
    )


def judged(entries: Iterable[Any]) -> str:
    return json.dumps({"criteria": list(entries)})


def fenced_lines(content: str) -> list[Any]:
    """The JSON of each line between the markers; fails where anything else breaks out of them."""
    heading, begin, *data, end = content.split("\n")
    marker = begin.removeprefix("BEGIN ")
    assert re.fullmatch(r"[0-9a-f]{16}", marker)
    assert marker in heading
    assert end == f"END {marker}"
    return [json.loads(line) for line in data if line]


def heard(
    *acts: str,
    say: Iterable[tuple[str, str, str]] = (),
    figures: Iterable[dict[str, Any]] | None = (),
    objection: str = "",
) -> str:
    """A listener's reply: these acts, proposals as move, topic and words, and these figures.

    Without ``figures`` it lacks all that is said of them.
    """
    proposals = [{"move": move, "topic": topic, "text": text} for move, topic, text in say]
    reply: dict[str, Any] = {"acts": list(acts), "say": proposals}
    if figures is not None:
        reply |= {"figures": list(figures), "circumstances": [], "objection": objection}
    return json.dumps(reply)


ALL = findings(alpha="met", beta="partial", gamma="not_met")


def secretive_rubric() -> Rubric:
    """Every part of the answer key is a word that stands nowhere else."""
    criterion = a_criterion(
        "alpha",
        claim="The claimword decides",
        kind="number",
        accept=("an acceptword",),
        reject=("a rejectword",),
        misconceptions=(Misconception(claim="a misconceptword"),),
        patterns=(("patternword",),),
        probe="What about the corner?",
        hints=("The hintword helps.", "The secondhintword helps."),
    )
    return a_rubric(criterion, reference="The referenceword is the answer.")


def context_of(*answers: str, rubric: Rubric | None = None, exam: bool = True) -> QuestionContext:
    """The question of the rubric, then these answers with a probe between them."""
    chosen = rubric or a_rubric()
    turns = [Turn(1, "examiner", TurnKind.QUESTION, chosen.question)]
    for text in answers or (ANSWER,):
        if turns[-1].author == "candidate":
            turns.append(Turn(len(turns) + 1, "examiner", TurnKind.PROBE, "And then?"))
        turns.append(Turn(len(turns) + 1, "candidate", TurnKind.ANSWER, text))
    return QuestionContext(chosen, tuple(turns), (), Persona("Mara", "dry and brief"), exam)
