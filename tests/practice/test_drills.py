"""Drills are plans that start at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.rubric_writing import rubric_values, write_yaml
from support.rubrics import a_rubric, library_of

from interviewer.errors import UnknownNameError
from interviewer.interview.drawing import lay_out
from interviewer.practice.drills import (
    AT_ONCE,
    OF_OWN,
    own_list,
    plan,
    topic,
    topics_of,
)
from interviewer.rubric.library import load_library


def test_a_drill_asks_its_questions_in_order_each_once_and_not_too_many() -> None:
    names = ("one", "two", "three", "four")
    library = library_of(*(a_rubric(id=name) for name in names))
    (asked,) = lay_out(plan("weak", ("two", "one", "two", "four", "three")), library, seed=1)
    assert asked.questions == ("two", "one", "four")
    assert len(asked.questions) == AT_ONCE
    (any_one,) = lay_out(plan("due", ()), library_of(a_rubric()), seed=1)
    assert any_one.questions == ("greek-letters",)


def test_a_topic_asks_no_other() -> None:
    wide = [a_rubric(id=f"wide-{n}", topic="width") for n in range(6)]
    library = library_of(*wide, a_rubric(id="deep", topic="depth"))
    assert topics_of(library) == {"depth": 1, "width": 6}
    (asked,) = lay_out(topic(library, "width"), library, seed=1)
    assert len(asked.questions) == 4
    assert all(name.startswith("wide") for name in asked.questions)
    (alone,) = lay_out(topic(library, "depth"), library, seed=1)
    assert alone.questions == ("deep",)
    with pytest.raises(UnknownNameError, match="did you mean width"):
        topic(library, "widht")


def test_what_a_topic_never_draws_is_not_counted() -> None:
    kinds = {"full": "concept", "quick": "one-liner", "talk": "discussion"}
    mixed = [a_rubric(id=name, topic="width", kind=kind) for name, kind in kinds.items()]
    library = library_of(*mixed, a_rubric(id="alone", topic="small-talk", kind="one-liner"))
    assert topics_of(library) == {"width": 1}
    (asked,) = lay_out(topic(library, "width"), library, seed=1)
    assert asked.questions == ("full",)


def test_ones_own_list_asks_what_one_wrote_or_imported(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no questions of your own yet; 'interviewer rub"):
        own_list(library_of(a_rubric()))
    names = {f"mine-{number}" for number in range(OF_OWN + 2)}
    for name in names:
        kind = "one-liner" if name.endswith("1") else "concept"
        write_yaml(tmp_path / f"{name}.yaml", rubric_values(name, kind=kind))
    write_yaml(tmp_path / "a-talk.yaml", rubric_values("a-talk", kind="discussion"))
    library = load_library((tmp_path,))
    (first,) = lay_out(own_list(library), library, seed=1)
    assert len(first.questions) == OF_OWN
    assert set(first.questions) < names
    (second,) = lay_out(own_list(library), library, seed=1, asked=first.questions)
    assert names - set(first.questions) < set(second.questions)
