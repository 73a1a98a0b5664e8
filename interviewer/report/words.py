"""The words that people read for verdicts, flags, moves and endings, and for runs at the bench."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interviewer.examiner.registry import kind_of
from interviewer.grading.agreement import ExamResult
from interviewer.grading.bands import TOP_BAND
from interviewer.grading.claims.quantity import measures
from interviewer.grading.evidence import fault_of, source_lines
from interviewer.grading.transcript import READ_CHARACTERS
from interviewer.grading.verdicts import Flag, Grade, Verdict
from interviewer.interview.debrief.questions import (
    BenchDebrief,
    CriterionLine,
    Lesson,
    QuestionDebrief,
    RoundDebrief,
    heard_in,
    wording,
)
from interviewer.plural import pluralize
from interviewer.rubric.rubric import Criterion, Further, Rating
from interviewer.sandbox.result import CheckResult, LineStatus

SIGN = dict(zip(Rating, "●◐○✗", strict=True))
"""Before a verdict's word, so that neither colour nor sight of the sign is needed."""

OWN: dict[Rating | None, str] = {Rating.MET: "you: ● said", Rating.NOT_MET: "you: ○ not said"}
"""The candidate's own verdict beside the examiner's."""

_WORDING = wording()
TURN, CLOSING, HELP = _WORDING["turns"], _WORDING["closing"], _WORDING["help"]
FLAG, KIND = _WORDING["flags"], _WORDING["kinds"]
TO_DO, TO_DO_AGAIN = _WORDING["to_do"], _WORDING["to_do_again"]
TALK, UNHEARD = _WORDING["talk"], _WORDING["unheard"]


def counts(price: float) -> str:
    """What a point still counts for after a hint at this price, as in "75%"."""
    return f"{1 - price:.0%}"


def next_hint(price: float | None, *, has_hints: bool) -> str:
    """What the next hint costs, as a hint given is told, or why there is none."""
    if price is None:
        return "no hint for what is open" if has_hints else "this question has no hints"
    return f"with a hint, the point counts for {counts(price)}"


def task(lesson: Lesson) -> str:
    """What to do about a lost point."""
    if lesson.ask:
        return f"{lesson.claim.rstrip('.')}. From a run of your own: {lesson.ask}"
    is_wrong = lesson.contradicted and lesson.kind != "experience"
    what = "you said otherwise, so look it up" if is_wrong else TO_DO[lesson.kind]
    if lesson.made:
        what = TO_DO_AGAIN[lesson.made]
    return f"{lesson.claim.rstrip('.')}: {what}."


DRILL = "a drill on one point"
"""What a question is called that counts in no average."""

TALKED_OVER, COULD_NOT = "talked over, no grade", "could not be graded"


def flags_sentence(flags: frozenset[Flag]) -> str:
    """The flags that say what happened as one sentence in a fixed order, "" for none."""
    told = "; ".join(FLAG[flag] for flag in Flag if flag in flags & FLAG.keys())
    return f"Note: {told.format(read=READ_CHARACTERS)}." if told else ""


def band_words(band: float | None) -> str:
    """A band, or a mean of bands with one decimal, in words."""
    if band is None:
        return "not graded"
    return f"band {band if isinstance(band, int) else format(band, '.1f')} of {TOP_BAND}"


def grade_words(question: QuestionDebrief) -> str:
    """A question's result, and that with the candidate's own verdicts if there are any."""
    if question.own_score is None:
        return _examiners_words(question)
    own = band_words(question.own_band)
    return f"examiner: {_examiners_words(question)}, with your own verdicts: {own}"


def _examiners_words(question: QuestionDebrief) -> str:
    """The band, both if votes and doubts allow two; none where nothing was said or weighed."""
    grade = question.grade
    if question.closed and not question.answered:
        return "skipped" if question.skipped else "no answer"
    if grade and grade.band is None:
        return TALKED_OVER if grade.is_none else COULD_NOT
    if grade is None or grade.between_bands is None:
        return with_heard(band_words(grade.band if grade else None), question.lines)
    low, high = grade.between_bands
    return with_heard(f"between bands {low} and {high} of {TOP_BAND}", question.lines)


def round_words(part: RoundDebrief) -> str:
    """The round's title and its band, if it has one."""
    return part.title if part.band is None else f"{part.title}, {band_words(part.band)}"


def with_heard(band: str, lines: Iterable[CriterionLine]) -> str:
    """The band, and how many points were heard where that is all it rests on."""
    heard = heard_in(lines)
    return f"{band} ({heard})" if heard else band


def verdict_word(verdict: Rating, examiner: str) -> str:
    """What people read for a verdict of the examiner with this name on record."""
    return dict(zip(Rating, kind_of(examiner).verdicts, strict=True))[verdict]


def verdict_words(verdict: Verdict | None, examiner: str) -> str:
    """The verdict with its sign and the help it took, or that there is none and what was unread."""
    if verdict is None:
        return "– not judged"
    rating = verdict.verdict
    told = f"{SIGN[rating]} {verdict_word(rating, examiner)}" if rating else "– not judged"
    help_taken = HELP[verdict.source] if verdict.evidence else ""
    return ", ".join(filter(None, (told, help_taken, *sorted(verdict.unread))))


def line_words(line: CriterionLine) -> str:
    """What became of a criterion, with its sign and the candidate's own verdict."""
    told = verdict_words(line.verdict, line.examiner)
    told += f" · {OWN[line.own.verdict]}" if line.own else ""
    return f"went further: {told}" if line.further else told


def notes(verdict: Verdict, examiner: str) -> tuple[str, ...]:
    """Comments on a verdict: why it is none or takes back credit, what it lacks, votes, doubt."""
    votes = ", then ".join(verdict_word(vote, examiner) for vote in verdict.votes)
    judged = f"Judged {len(verdict.votes)} times: {votes}." if len(verdict.votes) > 1 else ""
    lacks, doubt = verdict.reason or verdict.missing, doubt_words(verdict, examiner)
    return tuple(filter(None, (verdict.unsupported, lacks, judged, doubt)))


def doubt_words(verdict: Verdict, examiner: str) -> str:
    """Which other verdict is possible and why, "" without a doubt."""
    if verdict.alternative is None or verdict.unsupported:
        return ""
    why = f": {verdict.doubt.rstrip('.')}" if verdict.doubt else ""
    return f"In doubt, could be {verdict_word(verdict.alternative, examiner)}{why}."


def scores_sentence(grade: Grade) -> str:
    """A question's scores on one line, with the spread of the last by votes and doubts."""
    low, high = grade.interval or (0.0, 0.0)
    spread = f" (between {low:.2f} and {high:.2f} by what is in doubt)" if low != high else ""
    unassisted, final = score_words(grade.unassisted), score_words(grade.final)
    return f"Unassisted {unassisted} · with hints {final}{spread}"


def own_sentence(question: QuestionDebrief) -> str:
    """The examiner's score and that with the candidate's own verdicts, "" without any."""
    if question.own_score is None or question.grade is None:
        return ""
    by_examiner, own = score_words(question.grade.final), score_words(question.own_score)
    return f"Score: examiner {by_examiner} · with your own verdicts {own}"


def measure_words(measure: str) -> str:
    """What a stated number measures."""
    return measures()[measure].name or measure.replace("_", " ")


def points(weight: float) -> str:
    return f"{round(weight, 2):g}"


def points_words(weight: float) -> str:
    return pluralize(round(weight, 2), "point")


def worth(criterion: Criterion) -> str:
    """The weight of a criterion, and whether it must be there."""
    extra = ", extra" if criterion.extra and not isinstance(criterion, Further) else ""
    return f"{points_words(criterion.weight)}{', must have' * criterion.must_have}{extra}"


def times(count: int, once: str, often: str) -> str:
    """The wording for one, or the other with the number at its brace."""
    return once if count == 1 else often.format(count)


def exam_sentence(result: ExamResult | None, examiner: str) -> str:
    """How far to trust this examiner's grades; ``result`` is None if it took no exam."""
    if result is None:
        return (
            f"{examiner} has not taken the exam here: E in the debrief has it judge ten graded "
            "answers, `interviewer rubrics selftest` all."
        )
    samples = pluralize(result.samples, "sample")
    if result.failed_on:
        return (
            f"{examiner} failed its exam on {samples} ({'; '.join(result.failed_on)}): take its "
            "grades with care."
        )
    return (
        f"{examiner} agreed with the authors at κ {result.kappa:.2f} on {samples} "
        f"(bias {signed(result.bias)})."
    )


def signed(value: float) -> str:
    """With sign and two decimals; a value that rounds to zero has no sign."""
    shown = f"{value:+.2f}".replace("-", "−")
    return "0.00" if shown[1:] == "0.00" else shown


def score_words(score: float | None) -> str:
    """A score in 0..1 with two decimals, or a dash."""
    return "–" if score is None else f"{score:.2f}"


# -- runs at the bench ------------------------------------------------------------------------

LINE_SIGN = {
    LineStatus.HOLDS: "✓ holds",
    LineStatus.DEFINED: "· defined",
    LineStatus.FAILS: "✗ fails",
    LineStatus.ERROR: "! error",
    LineStatus.NOT_JUDGED: "– not judged",
}
"""A sign and a word, so that neither colour nor sight of the sign is needed."""
_WIDEST = max(map(len, LINE_SIGN.values()))
_WRAPPED = re.compile(r"(?<=\S)\n(?=[^\s\-*#>|\d])")


def run_lines(source: str, result: CheckResult) -> Iterator[str]:
    """The source with its marks, messages below their lines, then the overall result."""
    marks = {line.line: line for line in result.lines}
    for number, line in enumerate(source_lines(source), start=1):
        mark = marks.get(number)
        sign = LINE_SIGN[mark.status] if mark else ""
        yield f"{number:>3}  {sign:<{_WIDEST}}  {line}".rstrip()
        if mark and mark.message:
            yield f"     {'':<{_WIDEST}}  {mark.message}"
    yield from outcome_lines(result)


def outcome_lines(result: CheckResult) -> Iterator[str]:
    """The overall result of a run, with its output."""
    yield f"{result.summary} ({result.tier}, {result.milliseconds:.0f} ms)"
    if result.output:
        yield "It printed:"
        yield from (f"     {line}" for line in result.output.splitlines())


def bench_lines(bench: BenchDebrief) -> Iterator[str]:
    """A question's runs, without the solution."""
    result = bench.last
    if result is None:
        yield "The bench was not used."
        return
    tries = pluralize(len(bench.runs), "run")
    submitted = f"{len(bench.submitted) or 'none'} submitted"
    yield f"At the bench: {tries}, {submitted}. The last: {next(outcome_lines(result))}"
    if result.first_bad_line is not None:
        fault, _ = fault_of(bench.runs[-1].text, result)
        yield f"The first bad line: {fault}"
    for point in result.open_points:
        yield f"Not shown by the run: {point}"


def solution_lines(bench: BenchDebrief) -> Iterator[str]:
    """The challenge's written solution and worked derivation, line by line."""
    if bench.challenge is None:
        yield "Its written solution was not stored with this session."
        return
    yield from unwrapped(bench.challenge.solution).splitlines()
    if bench.challenge.derivation:
        yield ""
        yield from bench.challenge.derivation.strip().splitlines()


def unwrapped(text: str) -> str:
    """The text with each paragraph on one line, for callers that wrap to their own width.

    Lists, headings, quotes and indented lines keep their line breaks.
    """
    return _WRAPPED.sub(" ", text.strip())
