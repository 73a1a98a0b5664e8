"""The tables of the ledger are consistent: their names, sources, sentences and patterns."""

from __future__ import annotations

from string import Formatter

import pytest
from support.tables import table

from interviewer.grading.claims.quantity import (
    GROUPED,
    Device,
    Relation,
    device_of,
    devices,
    known_circumstances,
    measures,
    relations,
)

CASES = table("cases", __file__)["claims_tables"]

MEASURES, RELATIONS = measures(), relations()
BY_CODE = {"fp8", "sparsity"}
"""Circumstances that change what a device can do."""


def by_id(relation: Relation) -> str:
    return relation.id


def test_every_name_in_use_exists() -> None:
    circumstances = set(known_circumstances())
    for relation in RELATIONS:
        assert {relation.result, *relation.inputs} <= set(MEASURES), relation.id
        assert relation.unless | relation.needs | set(relation.instead) <= circumstances
    used = {name for r in RELATIONS for name in (*r.unless, *r.needs, *r.instead)}
    assert circumstances - BY_CODE <= used
    for measure in MEASURES.values():
        named = {r.removeprefix("1/") for r in measure.readings if isinstance(r, str)}
        assert named | set(measure.also) | set(measure.instead.values()) <= set(MEASURES)
    assert set(MEASURES) >= GROUPED


@pytest.mark.parametrize("relation", RELATIONS, ids=by_id)
def test_a_relation_has_a_source_a_slack_and_a_sentence_of_its_inputs(relation: Relation) -> None:
    assert relation.source
    low, high = relation.slack
    assert 0 <= low < high or relation.silent
    named = {name for _, name, _, _ in Formatter().parse(relation.says) if name}
    if "inputs" in named:
        assert relation.optional
        named = (named - {"inputs"}) | set(relation.inputs)
    assert named <= {*relation.inputs, "result"}
    assert relation.silent or "result" in named
    # What a sentence leaves out is told by its own words.
    told = {"peak", "gpu_memory", "weight_bytes"}
    assert set(relation.inputs) - named <= told or len(relation.inputs) == 1
    assert bool(relation.factors) != bool(relation.formula) or not relation.inputs
    assert not (relation.unless & relation.needs)


@pytest.mark.parametrize("device", devices(), ids=lambda device: device.name)
def test_a_device_is_found_by_its_name_and_is_sane(device: Device) -> None:
    assert device_of(f"on eight {device.name}.") is device
    assert 20 <= device.tflops <= 5000
    assert 10 <= min(device.memory) <= max(device.memory) <= 300
    if device.dollars:
        low, high = device.dollars
        assert 0.05 <= low < high <= 25


@pytest.mark.parametrize(("said", "name"), CASES["devices"])
def test_devices_as_people_say_them(said: str, name: str | None) -> None:
    found = device_of(said)
    assert (found.name if found else None) == name
