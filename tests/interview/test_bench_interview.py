"""The bench inside an interview: runs are free, a submission answers, numbers go first."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.benches import (
    BAD,
    CHALLENGES,
    FAILED,
    GOOD,
    PASSED,
    RUBRIC,
    STOPPED,
    UNAVAILABLE,
    FakeBench,
)
from support.examiners import ScriptedExaminer
from support.rubrics import a_criterion, a_rubric
from support.sessions import HandClock, begin, hold, kinds, of_kind, outline, react, reopen
from support.sessions import verdicts as stored_verdicts

from interviewer.composition import load_challenges, open_bench
from interviewer.errors import SandboxError
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import MoveKind
from interviewer.grading.transcript import TurnKind
from interviewer.grading.verdicts import Flag, Source, Verdict
from interviewer.interview import commands, events
from interviewer.interview.debrief.questions import question_debrief
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.interview.regrading import regrade
from interviewer.rubric.rubric import Rating
from interviewer.sandbox.result import CheckOutcome, CheckResult, Tries
from interviewer.settings import load_settings
from interviewer.store.store import Store

SESSION = "5e55107700"
PLAIN = a_rubric(id="more-letters", title="More letters")
RUBRICS = {RUBRIC.id: RUBRIC, PLAIN.id: PLAIN}


def interview(store: Store, bench: FakeBench | None = None, **options: object) -> Interview:
    rounds = options.pop("rounds", (outline(RUBRIC, PLAIN),))
    examiner = options.pop("examiner", OfflineExaminer())
    return begin(
        store,
        rounds,  # type: ignore[arg-type]
        RUBRICS,
        examiner,  # type: ignore[arg-type]
        bench=bench or FakeBench(),
        challenges=CHALLENGES,
        **options,  # type: ignore[arg-type]
    )


def standing(running: Interview) -> dict[str, Verdict]:
    question = running.state.questions[0]
    return {verdict.criterion: verdict for verdict in question.judged[-1].verdicts}


async def test_runs_are_turns_that_change_nothing_else(store: Store) -> None:
    running = interview(store)
    seen = await hold(running, [commands.RunBench(BAD), commands.RunBench(GOOD)])
    (asked,) = of_kind(seen, events.QuestionAsked)
    assert asked.challenge == "small-softmax"
    assert kinds(seen)[3:] == ["your_turn", *("checking", "bench", "your_turn") * 2]
    (question,) = running.state.questions
    assert [run.text for run in question.runs] == [BAD, GOOD]
    assert [turn.kind for turn in question.spoken] == [TurnKind.QUESTION]
    assert [turn.kind for turn in store.turns(SESSION)] == ["question", "bench", "bench"]


async def test_the_clock_stands_while_the_bench_works(store: Store) -> None:
    clock = HandClock()
    bench = FakeBench(hold=asyncio.Event())
    running = interview(store, bench, now=clock)
    async for event in running:
        if isinstance(event, events.YourTurn):
            if running.state.turns > 1:
                break
            running.send(commands.RunBench(GOOD))
        if isinstance(event, events.Checking):
            clock.seconds += 300
            bench.hold.set()  # type: ignore[union-attr]
    assert running.seconds_left == 600


async def test_a_passed_submission_makes_the_points_that_its_quantities_show(store: Store) -> None:
    running = interview(store)
    await hold(running, [commands.SubmitRun(GOOD)])
    verdicts = standing(running)
    assert {name: each.verdict for name, each in verdicts.items()} == {
        **{"alpha": Rating.MET, "beta": Rating.MET, "gamma": Rating.NOT_MET}
    }
    shown = verdicts["alpha"]
    assert (shown.evidence, shown.source) == ("p = w / sum(w)", Source.FIRST)
    assert shown.span is not None
    assert store.turns(SESSION)[1].text[slice(*shown.span)] == shown.evidence
    stored = {v.criterion: v for v in stored_verdicts(store, SESSION)}
    assert (stored["beta"].evidence, stored["beta"].turn) == ("w = exp(z)", 2)


async def test_what_was_run_last_is_not_run_again_to_be_handed_in(store: Store) -> None:
    bench = FakeBench()
    running = interview(store, bench)
    seen = await hold(running, [commands.RunBench(GOOD), commands.SubmitRun(GOOD)])
    assert bench.checked == [GOOD]
    (answer,) = of_kind(seen, events.AnswerGiven)
    assert (answer.text, answer.bench) == (GOOD, 2)


async def test_a_failed_submission_is_met_by_its_first_bad_line(store: Store) -> None:
    running = interview(store)
    (asked,) = of_kind(await hold(running, [commands.SubmitRun(BAD)]), events.FollowUpAsked)
    assert asked.move.kind is MoveKind.BAD_LINE
    assert asked.text.startswith("Line 2, “p = w / max(w)”: The entries do not sum to 1.")
    alpha, beta, _ = standing(running).values()
    assert (alpha.verdict, beta.verdict) == (Rating.NOT_MET, Rating.MET)
    assert alpha.missing.startswith("The entries do not sum to 1.")
    assert running.state.questions[0].moves[-1].target == "alpha"


@pytest.mark.parametrize("follow_ups", [0, 4])
async def test_no_figures_are_read_in_lines_or_talk_of_them(store: Store, follow_ups: int) -> None:
    running = interview(store, rounds=(outline(RUBRIC, follow_ups=follow_ups),))
    words = commands.Answer("In our run the mean was over 64 GPUs, so I would divide by that.")
    await hold(running, [commands.SubmitRun(BAD), words])
    assert [read for question in running.state.questions for read in question.readings] == []


async def test_the_same_fault_is_put_once_and_faults_twice_at_most(store: Store) -> None:
    others = {f"p = w / {n}": replace(FAILED, summary=f"Not {n}.", lines=()) for n in range(3)}
    bench = FakeBench(results={BAD: FAILED, **others})
    running = interview(store, bench, rounds=(outline(RUBRIC, follow_ups=9),))
    handed = [BAD, BAD, *others]
    seen = await hold(running, [commands.SubmitRun(source) for source in handed])
    moves = [events.to_json(event)["move"] for event in of_kind(seen, events.FollowUpAsked)]
    faults = [move["bench"] for move in moves if move["bench"]]
    assert len(faults) == len(set(faults)) == 2


@pytest.mark.parametrize("result", [UNAVAILABLE, STOPPED])
async def test_what_was_not_executed_counts_for_nobody(store: Store, result: CheckResult) -> None:
    source = "p = w  # first alpha decides it all, I would say"
    running = interview(store, FakeBench(results={source: result}))
    seen = await hold(running, [commands.SubmitRun(source)])
    assert standing(running)["alpha"].verdict is Rating.MET
    [judged] = running.state.questions[0].judged
    assert Flag.NOT_EXECUTED in judged.flags
    assert MoveKind.BAD_LINE not in {e.move.kind for e in of_kind(seen, events.FollowUpAsked)}


NOTHING_DERIVED = replace(FAILED, derived=())
SAID = "First alpha decides it all, I would say."
IN_LINES = "p = w  # first alpha decides it all"


@pytest.mark.parametrize(
    ("replies", "verdict", "turn", "source"),
    [
        (
            [commands.RunBench(GOOD), commands.Answer("I did that at the bench just now.")],
            *(Rating.MET, 2, Source.FIRST),
        ),
        ([commands.RunBench(BAD), commands.Answer(SAID)], Rating.MET, 3, Source.FIRST),
        ([commands.Answer(SAID), commands.SubmitRun(BAD)], Rating.MET, 2, Source.FIRST),
        ([commands.SubmitRun(IN_LINES)], Rating.NOT_MET, None, Source.FIRST),
        ([commands.AskHint(), commands.SubmitRun(GOOD)], Rating.MET, 3, Source.HINT_1),
    ],
    ids=[
        *("a passed run counts with the words that follow", "a failed one takes nothing away"),
        *("nor from what was said before", "its own words earn nothing", "a hint has its price"),
    ],
)
async def test_runs_and_words_are_judged_together(
    store: Store, replies: list[commands.Command], verdict: Rating, turn: int | None, source: Source
) -> None:
    results = {BAD: NOTHING_DERIVED, IN_LINES: NOTHING_DERIVED}
    running = interview(store, FakeBench(results=results))
    await hold(running, replies)
    alpha = standing(running)["alpha"]
    assert (alpha.verdict, alpha.turn, alpha.source) == (verdict, turn, source)
    assert bool(alpha.unsupported) is (turn is None)


@pytest.mark.parametrize(
    ("wish", "last"),
    [
        (commands.Pause(), "paused"),
        (commands.Cancel(), "your_turn"),
        (commands.Skip(), "debrief"),
        (commands.EndInterview(), "debrief"),
    ],
)
async def test_a_command_stops_a_run(store: Store, wish: commands.Command, last: str) -> None:
    bench = FakeBench(hold=asyncio.Event())
    running = interview(store, bench, rounds=(outline(RUBRIC),))
    replies = {events.YourTurn: [commands.RunBench(GOOD)], events.Checking: wish}
    seen = await react(running, replies)
    assert bench.cancelled == 1
    assert "bench" not in kinds(seen)
    assert kinds(seen)[-1] == last
    assert last == "debrief" or running.drafts()["bench"] == GOOD


async def test_what_was_to_be_handed_in_is_judged_as_words_on_leaving(store: Store) -> None:
    running = interview(store, FakeBench(hold=asyncio.Event()), rounds=(outline(RUBRIC),))
    replies = {events.YourTurn: commands.SubmitRun(GOOD), events.Checking: commands.Skip()}
    (answer,) = of_kind(await react(running, replies), events.AnswerGiven)
    assert (answer.text, answer.bench) == (GOOD, None)
    assert len(running.state.questions[0].judged) == 1


async def test_a_bench_that_fails_disturbs_nothing(store: Store) -> None:
    bench = FakeBench(fail=SandboxError("The worker would not start."))
    running = interview(store, bench)
    seen = await hold(running, [commands.RunBench(GOOD), commands.Answer(SAID)])
    (ran,) = of_kind(seen, events.BenchRan)
    assert ran.result.summary == "The worker would not start."
    assert bench.prepared == ["small-softmax"]
    await running.aclose()
    assert bench.closed == 1


async def test_a_question_without_a_challenge_takes_a_submission_as_words(store: Store) -> None:
    bench = FakeBench()
    running = interview(store, bench, rounds=(outline(PLAIN),))
    seen = await hold(running, [commands.RunBench(GOOD), commands.SubmitRun(SAID)])
    assert bench.checked == bench.prepared == []
    assert [answer.bench for answer in of_kind(seen, events.AnswerGiven)] == [None]
    assert running.challenge is None


async def test_lines_at_the_bench_outlive_answers_not_submissions(store: Store) -> None:
    running = interview(store)
    await hold(running, [])
    running.save_draft("w = ex", "bench")
    running.save_draft("First al", "answer")
    running = reopen(store, SESSION, OfflineExaminer(), bench=FakeBench())
    assert (running.drafts()["bench"], running.drafts()["answer"]) == ("w = ex", "First al")
    await hold(running, [commands.Answer("Only beta adds to it, I believe.")])
    assert (running.drafts()["bench"], running.drafts()["answer"]) == ("w = ex", "")
    running = reopen(store, SESSION, OfflineExaminer(), bench=FakeBench())
    running.save_draft("and then", "answer")
    await hold(running, [commands.SubmitRun(GOOD)])
    assert (running.drafts()["bench"], running.drafts()["answer"]) == ("", "and then")


async def test_a_crash_between_run_and_answer_asks_nothing_twice(store: Store) -> None:
    replies = {events.YourTurn: commands.SubmitRun(GOOD), events.BenchRan: []}
    await react(interview(store), replies)
    bench = FakeBench()
    again = reopen(store, SESSION, OfflineExaminer(), bench=bench)
    assert again.drafts()["bench"] == GOOD
    assert again.challenge is not None
    seen = await hold(again, [commands.SubmitRun(GOOD)])
    assert kinds(seen)[:3] == ["resumed", "your_turn", "answer"]
    assert bench.checked == []
    assert standing(again)["alpha"].verdict is Rating.MET


@pytest.mark.parametrize(
    ("words", "lines", "said", "bench"),
    [
        ("", GOOD, GOOD, None),
        ("", BAD, BAD, 2),
        ("First alpha", "", "First alpha", None),
        ("First alpha", GOOD, f"First alpha\n\n{GOOD}", None),
        ("First alpha", BAD, "First alpha", None),
    ],
)
async def test_when_the_time_is_up_what_was_typed_counts(
    store: Store, words: str, lines: str, said: str, bench: int | None
) -> None:
    await hold(running := interview(store, rounds=(outline(RUBRIC),)), [commands.RunBench(BAD)])
    running.save_draft(words, "answer")
    running.save_draft(lines, "bench")
    running = reopen(store, SESSION, OfflineExaminer(), elapsed=601, bench=FakeBench())
    (answer,) = of_kind([event async for event in running], events.AnswerGiven)
    assert (answer.text, answer.bench, answer.cut_off) == (said, bench, True)
    assert (running.drafts()["answer"], running.drafts()["bench"]) == ("", "")


async def test_an_exam_shows_the_lines_and_keeps_the_rest(store: Store) -> None:
    seen = await hold(interview(store), [commands.RunBench(BAD), commands.RunBench(GOOD)])
    failed, passed = of_kind(seen, events.BenchRan)
    assert failed.result.lines == FAILED.lines
    assert (failed.result.matched, passed.result.open_points) == (None, ())
    running = reopen(store, SESSION, OfflineExaminer(), bench=FakeBench())
    assert [run.result for run in running.state.questions[0].runs] == [FAILED, PASSED]


async def test_a_regrade_joins_the_stored_results_and_runs_nothing(store: Store) -> None:
    replies = [commands.RunBench(BAD), commands.SubmitRun(GOOD), commands.EndInterview()]
    await hold(interview(store), replies)
    replay = load(store, SESSION)
    [first, *_] = (await regrade(replay, ScriptedExaminer(name="another"))).questions
    alpha, *_ = first.grade.verdicts
    assert (alpha.verdict, alpha.evidence) == (Rating.MET, "p = w / sum(w)")
    assert replay.challenges == CHALLENGES


async def test_the_debrief_tells_the_first_bad_line_or_what_was_shown(store: Store) -> None:
    short = "p = w"
    for number, source in enumerate((short, GOOD)):
        running = interview(store, FakeBench(results={short: FAILED}), session=f"5e5510770{number}")
        await hold(running, [commands.SubmitRun(source), commands.EndInterview()])
        question = running.state.questions[0]
        assert question.judged[0].flags == frozenset(), "lines are not judged by how they read"
        told = question_debrief(question, RUBRIC, CHALLENGES)
        quotes = [strength.quote.text for strength in told.strengths]
        if source is short:
            assert told.bench is not None
            assert told.bench.last.first_bad_line == 2
        else:
            assert quotes == ["p = w / sum(w)", "w = exp(z)"]
            assert told.lesson_on(RUBRIC.criterion("alpha")) is None


@settings(max_examples=8)
@given(st.text(st.characters(exclude_categories=()), min_size=1, max_size=80))
async def test_any_source_is_kept(tmp_path_factory: pytest.TempPathFactory, source: str) -> None:
    store = Store(tmp_path_factory.mktemp("db") / "sessions.db")
    bench = FakeBench(results={source: FAILED})
    running = interview(store, bench, rounds=(outline(RUBRIC),))
    await hold(
        running, [commands.SubmitRun(source), commands.RunBench(source), commands.EndInterview()]
    )
    replay = load(store, SESSION)
    assert replay.state == running.state
    said = [turn.text for turn in store.turns(SESSION) if turn.author == "candidate"]
    assert said == ([source] * 3 if source.strip() else [])
    for verdict in stored_verdicts(store, SESSION):
        if verdict.turn and verdict.span:
            text = next(t.text for t in store.turns(SESSION) if t.number == verdict.turn)
            assert verdict.evidence == text[slice(*verdict.span)]
    store.close()


async def test_a_run_that_passes_marks_its_challenge_solved(store: Store, tmp_path: Path) -> None:
    tries = Tries(tmp_path / "bench")
    await hold(interview(store, tries=tries), [commands.RunBench(BAD)])
    [tried] = tries.read().values()
    assert tried.solved is None
    again = interview(store, tries=tries, session="5e55107701")
    await hold(again, [commands.SubmitRun(GOOD)])
    assert tries.read()[RUBRIC.challenge or ""].solved


async def test_a_run_that_cannot_be_marked_counts(store: Store, tmp_path: Path) -> None:
    (tmp_path / "tries.json").write_text("{")
    seen = await hold(interview(store, tries=Tries(tmp_path)), [commands.RunBench(GOOD)])
    (ran,) = of_kind(seen, events.BenchRan)
    assert ran.result.passed


# -- through the real worker -------------------------------------------------------------

WRONG = "S = Q @ T(K) / d\nout = softmax(S, dim=-1) @ V"
RIGHT = "S = Q @ T(K) / sqrt(d)\nout = softmax(S, dim=-1) @ V"
FUNCTION = "def f(Q, K, V):\n    S = Q @ K.T / Q.shape[-1] ** 0.5\n    return S.softmax(-1) @ V\n"


@pytest.mark.skipif(find_spec("torch") is None, reason="there is no torch to run anything with")
@pytest.mark.usefixtures("shared_worker")
async def test_lines_and_functions_are_executed_and_joined_in(store: Store, tmp_path: Path) -> None:
    settings = replace(load_settings(), cache_folder=tmp_path)
    challenge = load_challenges(settings, ("attn",)).get("attn").model
    rubric = a_rubric(
        a_criterion("alpha", bench="out"), a_criterion("beta"), challenge=challenge.id
    )
    bench = open_bench(settings)
    bench.allow_functions = True
    running = begin(
        store,
        (outline(rubric, follow_ups=9),),
        {rubric.id: rubric},
        OfflineExaminer(),
        bench=bench,
        challenges={challenge.id: challenge},
    )
    try:
        replies = [commands.SubmitRun(WRONG), commands.RunBench(FUNCTION)]
        seen = await hold(running, [*replies, commands.SubmitRun(RIGHT)])
    finally:
        await running.aclose()
    ran = [event.result for event in of_kind(seen, events.BenchRan)]
    outcomes = [result.outcome for result in ran]
    assert outcomes == [CheckOutcome.FAILED, CheckOutcome.PASSED, CheckOutcome.PASSED], ran
    challenged = of_kind(seen, events.FollowUpAsked)[0]
    assert challenged.move.kind is MoveKind.BAD_LINE
    assert challenged.move.bench.startswith(f"Line {ran[0].first_bad_line}, “")
    question = running.state.rounds[0].questions[0]
    first, *_, last = ({v.criterion: v for v in judged.verdicts} for judged in question.judged)
    assert first["alpha"].verdict is Rating.NOT_MET
    assert last["alpha"].verdict is Rating.MET
    assert last["alpha"].evidence == "out = softmax(S, dim=-1) @ V"
    assert [turn.kind for turn in question.turns].count(TurnKind.BENCH) == 3
