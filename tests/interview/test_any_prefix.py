"""Wherever a journal ends, the session goes on from there, and what was said before stays."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examiners import ScriptedExaminer
from support.rubrics import ONE, TWO
from support.sessions import begin, hold, outline, reopen

from interviewer.interview import commands
from interviewer.interview.events import AnswerGiven
from interviewer.interview.journal import load
from interviewer.interview.state import replay
from interviewer.store.records import Progress
from interviewer.store.store import Store

SESSION = "5e55107700"
SAID = ("alpha is first", "beta is second and so is gamma", "I would look it up", "Hm.")
COMMANDS = st.lists(
    st.one_of(
        st.sampled_from(SAID).map(commands.Answer),
        st.sampled_from([commands.DontKnow(), commands.AskHint(), commands.Skip()]),
        st.just(commands.EndRound()),
    ),
    max_size=5,
)


@settings(max_examples=5)
@given(COMMANDS, st.sampled_from(["exam", "practice"]), st.floats(0, 1))
async def test_any_prefix_of_a_journal_resumes(
    tmp_path_factory: pytest.TempPathFactory,
    given_commands: Sequence[commands.Command],
    mode: str,
    share: float,
) -> None:
    with closing(Store(tmp_path_factory.mktemp("db") / "sessions.db")) as store:
        rubrics = {rubric.id: rubric for rubric in (ONE, TWO)}
        rounds = (outline(ONE), outline(TWO))
        mock = begin(store, rounds, rubrics, ScriptedExaminer(), mode=mode)  # type: ignore[arg-type]
        await hold(mock, given_commands)
        journal = load(store, SESSION).journal
        end = 1 + round(share * (len(journal) - 1))
        state, read = replay((each.event, each.elapsed) for each in journal[:end])
        assert read == end
        status = "finished" if state.finished else "open"
        store.rewind(SESSION, end, state.turns, Progress(status=status, holder=""), None)
        if not state.finished:
            resumed = reopen(store, SESSION, ScriptedExaminer())
            await hold(resumed, [commands.Answer("alpha, once more"), commands.EndInterview()])
        after = load(store, SESSION)
        assert after.state.finished
        assert not after.gap
        assert [each.event for each in after.journal[:end]] == [e.event for e in journal[:end]]
        answers = [e.event.text for e in journal[:end] if isinstance(e.event, AnswerGiven)]
        kept = [turn.text for turn in store.turns(SESSION) if turn.author == "candidate"]
        assert kept[: len(answers)] == answers
