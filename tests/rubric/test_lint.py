from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.rubric_writing import rubric_values, write_yaml
from support.rubrics import a_criterion, a_rubric
from support.shipped import sample, shipped_library

from interviewer.content.collection import yaml_files
from interviewer.content.files import read
from interviewer.content.kinds import RUBRICS
from interviewer.content.problems import Locator
from interviewer.rubric.lint import lint, lint_paths
from interviewer.rubric.overlaps import overlaps
from interviewer.rubric.rubric import Misconception, Rating, Rubric, Sample
from interviewer.rubric.sample_rules import broken_rules

Change = Callable[[dict[str, Any]], None]


def lint_of(change: Change = lambda values: None, *, strict: bool = True) -> list[str]:
    values = rubric_values()
    change(values)
    problems = lint(Rubric.model_validate(values), Locator(Path("r.yaml")), strict=strict)
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
        (in_first("probe", "And then?"), "error: criteria[0].probe: should have 5 to 25 words"),
        (
            set_in("question", to=" ".join(["Why", *["really"] * 29, "so?"])),
            "error: question: should have at most 30 words",
        ),
        (
            lambda rubric: rubric.update(
                kind="one-liner", question=" ".join(["Why", *["really"] * 14, "so?"])
            ),
            "error: question: should have at most 15 words",
        ),
        (
            lambda rubric: rubric.update(
                kind="one-liner",
                criteria=[*rubric["criteria"], {**rubric["criteria"][0], "id": "third"}],
            ),
            "error: criteria: ask for more than 2 points",
        ),
        (
            in_first("hints", ["Look up.", "Look at the sum " + "and again " * 11]),
            "error: criteria[0].hints[1]: should have at most 25 words",
        ),
        (
            in_first("probe", "Take the second of the three: what does it do to a logit?"),
            "error: criteria[0].probe: says 'second of the three'",
        ),
        (set_in("title", to="What troubles a wide head"), "error: title: says 'what troubles'"),
        (
            in_first("probe", "Take a wide head. Does a single logit grow with its width?"),
            "error: criteria[0].probe: would be answered by yes or no",
        ),
        (
            in_first("probe", "What else belongs in a good answer on wide heads?"),
            "error: criteria[0].probe: says 'good answer', which sounds like a verdict",
        ),
        (
            set_in("escalations", to=["What happens to one logit in a deep net?"]),
            "error: escalations[0]: says",
        ),
        (
            in_first("claim", "Its variance grows, and the softmax saturates."),
            "warning: criteria[0].claim: seems to contain two propositions",
        ),
        (in_first("weight", 9), "warning: criteria[0].weight: is 82% of the total"),
        (
            set_in("criteria", 1, "must_have", to=True),
            "warning: criteria: have more than one must_have",
        ),
        (
            in_first("claim", "The candidate names the width of a model of their own."),
            "warning: criteria[0].claim: is about the candidate's own work",
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
            "error: question: is still to be written",
        ),
        (
            set_in("samples", 2, "answer", to="TODO The variance grows."),
            "error: samples[2].answer: is still to be written",
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
            "error: criteria[0].patterns: match nothing in the reference, so not even that would",
        ),
        (in_first("weight", 0.1), "error: criteria[0].weight: is under a tenth of the heaviest, 2"),
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
        (set_in("simpler", 0, to="And then?"), "error: simpler[0]: should have 5 to 30 words"),
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
        (set_in("simpler", 0, to="TODO ask for one entry, what is it?"), "error: simpler[0]: is"),
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


def test_a_shipped_question_has_an_easier_way_in() -> None:
    (told,) = lint_of(set_in("simpler", to=[]))
    assert told.startswith("error: simpler: is missing")
    assert lint_of(set_in("simpler", to=[]), strict=False) == []


@pytest.mark.parametrize("place", [("simpler", 0), ("criteria", 0, "probe")])
def test_a_question_that_does_not_stand_alone(place: tuple[str | int, ...]) -> None:
    change = set_in(*place, to="And what would become of it in a very wide head?")
    for strict, severity in ((True, "error"), (False, "warning")):
        (told,) = lint_of(change, strict=strict)
        assert told.startswith(severity)
        assert "leans on what may not have been said ('and')" in told


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


@pytest.mark.parametrize(("strict", "severity"), [(True, "error"), (False, "warning")])
def test_what_is_only_incomplete_is_an_error_for_shipped_rubrics(
    strict: bool, severity: str
) -> None:
    def incomplete(values: dict[str, Any]) -> None:
        values["samples"] = []
        values["criteria"][0]["patterns"] = []
        values["criteria"][0]["hints"] = []

    told = lint_of(incomplete, strict=strict)
    assert [one.split(":")[:2] for one in told] == [
        [severity, " samples"],
        [severity, " criteria[0].patterns"],
        [severity, " criteria[0].hints"],
    ]


def test_missing_kinds_of_samples_are_listed() -> None:
    (told,) = lint_of(lambda values: values["samples"].__delitem__(slice(3, None)), strict=True)
    assert "lack full, recited, a second middle, negated or swapped;" in told


def test_problems_stand_at_the_line_of_the_file(tmp_path: Path) -> None:
    values = rubric_values()
    values["criteria"][1]["probe"] = "Tell me which value you would expect to see first."
    path = write_yaml(tmp_path / "r.yaml", values)
    reading = read(path, Rubric)
    (problem,) = lint(reading.required(), reading.where, strict=True)
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


def test_a_person_s_own_style_is_left_alone() -> None:
    stilted = in_first("probe", "Take the second of the three: what does it do to a logit?")
    assert not [told for told in lint_of(stilted, strict=False) if "nobody says" in told]


@pytest.mark.parametrize("path", sample(yaml_files(RUBRICS.shipped)[0]), ids=lambda path: path.stem)
def test_shipped_rubrics_hold_together(path: Path) -> None:
    """A sample; `interviewer rubrics lint`, which .ci/run runs, looks at them all."""
    checked, problems = lint_paths([path])
    assert checked == 1
    assert [str(problem) for problem in problems if problem.severity == "error"] == []


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


def test_a_sentence_that_does_for_two_criteria_is_named() -> None:
    wrong = Misconception(claim="Beta decides.", patterns=(("beta decides",),))
    also = Misconception(claim="Beta is all.", patterns=((r"beta \w+",),))
    rubric = a_rubric(
        a_criterion("alpha", patterns=(("alpha",),), misconceptions=(wrong,)),
        a_criterion("gamma", patterns=((r"alpha \w+",),), misconceptions=(also,)),
        samples=(
            answered("Alpha decides it. And that is all.", Rating.MET),
            answered("I think beta decides it.", Rating.CONTRADICTED),
            answered("Alpha decides it.", Rating.MET, Rating.NOT_MET),
            answered("It isn't true that beta decides it.", Rating.CONTRADICTED),
        ),
    )
    told = [str(problem) for problem in overlaps(rubric, Locator(Path("x.yaml")))]
    assert len(told) == 2
    assert "samples[0].answer" in told[0]
    assert "earns at once alpha and gamma" in told[0]
    assert "one error that contradicts alpha and gamma" in told[1]


def test_no_sentence_of_a_shipped_sample_does_for_two_criteria(shipped_rubric: Rubric) -> None:
    assert [str(problem) for problem in overlaps(shipped_rubric, Locator(Path("x.yaml")))] == []


def test_a_sample_that_breaks_a_rule_of_the_verdicts_is_named() -> None:
    criterion = a_criterion(
        "alpha",
        patterns=(("alpha grows", "width"),),
        accept=("Alpha follows the square of the width.",),
        reject=("The numbers somehow increase.",),
    )
    rubric = a_rubric(
        criterion,
        samples=(
            answered("The numbers somehow increase.", Rating.PARTIAL),
            answered("The numbers somehow increase. Alpha grows with the width.", Rating.MET),
            answered("The numbers don't somehow increase.", Rating.PARTIAL),
            answered("The numbers somehow increase by d.", Rating.PARTIAL),
            answered("So alpha follows the square of the width.", Rating.NOT_MET),
            answered("The numbers somehow increase.", Rating.NOT_MET),
        ),
    )
    told = broken_by(rubric)
    assert len(told) == 2
    assert "samples[0].verdicts.alpha: credits “the numbers somehow increase.”" in told[0]
    assert "samples[4].verdicts.alpha: gives nothing for" in told[1]


def test_samples_with_another_figure_or_a_misconception_the_wrong_way_round_are_told() -> None:
    criterion = a_criterion(
        "alpha",
        claim="The states take 16 bytes per parameter.",
        kind="number",
        patterns=(("states",),),
        accept=("Sixteen bytes, or 18 bytes with a copy of the gradients.",),
        misconceptions=(
            {"claim": "The states shrink with a larger batch.", "patterns": ["states shrink"]},
        ),
    )
    rubric = a_rubric(
        criterion,
        samples=(
            answered("The states are 12 bytes each.", Rating.MET, Rating.NOT_MET),
            answered("The states are 16 bytes each.", Rating.MET, Rating.NOT_MET),
            answered("The states are 18 bytes, on 8 GPUs.", Rating.MET, Rating.NOT_MET),
            answered("The states are 12 bytes each.", Rating.PARTIAL, Rating.NOT_MET),
            answered("So the states shrink with a larger batch.", Rating.NOT_MET),
            answered("So the states shrink with a larger batch.", Rating.CONTRADICTED),
            answered("The states don't shrink with a larger batch.", Rating.CONTRADICTED),
            answered("The states don't shrink with a larger batch.", Rating.NOT_MET),
            answered(
                "The states don't shrink with a larger batch. The states shrink with time.",
                Rating.CONTRADICTED,
            ),
        ),
    )
    told = broken_by(rubric)
    assert len(told) == 3
    assert "samples[0].verdicts.alpha: is met with the figure 12 byte" in told[0]
    assert "samples[4].verdicts.alpha: is not_met, though" in told[1]
    assert "samples[6].verdicts.alpha: is contradicted, though" in told[2]


def test_no_credit_for_a_misconception_and_no_cost_for_an_accepted_wording() -> None:
    criterion = a_criterion(
        "alpha",
        patterns=(("fall with the number of ranks",),),
        accept=("The states fall with the number of ranks.",),
        misconceptions=({"claim": "The states shrink with a larger batch."},),
    )
    wrong = "So the states shrink with a larger batch."
    rubric = a_rubric(
        criterion,
        samples=(
            answered(wrong, Rating.MET),
            answered(wrong, Rating.PARTIAL),
            answered(wrong, Rating.CONTRADICTED),
            answered("The states don't shrink with a larger batch.", Rating.MET),
            answered(f"{wrong} No, they fall with the number of ranks.", Rating.MET),
            answered("So the states fall with the number of ranks.", Rating.CONTRADICTED),
            answered("So the states fall with the number of ranks.", Rating.MET),
        ),
    )
    told = broken_by(rubric)
    assert len(told) == 3
    assert "samples[0].verdicts.alpha: is met, though" in told[0]
    assert "samples[1].verdicts.alpha: is partial, though" in told[1]
    assert "samples[5].verdicts.alpha: is contradicted, though" in told[2]


def broken_by(rubric: Rubric) -> list[str]:
    return [str(problem) for problem in broken_rules(rubric, Locator(Path("x.yaml")))]


def answered(answer: str, alpha: Rating, gamma: Rating | None = None) -> Sample:
    verdicts = {"alpha": alpha, "gamma": gamma or alpha}
    return Sample(kind="middle", answer=answer, verdicts=verdicts)
