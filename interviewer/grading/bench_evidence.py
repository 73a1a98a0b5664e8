"""What bench runs prove about a question's criteria.

Numbers were compared when the source ran; nothing is executed here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from interviewer.grading.evidence import source_of
from interviewer.grading.score import credit
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import CriterionVerdict, Flag
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.rubric.text import Span
from interviewer.sandbox.result import CheckResult, Outcome

_DECIDED = (Outcome.PASSED, Outcome.FAILED, Outcome.INCOMPLETE)
"""Outcomes that tell something about the source; the others are inconclusive."""
_UNSHOWN = "You submitted this from the bench, where it did not hold."
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)")
_LINE_END = re.compile(r"\r\n|\r|\n")
_COMMENT = re.compile(r"#.*")


def run_that_counts(turns: Sequence[Turn]) -> Turn | None:
    """The run behind the last answer: the one it submits, else the latest run if that passed."""
    runs = [turn for turn in turns if turn.kind is TurnKind.BENCH and turn.result]
    submitted = turns[-1].run if turns else None
    if submitted is not None:
        return next((turn for turn in runs if turn.number == submitted), None)
    latest = runs[-1] if runs else None
    return latest if latest and latest.result and latest.result.passed else None


def with_runs(
    rubric: Rubric, turns: Sequence[Turn], verdicts: Sequence[CriterionVerdict]
) -> tuple[CriterionVerdict, ...]:
    """The verdicts on the last answer, combined with what its run proves.

    A criterion whose quantity held, or whose landmarks the lines reach, is met, with the lines that
    show it as evidence, even if a later line fails. If the
    submitted run failed, its text earns nothing on a criterion whose quantity did not hold; credit
    from earlier answers stays. An inconclusive run changes nothing.
    """
    run = run_that_counts(turns)
    if run is None or run.result is None or run.result.outcome not in _DECIDED:
        return tuple(verdicts)
    read = {verdict.criterion: verdict for verdict in verdicts}
    joined = (_joined(each, run, run.result, turns, read.get(each.id)) for each in rubric.criteria)
    return tuple(verdict for verdict in joined if verdict is not None)


def flags_of_runs(turns: Sequence[Turn]) -> frozenset[Flag]:
    """NOT_EXECUTED if the last answer rests on a run that could not be executed."""
    run = run_that_counts(turns)
    if run is None or run.result is None or run.result.outcome in _DECIDED:
        return frozenset()
    return frozenset({Flag.NOT_EXECUTED})


def _joined(
    criterion: Criterion,
    run: Turn,
    result: CheckResult,
    turns: Sequence[Turn],
    read: CriterionVerdict | None,
) -> CriterionVerdict | None:
    if _holds(criterion, result):
        shown = _shown(criterion, result, run, turns)
        return read if read and _goes_before(read, shown, run, turns) else shown
    if criterion.bench is None or result.passed or read is None or not _rests_on(read, run, turns):
        return read
    return _unshown(read, result)


def _holds(criterion: Criterion, result: CheckResult) -> bool:
    """The run proves the criterion: by its landmarks, a formula, or a figure if one is asked for.

    In an estimation, a typed figure is not a formula and a formula is not yet a figure. Other runs
    have no figures besides what they derive.
    """
    if criterion.id in result.criteria:
        return True
    if criterion.kind == "number" and result.estimation:
        return criterion.bench in result.figures
    return criterion.bench in result.derived


def _shown(
    criterion: Criterion, result: CheckResult, run: Turn, turns: Sequence[Turn]
) -> CriterionVerdict:
    start, end = _showing_lines(criterion, result, run.text)
    return CriterionVerdict(
        criterion.id,
        Verdict.MET,
        evidence=run.text[start:end],
        turn=run.number,
        span=(start, end),
        source=source_of(criterion.id, run.number, turns),
    )


def _showing_lines(criterion: Criterion, result: CheckResult, source: str) -> Span:
    """From the first line that shows the criterion to the last."""
    name = criterion.bench or ""
    showing = [line.line for line in result.lines if name in line.shows][:1]
    if criterion.id in result.criteria and not showing:
        showing = [line.line for line in result.lines if criterion.id in line.proves]
    if not showing:
        return defining_lines(source, name)
    lines = source_lines(source)
    if len(showing) == 1 and (defined := name_defined(lines[showing[0] - 1])):
        return defining_lines(source, defined)
    return _span(source, showing[0] - 1, _end_of(lines, showing[-1] - 1))


def _goes_before(
    read: CriterionVerdict, shown: CriterionVerdict, run: Turn, turns: Sequence[Turn]
) -> bool:
    """It earns more, or as much by words outside the submitted source."""
    if credit(read) == credit(shown):
        return read.turn not in (run.number, turns[-1].number)
    return credit(read) > credit(shown)


def _rests_on(verdict: CriterionVerdict, run: Turn, turns: Sequence[Turn]) -> bool:
    """The verdict is not_met, or earned credit from the submitted source."""
    if verdict.verdict is Verdict.NOT_MET:
        return True
    return verdict.turn in (run.number, turns[-1].number) and credit(verdict) > 0


def _unshown(read: CriterionVerdict, result: CheckResult) -> CriterionVerdict:
    had_credit = read.verdict is not Verdict.NOT_MET
    return replace(
        read,
        verdict=Verdict.NOT_MET,
        evidence="",
        turn=None,
        span=None,
        further=(),
        doubt="",
        alternative=None,
        missing=first_fault(result),
        vague=read.vague or had_credit,
        unsupported=_UNSHOWN if had_credit else read.unsupported,
    )


def first_fault(result: CheckResult) -> str:
    """The message on the first bad line, else the summary of the run."""
    bad = result.first_bad_line
    messages = (line.message for line in result.lines if line.line == bad and line.message)
    return next(messages, result.summary)


def source_lines(source: str) -> list[str]:
    """The lines of a source as the bench counts them."""
    return _LINE_END.split(source)


def name_defined(line: str) -> str:
    """The name that this line of a source defines, or ""."""
    match = _NAME.match(line)
    return match.group(1) if match else ""


def defining_lines(source: str, name: str) -> Span:
    """Where the source defines the name, continuation lines included.

    In a source that never defines it, such as a bare function, it is the last statement.
    """
    lines = source_lines(source)
    places = [n for n, line in enumerate(lines) if name_defined(line) == name]
    if not places:
        places = [n for n, line in enumerate(lines) if _code(line)] or [0]
        first = last = places[-1]
    else:
        first = places[0]
        last = _end_of(lines, first)
    return _span(source, first, last)


def _span(source: str, first: int, last: int) -> Span:
    """From the first of these lines (from 0) to the last, without space around them."""
    begins = [0, *(match.end() for match in _LINE_END.finditer(source))]
    start, end = begins[first], begins[last] + len(source_lines(source)[last])
    text = source[start:end]
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _end_of(lines: Sequence[str], first: int) -> int:
    """The last line of the statement: brackets closed and no chained ``=`` on the next line."""
    depth, last = 0, first
    for place in range(first, len(lines)):
        code = _code(lines[place])
        if place > first and depth <= 0:
            if not code:
                continue
            if not code.startswith("=") or code.startswith("=="):
                break
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        last = place
    return last


def _code(line: str) -> str:
    return _COMMENT.sub("", line).strip()
