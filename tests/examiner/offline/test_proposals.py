"""Patterns proposed from a key: what they find, what they must not find, what they change."""

from __future__ import annotations

from typing import Any

import pytest
from support.rubric_writing import rubric_values
from support.shipped import sample, shipped_rubrics

from interviewer.examiner.offline.pattern_effect import effects_of
from interviewer.examiner.offline.proposals import Proposed, propose, screened, with_patterns
from interviewer.rubric.lint import pattern_faults
from interviewer.rubric.patterns import asserts
from interviewer.rubric.rubric import Rubric, Verdict

NOISE: dict[str, Any] = {
    "id": "noise-cancels",
    "claim": "Averaging cancels the noise of single updates.",
    "weight": 2,
    "kind": "mechanism",
    "accept": [
        "The jitter of the updates goes away, since noise cancels in a mean.",
        "Noise averages out and cancels.",
    ],
    "reject": ["Averaging makes the model better."],
    "misconceptions": ["The average is fed back into training."],
    "probe": "What do two neighbouring checkpoints differ in when the step size is large?",
}
MEMORY: dict[str, Any] = {
    "id": "copy-size",
    "claim": "The copy takes up 28 GB of memory, as no gradient is stored.",
    "weight": 1,
    "kind": "number",
    "accept": ["It costs another 28GB, without any gradient."],
    "probe": "What does the second set of numbers cost you on a card, and how do you know?",
}


def rubric_with(*criteria: dict[str, Any], **changes: Any) -> Rubric:
    values = rubric_values(question="Why would one keep an average of the weights?")
    return Rubric.model_validate(values | {"criteria": list(criteria), "samples": []} | changes)


def texts(proposed: Proposed) -> list[tuple[str, ...]]:
    return [each.pattern for each in proposed.patterns]


def test_what_the_phrasings_share_comes_first_and_finds_them_all() -> None:
    (proposed, _) = propose(rubric_with(NOISE, MEMORY))
    first = proposed.patterns[0]
    assert first.pattern == (r"\bcancel\w*", r"\bnois\w*") or first.pattern == (
        r"\bnois\w*",
        r"\bcancel\w*",
    )
    assert set(first.finds) >= {NOISE["claim"], *NOISE["accept"]}
    assert proposed.unmatched == ()


def test_a_number_is_found_with_its_unit_however_it_is_spaced() -> None:
    (_, proposed) = propose(rubric_with(NOISE, MEMORY))
    alternatives = [each.alternative for each in proposed.patterns]
    assert any(r"\b28 ?gb\b" in alternative for alternative in alternatives)
    said = "Without a gradient for it the copy is 28gb more."
    assert any(asserts(alternative, said) for alternative in alternatives)


def test_what_a_phrasing_denies_is_found_only_where_it_is_denied() -> None:
    masked = NOISE | {"claim": "The padding isn't masked.", "accept": [], "reject": []}
    (proposed,) = propose(rubric_with(masked))
    assert proposed.patterns
    for each in proposed.patterns:
        assert asserts(each.alternative, "padding isn't masked")
        assert not asserts(each.alternative, "padding is masked")


def test_where_the_same_words_are_rejected_their_order_decides() -> None:
    turned = NOISE | {
        "claim": "Gradients follow activations.",
        "accept": [],
        "reject": ["Activations follow gradients."],
    }
    (proposed,) = propose(rubric_with(turned))
    (only,) = proposed.patterns
    assert asserts(only.alternative, "gradients come after, they follow activations")
    assert not asserts(only.alternative, "activations follow gradients")


def test_patterns_that_are_there_are_kept_and_only_completed() -> None:
    own = NOISE | {"patterns": [[r"\bnoise\b", r"\bcancels\b"]]}
    rubric = rubric_with(own | {"accept": [*NOISE["accept"], "Wobbles vanish in the middle."]})
    (proposed,) = propose(rubric)
    assert [set(each.finds) for each in proposed.patterns] == [{"Wobbles vanish in the middle."}]
    patterns = with_patterns(rubric, [proposed]).criteria[0].patterns
    assert patterns[0] == (r"\bnoise\b", r"\bcancels\b")
    assert len(patterns) == 2


@pytest.mark.parametrize("rubric", sample(shipped_rubrics()), ids=lambda rubric: rubric.id)
def test_none_credits_what_is_rejected_wrong_or_another_point(rubric: Rubric) -> None:
    bare = [c.model_copy(update={"patterns": (), "partly": ()}) for c in rubric.criteria]
    rubric = rubric.model_copy(update={"criteria": tuple(bare)})
    found = propose(rubric)
    assert found == propose(rubric)
    assert sum(bool(each.patterns) for each in found) > len(found) / 2
    for i, (criterion, proposed) in enumerate(zip(rubric.criteria, found, strict=True)):
        others = [c for c in rubric.criteria if c is not criterion]
        wrong = [*criterion.reject, *(each.claim for each in criterion.misconceptions)]
        wrong += [text for other in others for text in (other.claim, *other.accept)]
        for each in proposed.patterns:
            assert not pattern_faults(rubric, i, each.alternative)
            assert not [text for text in wrong if asserts(each.alternative, text)]


def test_patterns_by_somebody_else_are_held_to_the_same_rules() -> None:
    kept, refused = screened(
        rubric_with(NOISE, MEMORY),
        0,
        [
            (r"\bnois\w*", r"\bcancel\w*"),
            (r"\baverag\w*",),
            (r"\bgradients?\b", r"\b28\b"),
            (r"\b(nois",),
            ("{wobble}",),
        ],
    )
    assert texts(kept) == [(r"\bnois\w*", r"\bcancel\w*")]
    assert [(each.pattern[0], bool(each.why)) for each in refused] == [
        (r"\baverag\w*", True),
        (r"\bgradients?\b", True),
        (r"\b(nois", True),
        ("{wobble}", True),
    ]


def test_the_effect_counts_phrasings_and_names_the_samples_that_change() -> None:
    verdicts = {"noise-cancels": "met"}
    samples = [
        {"kind": "full", "answer": "In a mean the noise just cancels.", "verdicts": verdicts},
        {"kind": "empty", "answer": "No idea.", "verdicts": {"noise-cancels": "not_met"}},
    ]
    own = NOISE | {"patterns": [[r"\bjitter\w*", r"\bmean\b"]]}
    rubric = rubric_with(own, samples=samples)
    (effect,) = effects_of(rubric, propose(rubric))
    assert (effect.accepted.before, effect.accepted.after, effect.accepted.of) == (1, 2, 2)
    assert (effect.rejected.after, effect.agreeing.before, effect.agreeing.after) == (0, 1, 2)
    assert [(c.sample, c.after, c.authors) for c in effect.changes] == [
        (1, Verdict.MET, Verdict.MET)
    ]
    assert not effect.harms
