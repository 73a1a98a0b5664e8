"""A fake endpoint that plays whatever a test puts into its mouth, and no waiting."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.fake_endpoint import FakeEndpoint

from interviewer.examiner.llm import endpoint


@pytest.fixture
def server() -> FakeEndpoint:
    return FakeEndpoint()


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were waited between tries; none of them really pass."""
    waited: list[float] = []

    async def note(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("interviewer.examiner.llm.client.sleep", note)
    return waited


@pytest.fixture(autouse=True)
def _nothing_learned_before() -> Iterator[None]:
    endpoint.forget()
    yield
    endpoint.forget()
