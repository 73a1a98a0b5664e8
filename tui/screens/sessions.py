"""Past interviews as a place: a list to search and filter, and beside it what is in one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.grading.bands import TOP_BAND
from interviewer.plural import pluralize
from interviewer.report import document
from interviewer.store.records import Order, SessionFilter
from tui import messages
from tui.actions import bindings
from tui.bridge import LoadFailed
from tui.widgets.browser import BrowserPage, SearchBox
from tui.widgets.dialogs import InputDialog, agreed
from tui.widgets.form import Field, FormCard
from tui.widgets.pages import TWO_PANES, TitleBar, ViList
from tui.widgets.plain_text import ago, course, local_minute, one_line, plain
from tui.widgets.points import content

if TYPE_CHECKING:
    from pathlib import Path

    from interviewer.interview.debrief import Debrief
    from interviewer.store.history import SearchHit
    from interviewer.store.records import SessionRow
    from tui.bridge import Bridge
    from tui.engine import Found


PAGE = 100
"""Sessions loaded at a time; the next page is loaded as the cursor nears the last of them."""
LIST_LIMIT = 10_000
"""Sessions beyond that are only told to be more."""
PREVIEW_AFTER = 0.08
"""Seconds that the cursor rests on a session before it is read."""
EMPTY = "No interviews yet. Press esc, then n to start one."
AROUND = 400
"""Characters of a turn shown on each side of the words that were searched for."""
FOUND = "bold $text-warning"
_NEW_LINE = Content("\n")


class SessionsScreen(BrowserPage):
    """Newest first. Enter resumes an open session and shows the debrief of a finished one."""

    CSS_PATH: ClassVar = ["../widgets/browser.tcss", "sessions.tcss"]
    HORIZONTAL_BREAKPOINTS = TWO_PANES
    HELP = (
        "Your interviews, the latest first. Enter resumes an open one and shows the debrief of a "
        "finished one, or the turn with the words that you searched for."
    )
    BINDINGS = bindings("sessions", "back")

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._rows: dict[str, SessionRow] = {}
        self._hits: Mapping[str, SearchHit] = {}
        self._more = False
        self._chosen = FilterChoices()
        self._trash = False
        self._picked: dict[str, SessionRow] = {}
        self._deleted: list[list[str]] = []
        """The ids of what was deleted together, the latest last."""
        self._at: str | None = None
        """Where the cursor goes once the list is read again, None for where it is."""

    # -- what is listed --------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Sessions"))
        yield from self.compose_browser(
            self._key("search"),
            'Search every word; "quotes" for a phrase',
            Static(id="filtering"),
            ViList(id="entries"),
            Static(Content("Loading your sessions…"), id="nothing", classes="empty"),
        )

    def _key(self, action: str) -> str:
        return self.key_of(f"sessions.{action}")

    def on_screen_resume(self) -> None:
        self._load_again()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._load_again()

    def _load_again(self) -> None:
        """From the beginning on, as far as was listed."""
        self.refresh_bindings()
        wanted = max(PAGE, len(self._rows))
        self.load("sessions", self._finding(wanted), self._show_again)
        if not self.words and not self._chosen.told:
            count = partial(self.engine.count_sessions, LIST_LIMIT + 1, self._trash)
            self.load("count", count, self._show_count)

    def _finding(self, limit: int, than: SessionRow | None = None) -> Callable[[], Found]:
        engine, now = self.engine, self._bridge.now()
        return partial(
            engine.find_sessions,
            self.words,
            self._chosen.filter(now),
            self._chosen.topic,
            limit,
            than.place if than else None,
            trash=self._trash,
        )

    def _show_again(self, found: Found) -> None:
        self._rows = {row.id: row for row in found.rows}
        self._hits, self._more = found.hits, found.more
        self.entries.show(self._options(found.rows), self._at)
        self._at = None
        self._show_filter()
        self.show_nothing("" if self._rows else self._nothing_found())
        if self.words or self._chosen.told:
            self._show_title(f"{len(self._rows)}{' or more' if self._more else ''} found")
        if self._rows:
            self._preview(self.entries.chosen)

    def _options(self, rows: Iterable[SessionRow]) -> Iterator[Option]:
        now = self._bridge.now()
        for row in rows:
            picked = row.id in self._picked
            yield Option(_line(row, now, picked=picked), id=row.id)

    def _show_filter(self) -> None:
        shown = self.query_one("#filtering", Static)
        parts = ["Trash: kept for 30 days"] if self._trash else []
        parts += [self._chosen.told] if self._chosen.told else []
        if self._picked:
            parts.append(f"{pluralize(len(self._picked), 'session')} picked")
        shown.update(one_line(" · ".join(parts), "$text-warning"))
        shown.display = bool(parts)

    def _nothing_found(self) -> str:
        if self.words:
            return f"Nothing found. {self.key_of('search.empty')} clears the search."
        if self._chosen.told:
            return f"Nothing found. {self._key('clear')} clears the filter."
        if self._trash:
            return f"The trash is empty. {self._key('trash')} goes back to your sessions."
        return EMPTY

    def _show_count(self, total: int) -> None:
        if not self.words and not self._chosen.told:
            many = f"more than {LIST_LIMIT:,} sessions"
            self._show_title(pluralize(total, "session") if total <= LIST_LIMIT else many)

    def _show_title(self, remark: str) -> None:
        title = "Sessions · trash" if self._trash else "Sessions"
        self.query_one(TitleBar).show(Content(title), Content(remark))

    def on_load_failed(self, message: LoadFailed) -> None:
        if not self._rows:
            message.stop()
            self.show_nothing(message.sentence)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.set_timer(PREVIEW_AFTER, partial(self._preview, str(event.option.id)))
        self.refresh_bindings()
        if self._more and event.option_index >= len(self._rows) - 2:
            last = self._rows[list(self._rows)[-1]]
            self.load("sessions", self._finding(PAGE, last), partial(self._show_more, last))

    def _show_more(self, than: SessionRow, found: Found) -> None:
        """The page that comes after this one, if the list still ends there."""
        if self._rows and list(self._rows)[-1] == than.id:
            self._rows |= {row.id: row for row in found.rows}
            self._more = found.more
            self.entries.add_options(self._options(found.rows))

    # -- the one under the cursor ----------------------------------------------------------

    @property
    def _row(self) -> SessionRow | None:
        return self._rows.get(self.entries.chosen)

    def _preview(self, session_id: str) -> None:
        row = self._row
        if row is None or row.id != session_id:  # the cursor has gone on
            return
        self.show_entry(_summary(row, self._hits.get(row.id)))
        if not self._trash:
            read = partial(self.engine.session, row.id)
            self.load("preview", read, self._show_preview)

    def _show_preview(self, session: messages.Session) -> None:
        row = self._row
        if row and row.id == session.replay.session.id:
            self.show_entry(_summary(row, self._hits.get(row.id), session))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        row = self._rows[str(event.option.id)]
        if self._trash:
            self._restore(row.id)
        elif hit := self._hits.get(row.id):
            self.go("transcript", row.id, hit.turn.number, self.words)
        elif row.status == "finished":
            self.go("debrief", row.id)
        else:
            self.post_message(messages.ResumeSession(row.id))

    # -- what can be done ------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "undo":
                return bool(self._deleted) or (self._trash and self._row is not None)
            case "delete" | "transcript" | "rename" | "tag" | "export":
                return self._row is not None and not self._trash
            case "pick":
                return self._row is not None
            case "clear":
                return bool(self.words or self._chosen.told or self._picked)
            case _:
                return True

    @property
    def _meant(self) -> list[SessionRow]:
        """The sessions that were picked, else the one under the cursor."""
        return list(self._picked.values()) or ([self._row] if self._row else [])

    def action_pick(self) -> None:
        if row := self._row:
            if self._picked.pop(row.id, None) is None:
                self._picked[row.id] = row
            [option] = self._options([row])
            self.entries.replace_option_prompt(row.id, option.prompt)
            self._show_filter()
            self.entries.action_cursor_down()

    def action_filter(self) -> None:
        def show(known: tuple[tuple[str, ...], ...]) -> None:
            self.app.push_screen(filter_card(self._chosen, *known), self._take_filter)

        self.load("filters", self.engine.plans_topics_tags, show)

    def _take_filter(self, chosen: Mapping[str, str] | None) -> None:
        if chosen is not None:
            self._chosen = FilterChoices(**chosen)
            self._load_again()

    def action_clear(self) -> None:
        self._chosen = FilterChoices()
        self._picked.clear()
        self.query_one(SearchBox).value = ""
        self._load_again()

    def action_trash(self) -> None:
        self._trash = not self._trash
        self._picked.clear()
        self._rows = {}
        self._load_again()

    def action_transcript(self) -> None:
        if row := self._row:
            hit = self._hits.get(row.id)
            turn = hit.turn.number if hit else None
            self.go("transcript", row.id, turn, self.words)

    def action_rename(self) -> None:
        if row := self._row:
            explained = "What you call this interview from now on:"
            dialogue = InputDialog("Rename", explained, text=row.title, selected=True)
            self.app.push_screen(dialogue, partial(self._rename, row))

    def _rename(self, row: SessionRow, name: str | None) -> None:
        if name is not None:
            own = "" if name == row.plan_title else name
            label = self.engine.store.label_session
            self._change(partial(label, row.id, own, row.tags))

    def action_tag(self) -> None:
        rows = self._meant
        if rows:
            explained = "Words to find these sessions by, separated by spaces; - takes all away:"
            tags = " ".join(dict.fromkeys(tag for row in rows for tag in row.tags))
            self.app.push_screen(
                InputDialog("Tags", explained, text=tags), partial(self._tag, rows)
            )

    def _tag(self, rows: list[SessionRow], typed: str | None) -> None:
        if typed is not None:
            tags = [word.strip("#,") for word in typed.split() if word.strip("#,-")]
            label = self.engine.store.label_session

            def tag() -> None:
                for row in rows:
                    label(row.id, row.name, tags)

            self._change(tag)

    def _change(self, change: Callable[[], object]) -> None:
        self.load("change", change, lambda _: self._changed())

    def _changed(self) -> None:
        self._picked.clear()
        self._load_again()

    def action_export(self) -> None:
        engine, ids = self.engine, [row.id for row in self._meant]

        def saved(paths: list[Path]) -> None:
            self.notify("Saved as " + "\n".join(map(str, paths)))

        self.load("export", lambda: [engine.export(each) for each in ids], saved)

    def action_delete(self) -> None:
        if rows := self._meant:
            self.run_worker(self._delete(rows), exit_on_error=False)

    async def _delete(self, rows: list[SessionRow]) -> None:
        engine = self.engine
        named = f"{rows[0].title}, last used {local_minute(rows[0].updated_at)}"
        if len(rows) > 1:
            named = pluralize(len(rows), "session")

        def held() -> str:
            return " ".join(filter(None, (engine.held_by(row.id) for row in rows)))

        def delete() -> None:
            for row in rows:
                engine.store.delete_session(row.id)

        def gone(_: None) -> None:
            self._deleted.append([row.id for row in rows])
            back = f"{self._key('undo')} brings {'it' if len(rows) == 1 else 'them'} back."
            self.notify(f"Deleted {named}.\n{back}")
            self._take_out(rows)
            self._changed()

        if await agreed(self.app, held, f"Delete {named}?"):
            self.load("delete", delete, gone)

    def action_undo(self) -> None:
        if self._trash:
            self._restore(*(row.id for row in self._meant))
        else:
            self._restore(*self._deleted.pop())

    def _take_out(self, rows: list[SessionRow]) -> None:
        """Out of the list at once, so that the next key means the session after them."""
        left = list(self._rows)
        after = left[left.index(rows[-1].id) + 1 :] if rows[-1].id in left else []
        for row in rows:
            if self._rows.pop(row.id, None):
                self.entries.remove_option(row.id)
        self._at = next((each for each in after if each in self._rows), None)
        if self._at is None and self._rows:
            self._at = list(self._rows)[-1]
        if self._at:
            self.entries.highlighted = self.entries.get_option_index(self._at)

    def _restore(self, *ids: str) -> None:
        self._at = ids[0]
        restore = self.engine.store.restore_session
        self._change(lambda: [restore(each) for each in ids])


def _line(row: SessionRow, now: datetime, *, picked: bool) -> Content:
    """Band, when, state, title and tags, on one line."""
    band, step = "  –", " "
    if row.band is not None:
        band, [step] = f"{row.band:3.1f}", course([row.band], TOP_BAND, cells=1)
    unsent = row.has_draft and row.status != "finished"  # what was cut off by the end is no draft
    state = "unsent answer" if unsent else row.status
    tags = "".join(f" #{tag}" for tag in row.tags)
    return Content.assemble(
        ("✓ " if picked else "  ", "bold $text-primary"),
        (f"{step} ", "$text-primary"),
        (band, "bold"),
        f"  {ago(row.updated_at, now).removeprefix('on '):<11} ",
        (f"{state:<14}", "" if row.status == "finished" else "$text-warning"),
        one_line(row.title),
        one_line(tags, "$text-primary"),
    )


def _summary(
    row: SessionRow, hit: SearchHit | None, session: messages.Session | None = None
) -> Content:
    """What is in a session: where the words were said, else its questions and what to do next."""
    when = f"{local_minute(row.created_at)} · {row.mode} · {row.examiner}"
    rounds = f"round {row.round} of {row.rounds}" if row.status != "finished" else ""
    facts = " · ".join(filter(None, [when, rounds, row.status]))
    parts = [one_line(row.title, "bold"), plain(facts, "$text-muted")]
    if row.tags:
        parts.append(one_line(" ".join(f"#{tag}" for tag in row.tags), "$text-primary"))
    if hit:
        parts += [Content(""), *_said(hit)]
    if session and session.debrief:
        parts += [Content(""), *_questions(session.debrief)]
    elif row.headline and not hit:
        parts += [Content(""), one_line(f"Asked last: {row.headline}")]
    return _NEW_LINE.join(parts)


def _said(hit: SearchHit) -> Iterator[Content]:
    """The turn around the words, with the words lit."""
    turn = hit.turn
    first = max(0, (hit.spans[0][0] if hit.spans else 0) - AROUND)
    last = min(len(turn.text), (hit.spans[-1][1] if hit.spans else 0) + AROUND)
    who = "You" if turn.author == "candidate" else "Examiner"
    yield plain(f"{who}, {local_minute(turn.at)}", "bold")
    lit, at = [Content("…" if first else "")], first
    for start, end in hit.spans:
        if start >= at and end <= last:
            lit += [plain(turn.text[at:start]), plain(turn.text[start:end], FOUND)]
            at = end
    yield Content("").join(
        [*lit, plain(turn.text[at:last]), Content("…" * (last < len(turn.text)))]
    )


def _questions(debrief: Debrief) -> Iterator[Content]:
    bands = [q.grade.band for q in debrief.questions if q.grade and q.grade.band is not None]
    if bands:
        [steps] = course(bands, TOP_BAND, cells=60)
        told = f"  bands of {pluralize(len(bands), 'question')}, 0 to {TOP_BAND}"
        yield Content.styled(steps, "$text-primary") + plain(told, "$text-muted")
    for question in debrief.questions:
        head = plain(f"{question.number:>2}  ", "bold") + one_line(question.rubric.title)
        yield head + plain(f"  {document.result(question)}", "$text-muted")
    if tasks := document.to_do(debrief):
        yield Content("")
        yield Content.styled("Do next", "bold $text-primary")
        yield from map(content, tasks)


# -- which sessions to list, and in which order ---------------------------------------------------

ANY = ""
BANDS = {
    "below 1": (0.0, 1.0),
    "1 to 2": (1.0, 2.0),
    "2 to 3": (2.0, 3.0),
    "3 to 4": (3.0, 4.1),
}
DAYS = {"this week": 7, "this month": 31, "this year": 366}
STATES = {"finished": True, "unfinished": False}
ORDERS: dict[str, Order] = {
    "latest first": "latest",
    "oldest first": "oldest",
    "weakest first": "weakest",
    "best first": "best",
}


@dataclass(frozen=True)
class FilterChoices:
    """The choices as they read; "" is any, and for ``order`` the latest first."""

    plan: str = ANY
    topic: str = ANY
    band: str = ANY
    state: str = ANY
    when: str = ANY
    tag: str = ANY
    order: str = ANY

    @property
    def told(self) -> str:
        """The choices in a line, "" for none."""
        return " · ".join(filter(None, (getattr(self, each.name) for each in fields(self))))

    def filter(self, now: datetime) -> SessionFilter:
        """All but the topic, whose questions the files tell."""
        return SessionFilter(
            plan=self.plan,
            bands=BANDS.get(self.band),
            finished=STATES.get(self.state),
            since=now - timedelta(days=DAYS[self.when]) if self.when else None,
            tag=self.tag,
            order=ORDERS.get(self.order, "latest"),
        )


def filter_card(
    chosen: FilterChoices, plans: Sequence[str], topics: Sequence[str], tags: Sequence[str]
) -> FormCard:
    """A form of the choices."""
    known: dict[str, Sequence[str]] = {
        "plan": plans,
        "topic": topics,
        "band": tuple(BANDS),
        "state": tuple(STATES),
        "when": tuple(DAYS),
        "tag": tags,
    }
    rows = [
        Field(name, name.capitalize(), getattr(chosen, name), _choices("any", values))
        for name, values in known.items()
        if values
    ]
    first, *others = ORDERS
    order = Field("order", "Order", chosen.order, _choices(first, others))
    return FormCard("Which sessions?", [*rows, order], keep="Show", empty="Show all")


def _choices(otherwise: str, values: Iterable[str]) -> list[tuple[str, str]]:
    return [(otherwise, ANY), *((value, value) for value in values)]
