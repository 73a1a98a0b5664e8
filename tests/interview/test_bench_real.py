"""An interview through the real worker: what is derived there stands in the grade."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.rubrics import a_criterion, a_rubric
from support.sessions import begin, hold, of_kind, outline

from interviewer.composition import load_challenges, open_bench
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import MoveKind
from interviewer.grading.transcript import TurnKind
from interviewer.interview import commands, events
from interviewer.rubric.rubric import Rating
from interviewer.sandbox.result import Outcome
from interviewer.settings import load_settings
from interviewer.store.store import Store

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
    assert outcomes == [Outcome.FAILED, Outcome.PASSED, Outcome.PASSED], ran
    challenged = of_kind(seen, events.FollowUpAsked)[0]
    assert challenged.move.kind is MoveKind.BAD_LINE
    assert challenged.move.bench.startswith(f"Line {ran[0].first_bad_line}, “")
    question = running.state.rounds[0].questions[0]
    first, *_, last = ({v.criterion: v for v in judged.verdicts} for judged in question.judged)
    assert first["alpha"].verdict is Rating.NOT_MET
    assert last["alpha"].verdict is Rating.MET
    assert last["alpha"].evidence == "out = softmax(S, dim=-1) @ V"
    assert [turn.kind for turn in question.turns].count(TurnKind.BENCH) == 3
