"""What was said elsewhere or could not be read never counts against anyone."""

from __future__ import annotations

import pytest
from support.examiners import ScriptedExaminer
from support.judged import reasons
from support.rubrics import FULL, ONE, a_criterion, a_rubric
from support.sessions import begin, grade_in, hold, kinds, of_kind, outline
from support.tables import table

from interviewer.examiner.offline.judge import OfflineExaminer, judge
from interviewer.examiner.protocol import Move, MoveKind, QuestionContext
from interviewer.grading.transcript import DialogueAct
from interviewer.grading.verdicts import Flag, Judgement, Source, Verdict, graded
from interviewer.interview import commands, events
from interviewer.interview.commands import Answer, AskHint, Command, Pause, SaidThat, Skip
from interviewer.interview.debrief import debrief
from interviewer.interview.events import Event, FollowUpAsked
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.interview.regrading import original, regrade
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rating
from interviewer.store.store import Store

CASES = table("cases", __file__)["said_elsewhere"]

ADAM = a_criterion(**CASES["adam"])
FIRST = a_rubric()
SECOND = a_rubric(a_criterion("beta", must_have=True), ADAM, id="memory")
RUBRICS = {each.id: each for each in (FIRST, SECOND)}
SAID = "For every weight Adam keeps two moments in full precision."


def begun(store: Store, examiner: OfflineExaminer | ScriptedExaminer) -> Interview:
    return begin(store, [outline(FIRST, SECOND)], RUBRICS, examiner)


def asks_for_it(heard: list[Event]) -> bool:
    return any(isinstance(each, FollowUpAsked) and ADAM.probe in each.text for each in heard)


async def test_it_counts_with_its_quote_and_is_not_asked_for(store: Store) -> None:
    interview = begun(store, OfflineExaminer())
    heard = await hold(interview, [Answer(SAID), Skip(), Answer("It is beta for me"), Pause()])
    question = interview.state.questions[-1]
    made = question.verdicts["adam"]
    assert (made.verdict, made.turn, made.source) == (Rating.MET, 2, Source.FIRST)
    assert made.evidence == SAID.rstrip(".")
    assert not asks_for_it(heard)


@pytest.mark.parametrize(
    "replies",
    [*([Answer(said)] for said in CASES["says too little"]), [AskHint(), Answer(SAID)]],
)
async def test_only_a_sentence_that_says_it_unaided_counts(
    store: Store, replies: list[Command]
) -> None:
    interview = begun(store, OfflineExaminer())
    heard = await hold(interview, [*replies, Skip(), Answer("It is beta for me"), Pause()])
    assert interview.state.questions[-1].verdicts["adam"].verdict is Rating.NOT_MET
    assert asks_for_it(heard)


def finds(rating: Rating, quote: str) -> ScriptedExaminer:
    """Judges this of adam wherever it is asked, everything else by patterns."""

    def judgement(context: QuestionContext) -> Judgement:
        found = judge(context.rubric, context.turns)
        adam = [Verdict("adam", rating, quote, matched=True)]
        others = [each for each in found.findings if each.criterion != "adam"]
        return Judgement((*others, *adam), "scripted")

    return ScriptedExaminer(judgement=judgement)


@pytest.mark.parametrize("rating", [Rating.PARTIAL, Rating.CONTRADICTED])
async def test_words_from_elsewhere_carry_no_other_verdict(store: Store, rating: Rating) -> None:
    interview = begun(store, finds(rating, "keeps two moments in full precision"))
    await hold(interview, [Answer(SAID), Skip(), Answer("It is beta for me"), Pause()])
    assert interview.state.questions[-1].verdicts["adam"].verdict is Rating.NOT_MET


@pytest.mark.parametrize("further", [[], [SaidThat()]])
async def test_regrading_finds_the_same(store: Store, further: list[Command]) -> None:
    interview = begun(store, OfflineExaminer())
    said = [
        Answer(f"beta matters a good deal. {SAID}"),
        Skip(),
        Answer("It is letters that matter"),
    ]
    await hold(interview, [*said, *further, Skip()])
    replay = load(store, interview.session_id)
    grade = original(replay)[-1].grade
    made = {v.criterion for v in grade.verdicts if v.verdict is Rating.MET}
    assert made == ({"adam", "beta"} if further else {"adam"})
    assert (await regrade(replay, OfflineExaminer())).questions == original(replay)


# -- what was not read ----------------------------------------------------------------


UNREAD = {ONE.id: ONE}
CHINESE = "首先是第一个字母决定结果，然后是第二个，最后是第三个。"
FORMULA = "x_1 = f(x_0) + y_0, x_2 = f(x_1)"
ASKED = Move(MoveKind.REDIRECT, remark=DialogueAct.UNREAD)


async def unread_talk(store: Store, *answers: str) -> tuple[Interview, list[events.Event]]:
    interview = begin(store, (outline(ONE),), UNREAD, OfflineExaminer())
    replies = [*map(commands.Answer, answers), commands.Skip()]
    return interview, await hold(interview, replies)


def first(interview: Interview) -> QuestionState:
    return interview.state.questions[0]


def told(seen: list[events.Event]) -> list[tuple[str, ...]]:
    return [event.codes for event in of_kind(seen, events.NotRead)]


async def test_it_is_told_at_once_and_once_a_reason(store: Store) -> None:
    _, seen = await unread_talk(store, f"alpha decides it. {CHINESE}", f"{CHINESE}\n{FORMULA}")
    assert told(seen) == [("language",), ("formula",)]
    names = kinds(seen)
    before = names[names.index("answer") : names.index("follow_up")]
    assert before == ["answer", "thinking", "not_read"]


async def test_it_is_asked_for_in_english_once(store: Store) -> None:
    interview, seen = await unread_talk(store, CHINESE, CHINESE.replace("第一", "头一"))
    asked, *others = first(interview).moves
    assert asked == ASKED
    assert others
    assert ASKED not in others
    assert any("English" in each.text for each in of_kind(seen, events.FollowUpAsked))


async def test_such_a_question_has_no_number_and_counts_in_no_average(store: Store) -> None:
    interview, seen = await unread_talk(store, f"alpha decides it. {CHINESE}")
    grade = grade_in(interview.state)
    assert (grade.final, grade.first, grade.band, grade.interval) == (None,) * 4
    assert [*graded(grade.verdicts)] == ["alpha"]
    assert reasons(grade.verdicts).keys() == {"beta", "gamma"}
    assert not grade.flags & {Flag.TOO_SHORT, Flag.KEYWORD_LIST}
    ended = seen[-1]
    assert isinstance(ended, events.SessionEnded)
    assert (ended.band, ended.graded, ended.ungraded) == (None, 0, 1)
    found = debrief(interview.state, UNREAD)
    assert found.headline == "Nothing was graded."
    assert all(tally.points == 0 for _, tally in found.profile.kinds)
    assert load(store, interview.session_id).state == interview.state


async def test_with_every_point_heard_the_number_stands(store: Store) -> None:
    interview, seen = await unread_talk(store, f"{CHINESE} {FULL}")
    grade = grade_in(interview.state)
    assert grade.final == pytest.approx(1.0)
    assert told(seen) == []


async def test_a_point_missed_before_may_have_been_said_since(store: Store) -> None:
    interview, _ = await unread_talk(store, "I think that alpha decides it.", CHINESE)
    grade = grade_in(interview.state)
    assert graded(grade.verdicts).keys() == {"alpha"}
    assert grade.final is None
