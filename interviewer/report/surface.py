"""The debrief as it is read first: the person, what to do, the talk, and each question in brief."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from interviewer.grading.claims.quantity import Quantity
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.questions import (
    CriterionLine,
    Lesson,
    QuestionDebrief,
    Quote,
    all_judged_words,
)
from interviewer.interview.debrief.study import Action, StudyPoint
from interviewer.interview.debrief.talk import LONG, Incident, What
from interviewer.report import overview, words
from interviewer.report.bench_runs import bench_lines
from interviewer.report.overview import Entry, Section

TALK, DOUBTS = "During the interview", "Doubts"
QUESTION_WORDS = 250
"""The most words that a question takes in brief."""
QUOTED_WORDS = 12
QUOTES = 3
TAUGHT = 3
"""The lost points of a question that say what to say next time."""
REFERENCE_WORDS = 30


def above(debrief: Debrief) -> tuple[Section, ...]:
    """What stands between the sentence on the person and the questions."""
    bands = filter(None, (debrief.headline, words.own_bands_sentence(debrief)))
    found = (
        Section("Do next", tuple(to_do(debrief))),
        Section(TALK, tuple(talk(debrief))),
        Section(overview.recommendation_title(debrief), tuple(map(Entry, bands))),
        Section(DOUBTS, tuple(Entry(doubt) for doubt in overview.doubts(debrief))),
    )
    return tuple(section for section in found if section.entries)


def below(debrief: Debrief) -> tuple[Section, ...]:
    """What stands after the questions."""
    points = tuple(map(_study, debrief.points))
    return (Section("What to study, costliest first", points),) if points else ()


_TO_DO = {
    "fact": "look it up and learn it",
    "mechanism": "explain it aloud, without notes",
    "number": "work the figure out by hand, then learn it",
    "tradeoff": "say when you would choose which, and at what cost",
    "pitfall": "say how you would notice it in a run",
    "experience": "prepare a run of your own for it, with figures before and after",
}
"""What to do about a lost point, by its kind."""


def to_do(debrief: Debrief) -> Iterator[Entry]:
    """The few things to do, each with its question and source."""
    for action in debrief.to_do:
        said = action.point.lesson.said if action.point else None
        details = [f"“{action.rubric.title}”, {_lost(action)}"]
        if said and action.contradicted:
            details.append(f"You said: {brief(said)}")
        if action.source:
            details.append(f"Source: {action.source}")
        turn = said.turn.number if said else None
        yield Entry(_task(action), tuple(details), turn)


def _lost(action: Action) -> str:
    """What the point cost, and of how much, where the question is listed for all that it cost."""
    lost = f"{words.points_words(action.lost)} lost"
    if action.point is None or action.lost <= action.point.lost:
        return lost
    return f"{words.points(action.point.lost)} of the {lost} on this question"


def _task(action: Action) -> str:
    if action.point is None:
        return "You skipped this one. Answer it."
    criterion = action.point.lesson.line.criterion
    what = "you said otherwise, so look it up" if action.contradicted else ""
    return f"{criterion.claim.rstrip('.')}: {what or _TO_DO[criterion.kind]}."


def _study(point: StudyPoint) -> Entry:
    said = point.lesson.said
    source = f"; {point.source}" if point.source else ""
    where = f"“{point.rubric.title}”{source}"
    lost = words.points_words(point.lost)
    claim = f"{point.lesson.line.criterion.claim} ({lost})"
    return Entry(claim, (where,), said.turn.number if said else None)


def talk(debrief: Debrief, quotes: int | None = QUOTES) -> Iterator[Entry]:
    """What happened beside the points, each kind once, with the words that show it.

    No more than ``quotes`` of a kind are quoted, all for None.
    """
    by_kind = {what: [each for each in debrief.talk if each.what is what] for what in What}
    passed, failed = by_kind[What.DRILL_PASSED], by_kind[What.DRILL_FAILED]
    if passed or failed:
        yield _told(_drills(len(passed), len(failed)), failed or passed, quotes)
    if claims := debrief.claims.retracted:
        figures = [_figure(claim) for claim in claims]
        said = words.times(len(claims), "You withdrew a number", "You withdrew {} numbers")
        yield Entry(f"{said}.", tuple(figures[:quotes]), claims[0].turn or None)
    for sum_ in debrief.claims.impossible:
        became = overview.became(sum_.challenged, sum_.outcome)
        figures = [_figure(claim) for claim in sum_.claims]
        details = (f"You said: {', '.join(figures)}",) if figures else ()
        yield Entry(f"{sum_.sentence} {became}", details, sum_.challenged)
    for what, (once, often) in _TALK.items():
        if found := by_kind[what]:
            told = f"{words.times(len(found), once, often)}{_added(what, found)}."
            yield _told(told, found, quotes)


def talk_in_full(debrief: Debrief) -> tuple[Section, ...]:
    """Of what happened beside the points, that which :func:`talk` does not quote every time."""
    shown = frozenset(talk(debrief))
    cut = tuple(entry for entry in talk(debrief, None) if entry not in shown)
    return (Section(f"{TALK}, in full", cut),) if cut else ()


def _figure(claim: Quantity) -> str:
    return f"“{claim.text}” ({overview.place(claim)})"


_TALK = {
    What.TOOK_BACK: ("You took something back", "You took {} things back"),
    What.GAVE_UP: ("You gave up once", "You gave up {} times"),
    What.SKIPPED: ("You skipped a question", "You skipped {} questions"),
    What.HINT_TAKEN: ("You took a hint", "You took {} hints"),
    What.HINT_DECLINED: ("You declined a hint", "You declined {} hints"),
    What.CLARIFIED: ("You asked once what was meant", "You asked {} times what was meant"),
    What.TALKED_LONG: ("One answer ran long", "{} answers ran long"),
    What.ORDERED: (
        "You tried to instruct the examiner, which earned nothing",
        "You tried {} times to instruct the examiner, which earned nothing",
    ),
}


def _added(what: What, found: Sequence[Incident]) -> str:
    if what is not What.TALKED_LONG:
        return ""
    longest = max(each.words for each in found)
    length = f"{longest} words" if len(found) == 1 else f"the longest had {longest} words"
    return f": {length}; aim for under {LONG}"


def _drills(passed: int, failed: int) -> str:
    asked = words.times(passed + failed, "Asked", "Asked {} times")
    asked = f"{asked} what you did yourself, you gave"
    if not failed:
        return f"{asked} a figure or a decision{' each time' if passed > 1 else ''}."
    if not passed:
        return f"{asked} no figure and no decision."
    return f"{asked} a figure or a decision {passed} of {passed + failed} times; not here:"


def _told(text: str, found: Sequence[Incident], quotes: int | None) -> Entry:
    details = [_shown(each) for each in found[:quotes]]
    if more := [str(each.turn) for each in found[len(details) :]]:
        details.append(f"and in turn{'s' if len(more) > 1 else ''} {', '.join(more)}")
    return Entry(text, tuple(details), found[0].turn)


def _shown(incident: Incident) -> str:
    """The quote; a question that was skipped without a word goes by its title."""
    if incident.what is What.SKIPPED and incident.quote.turn.author == "examiner":
        return f"“{incident.title}” (turn {incident.turn})"
    return brief(incident.quote)


def brief(quote: Quote) -> str:
    """The first words of a quote, with their turn."""
    return f"“{shortened(quote.text, QUOTED_WORDS)}” (turn {quote.turn.number})"


def _in_own_words(quote: Quote) -> str:
    return f"“{shortened(quote.text, REFERENCE_WORDS)}” (turn {quote.turn.number})"


def shortened(text: str, most: int) -> str:
    """The text on one line, cut off after so many words."""
    said = text.split()
    return " ".join(said) if len(said) <= most else f"{' '.join(said[:most])}…"


def question_title(question: QuestionDebrief) -> str:
    """The question with its result on the one scale."""
    notes = (words.grade_words(question), words.DRILL if question.is_drill else "")
    told = ", ".join(filter(None, (question.rubric.title, *notes)))
    return f"Question {question.number}: {told}"


def question_entries(question: QuestionDebrief) -> tuple[Entry, ...]:
    """The question in brief: each point with its sign, and what to say next time on a few.

    At most QUESTION_WORDS words with the title; what is left out stands in the full form.
    """
    if question.grade is None:
        return ()
    if question.own_words:
        told = ((_in_own_words(quote), quote.turn.number) for quote in question.own_words)
        return tuple(Entry(f"You said: {words}", turn=turn) for words, turn in told)
    if not question.answered:
        said = "You skipped it." if question.skipped else "You did not get to answer it."
        return (Entry(said, turn=question.turns[0].number),)
    left = QUESTION_WORDS - _count(question_title(question))
    for taught in range(TAUGHT, -1, -1):
        entries = _points(question, taught)
        if sum(map(_words, entries)) <= left:
            return entries
    return _fitting(entries, left)


def _points(question: QuestionDebrief, taught: int) -> tuple[Entry, ...]:
    """All points in the rubric's order; so many of the costliest say what to say."""
    costliest = {lesson.line.criterion.id: lesson for lesson in question.lessons[:taught]}
    told = [_point(line, costliest.get(line.criterion.id), question) for line in question.lines]
    grade = question.grade
    notes = (
        words.own_sentence(question),
        *(grade.reasons if grade and grade.band is None else ()),
        *(bench_lines(question.bench) if question.bench else ()),
        words.drills_sentence(question.drills),
        words.flags_sentence(grade.flags if grade else frozenset()),
        words.failed_exam_sentence(question.failed_exam),
    )
    return (*told, *(Entry(note) for note in notes if note))


def _point(line: CriterionLine, lesson: Lesson | None, question: QuestionDebrief) -> Entry:
    if line.verdict is None:
        return Entry(f"{words.line_words(line)}: {line.criterion.claim}")
    evidence = () if line.further else all_judged_words(line, question.turns)
    said = lesson.said if lesson else None
    quote = evidence[0] if evidence else said
    details = [brief(each) for each in evidence]
    if said and not evidence:
        details.append(f"You said: {brief(said)}")
    if lesson and lesson.reference:
        details.append(f"Next time: {shortened(lesson.reference, REFERENCE_WORDS)}")
    turn = quote.turn.number if quote else None
    head = f"{words.line_words(line)}: {line.criterion.claim}"
    return Entry(head, tuple(details), turn)


def _fitting(entries: Iterable[Entry], left: int) -> tuple[Entry, ...]:
    """As many as fit, and how many are left out."""
    kept: list[Entry] = []
    every = list(entries)
    left -= _count(_more(len(every)))
    for entry in every:
        if (left := left - _words(entry)) < 0:
            break
        kept.append(entry)
    return (*kept, Entry(_more(len(every) - len(kept))))


def _more(count: int) -> str:
    return f"And {words.times(count, 'one more point', '{} more points')} in the full form."


def _words(entry: Entry) -> int:
    return sum(map(_count, (entry.text, *entry.details)))


def _count(text: str) -> int:
    return len(text.split())
