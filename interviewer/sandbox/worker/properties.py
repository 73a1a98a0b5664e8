"""Properties of a function that another child has; this one never runs a candidate's code."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from .calls import CallError, Peer, Remote
from .job import Drawn, Emitter, as_tensor, described, drawn, load
from .protocol import PROPERTIES, FrameError, end_record


def run_properties(body: bytes, write: Callable[[bytes], None], peer: Peer) -> None:
    """Test every property on every draw; the pairs that it compares are records."""
    job = json.loads(body)
    remote = Remote(peer, len(job["parts"]))
    held = [(place, each) for place, each in enumerate(job["properties"])]
    for number in job["property_draws"]:
        given = drawn(job["draws"][number])
        emitter = Emitter(write, number, given)
        for place, each in held:
            _property(PROPERTIES + place, each, remote, job["arguments"], given, emitter)
    write(end_record())


def _property(
    item: int,
    held: dict[str, Any],
    f: Remote,
    names: Sequence[str],
    given: Drawn,
    emitter: Emitter,
) -> None:
    values = given.fresh()
    arguments = [values[name] for name in names]
    try:
        answered = load(held["source"], held["name"])(f, *arguments)
        for part, (got, wanted) in enumerate(_pairs(answered)):
            emitter.tensor(item, 2 * part, as_tensor(got), gradients=False)
            emitter.tensor(item, 2 * part + 1, as_tensor(wanted), gradients=False)
    except FrameError:
        raise
    except CallError as error:
        emitter.error(item, 0, error.code, str(error))
    except Exception as error:  # noqa: BLE001 - whatever it raises is an answer
        emitter.error(item, 0, "raised", described(error))


def _pairs(answered: Any) -> list[tuple[Any, Any]]:
    if isinstance(answered, tuple) and len(answered) == 2:
        return [answered]
    return [(got, wanted) for got, wanted in answered]
