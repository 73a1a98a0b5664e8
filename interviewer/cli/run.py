"""``interviewer run``: the same interview as on the screen, in plain text or JSON lines."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer import composition
from interviewer.cli import console
from interviewer.errors import SessionHeldError, StoreError
from interviewer.examiner.registry import chosen
from interviewer.names import DEFAULT_PLAN

if TYPE_CHECKING:
    from interviewer.cli.conversation import Candidate, Said
    from interviewer.grading.agreement import ExamResult
    from interviewer.interview.events import Mode
    from interviewer.interview.interview import Interview
    from interviewer.interview.plans import Plan
    from interviewer.rubric.library import Library
    from interviewer.settings import Settings
    from interviewer.store.records import Pane
    from interviewer.store.store import Store

_LATEST = ""  # the value of --resume without an id


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
@console.examiner_option
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
    flag_value=_LATEST,
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
@click.option("--seed", type=int, help="The same number draws the same questions.")
@console.pass_store
def run(
    settings: Settings,
    store: Store,
    examiner: str | None,
    script_path: Path | None,
    as_json: bool,
    resume: str | None,
    take_over: bool,
    allow_functions: bool,
    **laid_out_by: Any,
) -> None:
    """Hold an interview in plain text on stdin and stdout.

    An answer may have several lines; an empty line sends it. Commands, each on its own line: /hint,
    /rephrase, /saidthat (I said that), /idk (I don't know), /skip, /endround, /end, /pause; /retry
    and /offline after a failure; /cancel while the examiner thinks. The end of the input pauses the
    interview. /numbers lists the numbers that you stated, and /number N strike, or /number N 4M
    tokens, puts one right.

    Some questions can be solved at the bench, which runs a derivation or a Python function: /bench
    shows the task; lines between two lines of ``` are run, as often as you like, and so is a file
    with /run FILE. /submit submits what was run last as your answer, /submit FILE a file.

    With --json a line of input is a JSON string, {"say": text}, {"command": word} or, for the
    bench, {"command": "bench", "source": text} and {"command": "submit", "source": text}. Scripts
    hold the same.
    """
    from interviewer.cli.conversation import read_script

    given = [f"--{name}" for name, value in laid_out_by.items() if value is not None]
    if resume is not None and given:
        raise click.UsageError(f"{given[0]} is for a new interview; leave it out to resume.")
    if take_over and resume is None:
        raise click.UsageError("--take-over takes over a session: name it with --resume.")
    script = read_script(script_path) if script_path else None
    if resume is None:
        interview = _begin(settings, store, examiner, **laid_out_by)
    else:
        interview = _resume(settings, store, resume, examiner, take_over=take_over)
    if interview.bench:
        interview.bench.allow_functions = allow_functions
    asyncio.run(_hold(interview, composition.exam_results(store), script, as_json=as_json))


def _begin(
    settings: Settings,
    store: Store,
    examiner: str | None,
    *,
    length: str | None,
    mode: Mode | None,
    project: str | None,
    seed: int | None,
    **asked: Any,
) -> Interview:
    from interviewer.interview.plans import Length

    if not (examiner or settings.examiner) and settings.waits_for_consent:
        console.complain(
            f"Using the offline examiner; '--examiner llm' would send your answers to "
            f"{settings.route}."
        )
    library = console.loaded(composition.load_library(settings))
    return composition.new_interview(
        settings,
        store,
        library,
        _plan(settings, library, **asked),
        mode=mode or "exam",
        length=Length(length) if length else None,
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
    plans, plan = console.loaded(composition.load_plans(settings)), asked["plan"] or DEFAULT_PLAN
    if plan == drills.MINE and plan not in plans.entries:
        return drills.own_list(library)
    return plans.get(plan).model


def _due_today(settings: Settings, library: Library) -> list[str]:
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
    if session == _LATEST:
        from interviewer.store.reader import home_view

        seen = home_view(store.place, store.owner)
        if not (seen and seen.unfinished):
            nothing = "There is no unfinished interview; 'interviewer run' starts a new one."
            raise click.ClickException((seen and seen.problem) or nothing)
        session = seen.unfinished.id
    prefers_model = not examiner and chosen(settings.chosen_examiner).needs_endpoint
    if prefers_model and composition.has_left_model(store, session):
        console.complain(
            "Going on with the offline examiner; '--examiner llm' goes back to the model."
        )
    try:
        return composition.resume_interview(
            settings, store, session, examiner=examiner, take_over=take_over
        )
    except SessionHeldError as error:
        raise click.ClickException(f"{error} --take-over does that.") from error


async def _hold(
    interview: Interview,
    exams: Mapping[str, ExamResult],
    script: tuple[Said, ...] | None,
    *,
    as_json: bool,
) -> None:
    from interviewer.cli.conversation import TextConversation
    from interviewer.cli.display import JsonDisplay, TextDisplay, resume_with

    interview.waits = script is None and not as_json and sys.stdin.isatty()
    display = JsonDisplay if as_json else TextDisplay
    candidate = _candidate(interview, script, as_json=as_json)
    conversation = TextConversation(interview, candidate, display(interview, exams))
    loop = asyncio.get_running_loop()

    def pause() -> None:
        loop.remove_signal_handler(signal.SIGINT)  # a second Ctrl-C stops the program at once
        conversation.interrupt()

    loop.add_signal_handler(signal.SIGINT, pause)
    await conversation.hold()
    if conversation.stopped:
        raise click.ClickException(f"{conversation.stopped}: {resume_with(interview)}")


def _candidate(
    interview: Interview, script: tuple[Said, ...] | None, *, as_json: bool
) -> Candidate:
    from interviewer.cli.conversation import JsonLines, Script, TypedLines, stdin_lines

    if script is not None:
        return Script(script)
    if as_json:
        return JsonLines(stdin_lines())

    def keep(text: str, pane: Pane) -> None:
        interview.begin()  # the first line typed starts the clock
        try:
            interview.save_draft(text, pane)
        except StoreError as error:  # the next commit raises it
            console.complain(str(error))

    return TypedLines(
        stdin_lines(),
        draft=interview.drafts()["answer"],
        save=keep,
        sends_rest=not sys.stdin.isatty(),
    )
