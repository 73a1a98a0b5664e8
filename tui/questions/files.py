"""Making questions of a list: what would be done, doing it, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partialmethod
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from textual.app import ComposeResult
from textual.widgets import Footer, Static

from interviewer.errors import RubricFileError
from interviewer.paths import expanded
from interviewer.rubric.importing import Outcome, import_questions, read_list
from interviewer.rubric.question_lists import QuestionList
from tui.actions import bindings
from tui.widgets.dialogs import Dialogue, card
from tui.widgets.pages import ViScroll
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from tui.engine import Engine


class Look(NamedTuple):
    """What an import would do; ``problem`` is why the list could not be read.

    ``has_model``: there is a model that may read the list as well.
    """

    outcome: Outcome
    listed: QuestionList
    has_model: bool
    problem: str = ""


def look_at_list(engine: Engine, path: Path, *, by_model: bool = False) -> Look:
    """What an import would make of a list. Raises InterviewerError.

    A list that the rules cannot read is no error where a model may.
    """
    settings = engine.settings
    has_model = settings.endpoint_configured and not settings.asks_before_sending and not by_model
    try:
        listed = engine.read_list_by_model(path) if by_model else read_list(path)
    except RubricFileError as error:
        if not has_model:
            raise
        return Look(Outcome(), QuestionList((), ""), has_model, str(error))
    return Look(import_list(engine, path, listed, write=False), listed, has_model)


def import_list(engine: Engine, path: Path, listed: QuestionList, *, write: bool) -> Outcome:
    """Make questions of a list, in the own folder; without ``write`` only say which.

    Raises InterviewerError.
    """
    there, folder = engine.library().models(), engine.own_folder()
    return import_questions(
        listed.items, there, folder, path.name, write=write, encoding=listed.encoding
    )


def about_list(path: str) -> str:
    return "" if not path or expanded(path).is_file() else "There is no such file yet."


PreviewAnswer = Literal["write", "leave", "by_model"]


class Preview(Dialogue[PreviewAnswer]):
    """What would be done, line by line; the result is what to do.

    ``writes``: there is something to write; ``has_model``: one that may read the list instead.
    """

    HELP = (
        "What an import would write. Yes writes it, No changes nothing. Where lines are missed or "
        "taken by mistake, let the model read the list: it is sent to your endpoint for that."
    )
    BINDINGS = bindings("preview")

    def __init__(self, title: str, lines: Sequence[str], *, writes: bool, has_model: bool) -> None:
        super().__init__()
        self._title = title
        self._lines = Static(plain("\n".join(lines)))
        self._offers = {"yes": writes, "by_model": has_model}

    def compose(self) -> ComposeResult:
        yield card(self._title, ViScroll(self._lines))
        yield Footer(compact=True, show_command_palette=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        return self._offers.get(action, True)

    action_yes = partialmethod(Dialogue.answer, "write")
    action_no = partialmethod(Dialogue.answer, "leave")
    action_by_model = partialmethod(Dialogue.answer, "by_model")
