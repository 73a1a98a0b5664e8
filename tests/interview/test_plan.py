"""Plans: what a round draws, what it takes, how a ladder is climbed, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rubric_writing import rubric_values, write_yaml
from support.rubrics import FULL, a_rubric, library_of
from support.sessions import begin, hold
from support.tables import table

from interviewer.errors import InterviewerError
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Persona
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Grade
from interviewer.interview import commands
from interviewer.interview.debrief import debrief, rubrics_to_show
from interviewer.interview.drawing import lay_out, level_of, next_question
from interviewer.interview.events import RoundOutline
from interviewer.interview.journal import load
from interviewer.interview.plans import Length, Plan, extent, lint_plan_paths, load_plans
from interviewer.interview.state import QuestionState, RoundState, SessionState
from interviewer.rubric.library import Library
from interviewer.rubric.rubric import Rubric
from interviewer.store.store import Store

CASES = table("cases", __file__)["plan"]

ALPHAS = [f"alpha-{n}" for n in range(6)]
BETAS = [f"beta-{n}" for n in range(3)]


@pytest.fixture(scope="module")
def library() -> Library:
    """Six questions of round alpha, three of beta; the even ones are hard."""
    values = [
        rubric_values(
            name,
            round=name.split("-")[0],
            topic="width" if name == "alpha-1" else "depth",
            difficulty="easy" if int(name[-1]) % 2 else "hard",
            kind="concept" if name == "beta-0" else "debugging",
        )
        for name in ALPHAS + BETAS
    ]
    rubrics = [Rubric.model_validate(each) for each in values]
    return library_of(*rubrics)


def plan_values(*rounds: dict[str, Any]) -> dict[str, Any]:
    filled = [
        {
            "id": f"part-{n}",
            "title": f"Part {n}",
            "persona": {"name": "Ada", "manner": "Calm."},
            "minutes": 10,
            "count": 2,
            **part,
        }
        for n, part in enumerate(rounds)
    ]
    return {"id": "mine", "version": 1, "title": "Mine", "description": "A plan.", "rounds": filled}


def plan_of(*rounds: dict[str, Any]) -> Plan:
    return Plan.model_validate(plan_values(*rounds))


def asked(plan: Plan, library: Library, **options: Any) -> list[tuple[str, ...]]:
    options = {"seed": 1, **options}
    return [outline.questions for outline in lay_out(plan, library, **options)]


PICK_ALPHA = {"pick": {"rounds": ["alpha"]}}


def test_named_questions_come_in_order_and_picks_fill_up(library: Library) -> None:
    plan = plan_of({"count": 4, "ask": ["alpha-5", "alpha-0"], **PICK_ALPHA})
    (questions,) = asked(plan, library)
    assert questions[:2] == ("alpha-5", "alpha-0")
    assert len(set(questions)) == 4
    assert set(questions) <= set(ALPHAS)


@pytest.mark.parametrize(("pick", "allowed"), CASES["picks"])
def test_a_pick_draws_from_what_all_its_lists_allow(
    library: Library, pick: dict[str, Any], allowed: list[str]
) -> None:
    (questions,) = asked(plan_of({"count": 9, "pick": pick}), library)
    assert sorted(questions) == allowed


@pytest.mark.parametrize("kind", ["one-liner", "discussion"])
def test_what_has_no_place_among_full_questions_is_drawn_only_by_name(kind: str) -> None:
    library = library_of(
        *(
            Rubric.model_validate(rubric_values(name, kind=each))
            for name, each in {"alpha-0": "concept", "apart": kind}.items()
        )
    )
    for pick, drawn in (
        ({}, ("alpha-0",)),
        ({"kinds": [kind]}, ("apart",)),
        ({"only": ["apart"]}, ("apart",)),
    ):
        assert asked(plan_of({"count": 1, "pick": pick}), library) == [drawn]


def test_the_seed_decides_the_draw(library: Library) -> None:
    plan = plan_of(PICK_ALPHA)
    draws = [asked(plan, library, seed=seed)[0] for seed in range(20)]
    assert draws == [asked(plan, library, seed=seed)[0] for seed in range(20)]
    assert {question for draw in draws for question in draw} == set(ALPHAS)


def test_no_question_comes_twice_in_a_session(library: Library) -> None:
    plan = plan_of(PICK_ALPHA, PICK_ALPHA, {"count": 1, "ask": ["alpha-3"]})
    for seed in range(10):
        questions = [q for part in asked(plan, library, seed=seed) for q in part]
        assert len(questions) == len(set(questions)) == 5


def test_what_was_asked_recently_comes_only_where_nothing_else_is_left(library: Library) -> None:
    recent = ALPHAS[:5]
    for seed in range(10):
        (questions,) = asked(plan_of(PICK_ALPHA), library, seed=seed, asked=recent)
        assert set(questions) == {"alpha-5", "alpha-4"}


def test_quick_asks_one_question_a_round_and_a_fresh_one_first(library: Library) -> None:
    plan = plan_of({"ask": ["alpha-0", "alpha-1"]}, {"count": 3, **PICK_ALPHA})
    first, second = lay_out(plan, library, length=Length.QUICK, seed=1)
    assert first.questions == ("alpha-0",)
    assert len(second.questions) == 1
    assert (first.seconds, second.seconds) == (300, 200)
    again = asked(plan, library, length=Length.QUICK, asked=["alpha-0"])
    assert again[0] == ("alpha-1",)


@pytest.mark.parametrize("length", Length)
def test_what_a_plan_takes_is_known_before_it_is_laid_out(library: Library, length: Length) -> None:
    plan = plan_of({"pick": {"rounds": ["alpha"]}, "minutes": 9}, {"ask": BETAS[:2], "count": 2})
    rounds = lay_out(plan, library, length=length, seed=1)
    takes = extent(plan, length)
    assert takes.questions == sum(len(part.questions) for part in rounds)
    assert takes.minutes * 60 == sum(part.seconds for part in rounds)


@pytest.mark.parametrize(("part", "complaint"), CASES["not there"])
def test_what_is_not_there_is_an_error(
    library: Library, part: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(InterviewerError, match=complaint):
        lay_out(plan_of(part), library, seed=1)


@pytest.mark.parametrize(("part", "problem"), CASES["refused"])
def test_a_senseless_plan_is_refused(tmp_path: Path, part: dict[str, Any], problem: str) -> None:
    write_yaml(tmp_path / "p.yaml", plan_values(part))
    plans = load_plans([tmp_path])
    assert "mine" not in plans.entries
    assert problem in str(plans.problems[0])


def test_a_plan_of_earlier_versions_still_loads(tmp_path: Path) -> None:
    write_yaml(tmp_path / "p.yaml", plan_values(PICK_ALPHA) | {"over_days": True})
    assert "mine" in load_plans([tmp_path]).entries


PARTS = CASES["parts"]


def test_parts_keep_their_order_and_ask_their_share(library: Library) -> None:
    plan = plan_of({"count": 4, "parts": PARTS})
    for seed in range(12):
        (outline,) = lay_out(plan, library, seed=seed)
        first, second, drawn, last = outline.questions[: outline.count]
        assert (first, second) == ("alpha-3", "alpha-0")
        assert drawn in BETAS
        assert last in {"alpha-5", "alpha-2"}
        assert outline.due == outline.questions[:4]


def test_the_next_sessions_ask_what_is_left_then_the_oldest_again(library: Library) -> None:
    plan = plan_of({"count": 4, "parts": PARTS})
    for seed in range(12):
        history: list[str] = []
        for _ in range(2):
            (outline,) = lay_out(plan, library, seed=seed, asked=history[::-1])
            history += outline.due
        assert len(set(history)) == 8
        (third,) = lay_out(plan, library, seed=seed, asked=history[::-1])
        assert set(third.due) == set(history[:4])


def test_a_chain_holds_a_reserve_for_what_a_poor_answer_rules_out(library: Library) -> None:
    parts = [{"ask": ["alpha-0", "alpha-1"], "chain": True}, {"ask": BETAS, "count": 1}]
    (outline,) = lay_out(plan_of({"count": 3, "parts": parts}), library, seed=3)
    assert outline.links == (("alpha-1", "alpha-0"),)
    assert outline.count == 3
    assert len(outline.questions) == 4
    assert outline.questions[3] in BETAS
    (single,) = lay_out(plan_of({"count": 1, "parts": parts[:1]}), library, seed=3)
    assert (single.questions, single.links) == (("alpha-0",), ())


LADDER = CASES["ladder"]


def test_a_ladder_draws_enough_for_every_way_of_climbing_it(library: Library) -> None:
    (outline,) = lay_out(plan_of({"count": 3, "ladder": LADDER}), library, seed=1)
    easy, hard, concept = outline.rungs
    assert (len(easy), len(hard), len(concept)) == (3, 2, 1)
    assert all(int(name[-1]) % 2 for name in easy)
    assert set(hard) <= {"alpha-0", "alpha-2", "alpha-4"}
    assert concept == ("beta-0",)
    assert outline.questions == (*easy, *hard, *concept)
    assert (outline.start, outline.count, outline.seconds) == (0, 3, 600)
    (begun,) = lay_out(plan_of({"count": 1, "start": 2, "ladder": LADDER}), library, seed=1)
    assert [len(rung) for rung in begun.rungs] == [0, 1, 0]


@pytest.mark.parametrize(("part", "complaint"), CASES["parts refused"])
def test_senseless_parts_and_ladders_are_refused(part: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        plan_of(part)


def test_a_rung_on_which_nothing_stands_is_an_error(library: Library, tmp_path: Path) -> None:
    rungs = [*LADDER, {"topics": ["cooking"]}]
    path = write_yaml(tmp_path / "mine.yaml", plan_values({"ladder": rungs}))
    _, [problem] = lint_plan_paths([path], library)
    assert problem.field == "rounds[0].ladder[3]"
    assert problem.line
    assert problem.message == "finds 0 of the 1 questions wanted; widen it"


def test_lint_tells_what_the_library_cannot_give(tmp_path: Path, library: Library) -> None:
    parts = [{"ask": ["alpha-8"]}, {"pick": {"only": ["gamma-1"]}, "count": 2}]
    values = plan_values(
        {"count": 1, "ask": ["alpha-9"], "minutes": 1},
        {"count": 4, "pick": {"rounds": ["beta"]}},
        {"pick": {"rounds": ["gamma"]}},
        {"count": 4, "parts": parts},
    )
    path = write_yaml(tmp_path / "p.yaml", values)
    checked, problems = lint_plan_paths([path], library)
    assert checked == 1
    assert [(p.severity, p.field) for p in problems] == [
        ("warning", "rounds[0].minutes"),
        ("error", "rounds[0].ask[0]"),
        ("warning", "rounds[1].pick"),
        ("error", "rounds[2].pick"),
        ("warning", "rounds[3].parts"),
        ("error", "rounds[3].parts[0].ask[0]"),
        ("warning", "rounds[3].parts[1].pick"),
        ("error", "rounds[3].parts[1].pick.only[0]"),
    ]
    assert "finds 3 of the 4 questions wanted" in problems[2].message
    assert problems[1].line == path.read_text().splitlines().index("  - alpha-9") + 1


# -- climbing -------------------------------------------------------------------------


CLIMBS = table("cases", __file__)["adaptive_difficulty"]

RUNGS = (("easy-1", "easy-2", "easy-3"), ("medium-1", "medium-2"), ("hard-1",))
ALL = tuple(rubric for rung in RUNGS for rubric in rung)
THREE_RUNGS = RoundOutline("Climb", Persona("Ada", "calm"), 600, 2, ALL, rungs=RUNGS, asks=4)


def graded(rubric: str, band: int | None) -> QuestionState:
    score = None if band is None else band / 4
    grade = Grade(rubric, 1, "test", (), score, score, score, band)
    return QuestionState(1, 1, rubric, (Turn(1, "examiner", TurnKind.QUESTION, "?"),), grade=grade)


def climbed(*rounds: tuple[RoundOutline, list[int | None]]) -> SessionState:
    """A session in which each question of a round got the next of its bands."""
    state = SessionState(outline=tuple(outline for outline, _ in rounds))
    for number, (outline, bands) in enumerate(rounds, start=1):
        state = replace(state, rounds=(*state.rounds, RoundState(number, outline)))
        for band in bands:
            running = state.rounds[-1]
            questions = (*running.questions, graded(next_question(state) or "", band))
            running = replace(running, questions=questions)
            state = replace(state, rounds=(*state.rounds[:-1], running))
    return state


def asked_in(state: SessionState) -> list[str]:
    return [question.rubric for question in state.questions]


@pytest.mark.parametrize(("bands", "expected"), CLIMBS["climbs"])
def test_good_answers_lead_up_poor_ones_down(bands: list[int | None], expected: list[str]) -> None:
    assert asked_in(climbed((THREE_RUNGS, bands))) == expected


CHAIN = RoundOutline(
    "Chain",
    Persona("Ada", "calm"),
    600,
    2,
    ("a", "b", "c", "spare"),
    asks=3,
    links=(("b", "a"), ("c", "b")),
)


@pytest.mark.parametrize(("bands", "expected"), CLIMBS["chains"])
def test_a_poor_answer_rules_out_what_follows(bands: list[int | None], expected: list[str]) -> None:
    state = climbed((CHAIN, bands[: len(expected)]))
    assert asked_in(state) == expected


def test_a_round_ends_when_nothing_is_left_that_may_be_asked() -> None:
    pair = replace(CHAIN, questions=("a", "b"), asks=0, links=(("b", "a"),))
    assert next_question(climbed((pair, [0]))) is None
    assert next_question(climbed((pair, [3]))) == "b"


def test_the_next_round_starts_a_rung_below_where_the_last_was_left() -> None:
    other = replace(THREE_RUNGS, title="Other")
    assert level_of(climbed((THREE_RUNGS, [4, 4, 4]), (other, []))) == 1
    assert level_of(climbed((THREE_RUNGS, [0, 0]), (other, []))) == 0
    assert level_of(climbed((THREE_RUNGS, [0]), (replace(other, start=1), []))) == 1


@given(st.lists(st.one_of(st.none(), st.integers(0, 4)), max_size=6))
def test_no_question_comes_twice(bands: list[int | None]) -> None:
    questions = asked_in(climbed((replace(THREE_RUNGS, asks=len(ALL)), bands)))
    assert len(set(questions)) == len(questions) == len(bands)


async def test_a_held_ladder_asks_what_answers_call_for_and_hides_the_rest(store: Store) -> None:
    rubrics = {name: a_rubric(id=name, title=name) for name in ALL}
    interview = begin(store, [replace(THREE_RUNGS, asks=2)], rubrics, OfflineExaminer())
    harder = commands.Answer("Reversed, I would expect the last letter to open it.")
    await hold(interview, [commands.Answer(FULL), harder, commands.Skip()])
    replay = load(store, interview.session_id)
    assert asked_in(replay.state) == ["easy-1", "medium-1"]
    assert replay.state.finished is not None
    assert replay.state.finished.not_asked == 0
    assert rubrics_to_show(replay.state) == {"easy-1", "medium-1"}
    [part] = debrief(replay.state, replay.rubrics).rounds
    assert part.not_asked == ()
