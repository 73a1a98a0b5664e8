"""What happens next: the step that is due, the follow-up, the next question. All pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from interviewer.examiner.moves import (
    BenchChallenge,
    Challenge,
    Close,
    CloseReason,
    Drill,
    Escalate,
    FollowUp,
    Hint,
    PinDown,
    Probe,
    Redirect,
    SumChallenge,
    Tell,
    target_of,
)
from interviewer.examiner.non_answers import is_smooth, non_answer_of
from interviewer.grading.bench_evidence import first_fault, name_defined, source_lines
from interviewer.grading.score import credit, standing
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import CriterionVerdict, Flag
from interviewer.interview.consistency import EXERCISES
from interviewer.interview.events import Mode, RoundOutline
from interviewer.interview.state import QuestionState, RoundState, SessionState
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.sandbox.result import CheckResult, Outcome


class Step(Enum):
    """The conductor's next deed."""

    START_ROUND = auto()
    POSE_QUESTION = auto()
    LISTEN = auto()
    JUDGE = auto()
    RESPOND = auto()
    AWAIT_REMEDY = auto()
    """A step failed: retry, go on offline, or pause."""
    CLOSE_FOR_TIME = auto()
    GRADE = auto()
    END_ROUND = auto()
    FINISH = auto()
    DONE = auto()


def next_step(state: SessionState) -> Step:
    """The step that the state calls for; DONE once the session is finished or paused."""
    if state.finished or state.paused:
        return Step.DONE
    if state.failure:
        return Step.AWAIT_REMEDY
    if question := state.question:
        return _within(question, time_up=bool(state.round and state.round.time_up))
    if running := state.round:
        asked_all = len(running.questions) >= running.outline.count
        return Step.END_ROUND if asked_all or running.time_up else Step.POSE_QUESTION
    if state.ending or len(state.rounds) >= len(state.outline):
        return Step.FINISH
    return Step.START_ROUND


def _within(question: QuestionState, *, time_up: bool) -> Step:
    if question.closed:
        return Step.GRADE
    if question.unjudged_answer:
        return Step.JUDGE
    if time_up:
        return Step.CLOSE_FOR_TIME
    last = question.last_words
    if question.hint_requested or last.author == "candidate" or last.kind is TurnKind.TELL:
        return Step.RESPOND
    return Step.LISTEN


TRIES_PER_CRITERION = 3
GIVEN_UP_AFTER = 3
""""I don't know" in a row, after which the question closes."""
DRILLS_PER_QUESTION = 2
BENCH_CHALLENGES_PER_QUESTION = 2
"""More often than this nobody is told which line of theirs does not hold."""
QUOTED_CHARACTERS = 120
"""Of a longer line the beginning is quoted."""
_FAILED = (Outcome.FAILED, Outcome.INCOMPLETE)
STALE_FOLLOW_UPS = 2
"""Follow-ups in a row (hints not counted) without new evidence, after which the question closes."""


class Status(StrEnum):
    """Where a criterion stands, worst first."""

    CONTRADICTED = "contradicted"
    VAGUE = "vague"
    OPEN = "open"
    EXHAUSTED = "exhausted"
    MET = "met"


_WORST_FIRST = (Status.CONTRADICTED, Status.VAGUE, Status.OPEN)
_OPENING: dict[Status, type[Challenge | PinDown | Probe]] = {
    Status.CONTRADICTED: Challenge,
    Status.VAGUE: PinDown,
    Status.OPEN: Probe,
}


@dataclass(frozen=True)
class Caps:
    """What a round allows.

    ``follow_ups`` is the most that one question may have; hints asked for are not counted. With
    ``drills`` a smooth answer is asked for what the candidate did themselves.
    """

    follow_ups: int
    drills: bool = False


def standings(question: QuestionState) -> dict[str, CriterionVerdict]:
    """The verdict that counts for each criterion judged so far."""
    histories: dict[str, list[CriterionVerdict]] = {}
    for judged in question.judged:
        for verdict in judged.verdicts:
            histories.setdefault(verdict.criterion, []).append(verdict)
    return {criterion: standing(history) for criterion, history in histories.items()}


def status_of(question: QuestionState, criterion: Criterion) -> Status:
    """The criterion's status; one that could not be judged is exhausted: drilling it is blind."""
    verdict = standings(question).get(criterion.id)
    if verdict and verdict.verdict is Verdict.MET:
        return Status.MET
    if _tries(question, criterion) >= TRIES_PER_CRITERION or _told(question, criterion):
        return Status.EXHAUSTED
    if verdict is None:
        return Status.EXHAUSTED if question.judged else Status.OPEN
    if verdict.verdict is Verdict.CONTRADICTED:
        return Status.CONTRADICTED
    if verdict.verdict is Verdict.PARTIAL or verdict.vague:
        return Status.VAGUE
    return Status.OPEN


def next_hint(question: QuestionState, rubric: Rubric) -> Hint | None:
    """The hint that would be given now: for the point last asked about, else the worst one."""
    last_target = target_of(question.moves[-1]) if question.moves else None
    ranked = _ranked(question, rubric)
    ranked.sort(key=lambda criterion: criterion.id != last_target)
    for criterion in ranked:
        level = _hints_given(question, criterion) + 1
        if level <= len(criterion.hints):
            return Hint(criterion.id, level)
    return None


def next_move(
    question: QuestionState,
    rubric: Rubric,
    caps: Caps,
    mode: Mode,
    sums: Sequence[str] = (),
) -> FollowUp | Close:
    """What the examiner does after the candidate's latest turn.

    ``sums`` are sentences on numbers of the candidate's that cannot be true together and have not
    been put to them yet: the first is, before any criterion is drilled, and before it the first bad
    line of a run just handed in. A turn that was no answer brings one redirection a question; after
    that the question takes its course. An answer that recites the reference is met by the harder
    variant, and one that is smooth, in a round that drills, by the question what the candidate did
    themselves.

    The target is the heaviest criterion in the worst state; must-haves first among equals, then the
    rubric's order. A criterion gets at most three tries: a question, then its two hints. After
    that it is left (in practice it is told). Closing always carries its reason, and only COVERED
    means that the answer was sufficient.
    """
    if question.hint_requested and (hint := next_hint(question, rubric)):
        return hint
    if telling := _due_telling(question, rubric, mode):
        return telling
    if redirection := _redirection(question, rubric):
        return redirection
    if _follow_ups(question) >= caps.follow_ups:
        return _close(question, rubric, CloseReason.FOLLOW_UPS_USED)
    if failed := _failed_run(question, rubric):
        return failed
    if sums:
        return SumChallenge(sums[0])
    if _recited(question) and _may_escalate(question, rubric):
        return Escalate()
    if caps.drills and (drill := _drill(question, rubric)):
        return drill
    if _stale(question) >= STALE_FOLLOW_UPS:
        return _close(question, rubric, CloseReason.NO_PROGRESS)
    if _gave_up(question):
        return _close(question, rubric, CloseReason.NO_PROGRESS)
    if question.last_words.kind is TurnKind.DONT_KNOW and (hint := next_hint(question, rubric)):
        return hint
    for criterion in _ranked(question, rubric):
        if move := _towards(question, criterion):
            return move
    return _escalate_or_close(question, rubric)


def _failed_run(question: QuestionState, rubric: Rubric) -> BenchChallenge | None:
    """What is wrong with the run just handed in, in the words of the first line that fails."""
    last = question.last_words
    run = next((turn for turn in question.runs if turn.number == last.run), None)
    if run is None or run.result is None or run.result.outcome not in _FAILED:
        return None
    said = [move.fault for move in question.moves if isinstance(move, BenchChallenge)]
    words, name = _fault_of(run.text, run.result)
    if len(said) >= BENCH_CHALLENGES_PER_QUESTION or words in said:
        return None
    target = next((c.id for c in rubric.criteria if name and c.bench == name), "")
    return BenchChallenge(words, target)


def _fault_of(source: str, result: CheckResult) -> tuple[str, str]:
    """The fault in a sentence that quotes its line, and the name that the line defines or ""."""
    bad, lines = result.first_bad_line, source_lines(source)
    if bad is None or not 1 <= bad <= len(lines):
        return result.summary, ""
    quoted = lines[bad - 1].strip()
    if len(quoted) > QUOTED_CHARACTERS:
        quoted = f"{quoted[:QUOTED_CHARACTERS].rstrip()}…"
    return f"Line {bad}, “{quoted}”: {first_fault(result)}", name_defined(lines[bad - 1])


def _towards(question: QuestionState, criterion: Criterion) -> FollowUp | None:
    opening = _OPENING[status_of(question, criterion)]
    asked = {move.kind for move in question.moves if target_of(move) == criterion.id}
    if not asked - {TurnKind.HINT, TurnKind.DRILL}:
        return opening(criterion.id)
    level = _hints_given(question, criterion) + 1
    if level <= len(criterion.hints):
        return Hint(criterion.id, level)
    # Out of hints: a contradiction or a vague claim may still be taken up once in its own way.
    return opening(criterion.id) if opening.kind not in asked else None


def _escalate_or_close(question: QuestionState, rubric: Rubric) -> Escalate | Close:
    all_met = all(status_of(question, c) is Status.MET for c in rubric.criteria)
    if all_met and _may_escalate(question, rubric):
        return Escalate()
    return _close(question, rubric, CloseReason.NO_PROGRESS)


def _may_escalate(question: QuestionState, rubric: Rubric) -> bool:
    escalated = any(isinstance(move, Escalate) for move in question.moves)
    return bool(rubric.escalations) and not escalated


def _recited(question: QuestionState) -> bool:
    return bool(question.judged) and Flag.RECITED in question.judged[-1].flags


def _drill(question: QuestionState, rubric: Rubric) -> Drill | None:
    """What the candidate did themselves, where the latest answer earned something smoothly.

    Never twice in a row: who has nothing of their own to tell has said so by the second answer.
    """
    last = question.last_words
    drilled = [n for n, move in enumerate(question.moves) if isinstance(move, Drill)]
    if rubric.kind in EXERCISES or len(drilled) >= DRILLS_PER_QUESTION:
        return None
    if last.run is not None or (drilled and drilled[-1] == len(question.moves) - 1):
        return None
    if last.number not in gaining_answers(question) or not is_smooth(last.parsed):
        return None
    standing_now = standings(question)
    earned = (c for c in rubric.criteria if c.id in standing_now and credit(standing_now[c.id]) > 0)
    return Drill(max(earned, key=lambda criterion: criterion.weight).id)


def _redirection(question: QuestionState, rubric: Rubric) -> Redirect | None:
    """Back to the question, once, where the latest turn made no point and was no answer."""
    last = question.last_words
    if last.kind is not TurnKind.ANSWER or last.number in gaining_answers(question):
        return None
    if last.run is not None:  # lines of a derivation are an answer, whatever words they hold
        return None
    if any(isinstance(move, Redirect) for move in question.moves):
        return None
    non_answer = non_answer_of(last.parsed, rubric)
    return Redirect(non_answer) if non_answer else None


def _close(question: QuestionState, rubric: Rubric, otherwise: CloseReason) -> Close:
    covered = all(status_of(question, c) is Status.MET for c in rubric.criteria)
    return Close(CloseReason.COVERED if covered else otherwise)


def _ranked(question: QuestionState, rubric: Rubric) -> list[Criterion]:
    """The criteria that may be asked about, worst and heaviest first."""
    order = {c.id: i for i, c in enumerate(rubric.criteria)}
    statuses = {c.id: status_of(question, c) for c in rubric.criteria}
    askable = [c for c in rubric.criteria if statuses[c.id] in _WORST_FIRST]
    return sorted(
        askable,
        key=lambda c: (_WORST_FIRST.index(statuses[c.id]), -c.weight, not c.must_have, order[c.id]),
    )


def _due_telling(question: QuestionState, rubric: Rubric, mode: Mode) -> Tell | None:
    """In practice, a point whose tries are used up is told before the next one is asked about."""
    if mode != "practice" or not question.moves:
        return None
    target = target_of(question.moves[-1])
    if target is None:
        return None
    criterion = rubric.criterion(target)
    if status_of(question, criterion) is Status.EXHAUSTED and not _told(question, criterion):
        return Tell(target)
    return None


def _tries(question: QuestionState, criterion: Criterion) -> int:
    aimed = (move for move in question.moves if target_of(move) == criterion.id)
    return sum(not isinstance(move, Drill) for move in aimed)


def _told(question: QuestionState, criterion: Criterion) -> bool:
    return any(isinstance(m, Tell) and m.target == criterion.id for m in question.moves)


def _hints_given(question: QuestionState, criterion: Criterion) -> int:
    hints = (move for move in question.moves if isinstance(move, Hint))
    levels = [hint.level for hint in hints if hint.target == criterion.id]
    return max(levels, default=0)


def _follow_ups(question: QuestionState) -> int:
    return sum(not isinstance(move, Hint | Tell | Redirect) for move in question.moves)


def _gave_up(question: QuestionState) -> bool:
    said = [turn.kind for turn in question.turns if turn.author == "candidate"]
    latest = said[-GIVEN_UP_AFTER:]
    return len(latest) == GIVEN_UP_AFTER and set(latest) == {TurnKind.DONT_KNOW}


def _stale(question: QuestionState) -> int:
    """Follow-ups since the last one that brought new evidence."""
    gains = gaining_answers(question)
    stale, asked_plainly = 0, False
    for turn in question.turns:
        if turn.author == "candidate" and turn.number in gains:
            stale = 0
        elif turn.author == "candidate" and asked_plainly:
            stale += 1
        asked_plainly = turn.author == "examiner" and _seeks_evidence(turn)
    return stale


def _seeks_evidence(turn: Turn) -> bool:
    """A follow-up that calls for a point: no help, no redirection, no drill, no sum."""
    by_arithmetic = turn.kind is TurnKind.CHALLENGE and turn.target is None
    others = (
        TurnKind.QUESTION,
        TurnKind.HINT,
        TurnKind.TELL,
        TurnKind.REDIRECT,
        TurnKind.DRILL,
    )
    return turn.kind not in others and not by_arithmetic


def gaining_answers(question: QuestionState) -> frozenset[int]:
    """The answer turns after which more credit stood than before."""
    best: dict[str, float] = {}
    gains = set()
    for judged in question.judged:
        for verdict in judged.verdicts:
            if credit(verdict) > best.get(verdict.criterion, 0.0):
                best[verdict.criterion] = credit(verdict)
                gains.add(judged.answer_turn)
    return frozenset(gains)


CLIMBS_FROM = 3
"""The band of an answer after which the next question is a rung harder."""
STEPS_BACK_AT = 1
"""The band, or below, after which it is a rung easier."""


def next_question(state: SessionState) -> str:
    """The rubric to ask next in the running round, which must have a question left.

    Without a ladder it is the next of the list. On a ladder it stands on the rung where the
    candidate is, or on the nearest one that has a question left, the easier of two.
    """
    running = state.rounds[-1]
    asked = {question.rubric for question in running.questions}
    outline = running.outline
    if not outline.rungs:
        return next(rubric for rubric in outline.questions if rubric not in asked)
    here = rung_of(state)
    nearest = sorted(range(len(outline.rungs)), key=lambda rung: (abs(rung - here), rung))
    left = (r for rung in nearest for r in outline.rungs[rung] if r not in asked)
    return next(left)


def rung_of(state: SessionState) -> int:
    """The rung, from 0, on which the running round stands after the questions graded so far.

    A later round starts one rung below the one where the ladder before was left, yet never below
    its own start: another subject, but the same candidate.
    """
    rung: int | None = None
    for each in state.rounds:
        if each.outline.rungs:
            rung = _climbed(each, _first_rung(each.outline, rung))
    return rung or 0


def climb(rung: int, rungs: int, band: int | None) -> int:
    """The rung after an answer of this band; None, an answer that was not graded, moves nothing."""
    if band is None:
        return rung
    step = int(band >= CLIMBS_FROM) - int(band <= STEPS_BACK_AT)
    return min(max(rung + step, 0), rungs - 1)


def _first_rung(outline: RoundOutline, left_at: int | None) -> int:
    carried = outline.start if left_at is None else max(outline.start, left_at - 1)
    return min(carried, len(outline.rungs) - 1)


def _climbed(running: RoundState, rung: int) -> int:
    for question in running.questions:
        if question.grade:
            rung = climb(rung, len(running.outline.rungs), question.grade.band)
    return rung
