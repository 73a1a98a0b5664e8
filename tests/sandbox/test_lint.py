"""What lint finds by running a challenge, and that the shipped ones are sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.shipped import sample, shipped_catalogue, shipped_challenges
from support.tables import table

from interviewer.content.fields import Locator
from interviewer.content.files import read
from interviewer.content.kinds import CHALLENGES
from interviewer.sandbox.bench import Bench
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.lint import lint
from interviewer.sandbox.result import CheckOutcome

pytestmark = pytest.mark.asyncio(loop_scope="session")

CASES: dict[str, Any] = table("lint", __file__)


async def problems(bench: Bench, **fields: Any) -> list[str]:
    challenge = Challenge.model_validate({**CASES["sound"], **fields})
    return [str(each) for each in await lint(challenge, Locator(Path("twice.yaml")), bench)]


async def test_a_sound_challenge_has_no_problems(bench: Bench) -> None:
    assert await problems(bench) == []


@pytest.mark.parametrize(("fields", "words"), CASES["wrong"])
async def test_what_is_wrong_is_named_by_its_field(
    bench: Bench, fields: dict[str, Any], words: str
) -> None:
    found = await problems(bench, **fields)
    assert any(words in problem for problem in found), found


@pytest.mark.parametrize("name", sample(shipped_challenges(), 5))
async def test_shipped_challenges_are_sound(bench: Bench, name: str) -> None:
    """Reference, properties, wrong answers, accepted solutions and worked derivation are run.

    A sample; `interviewer check lint`, which .ci/run runs, looks at them all.
    """
    entry = shipped_catalogue().get(name)
    found = await lint(entry.model, Locator(entry.path), bench)
    assert [str(problem) for problem in found] == []


async def test_the_example_of_the_guide_is_sound(bench: Bench, tmp_path: Path) -> None:
    guide = (CHALLENGES.shipped / "GUIDE.md").read_text(encoding="utf-8")
    example = tmp_path / "mean-square.yaml"
    example.write_text(guide.split("```yaml\n")[1].split("```")[0], encoding="utf-8")
    reading = read(example, Challenge)
    assert await lint(reading.required(), reading.where, bench) == ()
    by_node = "def f(x):\n    x = x.clone().requires_grad_()\n    return (x**2).mean().grad_fn"
    result = await bench.check(reading.required(), by_node + "(torch.ones(()))")
    assert result.outcome is CheckOutcome.FAILED, "its input is differentiable, but it bans grad"
