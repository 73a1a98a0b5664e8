"""With a model that listens: what it hears is so, and what it would say to that is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from support.examiners import ScriptedExaminer
from support.rubrics import a_criterion, a_rubric
from support.sessions import begin, hold, of_kind, outline, reopen

from interviewer.errors import ExaminerError
from interviewer.examiner.offline.judge import OfflineExaminer, judge
from interviewer.examiner.protocol import (
    NEUTRAL,
    Heard,
    Move,
    MoveKind,
    Persona,
    Proposal,
    QuestionContext,
)
from interviewer.grading.transcript import DialogueAct, TurnKind, exchange
from interviewer.grading.transcript import DialogueAct as Act
from interviewer.grading.verdicts import Judgement, Verdict
from interviewer.interview.commands import Answer, Command, Pause, Rephrase
from interviewer.interview.events import AnswerJudged, Event, FollowUpAsked, HintGiven
from interviewer.interview.examining import (
    Reply,
    Unready,
    as_heard,
    ask_for_reply,
    check_judgement,
    choose_reply,
)
from interviewer.interview.interview import Interview
from interviewer.interview.policy import NextMove, Situation, next_move
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.store.store import Store

RUBRIC = a_rubric(simpler=("Which letter comes before all others?",))
OWN = {"ask": "So which batch did you set?", "wants": "batch_tokens", "again": "A number, please."}
DRILLED = a_rubric(
    a_criterion("alpha", kind="experience", must_have=True, drill=OWN), a_criterion("beta")
)
DERIVED = a_rubric(kind="derivation")
ANSWER = Answer("Well, some letters surely matter more than others in that row")
BACK = "That comes at the end. Back to one letter: what would you look at there?"
REDIRECT = Move(MoveKind.REDIRECT, remark=Act.BARE)
"""As proposed: after what is up to the program."""


def heard(
    *acts: Act, say: Sequence[tuple[str, Move]] = (), gives: str = "", whose: str = ""
) -> Heard:
    proposals = tuple(Proposal(text, move) for text, move in say)
    return Heard(frozenset(acts), proposals, gives=gives, whose=whose)


def examiner_of(*replies: Heard) -> ScriptedExaminer:
    """Hears these, one after the other."""
    left: Iterator[Heard] = iter(replies)
    return ScriptedExaminer(hears=lambda _: next(left))


def begun(
    store: Store, examiner: ScriptedExaminer, rubric: Rubric = RUBRIC, *, drills: bool = False
) -> Interview:
    plan = replace(outline(rubric, follow_ups=6), drills=drills, persona=Persona("Ada", "brief"))
    return begin(store, [plan], {rubric.id: rubric}, examiner)


def said(events: Sequence[Event]) -> list[tuple[MoveKind, str]]:
    asked = (each for each in events if isinstance(each, FollowUpAsked | HintGiven))
    return [(each.move.kind, each.text) for each in asked]


# -- what is no answer ------------------------------------------------------------------


@pytest.mark.parametrize(
    "act", [Act.WANTS_COMFORT, Act.WANTS_RUBRIC, Act.OBJECTS, Act.TRIES, Act.WANTS_ANSWER]
)
async def test_a_wish_has_a_reply_of_the_model_and_no_grade(store: Store, act: Act) -> None:
    examiner = examiner_of(heard(act, say=[(BACK, REDIRECT)]))
    held = begun(store, examiner)
    events = await hold(held, [ANSWER])
    assert said(events) == [(MoveKind.REDIRECT, BACK)]
    question = held.state.questions[-1]
    assert question.moves[-1].remark is act
    assert question.follow_ups_used == 0
    assert not any(isinstance(each, AnswerJudged) for each in events)
    assert (examiner.asked, examiner.doubted) == ([], [])


async def test_a_plain_wish_to_stop_ends_the_interview_and_one_in_many_words_is_told_how(
    store: Store,
) -> None:
    wish = heard(Act.WANTS_TO_STOP, say=[(BACK, REDIRECT)])
    told = begun(store, examiner_of(wish, wish))
    many, plain = "We stop when it is too long. " * 6, "I have to go now, let's stop here."
    ((kind, text),) = said(await hold(told, [Answer(many), Answer(plain)]))
    assert kind is MoveKind.REDIRECT
    assert "end the interview" in text
    assert told.state.finished


async def test_a_wish_for_a_hint_that_the_model_hears_has_its_price(store: Store) -> None:
    held = begun(store, examiner_of(heard(Act.WANTS_HINT)))
    events = await hold(held, [Answer("Could use a leg up on this, to be honest with you")])
    (hint,) = (each for each in events if isinstance(each, HintGiven))
    assert (hint.text, hint.price) == ("Hint: Look near a.", 0.25)
    assert held.state.questions[-1].follow_ups_used == 0


async def test_without_a_model_the_smaller_steps_are_the_rubrics_own(store: Store) -> None:
    steps = ("Which letter comes before all others?", "And which one begins the word ant?")
    rubric = a_rubric(simpler=steps)
    stuck = Answer("I don't know.")
    events = await hold(
        begun(store, ScriptedExaminer(), rubric), [stuck, stuck, Answer("no thanks")]
    )
    first, offer, second = said(events)
    assert steps[0] in first[1]
    assert offer[0] is MoveKind.OFFER
    assert steps[1] in second[1]


# -- own work ---------------------------------------------------------------------------

FIGURE = Answer("In my own run we trained a 7B on 140 billion tokens, alpha and beta and gamma.")
ON_FIGURE = "You said 140 billion tokens. How did you settle on that many, and against what?"


@pytest.mark.parametrize("move", [Move(MoveKind.DRILL), Move(MoveKind.PIN_DOWN, "alpha")])
async def test_an_own_figure_may_be_drilled_where_all_is_settled(store: Store, move: Move) -> None:
    examiner = examiner_of(heard(Act.ANSWER, say=[(ON_FIGURE, move)]))
    held = begun(store, examiner, DERIVED)
    assert said(await hold(held, [FIGURE])) == [(MoveKind.DRILL, ON_FIGURE)]
    assert not examiner.listened[0].drills


async def test_a_drill_that_tells_of_none_is_not_put_again(store: Store) -> None:
    for gives, again in (("none", False), ("nothing", True)):
        examiner = examiner_of(heard(Act.ANSWER), heard(Act.ANSWER, gives=gives))
        session = f"5e5510{gives[:4]}"
        plan = replace(outline(DRILLED, follow_ups=6), drills=True)
        held = begin(store, [plan], {DRILLED.id: DRILLED}, examiner, session=session)
        reply = Answer("I always left such settings to the others in the end")
        (first, *_, last) = said(await hold(held, [ANSWER, reply]))
        assert first == (MoveKind.DRILL, OWN["ask"])
        assert (last == (MoveKind.DRILL, OWN["again"])) is again
        assert [each.wants for each in examiner.listened] == ["", "batch_tokens"]


@pytest.mark.parametrize(("whose", "passed"), [("own", True), ("team", True), ("other", False)])
async def test_what_others_did_passes_no_drill(store: Store, whose: str, passed: bool) -> None:
    reply = heard(Act.ANSWER, gives="batch_tokens", whose=whose)
    held = begun(store, examiner_of(heard(Act.ANSWER), reply), DRILLED, drills=True)
    await hold(held, [ANSWER, Answer("Four million tokens, as the paper has it")])
    (mark,) = held.state.questions[-1].drills
    assert mark.passed is passed


async def test_the_teams_figures_leave_the_drill_on_their_own_due(store: Store) -> None:
    figures = heard(Act.ANSWER, gives="batch_tokens", whose="team")
    held = begun(store, examiner_of(figures), DRILLED, drills=True)
    events = await hold(held, [Answer("The team next door ran that with four million tokens")])
    assert said(events) == [(MoveKind.DRILL, OWN["ask"])]


# -- doubts about words -----------------------------------------------------------------

DUE = Move(MoveKind.CHALLENGE, "alpha")
KEY = a_criterion(
    "alpha", claim="The staggered breakfast averts the elevator queue", must_have=True
)
HOTEL = a_rubric(KEY, a_criterion("beta"), question="How do you run a hotel?")
SUSPECT = "Friendly staff, noted. What did the elevator look like before nine, and how often?"
AGAIN = "And on Sundays: what did the elevator look like then, and to whom?"
HARMLESS = "Friendly staff, noted. Which colours did you paint the rooms in, and why those?"


def contradicts(context: QuestionContext) -> Judgement:
    """Alpha is denied in the latest answer."""
    words = context.turns[-1].text
    return Judgement((Verdict("alpha", Rating.CONTRADICTED, words),), "scripted")


async def test_the_due_challenge_is_looked_at_rather_than_dropped(store: Store) -> None:
    say = [(SUSPECT, DUE), (HARMLESS, Move(MoveKind.PIN_DOWN, "alpha"))]
    examiner = examiner_of(heard(Act.ANSWER, say=say))
    examiner.judgement = contradicts
    held = begun(store, examiner, HOTEL)
    events = await hold(held, [Answer("With friendly staff all queues go away by themselves")])
    assert said(events) == [(MoveKind.CHALLENGE, SUSPECT)]
    assert examiner.doubted == [(SUSPECT, HARMLESS)]


def half_made(context: QuestionContext) -> Judgement:
    """Alpha is made in part in the latest answer."""
    words = context.turns[-1].text
    open_ = Verdict("beta", Rating.NOT_MET)
    return Judgement((Verdict("alpha", Rating.PARTIAL, words), open_), "scripted")


async def test_what_was_cleared_stays_cleared_on_the_question_also_resumed(store: Store) -> None:
    pin = Move(MoveKind.PIN_DOWN, "alpha")
    first = "Friendly staff, noted. What do guests say at breakfast, and how often?"
    examiner = examiner_of(heard(Act.ANSWER, say=[(first, pin), (SUSPECT, pin)]))
    examiner.judgement = half_made
    held = begun(store, examiner, HOTEL)
    events = await hold(held, [Answer("With friendly staff, and paint in spring")])
    assert said(events) == [(MoveKind.PIN_DOWN, first)]
    assert examiner.doubted == [(first, SUSPECT)]
    again = examiner_of(heard(Act.ANSWER, say=[(AGAIN, pin)]))
    again.judgement = half_made
    resumed = reopen(store, "5e55107700", again)
    events = await hold(resumed, [Answer("They like the staff, and the paint a little less so")])
    assert said(events)[-1] == (MoveKind.PIN_DOWN, AGAIN)
    assert again.doubted == []


# -- what no model need hear ----------------------------------------------------------


FIRST, SECOND = a_rubric(), a_rubric(id="more-letters")
RUBRICS = {each.id: each for each in (FIRST, SECOND)}


@pytest.mark.parametrize(
    ("aside", "words"),
    [
        (Rephrase(), "Put another way"),
        (Answer("What do you mean by that?"), "say what you assume"),
        (Answer("How am I doing?"), "before the end"),
        (Answer("I disagree."), "Fair enough"),
        (Answer("Let me try this first."), "Go ahead"),
    ],
)
async def test_it_is_replied_to_and_not_graded(store: Store, aside: Command, words: str) -> None:
    rubric = a_rubric(simpler=("After alpha, which letter comes to mind?",))
    interview = begin(store, [outline(rubric)], {rubric.id: rubric}, OfflineExaminer())
    heard = await hold(interview, [aside, Pause()])
    assert words in of_kind(heard, FollowUpAsked)[-1].text
    (question,) = interview.state.questions
    assert question.turns[-1].author == "examiner"
    assert question.follow_ups_used == 0
    assert not any(v.verdict is Rating.MET for v in question.verdicts.values())


class _Hears(OfflineExaminer):
    """Hears a question back in everything."""

    async def listen(self, context: QuestionContext) -> Heard:
        return Heard(frozenset({DialogueAct.QUESTION_BACK}))


async def test_what_a_model_hears_as_no_answer_is_not_graded(store: Store) -> None:
    interview = begin(store, [outline(FIRST)], RUBRICS, _Hears())
    said = "That depends on the block layouts you have in mind"
    heard = await hold(interview, [Answer(said), Pause()])
    assert interview.state.questions[-1].turns[1].kind is TurnKind.ASIDE
    assert of_kind(heard, AnswerJudged) == []
    assert of_kind(heard, FollowUpAsked)[-1].move.kind is MoveKind.CLARIFY


async def test_what_makes_a_point_is_an_answer_whatever_a_model_hears(store: Store) -> None:
    interview = begin(store, [outline(FIRST)], RUBRICS, _Hears())
    await hold(interview, [Answer("alpha comes first"), Pause()])
    assert interview.state.questions[-1].verdicts["alpha"].verdict is Rating.MET


# -- words in doubt -------------------------------------------------------------------


MUST = a_criterion(
    "alpha",
    claim="Staggered breakfasts avert the queue before the elevator",
    patterns=(("(stagger|spread).*breakfast", "queue|wait"),),
    must_have=True,
)
OWN_LIFT = {"ask": "So which lift was yours?", "wants": "decision", "again": "Which was it?"}
LIFTS = a_rubric(MUST, question="How do you run a hotel?")
FRIENDLY = "With friendly staff, and we paint the rooms every spring."
PLAIN = "Friendly staff, noted. What do your guests complain about before nine, and how often?"
DOUBTFUL = "Friendly staff, noted. What did the elevator look like before nine, and how often?"
WORSE = "Friendly staff, noted. Who waits at breakfast, and what have you tried so far?"
OTHER = "Friendly staff, noted. Which colours did you paint the rooms in, and why those?"
PROBE = Move(MoveKind.PROBE, "alpha")


def a_context() -> QuestionContext:
    turns = exchange(LIFTS.question, FRIENDLY)
    return QuestionContext(LIFTS, turns, (), NEUTRAL, exam=True)


def proposing(*texts: str, move: Move = PROBE) -> tuple[Reply | Unready, NextMove]:
    """What can be said where these are the proposals."""
    return proposing_moves(*((text, move) for text in texts))


def proposing_moves(
    *say: tuple[str, Move], drills: bool = False
) -> tuple[Reply | Unready, NextMove]:
    context = a_context()
    judged = check_judgement(context, judge(LIFTS, context.turns))
    heard = Heard(
        frozenset({DialogueAct.ANSWER}), tuple(Proposal(text, move) for text, move in say)
    )
    question = QuestionState(
        1, 1, LIFTS.id, context.turns, judged=(judged,), heard=(as_heard(2, heard),)
    )
    asked = a_criterion(MUST.id, kind="experience", drill=OWN_LIFT) if drills else MUST
    at = Situation(question, a_rubric(asked), 4, drills)
    due = next_move(at)
    return choose_reply(context, due, at), due


def in_doubt(*texts: str) -> Unready:
    return Unready((), tuple(Reply(PROBE, text) for text in texts))


def test_what_is_beyond_doubt_goes_before_what_is_in_doubt() -> None:
    said, _ = proposing(DOUBTFUL, PLAIN, OTHER)
    assert said == Reply(PROBE, PLAIN)


def test_where_all_is_in_doubt_nothing_is_said_yet() -> None:
    said, _ = proposing(DOUBTFUL, WORSE)
    assert said == in_doubt(DOUBTFUL, WORSE)


async def test_what_is_cleared_is_said_and_nothing_else_is_asked_for() -> None:
    examiner = ScriptedExaminer(finds=lambda text: "elevator" if text == DOUBTFUL else "")
    said = await ask_for_reply(examiner, a_context(), PROBE, in_doubt(DOUBTFUL, WORSE))
    assert said == Reply(PROBE, WORSE, cleared=("it may give away “breakfast”",))
    assert examiner.doubted == [(DOUBTFUL, WORSE)]
    assert examiner.asked == []


async def test_where_nothing_is_cleared_other_words_are_asked_for_with_the_reason() -> None:
    examiner = ScriptedExaminer(finds=lambda text: "the elevator", words=lambda *_: PLAIN)
    said = await ask_for_reply(examiner, a_context(), PROBE, in_doubt(DOUBTFUL))
    assert said == Reply(PROBE, PLAIN)
    (rejected,) = examiner.rejected
    assert (rejected.text, rejected.why) == (DOUBTFUL, "it gives away “the elevator”")


async def test_a_call_that_fails_clears_nothing() -> None:
    examiner = ScriptedExaminer(
        fail_giveaways=[ExaminerError("It timed out.", retryable=True)], words=lambda *_: PLAIN
    )
    said = await ask_for_reply(examiner, a_context(), PROBE, in_doubt(DOUBTFUL))
    assert said == Reply(PROBE, PLAIN)
    assert [each.why for each in examiner.rejected] == ["it may give away “elevator”"]


async def test_doubts_are_put_once_between_two_turns() -> None:
    examiner = ScriptedExaminer(finds=lambda text: "the elevator", words=lambda *_: DOUBTFUL)
    said = await ask_for_reply(examiner, a_context(), PROBE, in_doubt(WORSE))
    assert MUST.probe in said.text
    assert "elevator" in said.replaced
    assert examiner.doubted == [(WORSE,)]
