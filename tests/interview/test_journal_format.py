"""The journal's JSON: what old sessions hold, and what is written today, byte for byte."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from support.tables import table

from interviewer.examiner.protocol import WORDED, Move, MoveKind
from interviewer.grading.transcript import DialogueAct
from interviewer.grading.verdicts import Evidence, Verdict
from interviewer.interview.events import (
    AnswerJudged,
    FollowUpAsked,
    HintGiven,
    as_shown,
    from_json,
    to_json,
)
from interviewer.rubric.rubric import Rating

CASES = table("cases", __file__)["journal_format"]


def stored(kind: str, target: str | None = "alpha", **more: object) -> str:
    """A follow-up as journals of every version hold it."""
    move = {"kind": kind, "target": target, "hint_level": 0, "sum": "", "remark": None}
    move |= {"why": None, "bench": "", **more}
    event = {"event": "follow_up", "turn": 3, "text": "Why?", "move": move}
    return json.dumps({**event, "examiner": "offline-v3", "replaced": ""})


@pytest.mark.parametrize(("entry", "move"), CASES["moves"])
def test_a_stored_move_stays_as_it_was(entry: dict[str, Any], move: dict[str, Any]) -> None:
    event = from_json(json.loads(stored(**entry)))
    assert isinstance(event, FollowUpAsked)
    assert event.move == Move(**{**move, "kind": MoveKind(move["kind"])})
    assert json.dumps(to_json(event)) == stored(**entry)


def test_a_stored_hint_is_read_and_written_as_it_was() -> None:
    event = from_json(json.loads(CASES["hint"]))
    assert isinstance(event, HintGiven)
    assert event.move == Move(MoveKind.HINT, "alpha", 2)
    assert json.dumps(to_json(event)) == CASES["hint"]


def test_a_move_of_the_first_version_has_fewer_fields() -> None:
    move = {"kind": "probe", "target": "alpha", "hint_level": 0}
    event = from_json({**json.loads(stored("probe")), "move": move})
    assert isinstance(event, FollowUpAsked)
    assert event.move == Move(MoveKind.PROBE, "alpha")


@pytest.mark.parametrize("kind", ["close", "question", "redirect", "sing"])
def test_a_move_that_no_session_can_hold_is_refused(kind: str) -> None:
    with pytest.raises(ValidationError):
        from_json(json.loads(stored(kind)))


TARGETS = st.text(min_size=1)
MOVES: st.SearchStrategy[Move] = st.one_of(
    st.builds(Move, st.sampled_from(sorted({*WORDED} - {MoveKind.REDIRECT})), TARGETS),
    st.builds(Move, st.just(MoveKind.NUMBERS_CLASH), sum=TARGETS),
    st.builds(Move, st.just(MoveKind.NUMBERS_FIT), sum=TARGETS, ask=TARGETS),
    st.builds(Move, st.just(MoveKind.BAD_LINE), st.text(), bench=TARGETS),
    st.builds(Move, st.just(MoveKind.HINT), TARGETS, st.integers(1, 9)),
    st.builds(Move, st.just(MoveKind.ESCALATE), escalation=st.integers(0, 3)),
    st.builds(Move, st.just(MoveKind.TELL), TARGETS),
    st.builds(Move, st.just(MoveKind.REDIRECT), remark=st.sampled_from(DialogueAct)),
)


@given(MOVES)
def test_every_move_survives_the_journal(move: Move) -> None:
    event = FollowUpAsked(3, "Why?", move, "offline-v3")
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@given(MOVES)
def test_an_exam_hides_what_a_move_is_aimed_at(move: Move) -> None:
    shown = as_shown(FollowUpAsked(3, "Why?", move, "offline-v3"), "exam")
    assert shown is not None
    assert to_json(shown)["move"]["target"] is None


ONE_QUOTE = CASES["one quote"]


def test_a_verdict_on_one_quote_is_read_and_written_as_it_was() -> None:
    """What was in doubt had a shape of its own, with plain texts for quotes."""
    event = from_json(json.loads(ONE_QUOTE))
    assert isinstance(event, AnswerJudged)
    assert event.verdicts[0].quotes == (Evidence("a b c", 2, (0, 5)),)
    assert event.doubts[0].words == ("a b c", "d e f")
    assert to_json(event)["verdicts"] == json.loads(ONE_QUOTE)["verdicts"]
    assert from_json(to_json(event)) == event


def test_what_could_not_be_judged_was_kept_beside_the_verdicts() -> None:
    """As pairs of the criterion and a sentence, which might begin with codes."""
    sentence = (
        "code, formula: it may stand in what was not read. Settle it yourself, or use a model."
    )
    pairs = [["beta", sentence], ["gamma", "It failed."]]
    event = from_json({**json.loads(ONE_QUOTE), "ungraded": pairs})
    assert isinstance(event, AnswerJudged)
    alpha, beta, gamma = event.verdicts
    assert (alpha.verdict, alpha.ungraded, alpha.by) == (Rating.MET, (), "examiner")
    assert (beta.verdict, beta.ungraded, beta.reason) == (None, ("code", "formula"), sentence)
    assert (gamma.verdict, gamma.ungraded, gamma.reason) == (None, ("other",), "It failed.")
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


def test_further_quotes_and_doubts_survive_the_journal() -> None:
    further = (Evidence("d e f", 4, (3, 8)),)
    verdict = Verdict("alpha", Rating.PARTIAL, "a b c", 2, (0, 5), further=further)
    verdict = replace(verdict, doubt="the second half may be meant", alternative=Rating.MET)
    finding = Verdict("alpha", Rating.MET, "a b c", further=(Evidence("d e f"),), confirmed=True)
    event = AnswerJudged((verdict,), "tiny", doubts=(finding,))
    assert from_json(json.loads(json.dumps(to_json(event)))) == event
