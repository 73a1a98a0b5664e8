"""The table of examiners: what can be chosen, and whose a name on record is."""

from __future__ import annotations

from typing import get_args

import pytest

from interviewer.examiner import offline, registry
from interviewer.settings.values import ExaminerChoice


def test_choices_are_unique_and_found_again() -> None:
    assert set(registry.CHOICES) == set(get_args(ExaminerChoice))
    assert [registry.chosen(choice) for choice in registry.CHOICES] == list(registry.EXAMINERS)


@pytest.mark.parametrize(
    ("name", "choice"),
    [(offline.NAME, "offline"), ("offline-v1", "offline"), ("gpt-5-mini", "llm"), ("", "llm")],
)
def test_a_name_on_record_has_its_kind(name: str, choice: str) -> None:
    assert registry.kind_of(name).choice == choice


def test_each_kind_says_what_it_can_judge() -> None:
    for kind in registry.EXAMINERS:
        assert kind.about.format(name="[b]tiny{}").endswith(".")
        assert kind.version()
