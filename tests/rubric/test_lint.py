from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.rubric_writing import rubric_values, write_yaml
from support.shipped import sample, shipped_library

from interviewer.content.collection import yaml_files
from interviewer.content.files import read
from interviewer.content.kinds import RUBRICS
from interviewer.content.problems import Locator
from interviewer.rubric.lint import lint, lint_paths
from interviewer.rubric.rubric import Rubric

Change = Callable[[dict[str, Any]], None]


def lint_of(change: Change = lambda values: None) -> list[str]:
    values = rubric_values()
    change(values)
    problems = lint(Rubric.model_validate(values), Locator(Path("r.yaml")))
    return [f"{p.severity}: {p}".replace("r.yaml: ", "") for p in problems]


def set_in(*path: str | int, to: Any) -> Change:
    def change(values: dict[str, Any]) -> None:
        place: Any = values
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


def in_first(field: str, to: Any) -> Change:
    return set_in("criteria", 0, field, to=to)


def test_a_sound_rubric_has_no_problems() -> None:
    assert lint_of() == []


@pytest.mark.parametrize(
    ("patterns", "problem"),
    [
        (
            ["(open"],
            "error: criteria[0].patterns[0][0]: is not a valid RE2 regular expression",
        ),
        (["(?=ahead)"], "error: criteria[0].patterns[0][0]: is not a valid RE2 regular expression"),
        ([["varianc", "x*"]], "error: criteria[0].patterns[0][1]: matches the empty text"),
        ([r"\w+"], "error: criteria[0].patterns[0]: is satisfied by the bare word 'a'"),
        (["absent"], "error: criteria[0].patterns[0]: matches neither the claim"),
        (["logits"], "error: criteria[0].patterns[0]: already matches the question"),
        (["independ|varianc"], "error: criteria[0].patterns[0]: already matches criteria[0].hints"),
        (["the very first|varianc"], "error: criteria[0].patterns[0]: already matches criteria[1]"),
        (["trade-offs|varianc"], "error: criteria[0].patterns[0]: matches phrases that fit any"),
        (["key part|varianc"], "error: criteria[0].patterns[0]: matches samples[5] (recited)"),
        (["get big|varianc"], "warning: criteria[0].patterns[0]: matches reject[0]"),
    ],
)
def test_patterns_that_cannot_tell_right_from_wrong(patterns: list[Any], problem: str) -> None:
    told = lint_of(in_first("patterns", patterns))
    assert [one for one in told if one.startswith(problem)], told


def test_a_negated_mention_is_left_to_the_guards() -> None:
    def never_grows(values: dict[str, Any]) -> None:
        values["samples"][5]["answer"] = "It is not that the variance grows."

    def grows(values: dict[str, Any]) -> None:
        values["samples"][5]["answer"] = "It is that the variance grows."

    assert lint_of(never_grows) == []
    assert lint_of(grows) == [
        "error: criteria[0].patterns[0]: matches samples[5] (recited), where the verdict is "
        "not_met; narrow the pattern"
    ]


def test_a_misconception_must_not_fire_on_the_claim() -> None:
    wrong = [{"claim": "It shrinks.", "patterns": [r"varianc\w* grows"]}]
    (told,) = lint_of(in_first("misconceptions", wrong))
    assert told.startswith("warning: criteria[0].misconceptions[0].patterns[0]: matches the claim")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            set_in("criteria", 1, "hints", to=["Think of 11.5.", "Count the choices."]),
            "error: criteria[1].hints[0]: gives away the number 11.5",
        ),
        (
            set_in(
                "criteria", 1, "probe", to="Is the value on the first step close to 11.5 or not?"
            ),
            "error: criteria[1].probe: gives away the number 11.5",
        ),
        (
            in_first("hints", ["Its variance grows linearly with the width.", "Sum it up."]),
            "error: criteria[0].hints[0]: contains most words of the claim",
        ),
        (
            in_first("probe", "Tell me what happens to a logit in a wide head."),
            "error: criteria[0].probe: must ask exactly one question, but has 0",
        ),
        (
            in_first("probe", "What happens to a logit then? And what happens to the softmax?"),
            "error: criteria[0].probe: must ask exactly one question, but has 2",
        ),
        (in_first("probe", "And then?"), "warning: criteria[0].probe: should have 5 to 25 words"),
        (
            set_in("question", to=" ".join(["Why", *["really"] * 29, "so?"])),
            "warning: question: should have at most 30 words",
        ),
        (
            lambda rubric: rubric.update(
                kind="one-liner", question=" ".join(["Why", *["really"] * 14, "so?"])
            ),
            "warning: question: should have at most 15 words",
        ),
        (
            lambda rubric: rubric.update(
                kind="one-liner",
                criteria=[*rubric["criteria"], {**rubric["criteria"][0], "id": "third"}],
            ),
            "warning: criteria: ask for more than 2 points",
        ),
        (
            in_first("hints", ["Look up.", "Look at the sum " + "and again " * 11]),
            "warning: criteria[0].hints[1]: should have at most 25 words",
        ),
        (in_first("weight", 9), "warning: criteria[0].weight: is 82% of the total"),
        (
            set_in("criteria", 1, "must_have", to=True),
            "warning: criteria: have more than one must_have",
        ),
        (set_in("criteria", 1, "numbers", to=[]), "warning: criteria[1].numbers: are missing"),
        (
            set_in("criteria", 1, "numbers", to=[{"value": 0, "unit": "GB"}]),
            "error: criteria[1].numbers[0]: allows a share of 0",
        ),
        (
            set_in("criteria", 1, "numbers", to=[{"value": 11.5, "rel": 0.9}]),
            "warning: criteria[1].numbers[0].rel: accepts nearly any value",
        ),
        (
            set_in("samples", 2, "verdicts", "speed", to="met"),
            "error: samples[2].verdicts.speed: is not a criterion's id",
        ),
        (
            set_in("samples", 2, "verdicts", to={"variance": "met"}),
            "error: samples[2].verdicts: lack initial-loss",
        ),
        (
            set_in("samples", 0, "verdicts", "variance", to="met"),
            "error: samples[0].verdicts: credit an empty answer",
        ),
        (
            set_in("samples", 4, "verdicts", "variance", to="partial"),
            "warning: samples[4].verdicts: leave points open in a full answer",
        ),
        (set_in("escalations", to=["Now halve it."]), "warning: escalations[0]: must ask exactly"),
        (set_in("question", to="…?"), "error: question: contains no word, so there is nothing to"),
        (
            set_in("question", to="TODO: ask about scaling?"),
            "warning: question: is still to be written",
        ),
        (
            set_in("samples", 2, "answer", to="TODO The variance grows."),
            "warning: samples[2].answer: is still to be written",
        ),
        (
            in_first("claim", "Attention does scale its logits."),
            "error: criteria[0].claim: says nothing that the question does not say",
        ),
        (
            set_in(
                "criteria",
                1,
                "claim",
                to="Linearly grows the dot product's variance with head width.",
            ),
            "error: criteria[1].claim: says nearly the same as criteria[0].claim",
        ),
        (
            set_in("criteria", 1, "hints", 0, to="Think of roughly 11.5 in all."),
            "error: criteria[1].hints[0]: gives away the number 11.5",
        ),
        (
            in_first(
                "hints", ["Here the logits spread more and more the wider a head is.", "Sum."]
            ),
            "error: criteria[0].hints[0]: repeats accept[0] word for word",
        ),
        (
            set_in("reference", to="The loss starts at 11.5 nats, without any knowledge."),
            "warning: criteria[0].patterns: match nothing in the reference, so",
        ),
        (in_first("weight", 0.1), "warning: criteria[0].weight: is under a tenth"),
        (
            in_first("misconceptions", [{"claim": "It is.", "patterns": ["scale its logits"]}]),
            "error: criteria[0].misconceptions[0].patterns[0]: matches the question",
        ),
        (
            in_first("misconceptions", [{"claim": "It is.", "patterns": ["powerful technique"]}]),
            "error: criteria[0].misconceptions[0].patterns[0]: matches phrases that fit any",
        ),
    ],
)
def test_each_rule_names_its_field(change: Change, problem: str) -> None:
    told = lint_of(change)
    assert [one for one in told if one.startswith(problem)], told


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (set_in("simpler", 0, to="Take two vectors."), "error: simpler[0]: must ask exactly one"),
        (set_in("simpler", 0, to="And then?"), "warning: simpler[0]: should have 5 to 30 words"),
        (
            set_in("simpler", 0, to="What is the variance of two terms that grow from one?"),
            "error: criteria[0].patterns[0]: already matches simpler[0]",
        ),
        (
            set_in("simpler", 0, to="Which vocabulary would give 11.5 on the very first step?"),
            "error: simpler[0]: gives away the number 11.5",
        ),
        (
            set_in("simpler", 0, to="What does the product's variance do with the head width?"),
            "error: simpler[0]: contains most words of the claim",
        ),
        (set_in("simpler", 0, to="TODO ask for one entry, what is it?"), "warning: simpler[0]: is"),
        (
            in_first("secret_terms", ["logit"]),
            "error: criteria[0].secret_terms[0]: stands in the question",
        ),
        (
            in_first("secret_terms", ["doubling"]),
            "error: criteria[0].secret_terms[0]: stands in criteria[0].probe",
        ),
        (
            in_first("secret_terms", ["randomly"]),
            "error: criteria[0].secret_terms[0]: stands in simpler[0]",
        ),
        (
            in_first("secret_terms", ["same number"]),
            "error: criteria[0].secret_terms[0]: is made of everyday words",
        ),
        (
            in_first("secret_terms", ["a", "b", "c", "d", "e"]),
            "error: criteria[0].secret_terms: are more than 4",
        ),
        (
            in_first("secret_terms", ["the variance adds up linearly"]),
            "error: criteria[0].secret_terms[0]: has more than 4 words",
        ),
        (
            in_first("secret_terms", ["variance", "variances"]),
            "warning: criteria[0].secret_terms[1]: is covered by 'variance'",
        ),
    ],
)
def test_what_is_said_to_those_who_are_stuck_gives_nothing_away(
    change: Change, problem: str
) -> None:
    told = lint_of(change)
    assert [one for one in told if one.startswith(problem)], told


def test_a_secret_may_stand_in_a_hint_which_has_its_price() -> None:
    assert lint_of(in_first("secret_terms", ["independent"])) == []


def test_numbers_of_the_question_may_be_repeated() -> None:
    def change(values: dict[str, Any]) -> None:
        values["question"] = "Why would a loss of 11.5 not surprise you at the start?"
        values["criteria"][1]["numbers"] = [{"value": 12.5}]
        values["criteria"][1]["hints"][0] = "Take the 11.5 apart."

    assert not [one for one in lint_of(change) if "gives away the number" in one]


def test_a_number_of_an_accepted_phrasing_is_kept_too() -> None:
    def change(values: dict[str, Any]) -> None:
        values["criteria"][1]["accept"] = ["the log of 98765 words"]
        values["criteria"][1]["hints"][1] = "There are 98765 choices."

    (told,) = lint_of(change)
    assert told.startswith("error: criteria[1].hints[1]: gives away the number 98765")


def test_other_scripts_are_words_as_well() -> None:
    def change(values: dict[str, Any]) -> None:
        values["question"] = "为什么要缩放?"
        values["criteria"][0]["claim"] = "点积的方差随维度线性增长"
        values["criteria"][1]["claim"] = "初始损失约为十一"

    texts = ("question", ".claim: says")
    assert not [one for one in lint_of(change) if any(text in one for text in texts)]


def test_what_is_only_incomplete_is_a_warning() -> None:
    def incomplete(values: dict[str, Any]) -> None:
        values["samples"] = []
        values["criteria"][0] |= {"patterns": [], "hints": []}

    told = lint_of(incomplete)
    assert [one.split(":")[:2] for one in told] == [
        ["warning", " samples"],
        ["warning", " criteria[0].patterns"],
        ["warning", " criteria[0].hints"],
    ]


def test_missing_kinds_of_samples_are_listed() -> None:
    (told,) = lint_of(lambda values: values["samples"].__delitem__(slice(3, None)))
    assert "lack full, recited, a second middle, negated or swapped;" in told


def test_problems_stand_at_the_line_of_the_file(tmp_path: Path) -> None:
    values = rubric_values()
    values["criteria"][1]["probe"] = "Tell me which value you would expect to see first."
    path = write_yaml(tmp_path / "r.yaml", values)
    reading = read(path, Rubric)
    (problem,) = lint(reading.required(), reading.where)
    assert problem.line is not None
    assert "Tell me which value" in path.read_text().splitlines()[problem.line - 1]


def test_folders_and_files_are_linted_together(tmp_path: Path) -> None:
    write_yaml(tmp_path / "a" / "one.yaml", rubric_values("one"))
    write_yaml(tmp_path / "a" / "two.yml", rubric_values("one"))
    broken = write_yaml(tmp_path / "b.yaml", ["no", "rubric"])
    checked, problems = lint_paths([tmp_path / "a", broken])
    assert checked == 3
    assert [problem.field for problem in problems] == ["id", ""]
    assert "one.yaml; give each its own" in problems[0].message


@pytest.mark.parametrize("path", sample(yaml_files(RUBRICS.shipped)[0]), ids=lambda path: path.stem)
def test_shipped_rubrics_hold_together(path: Path) -> None:
    """A sample; `interviewer rubrics lint`, which .ci/run runs, looks at them all."""
    checked, problems = lint_paths([path])
    assert checked == 1
    assert problems == []


def test_shipped_files_are_named_after_their_rubric_and_lie_with_their_round() -> None:
    for entry in shipped_library().entries.values():
        assert (entry.summary.id, entry.summary.round) == (entry.path.stem, entry.path.parent.name)


def test_a_quantity_of_the_bench_needs_a_challenge() -> None:
    [told] = lint_of(in_first("bench", "out"))
    assert told.startswith("error: criteria[0].bench: names a quantity of a challenge")

    def both(values: dict[str, Any]) -> None:
        values["criteria"][0]["bench"] = "out"
        values["challenge"] = "attn"

    assert lint_of(both) == []


def test_an_extra_is_no_must_have() -> None:
    problems = lint_of(lambda values: values["criteria"][0].update(extra=True, must_have=True))
    assert any("criteria[0].must_have" in p and "an extra is not" in p for p in problems)


def test_something_must_be_asked_for() -> None:
    problems = lint_of(lambda values: [c.update(extra=True) for c in values["criteria"]])
    assert any("are all extra" in problem for problem in problems)


def test_a_must_have_belongs_on_the_method_rather_than_on_its_number() -> None:
    def number(values: dict[str, Any]) -> None:
        first, fact = values["criteria"][0], [{"value": 11.3}]
        values["criteria"].append({**first, "id": "method", "claim": "By another road."})
        first.update(must_have=True, kind="number", numbers=fact)

    assert any("right method with a slip" in problem for problem in lint_of(number))
