"""The debrief as sections of lines, each with the facts it rests on; renderers know layout only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from interviewer.grading.claims.quantity import Quantity
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Evidence
from interviewer.interview.debrief import Debrief, as_shown
from interviewer.interview.debrief.assessment import (
    LONG,
    Impossibility,
    Incident,
    Tally,
    TopicProfile,
    What,
)
from interviewer.interview.debrief.questions import (
    CriterionLine,
    Lesson,
    QuestionDebrief,
    RoundDebrief,
    Strength,
    source_of,
)
from interviewer.interview.journal import Replay
from interviewer.interview.numbers import NOTES_TURN
from interviewer.report import words
from interviewer.rubric.figure import Figure
from interviewer.rubric.rubric import Rating

QUOTED_WORDS = 12
QUOTES = TO_DO = 3
REFERENCE_WORDS = 30

Style = Literal["item", "quote", "note", "advice", "paragraph", "prose", "verbatim", "turn"]
"""What a line is: words of the candidate, a remark, text whose line breaks count, a turn…"""


@dataclass(frozen=True)
class Facts:
    """What a line rests on; ``share`` is what was earned of what was possible, 0..1."""

    turn: int | None = None
    rubric: str = ""
    criterion: str = ""
    source: str = ""
    verdict: Rating | None = None
    share: float | None = None
    at: datetime | None = None
    figure: Figure | None = None


@dataclass(frozen=True)
class Line:
    """A sentence with details below it; only prose, verbatim text and turns have line breaks."""

    text: str
    details: tuple[Line, ...] = ()
    facts: Facts = Facts()
    label: str = ""
    style: Style = "item"

    @property
    def whole(self) -> str:
        """The text after its label."""
        return f"{self.label}: {self.text}".strip() if self.label else self.text


@dataclass(frozen=True)
class Section:
    """A part; ``level`` is that of its heading, which it has where it has a title."""

    title: str
    lines: tuple[Line, ...] = ()
    level: int = 2


def document(debrief: Debrief, replay: Replay | None = None) -> tuple[Section, ...]:
    """What is read first, then the rounds, then all the rest; with the session who said what when.

    Verdicts and references appear only once the candidate may see them.
    """
    debrief = as_shown(debrief, replay.state) if replay else debrief
    done = replay is None or replay.state.finished is not None
    title = debrief.plan_title if replay else f"Debrief: {debrief.plan_title}"
    head = Section(title, tuple(_head(replay, debrief) if replay else ()), 1)
    rounds = (part for each in debrief.rounds for part in _round(each, replay))
    if not done:
        return (head, *rounds)
    profile = _filled(Section("Profile", tuple(_profile(debrief))))
    rest = (*profile, *moments(debrief), *numbers(debrief))
    return (head, *_overview(debrief), *rounds, *rest)


def _head(replay: Replay, debrief: Debrief) -> Iterator[Line]:
    session = replay.session
    yield Line(session.id, label="Session")
    yield Line("", label="Begun", facts=Facts(at=session.created_at))
    yield Line(debrief.mode, label="Mode")
    yield Line(debrief.examiner, label="Examiner")
    yield Line(session.status, label="Status")
    if debrief.withheld:
        told = "Verdicts and reference answers appear once the exam is finished."
        yield Line(told, style="paragraph")


def _overview(debrief: Debrief) -> tuple[Section, ...]:
    """What is read first."""
    to_study = tuple(map(study_point, debrief.study_points))
    title = "Yours to mark" if _unheard(debrief) else "What to study"
    return _filled(
        Section("", (Line(debrief.person, style="paragraph"),)),
        Section("Do next", to_do(debrief)),
        talk(debrief),
        recommendation(debrief),
        doubts(debrief),
        Section(f"{title}, heaviest first", to_study),
    )


def recommendation(debrief: Debrief) -> Section:
    """The recommendation as a heading, with what it rests on."""
    told = debrief.recommendation
    by = told.basis and f" {told.basis}"
    lines = [Line(debrief.headline)] if debrief.headline else []
    if debrief.own_band is not None:
        bands = words.band_words(debrief.band), words.band_words(debrief.own_band)
        lines.append(Line("Examiner: {}; with your own verdicts: {}.".format(*bands)))
    return Section(f"Recommendation{by}: {told.level}", tuple(lines))


def behind(debrief: Debrief) -> tuple[Section, ...]:
    """What stands behind the recommendation."""
    return _filled(talk(debrief), *moments(debrief), doubts(debrief))


def moments(debrief: Debrief) -> tuple[Section, ...]:
    """The reasons, and where the answers were strongest."""
    return _filled(
        Section("Why this recommendation", tuple(_reasons(debrief))),
        Section("Strongest moments", tuple(map(_strength, debrief.strongest))),
    )


def doubts(debrief: Debrief) -> Section:
    """What the results do not show, and how the examiners did in their own exams."""
    exams = (words.exam_sentence(result, name) for name, result in debrief.exams.items())
    return Section("Doubts", tuple(map(Line, (*debrief.doubts, *exams))))


def _unheard(debrief: Debrief) -> int:
    """How many points of the questions answered were not heard in full, and nobody weighed."""
    answered = (question for question in debrief.questions if question.answered)
    return sum(line.unheard for question in answered for line in question.lines)


def _filled(*sections: Section) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.lines)


def _notes(*texts: str, style: Style = "note") -> tuple[Line, ...]:
    return tuple(Line(text, style=style) for text in texts if text)


# -- what to do, what happened in the talk --------------------------------------------------


def to_do(debrief: Debrief) -> tuple[Line, ...]:
    """What to do about the costliest points; of those that nobody weighed, to mark them."""
    weighed = [lesson for lesson in debrief.study_points if not lesson.only_heard]
    tasks = tuple(_to_do(n, lesson) for n, lesson in enumerate(weighed[:TO_DO], 1))
    if not (count := _unheard(debrief)):
        return tasks
    return (Line(words.times(count, *words.UNHEARD)), *tasks)


def _to_do(number: int, lesson: Lesson) -> Line:
    said = f"You said: {quoted(lesson.said)}" if lesson.said and lesson.contradicted else ""
    source = lesson.source and f"Source: {lesson.source}"
    details = _notes(f"“{lesson.title}”, {words.points_words(lesson.lost)} lost", said, source)
    return Line(f"{number}. {words.task(lesson)}", details, lesson_facts(lesson))


def study_point(lesson: Lesson) -> Line:
    """A lost point, with its question and source."""
    lost = "" if lesson.only_heard else f", {words.points_words(lesson.lost)} lost"
    where = f"“{lesson.title}”{lost}"
    return Line(lesson.claim, _notes(where, lesson.source), lesson_facts(lesson))


def lesson_facts(lesson: Lesson) -> Facts:
    turn = lesson.said.turn if lesson.said else None
    return Facts(turn, lesson.rubric, lesson.criterion, lesson.source)


def talk(debrief: Debrief) -> Section:
    """What happened beside the points, each kind once, with the words that show it."""
    return Section("During the interview", tuple(_talk(debrief)))


def _talk(debrief: Debrief) -> Iterator[Line]:
    by_kind = {what: [each for each in debrief.talk if each.what is what] for what in What}
    for each in sorted(debrief.claims.raised, key=lambda each: not each.is_open):
        figures = f"You said: {', '.join(map(_figure, each.claims))}" if each.claims else ""
        reply = each.reply and f"Your reply: {quoted(each.reply, REFERENCE_WORDS)}"
        yield replace(impossible(each), details=_notes(figures, reply or ""))
    for what, found in by_kind.items():
        if found:
            yield _incidents(what, found)


def _incidents(what: What, found: Sequence[Incident]) -> Line:
    told = words.times(len(found), *words.TALK[what])
    if what is What.TALKED_LONG:
        longest = max(each.words for each in found)
        told += f", up to {longest} words; aim for under {LONG}"
    details = [quoted(each.quote) for each in found[:QUOTES]]
    if more := [str(each.quote.turn) for each in found[len(details) :]]:
        details.append(f"and in turn{'s' if len(more) > 1 else ''} {', '.join(more)}")
    text = told if told.endswith(":") else f"{told}."
    return Line(text, _notes(*details), Facts(found[0].quote.turn))


def quoted(quote: Evidence, most: int | None = QUOTED_WORDS) -> str:
    """The quoted words on one line, cut off after so many and a whole clause, with their turn."""
    return f"“{_shortened(quote.text, most)}” (turn {quote.turn})"


def _shortened(text: str, most: int | None) -> str:
    said = text.split()
    least = most or len(said)
    end = next((n for n in range(least, len(said)) if said[n - 1][-1] in ",;:.!?"), len(said))
    return f"{' '.join(said[:end])}{'…' * (end < len(said))}"


# -- the session as a whole -----------------------------------------------------------------


def _profile(debrief: Debrief) -> Iterator[Line]:
    topics = debrief.profile.topics
    yield from map(topic_line, topics)
    if len(topics) > 1:
        told = [f"{words.KIND[kind]} {_made(t)}" for kind, t in debrief.profile.kinds.items()]
        yield Line(f"By kind, over all topics: {', '.join(told)}")


def topic_line(topic: TopicProfile) -> Line:
    """A topic with the points made of those asked for, and its bands."""
    made = f"{_made(topic)} points" if topic.answered else "no answer"
    bands = ["not graded" if band is None else str(band) for band in topic.bands]
    told = f"{made}, band{'s' if len(bands) > 1 else ''} {', '.join(bands)}"
    facts = Facts(share=topic.share or 0.0)
    return Line(told, label=f"{topic.topic} (round {topic.round})", facts=facts)


def _made(tally: Tally) -> str:
    return f"{words.points(tally.earned)} of {words.points(tally.possible)}"


def _reasons(debrief: Debrief) -> Iterator[Line]:
    for reason in debrief.recommendation.reasons:
        said = f" {quoted(reason.quote, None)}" if reason.quote else ""
        facts = Facts(reason.quote.turn if reason.quote else None)
        yield Line(f"{reason.text}{said}", facts=facts)


def _strength(strength: Strength) -> Line:
    made = f"{words.points_words(strength.weight)} on “{strength.title}”"
    points = _notes(*(f"for: {claim}" for claim in strength.made))
    text = f"{quoted(strength.quote, None)}: {made}"
    return Line(text, points, Facts(strength.quote.turn))


def numbers(debrief: Debrief) -> tuple[Section, ...]:
    """The different figures of own runs, and the sums of them that are open."""
    noted = (
        Line(_figure(claim), facts=Facts(claim.turn), label=words.measure_words(claim.measure))
        for claim in debrief.claims.own
    )
    return _filled(
        Section("Figures from your own runs, as they were read", tuple(noted)),
        Section("Sums still open", tuple(map(impossible, debrief.claims.impossible))),
    )


def impossible(found: Impossibility) -> Line:
    """A sum that was put to the candidate, and whether it is open."""
    state = ", and open as your figures were read" if found.is_open else ""
    text = f"Put to you in turn {found.challenged}{state}:"
    return Line(f"{text} “{found.sentence}”", facts=Facts(found.challenged))


def _figure(claim: Quantity) -> str:
    return f"“{claim.text}” ({'your notes' if claim.turn == NOTES_TURN else f'turn {claim.turn}'})"


# -- rounds and questions -------------------------------------------------------------------


def _round(part: RoundDebrief, replay: Replay | None) -> Iterator[Section]:
    yield Section(f"Round {part.number}: {words.round_words(part)}")
    for question in part.questions:
        if replay is None:
            yield in_full(question)
            continue
        yield _asked(question, replay)
        if question.grade:
            yield replace(in_full(question), title=f"Verdict: {result(question)}", level=4)
    if part.not_asked:
        yield Section("Not asked", tuple(map(Line, part.not_asked)), 3)


def _asked(question: QuestionDebrief, replay: Replay) -> Section:
    """Who said what and when, and why it was closed; the latter may tell how it went."""
    shown = question.grade is not None
    lines = [turn_line(turn, replay.times.get(turn.number)) for turn in question.turns]
    if question.closed and shown:
        lines.append(Line(words.CLOSING[question.closed], style="paragraph"))
    return Section(f"Question {question.number}: {question.rubric.title}", tuple(lines), 3)


def turn_line(turn: Turn, at: datetime | None = None) -> Line:
    """One utterance with its author, its kind in words, its time where known, and its figure."""
    author = "Examiner" if turn.author == "examiner" else "You"
    label = f"{author} ({words.TURN[turn.kind]})"
    facts = Facts(turn.number, at=at, figure=turn.figure)
    if turn.result:
        ran = Line("\n".join(words.run_lines(turn.text, turn.result)), style="verbatim")
        return Line("", (ran,), facts, label, "turn")
    text = f"Submitted from the bench, as run in turn {turn.run}." if turn.run else turn.text
    body: Style = "prose" if turn.author == "examiner" or turn.run else "verbatim"
    return Line("", (Line(text, style=body),), facts, label, "turn")


def result(question: QuestionDebrief) -> str:
    """The question's result on the one scale."""
    return f"{words.grade_words(question)}{f', {words.DRILL}' if question.is_drill else ''}"


def said_only(question: QuestionDebrief) -> tuple[Line, ...]:
    """What was said to a question that has no verdicts."""
    if not question.own_words:
        said = "You skipped it." if question.skipped else "It got no answer."
        return (Line(said, facts=about(question)),)
    return tuple(
        Line(f"You said: {quoted(each, REFERENCE_WORDS)}", facts=about(question, each.turn))
        for each in question.own_words
    )


def in_full(question: QuestionDebrief) -> Section:
    """Each point with its evidence and comments, the scores, the reference answer, the bench."""
    title = f"Question {question.number}: {question.rubric.title}, {result(question)}"
    if question.grade is None:
        return Section(title, level=3)
    if question.own_words or not question.answered:
        points = said_only(question)
    else:
        judged = (point(line, question.lesson_on(line.criterion)) for line in question.lines)
        points = (*judged, *notes(question))
    return Section(title, (*points, *_to_learn_from(question)), 3)


def _to_learn_from(question: QuestionDebrief) -> Iterator[Line]:
    """A strong answer, and the written solution; a discussion has neither."""
    if question.rubric.is_discussion:
        return
    yield Line("", _prose(question.rubric.reference), label="Reference answer")
    if question.bench:
        solution = _prose("\n".join(words.solution_lines(question.bench)))
        yield Line("", solution, label="Written solution")


def _prose(text: str) -> tuple[Line, ...]:
    return (Line(text.strip(), style="prose"),)


def about(question: QuestionDebrief, turn: int | None = None, criterion: str = "") -> Facts:
    source = source_of(question.rubric)
    return Facts(turn or question.turns[0].number, question.rubric.id, criterion, source)


def point(line: CriterionLine, lesson: Lesson | None = None) -> Line:
    """A criterion: verdict and claim, the words it rests on, what they lack, what to say."""
    verdict, criterion = line.verdict, line.criterion
    quotes = verdict.quotes
    details = _notes(*(quoted(each, None) for each in quotes), style="quote")
    details += _notes(*words.notes(verdict, line.examiner))
    if lesson and (next_time := lesson.ask or lesson.reference):
        label = "In textbook words" if lesson.only_heard else "Next time"
        label = "Next time, from a run of your own" if lesson.ask else label
        details += (Line(next_time, label=label, style="advice"),)
    facts = Facts(
        quotes[0].turn if quotes else None, criterion=criterion.id, verdict=verdict.verdict
    )
    was_left = verdict.verdict is Rating.NOT_MET and not (line.asked or line.only_heard)
    worth = f"{words.worth(criterion)}{', no follow-up on it' if was_left else ''}"
    return Line(f"{criterion.claim.rstrip('.')} ({worth})", details, facts, words.line_words(line))


def notes(question: QuestionDebrief) -> tuple[Line, ...]:
    """The scores with what shaped them, the bench, what casts doubt on the grade."""
    grade = question.grade
    if grade is None or grade.is_none:
        return ()
    heard = question.only_heard
    return _notes(
        "" if heard else words.scores_sentence(grade),
        words.own_sentence(question),
        *(() if heard and grade.band is not None else grade.reasons),
        *(words.bench_lines(question.bench) if question.bench else ()),
        words.flags_sentence(grade.flags),
    )
