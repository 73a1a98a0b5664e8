"""All that the screens ask of the engine. Any call may block: make it in a thread.

The heavy parts (SQLAlchemy, pydantic, the examiners) load on the first call, not with this module.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from interviewer import composition
from interviewer.content.kinds import PLANS, RUBRICS, Kind
from interviewer.errors import StoreWriteError, UnknownNameError
from interviewer.names import DEFAULT_PLAN, EXAMPLE
from interviewer.settings import Settings
from tui.messages import Choice, Grading, Session

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from interviewer.content.files import Drafts
    from interviewer.grading.verdicts import OwnMark
    from interviewer.interview.interview import Interview
    from interviewer.interview.plans import Plan
    from interviewer.practice.attempts import Attempt
    from interviewer.practice.drills import Drill
    from interviewer.practice.progress import Progress, Standing
    from interviewer.rubric.library import Library
    from interviewer.rubric.question_lists import QuestionList
    from interviewer.sandbox.bench import Bench
    from interviewer.sandbox.challenge import Catalogue
    from interviewer.sandbox.result import Tries
    from interviewer.store.history import SearchHit
    from interviewer.store.records import Position, SessionFilter, SessionRow
    from interviewer.store.store import Store


LOCAL_PORTS = (11434, 1234, 8080)
"""Where Ollama, LM Studio and llama.cpp listen unless told otherwise."""
LOOK_SECONDS = 0.2
COMPARED = 8
"""So many attempts at a question, the latest, are put side by side."""


@dataclass(frozen=True)
class Found:
    """Sessions of the list, whether there are more, and where searched words were said, by id."""

    rows: tuple[SessionRow, ...]
    more: bool
    hits: Mapping[str, SearchHit] = field(default_factory=dict)


class Engine:
    """The engine with these settings. Store and bench are opened when first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._store: Store | None = None
        self._bench: Bench | None = None
        self._opening = threading.Lock()
        self.marked: list[str] = []
        """The ids of the questions marked for a mock, in the order of marking; for this run."""

    def change(self, changes: Mapping[str, str | float | bool | None]) -> None:
        """Use these settings from now on, None for the default, and save them.

        Raises SettingsError.
        """
        from interviewer.settings.config_file import save

        used: dict[str, Any] = {
            name: getattr(Settings, name) if value is None else value
            for name, value in changes.items()
        }
        self.settings = replace(self.settings, **used)
        save(self.settings.config_folder, changes)

    def models(self) -> tuple[str, ...]:
        """The models that the configured endpoint offers. Raises InterviewerError."""
        from interviewer.examiner.llm.check import list_models
        from interviewer.examiner.llm.endpoint import endpoint_of

        return asyncio.run(list_models(endpoint_of(self.settings, needs_model=False)))

    def local_server(self) -> str:
        """The address of a model server that answers on this machine, "" if none does."""
        for port in LOCAL_PORTS:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), LOOK_SECONDS):
                return f"http://localhost:{port}/v1"
        return ""

    def model(self) -> str:
        """The model that would examine. Raises SettingsError if none is named."""
        from interviewer.examiner.llm.endpoint import model_of

        return model_of(self.settings)

    def keep_key(self, key: str) -> None:
        """Keep the endpoint's key in the system's keyring; "" forgets it. Raises SettingsError."""
        from interviewer.settings.keychain import keep_key

        keep_key(self.settings.address, key)
        self.change({"key_in_keyring": True if key else None})

    def progress(self, now: datetime) -> Progress:
        """What the latest sessions show. Raises StoreError."""
        from interviewer.practice.attempts import read_past
        from interviewer.practice.progress import progress

        return progress(read_past(self.settings.database, self.settings.owner), now)

    def drill(self, kind: Drill, rubrics: Sequence[str] = ()) -> Choice:
        """A session that starts at once: any one question, or these."""
        from interviewer.practice import drills

        plan = drills.plan(kind, [each for each in rubrics if each in self.library().entries])
        return Choice(plan, "practice")

    def practise(self, rubric_id: str) -> Choice:
        """A session of this question alone, graded at once. Raises UnknownNameError."""
        from interviewer.practice import drills

        return Choice(drills.question(self.library().get(rubric_id).summary), "practice")

    def mock(self) -> Choice:
        """An exam by the default plan, with the project notes of the settings."""
        return Choice(self.plans()[0][0], project=self.settings.project or "")

    def plans(self) -> tuple[tuple[Plan, ...], tuple[str, ...]]:
        """The default plan, the others by minutes, and a sentence for each unusable plan file."""
        loaded = composition.load_plans(self.settings)
        plans = [entry.model for entry in loaded.entries.values()]
        plans.sort(key=lambda p: (p.id != DEFAULT_PLAN, sum(each.minutes for each in p.rounds)))
        return tuple(plans), tuple(str(problem) for problem in loaded.problems)

    def plan_of_marked(self) -> Plan:
        """The marked questions as a plan. Raises UnknownNameError if there are none any more."""
        from interviewer.practice.drills import selection

        if plan := selection(self.library(), self.marked):
            return plan
        raise UnknownNameError("None of the marked questions exists any more; mark others.")

    def save_plan(self, plan: Plan) -> tuple[Plan, Path]:
        """Write it among the candidate's own plans. Raises RubricFileError."""
        from interviewer.interview.own_plans import save_plan

        plans = composition.load_plans(self.settings)
        return save_plan(plan, plans, self.own_folder(PLANS))

    def own_plan(self, plan: Plan) -> Path | None:
        """The file of the candidate's own that holds the plan as it is, None if none does."""
        entry = composition.load_plans(self.settings).entries.get(plan.id)
        is_own = entry is not None and entry.origin == "yours" and entry.model == plan
        return entry.path if entry and is_own else None

    def topics(self) -> tuple[str, ...]:
        return tuple(sorted({each.topic for each in self.library().summaries()}))

    def further_plans(self, now: datetime) -> dict[str, Plan]:
        """Plans of no file, by a name each: weak spots, marked questions, one's own, each topic.

        Raises InterviewerError.
        """
        from interviewer.practice import drills

        library, past = self.library(), self.progress(now)
        plans = []
        if weak := [spot.rubric for spot in past.weak if spot.rubric in library.entries]:
            plans.append(drills.plan("weak", weak))
        if marked := drills.selection(library, self.marked):
            plans.append(marked)
        with suppress(UnknownNameError):  # nothing of their own yet
            plans.append(drills.own_list(library))
        topics = drills.topics_of(library)
        return {plan.id: plan for plan in plans} | {
            f"topic:{name}": drills.topic(library, name) for name in topics
        }

    # -- the questions and their files -----------------------------------------------------

    def own_folder(self, kind: Kind = RUBRICS) -> Path:
        return composition.own_folders(self.settings, kind)[0]

    def read_list_by_model(self, path: Path) -> QuestionList:
        from interviewer.composition import read_list_by_model

        return read_list_by_model(self.settings, path)

    def standings(self, now: datetime) -> Mapping[str, Standing]:
        """How each question that was asked stands. Raises StoreError."""
        from interviewer.practice.progress import standings

        return standings(self._attempts(), now)

    def _attempts(self) -> tuple[Attempt, ...]:
        from interviewer.practice.attempts import read_past
        from interviewer.practice.progress import REMEMBERED

        return read_past(self.settings.database, self.settings.owner, REMEMBERED).attempts

    def attempts(self, rubric_id: str) -> list[tuple[Grading, Grading]]:
        """Each attempt at the question with the one before it, the latest last.

        Raises StoreError.
        """
        asked = [each for each in self._attempts() if each.rubric == rubric_id][:COMPARED]
        gradings = [
            Grading(f"{each.at.astimezone():%Y-%m-%d %H:%M}", each.session, question)
            for each in reversed(asked)
            if (found := self.session(each.session).debrief)
            for question in found.questions
            if question.rubric.id == rubric_id and question.grade
        ]
        return list(pairwise(gradings))

    def regrades(self, session_id: str) -> list[tuple[Grading, Grading]]:
        """Each question of the session as it was graded, and as it last was when graded again.

        Raises StoreError.
        """
        from interviewer.interview.debrief.questions import criterion_lines
        from interviewer.interview.regrading import from_record

        session, records = self.session(session_id), self.store.regrades(session_id)
        if not (records and session.debrief):
            return []
        again = from_record(records[-1])
        later = {(each.round, each.question): each.grade for each in again.questions}
        pairs = []
        for question in session.debrief.questions:
            if grade := later.get((question.round, question.number)):
                lines = tuple(criterion_lines(question.rubric, grade))
                other = replace(question, grade=grade, lines=lines, own_score=None)
                title = question.rubric.title
                before = Grading(
                    f"{title}: graded by {session.debrief.examiner}", session_id, question
                )
                day = f"{records[-1].at.astimezone():%Y-%m-%d}"
                after = Grading(f"Graded again by {again.examiner}, {day}", session_id, other)
                pairs.append((before, after))
        return pairs

    def short_exam(self) -> str:
        """What came of ten answers that the examiner in use judged. Raises InterviewerError."""
        return asyncio.run(composition.take_short_exam(self.settings, self.store))

    def library(self) -> Library:
        return composition.load_library(self.settings)

    def challenges(self) -> Catalogue:
        return composition.load_challenges(self.settings)

    def bench(self) -> Bench:
        """The practice bench, the same one until it is closed. Raises InterviewerError."""
        with self._opening:
            if self._bench is None:
                self._bench = composition.open_bench(self.settings)
            return self._bench

    def lacks_torch(self) -> str:
        """What installing torch for the bench takes, "" where there is an interpreter with it."""
        from interviewer.sandbox.installation import CPU_BUILD_SIZE

        return "" if composition.sandbox_python(self.settings) else CPU_BUILD_SIZE

    def install_torch(self, report: Callable[[str], None]) -> str:
        """Install it and tell what its commands print; its version. Raises SandboxError."""
        from interviewer.sandbox.installation import Installation

        return Installation(self.settings.data_folder).install(report=report).version

    async def close_bench(self) -> None:
        """Close the practice bench, if there is one. Does not block."""
        bench, self._bench = self._bench, None
        if bench:
            await bench.aclose()

    def drafts(self, of: Literal["rubrics", "bench"]) -> Drafts:
        """What was typed there and not saved: rubric files and answers to write into them, code."""
        from interviewer.content.files import Drafts

        return Drafts(self.settings.data_folder / of)

    def bench_tries(self) -> Tries:
        """Which challenges have been solved; opens nothing."""
        return composition.open_tries(self.settings)

    def check_notes(self, given: str) -> None:
        """Raises SettingsError if these project notes cannot be used."""
        from interviewer.project import read_notes

        if given:
            read_notes(given)

    def cost(self, plan: Plan, length: str, examiner: str) -> str:
        """What such a mock takes, in words; "" where no model examines."""
        from interviewer.examiner.registry import chosen
        from interviewer.interview.plans import Length
        from interviewer.report.costs import of_a_mock

        needs_model = chosen(examiner).needs_endpoint
        return of_a_mock(self.settings, plan, Length(length)) if needs_model else ""

    def begin(self, choice: Choice) -> Interview:
        from interviewer.interview.plans import Length

        return composition.new_interview(
            self.settings,
            self.store,
            self.library(),
            choice.plan,
            mode=choice.mode,
            length=Length(choice.length),
            examiner=choice.examiner or None,
            project=choice.project,
        )

    def resume(
        self, session_id: str, examiner: str | None = None, *, take_over: bool = False
    ) -> Interview:
        """A stored session, with another examiner than it had if one is given.

        Raises SessionHeldError if another process has it and it is not to be taken over.
        """
        return composition.resume_interview(
            self.settings, self.store, session_id, examiner=examiner, take_over=take_over
        )

    def held_by(self, session_id: str) -> str:
        """A sentence on who else goes on with the session now, "" for nobody."""
        from interviewer.interview.journal import held_by

        place = held_by(self.store.history.session(session_id))
        return place and f"This interview is open in another window ({place})."

    def has_left_model(self, session_id: str) -> bool:
        """A model examined in the session, and now none does. Raises InterviewerError."""
        return composition.has_left_model(self.store, session_id)

    def find_sessions(
        self,
        words: str,
        only: SessionFilter,
        topic: str,
        limit: int,
        than: Position | None = None,
        *,
        trash: bool = False,
    ) -> Found:
        """The sessions with these words in name or tags, then those with them in a turn, the latest
        first; all, without words.

        ``topic``: one of its questions is in the session, "" for any. Raises StoreError.
        """
        if topic:
            asking = (each.id for each in self.library().summaries() if each.topic == topic)
            only = replace(only, rubrics=tuple(asking))
        history = self.store.deleted if trash else self.store.history
        if words.strip() and not trash:
            hits = {hit.session.id: hit for hit in history.search(words, limit + 1, only)}
            named = history.named(words.strip(" #"), limit, only)
            rows = {row.id: row for row in (*named, *(hit.session for hit in hits.values()))}
            listed = tuple(rows.values())
            return Found(listed[:limit], len(listed) > limit, hits)
        page = history.sessions(limit + 1, only, than)
        return Found(tuple(page[:limit]), len(page) > limit and only.order == "latest")

    def count_sessions(self, at_most: int, trash: bool) -> int:
        return (self.store.deleted if trash else self.store.history).count(at_most)

    def plans_topics_tags(self) -> tuple[tuple[str, ...], ...]:
        """What sessions can be filtered by. Raises StoreError."""
        plans, tags = self.store.history.plans_and_tags()
        return plans, self.topics(), tags

    def to_do(self, session_id: str) -> tuple[str, ...]:
        """What the debrief of a finished session says to do next. Raises StoreError."""
        from interviewer.report import document

        debrief = self.session(session_id).debrief
        return tuple(line.text for line in document.to_do(debrief)) if debrief else ()

    def session(self, session_id: str) -> Session:
        """A stored session, with its debrief if its grades may be shown."""
        from interviewer.interview.debrief import grades_may_be_shown
        from interviewer.interview.journal import load
        from interviewer.report.costs import bill

        if session_id == EXAMPLE:
            return self._example()
        replay = load(self.store, session_id)
        if not grades_may_be_shown(replay.state):
            return Session(replay, None)
        spent = bill(self.settings, self.store.history.spent(session_id))
        return Session(replay, composition.debrief_of(self.store, replay), spent)

    def _example(self) -> Session:
        from interviewer.interview.debrief import debrief
        from interviewer.interview.example import example

        replay = example()
        # Nobody can have its examiner sit an exam.
        return Session(replay, replace(debrief(replay.state, replay.rubrics), doubts=()))

    def settle(self, session_id: str, question: int, criterion: str, mark: OwnMark) -> Session:
        """Keep the candidate's own verdict on a point; returns the session with it.

        Raises InterviewerError.
        """
        if session_id == EXAMPLE:
            raise UnknownNameError(
                "This is an example: your verdicts are kept on your own interviews."
            )
        composition.settle_point(self.store, session_id, question, criterion, mark)
        return self.session(session_id)

    def export(self, session_id: str) -> Path:
        from interviewer.content.files import put_whole
        from interviewer.interview.debrief import debrief
        from interviewer.report.text import transcript_markdown

        read = self.session(session_id)
        found = read.debrief or debrief(read.replay.state, read.replay.rubrics)
        row = read.replay.session
        path = self.settings.data_folder / "exports" / f"{row.created_at:%Y-%m-%d}-{row.id}.md"
        text = transcript_markdown(read.replay, found).encode(errors="replace")
        try:
            put_whole(path, text, mode=0o600)
        except OSError as error:
            raise StoreWriteError(f"{path} cannot be written: {error.strerror}.") from error
        return path

    @property
    def store(self) -> Store:
        with self._opening:
            if self._store is None:
                self._store = composition.open_store(self.settings)
            return self._store
