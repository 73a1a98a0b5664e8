"""The words in which verdicts, flags, moves and endings are told to people."""

from __future__ import annotations

from interviewer.examiner.protocol import CloseReason
from interviewer.grading.bands import ANCHORS
from interviewer.grading.score import Grade
from interviewer.grading.transcript import TurnKind
from interviewer.grading.verdicts import CriterionVerdict, Flag, Source
from interviewer.rubric.rubric import Verdict

NOT_JUDGED = "– not judged"

VERDICT = {
    Verdict.MET: "● met",
    Verdict.PARTIAL: "◐ partial",
    Verdict.NOT_MET: "○ not met",
    Verdict.CONTRADICTED: "✗ contradicted",
}
"""A sign and a word, so that neither colour nor sight of the sign is needed."""

SOURCE = {
    Source.FIRST: "",
    Source.PROBE: "",
    Source.HINT_1: "after a hint",
    Source.HINT_2: "after the second hint",
    Source.TOLD: "after being told",
}

TURN = {
    TurnKind.QUESTION: "question",
    TurnKind.ANSWER: "answer",
    TurnKind.DONT_KNOW: "does not know",
    TurnKind.PIN_DOWN: "asks to be exact",
    TurnKind.PROBE: "follow-up",
    TurnKind.CHALLENGE: "challenge",
    TurnKind.ESCALATE: "harder variant",
    TurnKind.HINT: "hint",
    TurnKind.TELL: "explanation",
}

CLOSED = {
    CloseReason.COVERED: "Closed because every point was made.",
    CloseReason.FOLLOW_UPS_USED: "Closed because the follow-ups were used up.",
    CloseReason.NO_PROGRESS: "Closed because further questions brought nothing new.",
    CloseReason.SKIPPED: "Closed because you skipped it.",
    CloseReason.TIME_UP: "Closed because the time was up.",
    CloseReason.ROUND_ENDED: "Closed because you ended the round.",
    CloseReason.INTERVIEW_ENDED: "Closed because you ended the interview.",
}

FLAG = {
    Flag.RECITED: "sounds recited rather than explained",
    Flag.KEYWORD_LIST: "lists keywords instead of saying how they connect",
    Flag.ECHO: "repeats the examiner's words",
    Flag.TOO_SHORT: "too short to show much",
    Flag.BOTH_SIDES: "claims both directions at once",
    Flag.INJECTION_SUSPECTED: "holds text that tries to instruct the examiner",
    Flag.PARSE_REPAIRED: "the model's judgement had to be repaired to be read",
    Flag.FALLBACK: "judged offline, as the model's judgement could not be used",
    Flag.CUT_OFF: "the clock cut the last answer off",
}


def flags_sentence(flags: frozenset[Flag]) -> str:
    """The flags as one sentence in a fixed order, "" without any."""
    told = [FLAG[flag] for flag in Flag if flag in flags]
    return f"Note: {'; '.join(told)}." if told else ""


def band_words(band: float | None) -> str:
    """A question's band, or a mean of bands with one decimal, in words; or that there is none."""
    if band is None:
        return "not graded"
    return f"band {band if isinstance(band, int) else format(band, '.1f')} of {len(ANCHORS) - 1}"


def verdict_words(verdict: CriterionVerdict) -> str:
    """The verdict with its sign, and with how much help the point was made."""
    help_taken = SOURCE[verdict.source] if verdict.evidence else ""
    return f"{VERDICT[verdict.verdict]}{f', {help_taken}' if help_taken else ''}"


def scores_sentence(grade: Grade) -> str:
    """The three scores of a question on one line."""
    return (
        f"First answer {score_words(grade.first)} · unassisted {score_words(grade.unassisted)} · "
        f"with hints {score_words(grade.final)}"
    )


def score_words(score: float | None) -> str:
    """A score in 0..1 with two decimals, or a dash."""
    return "–" if score is None else f"{score:.2f}"
