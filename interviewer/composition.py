"""The composition root: settings in, working objects out. Both front ends start here.

Heavy packages are imported inside the functions, so that importing this module costs nothing.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Collection, Iterable, Mapping
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.content.kinds import CHALLENGES, PLANS, RUBRICS, Kind
from interviewer.errors import (
    InterviewerError,
    SessionHeldError,
    StoreError,
    UnknownNameError,
)
from interviewer.examiner import registry
from interviewer.settings import Settings

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.grading.agreement import ExamResult
    from interviewer.interview.debrief import Debrief
    from interviewer.interview.events import Mode, SessionStarted
    from interviewer.interview.interview import Interview
    from interviewer.interview.journal import Replay
    from interviewer.interview.plans import Length, Plan, Plans
    from interviewer.rubric.library import Library
    from interviewer.rubric.question_lists import QuestionList
    from interviewer.rubric.rubric import Rubric
    from interviewer.sandbox.bench import Bench
    from interviewer.sandbox.challenge import Catalogue, Challenge
    from interviewer.sandbox.result import Tries
    from interviewer.store.records import NewSession
    from interviewer.store.store import Store

REMEMBERED_SESSIONS = 100
"""Where a plan leaves a choice, questions of this many latest sessions come last."""


def open_store(settings: Settings) -> Store:
    """The user's sessions, in a database created and migrated as needed. Raises StoreError."""
    from interviewer.store.store import Store

    return Store(settings.database, settings.owner)


def own_folders(settings: Settings, kind: Kind) -> tuple[Path, ...]:
    """The folders of the user's own files of this kind, in order."""
    further = (folder / kind.subfolder for folder in settings.rubric_folders)
    return (settings.config_folder / kind.plural, *further)


def load_library(settings: Settings) -> Library:
    """The shipped rubrics and the user's own."""
    from interviewer.rubric.library import load_library as load

    return load(own_folders(settings, RUBRICS), settings.cache_folder / "rubrics.json")


def load_plans(settings: Settings) -> Plans:
    """The shipped plans and the user's own."""
    from interviewer.interview.plans import load_plans as load

    return load(own_folders(settings, PLANS))


def load_challenges(settings: Settings, only: Collection[str] | None = None) -> Catalogue:
    """The shipped challenges of the derivation bench and the user's own.

    With ``only``, other shipped files are not read.
    """
    from interviewer.sandbox.challenge import load_catalogue

    return load_catalogue(own_folders(settings, CHALLENGES), only)


def sandbox_python(settings: Settings) -> Path | None:
    """The interpreter for the derivation bench, None if none with torch is known: that in the
    settings, else the one that 'interviewer sandbox install' recorded, else this one.
    """
    import sys
    from importlib.util import find_spec

    from interviewer.sandbox.installation import Installation

    if settings.sandbox_python:
        return settings.sandbox_python
    if recorded := Installation(settings.data_folder).recorded():
        return recorded.python
    return Path(sys.executable) if find_spec("torch") else None


def open_bench(settings: Settings, *, salt: int | None = None) -> Bench:
    """The derivation bench, whose worker starts with its first job; a ``salt`` fixes its draws."""
    from interviewer.sandbox.bench import Bench

    return Bench(sandbox_python(settings), salt=salt)


def open_tries(settings: Settings) -> Tries:
    """Which challenges have been tried and solved; the file may not exist yet."""
    from interviewer.sandbox.result import Tries

    return Tries(settings.data_folder / "bench")


def make_examiner(settings: Settings, choice: str | None = None) -> Examiner:
    """The examiner of this kind, or of the one that the settings choose.

    Raises SettingsError when an LLM is wanted and nothing says which or where.
    """
    kind = registry.chosen(choice or settings.chosen_examiner)
    return kind.make(settings)


def make_pool(settings: Settings, choice: str | None, at_once: int) -> list[Examiner]:
    """Examiners for work on many sessions at once, whose calls share a pace.

    One that needs no endpoint would only share the processor with others: it is alone. Raises as
    :func:`make_examiner`.
    """
    kind = registry.chosen(choice or settings.chosen_examiner)
    if not kind.needs_endpoint:
        return [kind.make(settings)]
    from interviewer.examiner.llm.client import Pace

    pace = Pace(at_once)
    return [kind.make(settings, pace) for _ in range(at_once)]


def exam_results(store: Store) -> Mapping[str, ExamResult]:
    """The latest self-test of each examiner in its current version, by the examiner's name."""
    latest: dict[str, ExamResult] = {}
    for result in store.exams():
        if result.version == registry.kind_of(result.examiner).version():
            latest.setdefault(result.examiner, result)
    return latest


SHORT_EXAM = 10
"""Answers of an exam that takes a model about two minutes."""


def read_list_by_model(settings: Settings, path: Path) -> QuestionList:
    """A question list as the model of the settings reads it, whatever its shape.

    Raises SettingsError without a model, RubricFileError if the file is no text, ExaminerError.
    """
    import asyncio

    from interviewer.examiner.llm.client import ChatClient
    from interviewer.examiner.llm.endpoint import endpoint_of
    from interviewer.examiner.llm.question_list import read_list
    from interviewer.rubric.importing import text_of
    from interviewer.rubric.question_lists import QuestionList

    text, encoding = text_of(path)

    async def read() -> QuestionList:
        async with aclosing(ChatClient(endpoint_of(settings))) as client:
            return QuestionList(await read_list(client, text), encoding)

    return asyncio.run(read())


async def take_short_exam(settings: Settings, store: Store) -> str:
    """Have the examiner in use judge a few graded samples; what came of it, which is kept.

    Raises ExaminerError, StoreError.
    """
    from interviewer.examiner.selftest.exam import eval_set, run_exam
    from interviewer.report.words import exam_sentence

    items = eval_set(load_library(settings).models(), attacks=False, limit=SHORT_EXAM)
    async with aclosing(make_examiner(settings)) as tested:
        exam = await run_exam(tested, items)
    store.save_exam(exam.result, exam.rubrics_sha256, exam.as_json())
    return exam_sentence(exam.result, tested.name)


def debrief_of(store: Store, replay: Replay) -> Debrief:
    """The results of a stored session, with what the store knows of its examiners."""
    from interviewer.interview.debrief import debrief

    exams = exam_results(store)
    return debrief(replay.state, replay.rubrics, exams, replay.challenges, replay.own)


def new_interview(
    settings: Settings,
    store: Store,
    library: Library,
    plan: Plan,
    *,
    mode: Mode = "exam",
    length: Length | None = None,
    examiner: str | None = None,
    seed: int | None = None,
    project: str | None = None,
) -> Interview:
    """A session ready to begin; nothing is stored before its first event.

    ``seed`` fixes which questions are drawn. ``project`` describes the candidate's own project, or
    is the file of their notes on it; None takes that of the settings, "" none at all. Raises
    UnknownNameError or RubricFileError if this library cannot fill the plan, SettingsError if the
    notes cannot be read.
    """
    from interviewer.interview.drawing import lay_out
    from interviewer.interview.events import SessionStarted
    from interviewer.interview.interview import Interview
    from interviewer.interview.journal import Journal
    from interviewer.interview.plans import Length
    from interviewer.project import put_to_project, read_notes

    given = settings.project if project is None else project
    notes = read_notes(given) if given else ""
    rounds = lay_out(
        plan,
        library,
        length=length or Length.STANDARD,
        seed=random.SystemRandom().randrange(2**32) if seed is None else seed,
        asked=store.history.asked(REMEMBERED_SESSIONS),
    )
    chosen = make_examiner(settings, examiner)
    asked = [rubric for outline in rounds for rubric in outline.questions]
    rubrics = {rubric: library.get(rubric).model for rubric in asked}
    rubrics |= put_to_project(rubrics.values(), notes)
    challenges = _challenges_of(settings, rubrics.values())
    journal = Journal(store, secrets.token_hex(5))
    started = SessionStarted(plan.id, plan.title, mode, chosen.name, rounds, notes)
    return Interview(
        journal=journal,
        rubrics=rubrics,
        examiner=chosen,
        fallback=partial(registry.OFFLINE.make, settings, None),
        beginning=(_session(journal.session_id, started, rubrics, challenges), started),
        bench=open_bench(settings) if challenges else None,
        challenges=challenges,
        tries=open_tries(settings),
    )


def _session(
    id_: str,
    started: SessionStarted,
    rubrics: Mapping[str, Rubric],
    challenges: Mapping[str, Challenge],
) -> NewSession:
    """The session's row, with the rubrics and challenges as they are now."""
    from interviewer.interview.journal import utc_now
    from interviewer.rubric.library import snapshot
    from interviewer.store.records import NewSession

    return NewSession(
        id=id_,
        plan=started.plan,
        plan_title=started.plan_title,
        mode=started.mode,
        examiner=started.examiner,
        created_at=utc_now(),
        rounds=len(started.rounds),
        rubrics={each: snapshot(rubric) for each, rubric in rubrics.items()},
        challenges={each: found.model_dump(mode="json") for each, found in challenges.items()},
    )


def resume_interview(
    settings: Settings,
    store: Store,
    session: str,
    *,
    examiner: str | None = None,
    take_over: bool = False,
) -> Interview:
    """An unfinished session at the step where it stopped; ``session`` is an id or a prefix of one.

    Without ``examiner`` it continues with the kind it had. Raises UnknownNameError if there is no
    such session, InterviewerError if it is finished, SessionHeldError if another process goes
    on with it (unless it is to be taken over), StoreError if its journal makes no sense,
    SettingsError if its examiner is no longer configured.
    """
    from interviewer.interview.interview import Interview
    from interviewer.interview.journal import Journal, held_by, load

    replay = load(store, session)
    if replay.unread or not all(rubric.version for rubric in replay.rubrics.values()):
        raise StoreError(replay.gap)
    if replay.state.finished:
        raise InterviewerError(
            f"Session {replay.session.id} is finished; read it with "
            f"'interviewer sessions show {replay.session.id}'."
        )
    if not take_over and (place := held_by(replay.session)):
        raise SessionHeldError(
            f"Session {replay.session.id} is open in another window ({place}): go on there, or "
            "take it over, after which the other window writes nothing more."
        )
    drafts = store.drafts(replay.session.id).values()
    typed_since = [draft for draft in drafts if draft.saved_at >= replay.journal[-1].at]
    latest = max(typed_since, key=lambda draft: draft.saved_at, default=None)
    stored = latest.saved_at if latest else replay.journal[-1].at
    return Interview(
        journal=Journal(store, replay.session.id, length=len(replay.journal), latest=stored),
        rubrics=replay.rubrics,
        examiner=make_examiner(
            settings, examiner or registry.kind_of(replay.state.examiner).choice
        ),
        fallback=partial(registry.OFFLINE.make, settings, None),
        state=replay.state,
        elapsed=latest.elapsed if latest else replay.elapsed,
        bench=open_bench(settings) if replay.challenges else None,
        challenges=replay.challenges,
        tries=open_tries(settings),
    )


def has_left_model(store: Store, session: str) -> bool:
    """Whether the session began with a model and now runs offline. Raises StoreError."""
    row = store.history.session(session)
    if registry.kind_of(row.examiner).needs_endpoint:
        return False
    entries = store.entries(row.id)
    names = {entry.payload.get("examiner") for entry in entries} - {None}
    return any(registry.kind_of(str(name)).needs_endpoint for name in names)


def settle_point(store: Store, session: str, question: int, criterion: str, mark: str) -> str:
    """Keep the candidate's own verdict on a point: said, not or none; returns a sentence on it.

    Raises UnknownNameError, and StoreError where the examiner's verdict is not shown yet.
    """
    from interviewer.interview.debrief import grades_may_be_shown
    from interviewer.interview.journal import load
    from interviewer.interview.state import rubric_of

    replay = load(store, session)
    asked, id_ = replay.state.questions, replay.session.id
    if not 1 <= question <= len(asked):
        there = ", ".join(f"{each.place} ({each.rubric})" for each in asked) or "none yet"
        raise UnknownNameError(f"Session {id_} has no question {question}; there are: {there}.")
    found = asked[question - 1]
    graded = found.grade and not found.grade.is_none
    if not graded or not grades_may_be_shown(replay.state):
        raise StoreError(
            f"Question {question} of session {id_} shows no verdicts, so none can be settled; an "
            "exam shows them once it is finished, a question talked over has none."
        )
    rubric = rubric_of(found, replay.rubrics)
    claims = {point.id: point.claim for point in rubric.criteria}
    if criterion not in claims:
        raise UnknownNameError(
            f"Question {question} of session {id_} ({rubric.id}) has no criterion {criterion!r}; "
            f"there are: {', '.join(claims)}."
        )
    store.add_own_verdict(id_, question, criterion, mark)
    told = {"said": "you said it", "not": "you did not say it", "none": "none of your own"}[mark]
    return f"Your verdict on question {question}, {criterion} (“{claims[criterion]}”): {told}."


def _challenges_of(settings: Settings, rubrics: Iterable[Rubric]) -> dict[str, Challenge]:
    """The challenges that these rubrics name, by id, as far as they exist."""
    wanted = {rubric.challenge for rubric in rubrics if rubric.challenge}
    entries = load_challenges(settings, wanted).entries if wanted else {}
    return {id_: entries[id_].model for id_ in sorted(wanted & entries.keys())}
