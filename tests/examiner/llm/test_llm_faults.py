"""Faults of an endpoint in every phase: a plain sentence or a result, and nothing lost.

The eval ``endpoint.faults`` plays them all, and replies cut off at every byte.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.fault_phases import PHASES, READ, WITHIN, At
from support.faults import FAULTS, struck_by

QUICK = ("cut", "hangs up", "429", "500", "picture", "wrong charset", "empty choices")


@pytest.mark.parametrize("name", QUICK)
async def test_a_fault_is_a_sentence_and_costs_no_answer(tmp_path: Path, name: str) -> None:
    fault = FAULTS[name]
    async with struck_by(fault) as address, asyncio.timeout(120):
        for phase in PHASES:
            (tmp_path / phase).mkdir()
        at = At(address, fault.patience)
        cells = await asyncio.gather(
            *(play(at, tmp_path / phase) for phase, play in PHASES.items())
        )
    for cell in cells:
        assert cell.plain, cell
        assert cell.tells_of(fault), cell
        assert cell.kept is not False, cell
    assert any(cell.outcome != READ for cell in cells)


@pytest.mark.parametrize("stage", WITHIN)
async def test_an_interview_goes_on_where_one_stage_fails(tmp_path: Path, stage: str) -> None:
    async with struck_by(FAULTS["cut"]) as address:
        cell = await WITHIN[stage](At(address), tmp_path)
    assert cell.plain
    assert cell.outcome != READ
    assert cell.kept
