"""Numbers from a child: packed and read back, and no bytes at all upset the reader."""

from __future__ import annotations

from array import array
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.sandbox.jobs import read_records
from interviewer.sandbox.worker.protocol import (
    LONGEST_TEXT,
    pack_line,
    pack_numbers,
    pack_record,
)

DOUBLES = st.floats(allow_nan=False)
TWO = pack_numbers((2,), [1.0, 2.0])
END = pack_record("end")


@given(st.lists(DOUBLES, min_size=6, max_size=6))
def test_a_tensor_comes_back_as_it_went(entries: list[float]) -> None:
    packed = pack_record("value", 3, 4, 1, **pack_numbers((2, 3), entries))
    found = read_records(packed + END)
    value = found.values[3, 4, 1].itself
    assert (value.shape, value.entries) == ((2, 3), array("d", entries))
    assert found.complete


@given(st.text(max_size=1000), st.text(max_size=60))
def test_words_come_back_capped(text: str, code: str) -> None:
    fault = read_records(pack_record("error", 0, 1, 2, code=code, text=text)).faults[0, 1, 2]
    assert len(fault.text) <= LONGEST_TEXT
    assert len(fault.code) <= 40


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    assert read_records(data).complete in (True, False)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)
FIELDS = {
    "kind": st.sampled_from(["value", "error", "end"]) | JSON,
    **dict.fromkeys(("draw", "item", "part"), st.integers(-1, 9) | JSON),
    "gradients": st.lists(st.none() | JSON, max_size=3) | JSON,
    "shape": st.lists(st.integers(-1, 3), max_size=3) | JSON,
    **dict.fromkeys(("code", "text"), JSON),
}


@given(st.fixed_dictionaries({}, optional=FIELDS), st.binary(max_size=40))
def test_any_fields_are_read_or_refused(fields: dict[str, Any], body: bytes) -> None:
    text = b64encode(body).decode()
    found = read_records(pack_line({"entries": text, **fields}))
    for value in found.values.values():
        assert 8 * len(value.itself.entries) == len(body)


@pytest.mark.parametrize(
    "packed",
    [
        pack_record("value", **TWO | {"shape": [3]}),
        pack_record("value", **TWO | {"shape": [1 << 40, 0, 2]}),
        pack_record("value", **TWO | {"entries": "AAA"}),
        pack_record("value", -1, **TWO),
        pack_record("value", **TWO, gradients=True),
        pack_record("value", **TWO, gradients=[{"shape": [1]}]),
        pack_record("sum", **TWO),
        b"[" * 100_000 + b"\n",
    ],
)
def test_what_does_not_add_up_is_not_read_nor_what_follows(packed: bytes) -> None:
    found = read_records(packed + END)
    assert not found.values
    assert not found.complete


def test_an_absent_gradient_has_no_entries() -> None:
    one = pack_numbers((1,), [4.0])
    found = read_records(pack_record("value", **TWO, gradients=[None, one]))
    assert list(found.values[0, 0, 0].gradients) == [1]
    assert found.values[0, 0, 0].gradients[1].entries == array("d", [4.0])
