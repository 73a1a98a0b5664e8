"""The bench inside an interview: runs are free, a submission answers, numbers go first."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.benches import (
    BAD,
    CHALLENGES,
    FAILED,
    GOOD,
    INCOMPLETE,
    PASSED,
    POINT,
    RUBRIC,
    STOPPED,
    UNAVAILABLE,
    FakeBench,
)
from support.examiners import ScriptedExaminer
from support.rubrics import a_rubric
from support.sessions import HandClock, begin, hold, outline, reopen
from support.sessions import verdicts as stored_verdicts

from interviewer.errors import SandboxError
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import MoveKind
from interviewer.grading.transcript import TurnKind
from interviewer.grading.verdicts import Flag, Source, Verdict
from interviewer.interview import commands, events
from interviewer.interview.debrief.questions import question_debrief
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.interview.policy import Step, next_step
from interviewer.interview.regrading import regrade
from interviewer.rubric.rubric import Rating
from interviewer.sandbox.result import CheckResult, Tries
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


def finding(result: CheckResult) -> FakeBench:
    """A bench that finds this of everything."""
    return FakeBench(results={GOOD: result, BAD: result})


def kinds(seen: list[events.Event]) -> list[str]:
    return [event.event for event in seen]


def standing(running: Interview) -> dict[str, Verdict]:
    question = running.state.rounds[0].questions[0]
    return {verdict.criterion: verdict for verdict in question.judged[-1].verdicts}


async def test_runs_are_turns_that_change_nothing_else(store: Store) -> None:
    running = interview(store)
    seen = await hold(running, [commands.RunBench(BAD), commands.RunBench(GOOD)])
    asked = next(event for event in seen if isinstance(event, events.QuestionAsked))
    assert asked.challenge == "small-softmax"
    assert kinds(seen)[3:] == ["your_turn", *("checking", "bench", "your_turn") * 2]
    question = running.state.question
    assert question is not None
    assert [run.text for run in question.runs] == [BAD, GOOD]
    assert [turn.kind for turn in question.spoken] == [TurnKind.QUESTION]
    assert next_step(running.state) is Step.AWAIT_CANDIDATE
    assert [turn.kind for turn in store.turns(SESSION)] == ["question", "bench", "bench"]
    assert store.turns(SESSION)[1].text == BAD


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
    assert [verdicts[name].verdict for name in ("alpha", "beta", "gamma")] == [
        Rating.MET,
        Rating.MET,
        Rating.NOT_MET,
    ]
    shown = verdicts["alpha"]
    assert (shown.evidence, shown.source) == ("p = w / sum(w)", Source.FIRST)
    run = next(turn for turn in store.turns(SESSION) if turn.number == shown.turn)
    assert shown.span is not None
    assert run.text[slice(*shown.span)] == shown.evidence
    stored = {v.criterion: v for v in stored_verdicts(store, SESSION)}
    assert (stored["beta"].evidence, stored["beta"].turn) == ("w = exp(z)", 2)


async def test_what_was_run_last_is_not_run_again_to_be_handed_in(store: Store) -> None:
    bench = FakeBench()
    running = interview(store, bench)
    seen = await hold(running, [commands.RunBench(GOOD), commands.SubmitRun(GOOD)])
    assert bench.checked == [GOOD]
    [answer] = [event for event in seen if isinstance(event, events.AnswerGiven)]
    assert (answer.text, answer.bench) == (GOOD, 2)


async def test_a_failed_submission_is_met_by_its_first_bad_line(store: Store) -> None:
    running = interview(store)
    seen = await hold(running, [commands.SubmitRun(BAD)])
    [asked] = [event for event in seen if isinstance(event, events.FollowUpAsked)]
    assert asked.move.kind is MoveKind.BAD_LINE
    assert asked.text == (
        "Line 2, “p = w / max(w)”: The entries do not sum to 1. What should they sum to? "
        "How would you fix that?"
    )
    verdicts = standing(running)
    assert verdicts["alpha"].verdict is Rating.NOT_MET
    assert verdicts["alpha"].missing.startswith("The entries do not sum to 1.")
    assert verdicts["beta"].verdict is Rating.MET
    question = running.state.question
    assert question is not None
    assert question.moves[-1].target == "alpha"


@pytest.mark.parametrize("follow_ups", [0, 4])
async def test_no_figures_are_read_in_lines_or_in_talk_about_them(
    store: Store, follow_ups: int
) -> None:
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
    moves = [event.move for event in seen if isinstance(event, events.FollowUpAsked)]
    faults = [
        events.to_json(event)["move"]["bench"] for event in seen if event.event == "follow_up"
    ]
    assert len([fault for fault in faults if fault]) == 2
    assert len(set(filter(None, faults))) == 2
    assert moves


async def test_an_incomplete_submission_is_met_by_what_is_lacking(store: Store) -> None:
    running = interview(store, finding(INCOMPLETE))
    seen = await hold(running, [commands.SubmitRun(GOOD)])
    [asked] = [event for event in seen if isinstance(event, events.FollowUpAsked)]
    assert asked.text.startswith("Nothing fails, but p is not there yet.")


@pytest.mark.parametrize("result", [UNAVAILABLE, STOPPED])
async def test_what_was_not_executed_counts_for_and_against_nobody(
    store: Store, result: CheckResult
) -> None:
    running = interview(store, finding(result))
    source = "p = w  # first alpha decides it all, I would say"
    bench = running.bench
    assert isinstance(bench, FakeBench)
    bench.results[source] = result
    seen = await hold(running, [commands.SubmitRun(source)])
    assert standing(running)["alpha"].verdict is Rating.MET
    [judged] = running.state.rounds[0].questions[0].judged
    assert Flag.NOT_EXECUTED in judged.flags
    assert not [
        e for e in seen if isinstance(e, events.FollowUpAsked) and e.move.kind is MoveKind.BAD_LINE
    ]


async def test_a_derivation_is_never_another_subject(store: Store) -> None:
    off = "harvest = tomatoes + cucumbers + peppers + aubergines"
    running = interview(store, FakeBench(results={off: STOPPED}))
    seen = await hold(running, [commands.SubmitRun(off)])
    [asked] = [e for e in seen if isinstance(e, events.FollowUpAsked)]
    assert asked.move.kind is not MoveKind.REDIRECT


async def test_a_passed_run_counts_with_the_words_that_follow(store: Store) -> None:
    running = interview(store)
    await hold(
        running, [commands.RunBench(GOOD), commands.Answer("I did that at the bench just now.")]
    )
    assert standing(running)["alpha"].verdict is Rating.MET
    assert standing(running)["alpha"].turn == 2


async def test_a_failed_run_that_was_not_handed_in_takes_nothing_away(store: Store) -> None:
    running = interview(store)
    await hold(
        running,
        [commands.RunBench(BAD), commands.Answer("First alpha decides it all, I would say.")],
    )
    assert standing(running)["alpha"].verdict is Rating.MET
    assert standing(running)["alpha"].source is Source.FIRST


async def test_words_of_a_failed_submission_earn_nothing_on_its_quantity(store: Store) -> None:
    source = "p = w  # first alpha decides it all"
    failed = replace(FAILED, derived=())
    running = interview(store, FakeBench(results={source: failed}))
    await hold(running, [commands.SubmitRun(source)])
    verdict = standing(running)["alpha"]
    assert (verdict.verdict, verdict.evidence) == (Rating.NOT_MET, "")
    assert verdict.unsupported


async def test_words_said_before_a_failed_submission_stay(store: Store) -> None:
    running = interview(store, FakeBench(results={BAD: replace(FAILED, derived=())}))
    await hold(running, [commands.Answer("First alpha decides it all."), commands.SubmitRun(BAD)])
    question = running.state.rounds[0].questions[0]
    assert standing(running)["alpha"].verdict is Rating.MET
    assert len(question.judged) == 2


async def test_a_hint_before_the_run_has_its_price(store: Store) -> None:
    running = interview(store)
    await hold(running, [commands.AskHint(), commands.SubmitRun(GOOD)])
    assert standing(running)["alpha"].source is Source.HINT_1


@pytest.mark.parametrize(
    "wish", [commands.Pause(), commands.Skip(), commands.EndInterview(), commands.Cancel()]
)
async def test_a_command_stops_a_run(store: Store, wish: commands.Command) -> None:
    bench = FakeBench(hold=asyncio.Event())
    running = interview(store, bench, rounds=(outline(RUBRIC),))
    seen: list[events.Event] = []
    async for event in running:
        seen.append(event)
        if isinstance(event, events.YourTurn):
            if "checking" in kinds(seen):
                break
            running.send(commands.RunBench(GOOD))
        if isinstance(event, events.Checking):
            running.send(wish)
    assert bench.cancelled == 1
    assert "bench" not in kinds(seen)
    last = {commands.Pause: "paused", commands.Cancel: "your_turn"}.get(type(wish), "debrief")
    assert kinds(seen)[-1] == last
    if isinstance(wish, commands.Pause | commands.Cancel):
        assert running.drafts()["bench"] == GOOD


async def test_what_was_to_be_handed_in_is_judged_as_words_when_the_question_is_left(
    store: Store,
) -> None:
    running = interview(store, FakeBench(hold=asyncio.Event()), rounds=(outline(RUBRIC),))
    seen: list[events.Event] = []
    async for event in running:
        seen.append(event)
        if isinstance(event, events.YourTurn):
            running.send(commands.SubmitRun(GOOD))
        if isinstance(event, events.Checking):
            running.send(commands.Skip())
    [answer] = [event for event in seen if isinstance(event, events.AnswerGiven)]
    assert (answer.text, answer.bench) == (GOOD, None)
    assert len(running.state.rounds[0].questions[0].judged) == 1


async def test_a_bench_that_fails_disturbs_nothing(store: Store) -> None:
    bench = FakeBench(fail=SandboxError("The worker would not start."))
    running = interview(store, bench)
    seen = await hold(
        running, [commands.RunBench(GOOD), commands.Answer("First alpha decides it all.")]
    )
    [ran] = [event for event in seen if isinstance(event, events.BenchRan)]
    assert ran.result.summary == "The worker would not start."
    assert bench.prepared == ["small-softmax"]
    await running.aclose()
    assert bench.closed == 1


async def test_a_question_without_a_challenge_takes_a_submission_as_words(store: Store) -> None:
    bench = FakeBench()
    running = interview(store, bench, rounds=(outline(PLAIN),))
    replies = [commands.RunBench(GOOD), commands.SubmitRun("First alpha decides it all.")]
    seen = await hold(running, replies)
    assert bench.checked == bench.prepared == []
    [answer] = [event for event in seen if isinstance(event, events.AnswerGiven)]
    assert answer.bench is None
    assert running.challenge is None


async def test_without_a_bench_no_question_offers_one(store: Store) -> None:
    running = begin(store, (outline(RUBRIC),), RUBRICS, OfflineExaminer(), challenges=CHALLENGES)
    seen = await hold(running, [])
    [asked] = [event for event in seen if isinstance(event, events.QuestionAsked)]
    assert asked.challenge is None


async def test_lines_at_the_bench_outlive_an_answer_but_no_submission(
    store: Store,
) -> None:
    running = interview(store)
    async for event in running:
        if isinstance(event, events.YourTurn):
            break
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
    running = interview(store)
    async for event in running:
        if isinstance(event, events.YourTurn):
            running.send(commands.SubmitRun(GOOD))
        if isinstance(event, events.BenchRan):
            break
    bench = FakeBench()
    again = reopen(store, SESSION, OfflineExaminer(), bench=bench)
    assert next_step(again.state) is Step.AWAIT_CANDIDATE
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
    seen = [event async for event in running]
    [answer] = [event for event in seen if isinstance(event, events.AnswerGiven)]
    assert (answer.text, answer.bench, answer.cut_off) == (said, bench, True)
    assert (running.drafts()["answer"], running.drafts()["bench"]) == ("", "")


async def test_an_exam_shows_the_lines_and_keeps_the_rest(store: Store) -> None:
    seen = await hold(interview(store), [commands.RunBench(BAD), commands.RunBench(GOOD)])
    failed, passed = (event for event in seen if isinstance(event, events.BenchRan))
    assert failed.result.lines == FAILED.lines
    assert (failed.result.matched, passed.result.open_points) == (None, ())
    running = reopen(store, SESSION, OfflineExaminer(), bench=FakeBench())
    runs = running.state.rounds[0].questions[0].runs
    assert [run.result for run in runs] == [FAILED, PASSED]


async def test_practice_shows_what_a_run_leaves_open(store: Store) -> None:
    seen = await hold(interview(store, mode="practice"), [commands.RunBench(GOOD)])
    [ran] = [event for event in seen if isinstance(event, events.BenchRan)]
    assert ran.result.open_points == (POINT,)


async def test_a_regrade_joins_the_stored_results_and_runs_nothing(store: Store) -> None:
    await hold(
        interview(store),
        [
            commands.RunBench(BAD),
            commands.SubmitRun(GOOD),
            commands.Skip(),
            commands.EndInterview(),
        ],
    )
    replay = load(store, SESSION)
    again = await regrade(replay, ScriptedExaminer(name="another"))
    [first, *_] = again.questions
    verdicts = {verdict.criterion: verdict for verdict in first.grade.verdicts}
    assert verdicts["alpha"].verdict is Rating.MET
    assert verdicts["alpha"].evidence == "p = w / sum(w)"
    assert replay.challenges == CHALLENGES


async def test_a_journal_of_before_the_bench_still_loads() -> None:
    asked = {
        "event": "question",
        "round": 1,
        "question": 1,
        "questions": 1,
        "rubric": "greek-letters",
        "title": "Greek letters",
        "turn": 1,
        "text": "Which?",
    }
    answer = {"event": "answer", "turn": 2, "text": "Alpha.", "kind": "answer", "cut_off": False}
    assert events.from_json(asked).challenge is None  # type: ignore[union-attr]
    assert events.from_json(answer).bench is None  # type: ignore[union-attr]


async def test_lines_are_not_judged_by_how_they_read(store: Store) -> None:
    short = "p = w"
    running = interview(store, FakeBench(results={short: FAILED}), rounds=(outline(RUBRIC),))
    await hold(running, [commands.SubmitRun(short), commands.Skip()])
    question = running.state.rounds[0].questions[0]
    assert question.judged[0].flags == frozenset()
    told_of = question_debrief(question, RUBRIC, {}, CHALLENGES)
    assert told_of.bench is not None
    assert told_of.bench.first_bad == (2, "", FAILED.lines[1].message)


async def test_a_point_shown_at_the_bench_is_among_the_strengths(store: Store) -> None:
    running = interview(store, rounds=(outline(RUBRIC),))
    await hold(running, [commands.SubmitRun(GOOD), commands.Skip()])
    question = question_debrief(running.state.rounds[0].questions[0], RUBRIC, {}, CHALLENGES)
    assert [strength.quote.text for strength in question.strengths] == ["p = w / sum(w)"]
    assert question.lesson_on(RUBRIC.criterion("alpha")) is None


@settings(max_examples=15)
@given(st.text(st.characters(exclude_categories=()), min_size=1, max_size=80))
async def test_any_source_is_kept_as_typed(
    tmp_path_factory: pytest.TempPathFactory, source: str
) -> None:
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


async def test_a_run_that_passes_marks_the_challenge_as_solved(
    store: Store, tmp_path: Path
) -> None:
    tries = Tries(tmp_path / "bench")
    await hold(interview(store, tries=tries), [commands.RunBench(BAD)])
    [tried] = tries.read().values()
    assert tried.solved is None
    again = interview(store, tries=tries, session="5e55107701")
    await hold(again, [commands.SubmitRun(GOOD)])
    assert tries.read()[RUBRIC.challenge or ""].solved


@pytest.mark.parametrize("result", [STOPPED, UNAVAILABLE])
async def test_a_run_that_came_to_nothing_marks_nothing(
    store: Store, tmp_path: Path, result: CheckResult
) -> None:
    tries = Tries(tmp_path)
    await hold(interview(store, finding(result), tries=tries), [commands.RunBench(GOOD)])
    assert tries.read() == {}


async def test_a_run_that_cannot_be_marked_counts_and_is_told(store: Store, tmp_path: Path) -> None:
    (tmp_path / "tries.json").write_text("{")
    seen = await hold(interview(store, tries=Tries(tmp_path)), [commands.RunBench(GOOD)])
    [told] = [event for event in seen if isinstance(event, events.NotMarked)]
    assert "is damaged" in told.message
    [ran] = [event for event in seen if isinstance(event, events.BenchRan)]
    assert ran.result.passed
