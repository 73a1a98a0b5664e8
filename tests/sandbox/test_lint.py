"""What lint finds by running a challenge, and that the shipped ones are sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.shipped import sample, shipped_catalogue, shipped_challenges

from interviewer.content.files import read
from interviewer.content.kinds import CHALLENGES
from interviewer.content.problems import Locator
from interviewer.sandbox.bench import Bench
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.lint import lint

pytestmark = pytest.mark.asyncio(loop_scope="session")

SOUND: dict[str, Any] = {
    "id": "twice",
    "version": 1,
    "title": "Twice the square",
    "kind": "derivation",
    "task": "Give twice the square of x.",
    "dims": {"n": 5},
    "inputs": {"x": {"shape": ["n"]}},
    "answer": [{"name": "out", "shape": ["n"]}],
    "steps": [{"name": "q", "shape": ["n"], "value": "x ** 2"}],
    "reference": "def f(x):\n    return 2 * x ** 2",
    "visits": ["x > 0", "x < 0"],
    "properties": [
        {"id": "even", "says": "Turn x round?", "code": "def even(f, x):\n    return f(-x), f(x)"}
    ],
    "wrong": [
        {
            "id": "once",
            "label": "not doubled",
            "says": "How many of them?",
            "code": "def f(x):\n    return x ** 2",
        },
        {
            "id": "cube",
            "label": "a cube",
            "says": "Which power?",
            "code": "def f(x):\n    return 2 * x ** 3",
            "steps": {"q": "x ** 3"},
        },
    ],
    "accepted": [{"lines": "out = x * x + x ** 2"}, {"code": "def f(x):\n    return x * (x + x)"}],
    "hints": ["Look at the word twice."],
    "derivation": "q = x * x\nout = 2 * q",
    "solution": "Square it, double it.",
}


async def problems(bench: Bench, **fields: Any) -> list[str]:
    challenge = Challenge.model_validate({**SOUND, **fields})
    return [str(each) for each in await lint(challenge, Locator(Path("twice.yaml")), bench)]


async def test_a_sound_challenge_has_no_problems(bench: Bench) -> None:
    assert await problems(bench) == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"reference": "def f(x):\n    return y"}, "reference: The reference of twice fails"),
        ({"reference": "def f(x:"}, "cannot be read"),
        ({"reference": "def f(x):\n    return 2 * x ** 3"}, "properties[0]: even does not hold"),
        ({"answer": [{"name": "out", "shape": ["n", "n"]}]}, "answer[0].shape: is declared as"),
        ({"visits": ["x > 1e9"]}, "visits[0]: x > 1e9 was true in no draw"),
        ({"steps": [{"name": "q", "shape": ["n"], "value": "x +"}]}, "cannot be read"),
        ({"accepted": [{"lines": "out = x"}]}, "accepted[0]: does not pass"),
        ({"derivation": "out = 3 * x ** 2"}, "derivation: does not pass"),
        ({"hints": []}, "hints: are missing"),
        ({"landmarks": [{"values": ["x @ ones(3)"]}]}, "landmarks[0].values: x @ ones(3) cannot"),
        ({"landmarks": [{"values": ["2 * x", "x + x"]}]}, "x + x has a value listed before"),
        (
            {"wrong": [{**SOUND["wrong"][0], "code": "def f(x):\n    return x ** 2 * 2"}]},
            "gives the reference's own numbers",
        ),
        (
            {"wrong": [SOUND["wrong"][0], {**SOUND["wrong"][0], "id": "twin"}]},
            "gives the same numbers as once",
        ),
        (
            {"wrong": [{**SOUND["wrong"][0], "steps": {"q": "x * x"}}, SOUND["wrong"][1]]},
            "has its right value here",
        ),
    ],
)
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
