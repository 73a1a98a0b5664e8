"""The suite itself: complete, readable, and applied as it says."""

from __future__ import annotations

import pytest
from evals.attacks import suite
from evals.attacks.material import MATERIAL
from evals.attacks.suite import BASES, load_attacks, sample_of, subject_of
from evals.attacks.transforms import TRANSFORMS
from pydantic import ValidationError
from support.shipped import shipped

ATTACKS = load_attacks()
RUBRIC = shipped("attention-scale-root-dk")


def test_ids_are_distinct_and_the_starred_ones_are_there() -> None:
    assert len({attack.id for attack in ATTACKS}) == len(ATTACKS)
    assert sum(attack.starred for attack in ATTACKS) >= 26
    assert {attack.family for attack in ATTACKS} == {
        *("instruction", "format", "evidence", "meaning", "social", "empty", "style")
    }


def test_every_function_is_named_and_every_name_is_a_function() -> None:
    transforms = {a.transform for a in ATTACKS} | {a.disguise for a in ATTACKS}
    assert transforms - {None} == TRANSFORMS.keys()
    assert {a.material for a in ATTACKS} - {None} == MATERIAL.keys()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
def test_every_attack_changes_what_is_said_and_expects_something(attack: suite.Attack) -> None:
    assert attack.expect.model_fields_set
    subject = subject_of(RUBRIC)
    answer = sample_of(RUBRIC, "good")
    assert attack.applied(answer, subject) != answer
    assert attack.applied(answer, subject) == attack.applied(answer, subject)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
def test_an_attack_beside_the_answer_is_held_to_gain_nothing(attack: suite.Attack) -> None:
    if attack.family in {"instruction", "format", "social"} and attack.how != "replace":
        assert attack.expect.no_gain
        assert attack.expect.no_band_lift or attack.expect.no_change == 0
        assert attack.bases == BASES or attack.transform == "pad_to_50000"


def test_an_attack_that_says_two_things_is_refused() -> None:
    with pytest.raises(ValidationError, match="give one of text"):
        suite.Attack.model_validate(
            {
                "id": "both",
                "family": "empty",
                "how": "append",
                "text": ".",
                "material": "all_hints",
                "expect": {},
            }
        )
