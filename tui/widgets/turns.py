"""Turns of an interview as lines of a transcript view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from interviewer.grading.transcript import Turn, TurnKind
from tui.widgets.transcript_view import Line

if TYPE_CHECKING:
    from interviewer.interview.state import SessionState

YOU = "You"
HANDED_IN = "(handed in from the bench, as it was run)"


def line_of(turn: Turn, persona: str) -> Line:
    """The line of one turn. Only help is marked as what it is: an exam hides the other moves."""
    if turn.kind is TurnKind.BENCH:
        return Line("candidate", YOU, _ran(turn), note="bench", turn=turn.number)
    if turn.author == "candidate":
        said = HANDED_IN if turn.run else turn.text
        return Line("candidate", YOU, said, turn=turn.number)
    return Line("examiner", persona, turn.text, note=_help(turn), turn=turn.number)


def past_lines(state: SessionState) -> list[Line]:
    """All that was said so far, with a notice where a round began."""
    lines = []
    for running in state.rounds:
        lines.append(round_notice(running.number, len(state.outline), running.outline.title))
        for question in running.questions:
            lines += [line_of(turn, running.outline.persona.name) for turn in question.turns]
    return lines


def notice(text: str, aside: Content | None = None) -> Line:
    """A remark of the program's own."""
    return Line("notice", "", text, aside=aside)


def round_notice(number: int, of: int, title: str) -> Line:
    return notice(f"Round {number} of {of}: {title}")


def _ran(turn: Turn) -> str:
    """A run at the bench: the source with what was found of each line, then what it came to."""
    from interviewer.report.bench import run_lines

    return "\n".join(run_lines(turn.text, turn.result)) if turn.result else turn.text


def _help(turn: Turn) -> str:
    if turn.kind is TurnKind.HINT:
        from interviewer.grading.score import price_of_hint

        return f"hint −{price_of_hint(turn.hint_level):.0%}"
    return "told" if turn.kind is TurnKind.TELL else ""
