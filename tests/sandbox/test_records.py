"""Numbers from a child: packed and read back, and no bytes at all upset the reader."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.sandbox import numbers
from interviewer.sandbox.worker import protocol

doubles = st.floats(allow_nan=False)


@given(st.lists(doubles, min_size=6, max_size=6))
def test_a_tensor_comes_back_as_it_went(entries: list[float]) -> None:
    packed = protocol.value_record(3, 4, 1, protocol.ITSELF, (2, 3), entries)
    (record,) = protocol.unpack_records(packed)
    assert (record.draw, record.item, record.part) == (3, 4, 1)
    assert record.shape == (2, 3)
    assert record.numbers == array("d", entries)


@given(st.text(max_size=1000), st.text(max_size=60))
def test_words_come_back_capped(text: str, code: str) -> None:
    (record,) = protocol.unpack_records(protocol.error_record(0, 1, 2, code, text))
    assert len(record.text) <= protocol.LONGEST_TEXT
    assert len(record.code) <= 40


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    found = numbers.read_records(data)
    assert found.complete in (True, False)


def test_what_claims_more_entries_than_there_are_bytes_is_refused() -> None:
    packed = protocol.value_record(0, 0, 0, protocol.ITSELF, (2,), [1.0, 2.0])
    with pytest.raises(protocol.MalformedError):
        list(protocol.unpack_records(packed[:-1]))


def test_a_gradient_belongs_to_its_value() -> None:
    found = numbers.read_records(
        protocol.value_record(0, 0, 0, protocol.ITSELF, (), [2.0])
        + protocol.value_record(0, 0, 0, 1, (1,), [4.0])
        + protocol.value_record(0, 9, 0, 1, (1,), [5.0])  # of a value that never came
        + protocol.end_record()
    )
    assert found.complete
    assert found.values[0, 0, 0].gradients[1].entries == array("d", [4.0])
    assert len(found.values) == 1


def test_sides_of_a_branch_add_up_over_draws() -> None:
    said = b"".join(
        protocol.branch_record(draw, 2, 0, *sides)
        for draw, sides in [(0, (3, 0)), (0, (1, 1)), (1, (0, 3)), (1, (2, 0))]
    )
    assert numbers.read_records(said).branches == {(2, 0): [(3, 3), (3, 1)]}
