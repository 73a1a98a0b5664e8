"""Every fault of an endpoint in every phase: a plain sentence or a result, and nothing lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import mkdtemp

import pytest
from support.fault_phases import CUT_PHASES, PHASES, READ, WITHIN, At, Cell, bytes_to_cut, cut_at
from support.faults import ENDLESS, FAULTS, Fault, Framing, answers, struck_by, without_names

TRAPS = (
    "deep JSON",
    "deep parts",
    "deep error",
    "JSON that stalls",
    "fewer bytes than told",
    "redirect in circles",
    "no HTTP",
    "parts of no kind",
    "words of no kind",
)
"""Of the faults of the benchmark, those that are quick to play."""


async def in_every_phase(fault: Fault, folder: Path) -> list[Cell]:
    async with struck_by(fault) as address, asyncio.timeout(120):
        if fault.nameless:
            without_names()
        at = At(address, fault.patience)
        return await asyncio.gather(
            *(phase(at, own_folder(folder, name)) for name, phase in PHASES.items())
        )


def own_folder(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_is_a_sentence_and_costs_no_answer(tmp_path: Path, name: str) -> None:
    fault = FAULTS[name]
    cells = await in_every_phase(fault, tmp_path)
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


@pytest.mark.parametrize(
    ("phase", "framing"),
    [*((phase, "stream") for phase in CUT_PHASES), ("ask", "chunked"), ("judge", "whole")],
)
async def test_a_reply_cut_at_any_byte_is_read_whole_or_not_at_all(
    tmp_path: Path, phase: str, framing: Framing
) -> None:
    every = 120 if phase == "interview" else 40
    lengths = range(bytes_to_cut(phase, framing), 0, -every)
    async with struck_by(Fault("", answers)) as address:
        cuts = await cut_at(phase, lengths, address, lambda: Path(mkdtemp(dir=tmp_path)), framing)
    assert cuts.whole.outcome == READ
    assert cuts.wrong == []
    assert 0 < cuts.read < cuts.tried


@pytest.mark.parametrize("name", TRAPS)
async def test_a_body_is_no_trap(tmp_path: Path, name: str) -> None:
    fault = ENDLESS[name]
    async with struck_by(fault) as address:
        cells = await asyncio.gather(
            *(PHASES[phase](At(address, fault.patience), tmp_path) for phase in ("ask", "doctor"))
        )
    for cell in cells:
        assert cell.plain, cell
        assert cell.outcome != READ, cell
        assert cell.tells_of(fault), cell
