"""What happens next: the step, the follow-up, the next question and its difficulty. All pure."""

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
    """What the conductor does next."""

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
    """The step that is due; DONE once the session is finished or paused."""
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
""""I don't know" this often in a row closes the question."""
DRILLS_PER_QUESTION = 2
BENCH_CHALLENGES_PER_QUESTION = 2
"""The most times a candidate is shown a bad line of theirs."""
QUOTED_CHARACTERS = 120
"""Longer lines are cut off when quoted."""
_FAILED = (Outcome.FAILED, Outcome.INCOMPLETE)
STALE_FOLLOW_UPS = 2
"""Follow-ups in a row without new evidence (hints not counted) that close the question."""


class Status(StrEnum):
    """The state of a criterion, worst first."""

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
    """Limits of a round.

    ``follow_ups`` is the maximum for one question, requested hints not counted. With ``drills``, a
    smooth answer is followed by asking what the candidate did themselves.
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
    """The criterion's status; EXHAUSTED if it could not be judged, as asking again is blind."""
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
    """The hint due now: on the point last asked about, else on the worst one."""
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
    impossible: Sequence[str] = (),
) -> FollowUp | Close:
    """What the examiner does after the candidate's latest turn.

    ``impossible`` are sentences on numbers of theirs that cannot all be true and were not raised
    yet. The first bad line of a submitted run comes first, then the first of these sentences, then
    the criteria. A non-answer is redirected once per question. An answer that recites the reference
    gets the harder variant; a smooth one, in a round that drills, the question what the candidate
    did themselves.

    The target is the heaviest criterion in the worst state, must-haves first among equals, then in
    the rubric's order. A criterion gets three tries at most, a question and its two hints; then it
    is dropped (in practice, told). Only a close with COVERED means a sufficient answer.
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
    if impossible:
        return SumChallenge(impossible[0])
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
    """What is wrong with the run just submitted, in the words of its first bad line."""
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
    """The fault in a sentence that quotes its line, and the name the line defines, or ""."""
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
    """Ask what the candidate did themselves, if the latest answer earned credit smoothly.

    Never twice in a row: a second smooth answer says enough.
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
    """Back to the question, once, if the latest turn was a non-answer that made no point."""
    last = question.last_words
    if last.kind is not TurnKind.ANSWER or last.number in gaining_answers(question):
        return None
    if last.run is not None:  # lines of a derivation are an answer, whatever their words
        return None
    if any(isinstance(move, Redirect) for move in question.moves):
        return None
    non_answer = non_answer_of(last.parsed, rubric)
    return Redirect(non_answer) if non_answer else None


def _close(question: QuestionState, rubric: Rubric, otherwise: CloseReason) -> Close:
    covered = all(status_of(question, c) is Status.MET for c in rubric.criteria)
    return Close(CloseReason.COVERED if covered else otherwise)


def _ranked(question: QuestionState, rubric: Rubric) -> list[Criterion]:
    """The criteria that may be asked about, the worst and heaviest first."""
    order = {c.id: i for i, c in enumerate(rubric.criteria)}
    statuses = {c.id: status_of(question, c) for c in rubric.criteria}
    askable = [c for c in rubric.criteria if statuses[c.id] in _WORST_FIRST]
    return sorted(
        askable,
        key=lambda c: (_WORST_FIRST.index(statuses[c.id]), -c.weight, not c.must_have, order[c.id]),
    )


def _due_telling(question: QuestionState, rubric: Rubric, mode: Mode) -> Tell | None:
    """In practice, an exhausted point is told before the next one is asked about."""
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
    """Follow-ups since the last that brought new evidence."""
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
    """A follow-up that asks for a point: no help, redirection, drill or arithmetic."""
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
    """The answer turns that raised the credit."""
    best: dict[str, float] = {}
    gains = set()
    for judged in question.judged:
        for verdict in judged.verdicts:
            if credit(verdict) > best.get(verdict.criterion, 0.0):
                best[verdict.criterion] = credit(verdict)
                gains.add(judged.answer_turn)
    return frozenset(gains)


HARDER_FROM = 3
"""From this band on, the next question is one level harder."""
EASIER_TO = 1
"""Up to this band, it is one level easier."""


def next_question(state: SessionState) -> str:
    """The rubric to ask next in the running round, which must have a question left.

    Without adaptive difficulty it is the next in the list. With it, it is one of the current level,
    or of the nearest level with a question left, the easier of two.
    """
    running = state.rounds[-1]
    asked = {question.rubric for question in running.questions}
    outline = running.outline
    if not outline.rungs:
        return next(rubric for rubric in outline.questions if rubric not in asked)
    here = level_of(state)
    nearest = sorted(range(len(outline.rungs)), key=lambda level: (abs(level - here), level))
    left = (r for level in nearest for r in outline.rungs[level] if r not in asked)
    return next(left)


def level_of(state: SessionState) -> int:
    """The running round's level of difficulty, from 0, after the questions graded so far.

    A later round starts one level below where the previous adaptive round ended, but not below its
    own start: another subject, but the same candidate.
    """
    level: int | None = None
    for each in state.rounds:
        if each.outline.rungs:
            level = _level_after(each, _first_level(each.outline, level))
    return level or 0


def adapted(level: int, levels: int, band: int | None) -> int:
    """The level after an answer of this band; None (not graded) changes nothing."""
    if band is None:
        return level
    step = int(band >= HARDER_FROM) - int(band <= EASIER_TO)
    return min(max(level + step, 0), levels - 1)


def _first_level(outline: RoundOutline, left_at: int | None) -> int:
    carried = outline.start if left_at is None else max(outline.start, left_at - 1)
    return min(carried, len(outline.rungs) - 1)


def _level_after(running: RoundState, level: int) -> int:
    for question in running.questions:
        if question.grade:
            level = adapted(level, len(running.outline.rungs), question.grade.band)
    return level
