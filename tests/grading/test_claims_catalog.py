"""The tables of the ledger are consistent: their names, sources, sentences and patterns."""

from __future__ import annotations

from importlib.resources import files
from string import Formatter

import pytest
import yaml
from support.tables import table

from interviewer.grading.claims import catalog
from interviewer.grading.claims.catalog import Relation
from interviewer.grading.claims.quantity import GROUPED

CASES = table("cases", __file__)["claims_catalog"]

MEASURES, RELATIONS = catalog.measures(), catalog.relations()
BY_CODE = {"fp8", "sparsity"}
"""Circumstances that change what a device can do."""


def by_id(relation: Relation) -> str:
    return relation.id


def test_every_name_in_use_exists() -> None:
    circumstances = set(catalog.circumstances())
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


DEVICES = yaml.safe_load(
    (files("interviewer.grading.claims") / "devices.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", DEVICES)
def test_a_device_is_found_by_its_name_and_is_sane(name: str) -> None:
    device = catalog.device_of(f"on eight {name}.")
    assert device is not None
    assert device.name == name
    assert 2e13 <= device.peak <= 5e15
    low, high = device.memory
    assert 10e9 <= low < high <= 320e9
    if device.price:
        assert 0.05 <= device.price[0] * 3600 < device.price[1] * 3600 <= 25


@pytest.mark.parametrize(("said", "name"), CASES["devices"])
def test_devices_as_people_say_them(said: str, name: str | None) -> None:
    found = catalog.device_of(said)
    assert (found.name if found else None) == name
