"""The Batch API: many chat requests uploaded as one file, and their replies fetched hours later.

A batch is remembered before it is created, by a tag that the endpoint keeps with it, and afterwards
by its id: whoever comes back after a kill finds it there and pays for nothing twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import failures
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.messages import without_marker
from interviewer.examiner.protocol import AwaitsBatch, JudgementCache

if TYPE_CHECKING:
    import openai

PATH = "/v1/chat/completions"
MOST_REQUESTS, MOST_BYTES = 5_000, 50_000_000
"""Of one batch: its replies come in one body, and endpoints limit what they take."""
FIRST_WAIT, LONGEST_WAIT, SLOWER = 5.0, 60.0, 1.5
"""Seconds between two looks at a batch, and the factor from one to the next."""
TAG = "interviewer"
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
_HAS_NONE = frozenset({404, 405, 501})


@dataclass(frozen=True)
class BatchReply:
    """What came for one request. ``first`` says that nobody has read it before."""

    status: int
    body: Mapping[str, Any]
    first: bool


class Batches:
    """Requests waiting to be sent, and the replies that have come, by what was asked.

    ``tell`` gets a sentence on how far the batches are. Methods that talk to the endpoint raise
    ExaminerError.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        memory: JudgementCache,
        client: openai.AsyncOpenAI,
        *,
        tell: Callable[[str], None] = lambda _: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.tell = tell
        self._endpoint = endpoint
        self._memory = memory
        self._client = client
        self._sleep = sleep
        self._waiting: set[str] = set()
        self._lines: list[IO[bytes]] = []
        self._counts: list[int] = []
        self._replies: dict[str, tuple[int, Mapping[str, Any]]] = {}
        self._read: set[str] = set()
        self._sent: set[str] = set()
        self._name = f"batches {endpoint.url} {endpoint.model}"

    def want(self, arguments: Mapping[str, Any]) -> None:
        """Put the request into the next batch, unless it is there or answered already."""
        key = _key(arguments)
        if key in self._replies or key in self._waiting:
            return
        self._waiting.add(key)
        body = {name: value for name, value in arguments.items() if name != "extra_body"}
        body |= arguments.get("extra_body", {})
        line = {"custom_id": key, "method": "POST", "url": PATH, "body": body}
        if (
            not self._lines
            or self._counts[-1] == MOST_REQUESTS
            or self._lines[-1].tell() > MOST_BYTES
        ):
            self._lines.append(tempfile.TemporaryFile())  # noqa: SIM115  (until it is sent)
            self._counts.append(0)
        self._lines[-1].write(json.dumps(line).encode() + b"\n")
        self._counts[-1] += 1

    def reply(self, arguments: Mapping[str, Any]) -> BatchReply:
        """The reply to the request. Raises AwaitsBatch, after which the next batch holds it.

        Raises ExaminerError for a request that was sent and never answered.
        """
        key = _key(arguments)
        if key not in self._replies:
            if key in self._sent:
                raise ExaminerError(
                    f"The batch at {self._endpoint.address} ended without a reply to a request of "
                    "this session; the same command sends it again.",
                    retryable=True,
                )
            self.want(arguments)
            raise AwaitsBatch
        first = key not in self._read
        self._read.add(key)
        return BatchReply(*self._replies[key], first)

    async def pick_up(self) -> None:
        """Wait for the batches that an earlier run left at the endpoint, and read their replies."""
        for tag, id_ in self._remembered().items():
            found = id_ or await self._tagged(tag)
            if found is None:  # it was never created
                self._drop(tag)
                continue
            self._remember(tag, found)
            self.tell(f"Batch {found} of an earlier run is picked up.")
            await self._fetch(tag, found)

    async def send(self) -> None:
        """Send what waits and return once all of it is answered."""
        files, self._lines, self._counts = self._lines, [], []
        self._sent |= self._waiting
        self._waiting.clear()
        sent = []
        for file in files:
            with file:
                sent.append(await self._create(file))
        for tag, id_ in sent:
            await self._fetch(tag, id_)

    def forget(self) -> None:
        """The replies have been used: the next run starts afresh."""
        self._memory.put(self._name, {})

    # -- at the endpoint --------------------------------------------------------------

    async def _create(self, lines: IO[bytes]) -> tuple[str, str]:
        """Its tag and its id."""
        lines.seek(0)
        tag = secrets.token_hex(8)
        with self._explained():
            file = await self._client.files.create(
                file=("requests.jsonl", lines, "application/jsonl"), purpose="batch"
            )
            self._remember(tag, None)
            batch = await self._client.batches.create(
                input_file_id=file.id,
                endpoint=PATH,  # type: ignore[arg-type]
                completion_window="24h",
                metadata={TAG: tag},
            )
        self._remember(tag, batch.id)
        return tag, batch.id

    async def _tagged(self, tag: str) -> str | None:
        """The batch with this tag, which was created if the endpoint knows it."""
        with self._explained():
            page = await self._client.batches.list(limit=100)
        return next((each.id for each in page.data if (each.metadata or {}).get(TAG) == tag), None)

    async def _fetch(self, tag: str, id_: str) -> None:
        """Wait until the batch has ended, and keep its replies."""
        wait, told = FIRST_WAIT, ""
        while True:
            with self._explained():
                batch = await self._client.batches.retrieve(id_)
            now: str = batch.status
            if counts := batch.request_counts:
                now += f", {counts.completed} of {counts.total} answered"
            if now != told:
                self.tell(f"Batch {id_}: {now}.")
                told = now
            if batch.status in _ENDED:
                break
            await self._sleep(wait)
            wait = min(LONGEST_WAIT, wait * SLOWER)
        for file in filter(None, (batch.output_file_id, batch.error_file_id)):
            with self._explained():
                content = await self._client.files.content(file)
            self._replies |= _replies(content.text)
        if batch.status != "completed" and not batch.output_file_id:
            self._drop(tag)
            raise ExaminerError(
                f"Batch {id_} at {self._endpoint.address} ended as {batch.status} without a reply: "
                "see there why, or leave out --batch-api."
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        import openai

        try:
            yield
        except failures.causes() as error:
            if isinstance(error, openai.APIStatusError) and error.status_code in _HAS_NONE:
                raise ExaminerError(
                    f"{self._endpoint.address} has no Batch API (HTTP {error.status_code}): leave "
                    "out --batch-api, and the answers are judged one by one."
                ) from error
            raise ExaminerError(failures.explain(error, self._endpoint).message) from error

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    # -- what is remembered -----------------------------------------------------------

    def _remembered(self) -> dict[str, str | None]:
        """The batches that are under way or not used up, their ids by their tags."""
        return dict((self._memory.get(self._name) or {}).get("open", {}))

    def _remember(self, tag: str, id_: str | None) -> None:
        self._memory.put(self._name, {"open": self._remembered() | {tag: id_}})

    def _drop(self, tag: str) -> None:
        kept = {each: id_ for each, id_ in self._remembered().items() if each != tag}
        self._memory.put(self._name, {"open": kept})


def _key(arguments: Mapping[str, Any]) -> str:
    """What stands for a request: the same in every process, whatever markers fence its data."""
    messages = [
        {**message, "content": without_marker(message["content"])}
        for message in arguments["messages"]
    ]
    told = json.dumps({**arguments, "messages": messages}, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:40]


def _replies(text: str) -> dict[str, tuple[int, Mapping[str, Any]]]:
    """The replies of a file by key; lines that make no sense are left out."""
    found: dict[str, tuple[int, Mapping[str, Any]]] = {}
    for line in text.splitlines():
        with suppress(ValueError, RecursionError, KeyError, TypeError, AttributeError):
            entry = json.loads(line)
            response = entry.get("response") or {}
            status = int(response.get("status_code") or 500)
            body = response.get("body") or {"error": entry.get("error")}
            if isinstance(body, dict):
                found[str(entry["custom_id"])] = (status, body)
    return found
