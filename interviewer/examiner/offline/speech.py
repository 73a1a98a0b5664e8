"""What the offline examiner says: the rubric's own words, with the candidate's slotted in."""

from __future__ import annotations

import re

from interviewer.examiner.lexical import content_stems, is_content
from interviewer.examiner.protocol import Case, Move, MoveKind
from interviewer.grading.evidence import candidate_turns, gives_orders
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.rubric.rubric import Criterion
from interviewer.rubric.text import normalise, sentences

PHRASE_WORDS = (2, 8)
_LEADS = {
    MoveKind.PIN_DOWN: (
        "Stay with “{phrase}” for a moment.",
        "You said “{phrase}”.",
        "“{phrase}”: make that concrete for me.",
    ),
    MoveKind.CHALLENGE: (
        "You said “{phrase}”. Take that one step further.",
        "Suppose “{phrase}” holds. Walk me through the consequence.",
    ),
    MoveKind.PROBE: ("You mentioned “{phrase}”.", "Coming from “{phrase}”:"),
}
_EDGE_PUNCTUATION = " \t\n.,;:!?()[]{}\"'“”‘’-–—"


def utterance(case: Case, move: Move) -> str:
    """The words of the move. ``move`` must not be a close."""
    if move.kind is MoveKind.ESCALATE or move.target is None:
        return case.rubric.escalations[0]
    criterion = case.rubric.criterion(move.target)
    match move.kind:
        case MoveKind.HINT:
            return f"Hint: {criterion.hints[move.hint_level - 1]}"
        case MoveKind.TELL:
            return f"For the record: {criterion.claim}"
        case _:
            return _follow_up(case, move.kind, criterion)


def _follow_up(case: Case, kind: MoveKind, criterion: Criterion) -> str:
    phrase = _phrase(case, criterion)
    if not phrase:
        return criterion.probe
    leads = _LEADS[kind]
    lead = leads[len(case.turns) // 2 % len(leads)]
    return f"{lead.format_map({'phrase': phrase})} {criterion.probe}"


def _phrase(case: Case, criterion: Criterion) -> str:
    """Two to eight of the candidate's own words next to the criterion; "" where none fit."""
    standing: CriterionVerdict | None = next(
        (v for v in case.verdicts if v.criterion == criterion.id), None
    )
    if standing and standing.evidence:
        return _short(standing.evidence)
    answers = candidate_turns(case.turns)
    if not answers:
        return ""
    topic = content_stems(" ".join((criterion.claim, *criterion.accept, criterion.probe)))
    latest = answers[-1].text
    plain = normalise(latest)
    best, most = "", 0
    for start, end in sentences(plain):
        shared = len(topic & content_stems(plain.text[start:end]))
        if shared > most:
            first, last = plain.original_span(start, end)
            best, most = latest[first:last], shared
    return "" if gives_orders(best) else _short(best)


def _short(text: str) -> str:
    """The first telling words of a sentence, as typed; "" if there are fewer than two."""
    spans = [m.span() for m in re.finditer(r"\S+", text)]
    telling = [is_content(normalise(text[a:b]).text.strip("'\",.;:")) for a, b in spans]
    if True not in telling:
        return ""
    spans, telling = spans[telling.index(True) :], telling[telling.index(True) :]
    spans, telling = spans[: PHRASE_WORDS[1]], telling[: PHRASE_WORDS[1]]
    while not telling[-1]:
        spans.pop()
        telling.pop()
    if len(spans) < PHRASE_WORDS[0]:
        return ""
    words = " ".join(text[a:b] for a, b in spans)
    return words.strip(_EDGE_PUNCTUATION)
