"""Numbers from a child: packed and read back, and no bytes at all upset the reader."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.sandbox.jobs import JobScope, read_records
from interviewer.sandbox.worker.protocol import LONGEST_TEXT, pack_frame, pack_record

DOUBLES = st.floats(allow_nan=False)
TWO = array("d", [1.0, 2.0]).tobytes()
END = pack_record("end")


@given(st.lists(DOUBLES, min_size=6, max_size=6))
def test_a_tensor_comes_back_as_it_went(entries: list[float]) -> None:
    packed = pack_record("value", 3, 4, 1, array("d", entries).tobytes(), shape=(2, 3))
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
    **dict.fromkeys(("draw", "item", "part", "wrt"), st.integers(-1, 9) | JSON),
    "shape": st.lists(st.integers(-1, 3), max_size=3) | JSON,
    **dict.fromkeys(("code", "text"), JSON),
}


@given(st.fixed_dictionaries({}, optional=FIELDS), st.binary(max_size=40))
def test_any_fields_are_read_or_refused(fields: dict[str, Any], body: bytes) -> None:
    for scope in (None, JobScope(3, 1, 2)):
        found = read_records(pack_frame(fields, body), scope)
        for value in found.values.values():
            assert 8 * len(value.itself.entries) == len(body)


@pytest.mark.parametrize(
    "packed",
    [
        pack_record("value", body=TWO, shape=(3,)),
        pack_record("value", body=TWO, shape=(1 << 40, 0, 2)),
        pack_record("value", -1, body=TWO, shape=(2,)),
        pack_record("value", body=TWO, shape=(2,), wrt=True),
        pack_record("sum", body=TWO, shape=(2,)),
    ],
)
def test_what_does_not_add_up_is_not_read_nor_what_follows(packed: bytes) -> None:
    found = read_records(packed + END)
    assert not found.values
    assert not found.complete


def test_what_was_not_asked_for_is_passed_over() -> None:
    scope = JobScope(draws=1, parts=1, inputs=1)
    places = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)]
    packed = [pack_record("value", *place, TWO, shape=(2,)) for place in places]
    foreign = pack_record("value", body=TWO, shape=(2,), wrt=1)
    found = read_records(b"".join(packed) + foreign + END, scope)
    assert list(found.values) == [(0, 0, 0)]
    assert not found.values[0, 0, 0].gradients


def test_a_gradient_belongs_to_its_value() -> None:
    one = array("d", [4.0]).tobytes()
    found = read_records(
        pack_record("value", body=TWO, shape=(2,))
        + pack_record("value", body=one, shape=(1,), wrt=1)
        + pack_record("value", 0, 9, body=one, shape=(1,), wrt=1)  # of a value that never came
    )
    assert found.values[0, 0, 0].gradients[1].entries == array("d", [4.0])
    assert len(found.values) == 1
