"""``interviewer run``: the same interview as on the screen, in plain text or JSON lines."""

from __future__ import annotations

import asyncio
import shlex
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer import composition
from interviewer.cli.console import (
    ask_before_the_budget_is_passed,
    complain,
    examiner_option,
    full_option,
    library_of,
    open_sessions,
    over_budget_option,
    pass_settings,
    plans_of,
)
from interviewer.errors import OvertakenError, SessionHeldError, StoreError
from interviewer.examiner.registry import chosen, kind_of
from interviewer.names import DEFAULT_PLAN
from interviewer.report.costs import before_a_mock
from interviewer.settings.database_url import Server, is_address
from interviewer.settings.web_address import to_fill_in

if TYPE_CHECKING:
    from interviewer.cli.conversation import Conversation
    from interviewer.cli.display import Display
    from interviewer.cli.input import Candidate, Said
    from interviewer.grading.agreement import ExamResult
    from interviewer.interview.events import Mode
    from interviewer.interview.interview import Interview
    from interviewer.interview.plans import Plan
    from interviewer.rubric.library import Library
    from interviewer.settings import Settings
    from interviewer.store.records import Pane
    from interviewer.store.store import Store

LATEST = ""
"""The value of --resume without an id."""


@click.command()
@click.option(
    "--plan",
    metavar="PLAN",
    help=f"The plan to follow; {DEFAULT_PLAN} by default. 'mine' asks your own questions.",
)
@click.option("--question", metavar="ID", help="Ask this one question instead of a plan.")
@click.option("--topic", metavar="TOPIC", help="Ask a few questions of one topic.")
@click.option(
    "--due",
    is_flag=True,
    default=None,
    help="Repeat what is due today: questions of past interviews that went wrong, or long ago.",
)
@click.option("--length", type=click.Choice(["quick", "standard", "extended"]))
@click.option(
    "--mode",
    type=click.Choice(["exam", "practice"]),
    help="exam (the default) keeps grades until the end; practice shows them as they come.",
)
@examiner_option("Who examines this interview.")
@click.option(
    "--script",
    "script_path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Read answers and commands from a YAML list instead of stdin.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write one event a line, read one answer or command a line.",
)
@click.option(
    "--resume",
    metavar="[ID]",
    is_flag=False,
    flag_value=LATEST,
    help="Continue a paused interview, the latest unless an id is given.",
)
@click.option(
    "--take-over",
    is_flag=True,
    help="With --resume: go on here even if the interview is open in another window.",
)
@click.option(
    "--project",
    metavar="FILE|TEXT",
    help="Notes on a project of your own, as a text or Markdown file or a description. Plans with "
    "a project round ask about it.",
)
@click.option(
    "--yes-run-my-code",
    "allow_functions",
    is_flag=True,
    help="Run Python functions at the bench even if this system confines them only partly.",
)
@over_budget_option
@full_option
@click.option("--seed", type=int, help="The same number draws the same questions.")
@pass_settings
def run(
    settings: Settings,
    examiner: str | None,
    script_path: Path | None,
    as_json: bool,
    resume: str | None,
    take_over: bool,
    allow_functions: bool,
    over_budget: bool,
    full: bool,
    **laid_out_by: Any,
) -> None:
    """Hold an interview in plain text on stdin and stdout.

    An answer may have several lines; an empty line sends it. Commands, each on its own line: /hint,
    /rephrase, /saidthat (I said that), /idk (I don't know), /skip, /endround, /end, /pause; /retry
    and /offline after a failure; /cancel while the examiner thinks. The end of the input pauses the
    interview. Some questions come with curves, told as a table of values; /figure draws them. In
    practice mode /mark POINT said, not or none settles a point of the question graded last, beside
    the examiner's verdict.

    Some questions can be solved at the bench, which runs a derivation or a Python function: /bench
    shows the task; lines between two lines of ``` are run, as often as you like, and so is a file
    with /run FILE. /submit submits what was run last as your answer, /submit FILE a file.

    With --json a line of input is a JSON string, {"say": text}, {"command": word} or, for the
    bench, {"command": "bench", "source": text} and {"command": "submit", "source": text}. Scripts
    hold the same.
    """
    from interviewer.cli.input import read_script

    given = [f"--{name}" for name, value in laid_out_by.items() if value is not None]
    if resume is not None and given:
        raise click.UsageError(f"{given[0]} is for a new interview; leave it out to resume.")
    if take_over and resume is None:
        raise click.UsageError("--take-over takes over a session: name it with --resume.")
    script = read_script(script_path) if script_path else None
    with open_sessions(settings) as store:
        if resume is None:
            interview = _begin(settings, store, examiner, over_budget=over_budget, **laid_out_by)
        else:
            interview = _resume(settings, store, resume, examiner, take_over=take_over)
            again = kind_of(interview.examiner.name).choice
            why = before_a_mock(settings, lambda: store, again, None)
            ask_before_the_budget_is_passed(why, allowed=over_budget)
        sitting = _Sitting(
            settings,
            store,
            interview,
            composition.exam_results(store),
            as_json=as_json,
            full=full,
            allow_functions=allow_functions,
        )
        asyncio.run(_hold(sitting, script))


def _begin(
    settings: Settings,
    store: Store,
    examiner: str | None,
    *,
    over_budget: bool,
    length: str | None,
    mode: Mode | None,
    project: str | None,
    seed: int | None,
    **asked: Any,
) -> Interview:
    from interviewer.interview.plans import Length

    if not (examiner or settings.examiner) and settings.waits_for_consent:
        complain(
            f"Using the offline examiner; '--examiner llm' would send your answers to "
            f"{settings.route}."
        )
    library = library_of(settings)
    plan = _plan(settings, library, **asked)
    chosen_length = Length(length) if length else Length.STANDARD
    by = examiner or settings.chosen_examiner
    why = before_a_mock(settings, lambda: store, by, (plan, chosen_length))
    ask_before_the_budget_is_passed(why, allowed=over_budget)
    return composition.new_interview(
        settings,
        store,
        library,
        plan,
        mode=mode or "exam",
        length=chosen_length,
        examiner=examiner,
        seed=seed,
        project=project,
    )


def _plan(settings: Settings, library: Library, **asked: Any) -> Plan:
    """What to ask: one question, a topic, what is due, or a plan, the default one if none."""
    from interviewer.practice import drills

    named = [name for name, value in asked.items() if value]
    if named[1:]:
        both = " and ".join(f"--{name}" for name in named)
        raise click.UsageError(f"{both} cannot be combined; give one.")
    if asked["question"]:
        return drills.question(library.get(asked["question"]).summary)
    if asked["topic"]:
        return drills.topic(library, asked["topic"])
    if asked["due"]:
        return drills.plan("due", _due_today(settings, library))
    plans, plan = plans_of(settings), asked["plan"]
    if plan == drills.MINE and plan not in plans.entries:
        return drills.own_list(library)
    return plans.get(plan or DEFAULT_PLAN).model


def _due_today(settings: Settings, library: Library) -> list[str]:
    from datetime import UTC, datetime

    from interviewer.practice.attempts import read_past
    from interviewer.practice.progress import progress

    past = progress(read_past(settings.database, settings.owner), datetime.now(UTC))
    due = [each.rubric for each in past.due if each.rubric in library.entries]
    if not due:
        raise click.ClickException("Nothing is due today; 'interviewer run' starts a new mock.")
    return due


def _resume(
    settings: Settings, store: Store, session: str, examiner: str | None, *, take_over: bool
) -> Interview:
    if session == LATEST:
        latest = store.history.latest_unfinished()
        if latest is None:
            raise click.ClickException(
                "There is no unfinished interview; 'interviewer run' starts a new one."
            )
        session = latest.id
    prefers_model = not examiner and chosen(settings.chosen_examiner).needs_endpoint
    if prefers_model and composition.has_left_model(store, session):
        complain("Going on with the offline examiner; '--examiner llm' goes back to the model.")
    try:
        return composition.resume_interview(
            settings, store, session, examiner=examiner, take_over=take_over
        )
    except SessionHeldError as error:
        raise click.ClickException(f"{error} --take-over does that.") from error


@dataclass
class _Sitting:
    """The interview that is held, and how; reopened, it is another object over the same session."""

    settings: Settings
    store: Store
    interview: Interview
    exams: Mapping[str, ExamResult]
    as_json: bool
    full: bool
    allow_functions: bool
    _told: str = field(default="", init=False)
    """Why the last draft could not be saved; said once, not for every line."""

    def __post_init__(self) -> None:
        if self.interview.bench:
            self.interview.bench.allow_functions = self.allow_functions

    @property
    def resume_with(self) -> str:
        return _command("run", "--resume", self.interview.session_id)

    def reopen(self) -> tuple[Interview, Display]:
        """Go on from what is on disk."""
        session = self.interview.session_id
        self.interview = composition.resume_interview(
            self.settings, self.store, session, take_over=True
        )
        self.__post_init__()
        return self.interview, self.display()

    def keep(self, text: str, pane: Pane) -> None:
        """Save a draft; a failure only prints a message, since the next commit will raise it.

        The first line typed starts the clock.
        """
        self.interview.begin()
        try:
            self.interview.save_draft(text, pane)
            self._told = ""
        except StoreError as error:
            if self._told != (why := str(error)):
                complain(why)
            self._told = why

    def display(self) -> Display:
        from interviewer.cli.display import JsonDisplay, TextDisplay

        session = self.interview.session_id
        shown = self.interview, self.exams, partial(self.store.own_verdicts.of, session)
        if self.as_json:
            return JsonDisplay(*shown)
        show_with = _command("sessions", "show", session, "--full")
        return TextDisplay(
            *shown,
            resume_with=self.resume_with,
            full=self.full,
            show_with="" if self.full else show_with,
        )


async def _hold(sitting: _Sitting, script: tuple[Said, ...] | None) -> None:
    from interviewer.cli.conversation import Conversation

    typing = script is None and not sitting.as_json and sys.stdin.isatty()
    sitting.interview.waits = typing
    conversation = Conversation(
        sitting.interview,
        _candidate(sitting, script),
        sitting.display(),
        sitting.reopen if typing else None,
        partial(composition.settle_point, sitting.store, sitting.interview.session_id, None),
    )
    interrupted = _pause_on_interrupt(conversation)
    try:
        await conversation.hold()
    except OvertakenError as error:
        if not typing:
            raise
        complain(str(error))
        return
    if interrupted.is_set():
        raise click.ClickException(f"Interrupted; the interview is paused: {sitting.resume_with}")
    if conversation.gave_up:
        raise click.ClickException(
            f"The examiner failed and the script has no remedy; paused: {sitting.resume_with}"
        )


def _candidate(sitting: _Sitting, script: tuple[Said, ...] | None) -> Candidate:
    from interviewer.cli.input import JsonLines, Script, TypedLines, stdin_lines

    if script is not None:
        return Script(script)
    if sitting.as_json:
        return JsonLines(stdin_lines())
    return TypedLines(
        stdin_lines(),
        draft=sitting.interview.drafts()["answer"],
        save=sitting.keep,
        sends_rest=not sys.stdin.isatty(),
        at_bench=lambda: not sys.stdin.isatty() or sitting.interview.challenge is not None,
    )


def _pause_on_interrupt(conversation: Conversation) -> asyncio.Event:
    """The first Ctrl-C pauses; a second one stops the program at once."""
    interrupted = asyncio.Event()
    loop = asyncio.get_running_loop()

    def pause() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        interrupted.set()
        conversation.interrupt()

    loop.add_signal_handler(signal.SIGINT, pause)
    return interrupted


def _without_secret(name: str, value: Any) -> Any:
    if name == "base_url" and value:
        return to_fill_in(value)
    return Server(value).to_copy if name == "database" and is_address(value) else value


def _command(*arguments: str) -> str:
    """A command line under the same global options, without the password of an address."""
    words = ["interviewer"]
    for name, value in click.get_current_context().find_root().params.items():
        option = "rubrics" if name == "rubric_folders" else name.replace("_", "-")
        for each in value if isinstance(value, tuple) else (value,):
            told = _without_secret(name, each)
            if isinstance(told, bool):
                words += [f"--{option}"] if told else []
            elif told is not None:
                words += [f"--{option}", str(told)]
    return shlex.join([*words, *arguments])
