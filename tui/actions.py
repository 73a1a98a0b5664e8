"""Every action and its keys, in one table.

Bindings, footer, help, command palette, KEYS.md and the user's ``[keys]`` all come from here. Keys
are in Textual's spelling, separated by commas; the footer shows the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from textual.binding import ActiveBinding, Binding

if TYPE_CHECKING:
    from textual.app import App

    from interviewer.settings import Settings


class Action(NamedTuple):
    """Something the user can do. ``scope``: the screen or kind of widget it belongs to."""

    scope: str
    name: str
    """Its method is ``action_<name>``; the app's, if the name begins with "app."."""
    keys: str
    label: str
    """For the footer: one or two words."""
    help: str = ""
    """A sentence for the command palette and the tooltip; "" keeps it out of the palette."""
    footer: bool = True
    priority: bool = False
    """Takes precedence over the focused widget's own keys."""
    asks: bool = False
    """Asks first, or opens what can be left again: heard on a screen that is not yet read, too."""

    @property
    def id(self) -> str:
        """Its name in ``[keys]`` of config.toml."""
        return f"{self.scope}.{self.name.removeprefix('app.')}"

    @property
    def does(self) -> str:
        """What it does, in as many words as there are."""
        return self.help or self.label

    @property
    def binding(self) -> Binding:
        return Binding(
            self.keys,
            self.name,
            self.label,
            show=self.footer,
            priority=self.priority,
            tooltip=self.help,
            id=self.id,
        )


ACTIONS = (
    Action("home", "resume", "r", "Resume", "Continue the open interview", footer=False),
    Action("home", "weak", "w", "Weak spots", "Practise what cost you most", footer=False),
    Action("home", "due", "d", "Due today", "Repeat the questions that are due", footer=False),
    Action("home", "new", "n", "New mock", "Choose a plan and start"),
    Action("home", "mock", "t", "Three-round mock", "Three rounds and a verdict", footer=False),
    Action("home", "one", "o", "One question", "One question, graded at once", footer=False),
    Action("home", "bench", "b", "Bench", "Practise derivations and code, checked numerically"),
    Action("home", "questions", "u", "Questions", "Find a question: read, practise or edit it"),
    Action("home", "sessions", "s", "Sessions", "Past interviews: resume, read or delete them"),
    Action("home", "settings", "comma", "Settings", "Endpoint, theme, keys and clock"),
    Action("home", "app.quit", "q", "Quit", "Quit the program"),
    Action("setup", "start", "ctrl+s", "Start", "Start the interview", priority=True),
    Action("setup", "search", "slash", "Search", "Search all questions for one", footer=False),
    Action("back", "back", "escape", "Back", "Go back to the previous screen"),
    Action("failure", "retry", "f5", "Again", "Try the failed step again", priority=True),
    Action(
        "failure",
        "offline",
        "f7",
        "Offline",
        "Continue with the offline examiner",
        priority=True,
        asks=True,
    ),
    Action("challenges", "search", "slash", "Search", "Find challenges by their words"),
    Action("challenges", "unsolved", "n", "Next unsolved", "Go to the next unsolved challenge"),
    Action("bench", "run", "ctrl+r,f5", "Run", "Check your lines or your function", priority=True),
    Action("bench", "stop", "escape", "Stop", "Stop the running check"),
    Action(
        "bench",
        "submit",
        "ctrl+s,alt+enter",
        "Submit",
        "Submit what is on the bench as your answer",
        priority=True,
    ),
    Action("bench", "task", "f3", "Task", "Fold or unfold the task", priority=True),
    Action("bench", "grammar", "ctrl+l,alt+l", "Grammar", "Show how lines are written"),
    Action("bench_editor", "indent", "tab", "Indent", footer=False),
    Action("grammar", "close", "escape,enter,ctrl+l,alt+l", "Back", footer=False),
    Action("practice", "hint", "ctrl+t", "Hint", "Show the next hint for the task", priority=True),
    Action("practice", "solution", "ctrl+o", "Solution", "Show the worked solution", priority=True),
    Action("interview", "cancel", "escape", "Cancel", "Stop waiting for the examiner"),
    Action(
        "interview",
        "send",
        "ctrl+s,alt+enter",
        "Send",
        "Send your answer to the examiner",
        priority=True,
    ),
    Action(
        "interview",
        "hint",
        "ctrl+t",
        "Hint",
        "Ask for the next hint; the state line shows its price",
        priority=True,
    ),
    Action(
        "interview",
        "bench",
        "f9",
        "Bench",
        "Switch between the conversation and this question's bench",
        priority=True,
    ),
    Action(
        "interview",
        "dont_know",
        "f3",
        "Don't know",
        "Say that you don't know",
        priority=True,
    ),
    Action(
        "interview",
        "rephrase",
        "alt+r",
        "Rephrase",
        "Ask what is meant, in other words",
        footer=False,
        priority=True,
    ),
    Action(
        "interview",
        "said_that",
        "alt+y",
        "I said that",
        "Say that you said it before; all your answers are searched for it",
        footer=False,
        priority=True,
    ),
    Action(
        "interview",
        "edit",
        "ctrl+g",
        "In $EDITOR",
        "Write the answer in your own editor",
        footer=False,
        priority=True,
    ),
    Action(
        "interview",
        "question",
        "ctrl+o",
        "Whole question",
        "Show all of the question, or two lines",
        footer=False,
        priority=True,
    ),
    Action(
        "interview",
        "figure",
        "alt+o",
        "Figure",
        "Show the question's figure in full",
        footer=False,
        priority=True,
    ),
    Action(
        "interview",
        "notes",
        "alt+n",
        "Notes",
        "Go to your notes beside the conversation, or back",
        footer=False,
        priority=True,
    ),
    Action(
        "interview",
        "numbers",
        "alt+m",
        "Your numbers",
        "Strike a number of yours that was misread, or correct it",
        footer=False,
        priority=True,
    ),
    Action(
        "interview",
        "read_again",
        "alt+g",
        "Read the numbers again",
        "Read the numbers of those answers again that could not be read",
        footer=False,
        priority=True,
    ),
    Action("interview", "page_up", "pageup", "Page up", footer=False, priority=True),
    Action("interview", "page_down", "pagedown", "Page down", footer=False, priority=True),
    Action("interview", "pause", "f2", "Pause", "Stop the clock; resume later", priority=True),
    Action("interview", "skip", "f4", "Skip", "Skip this question", priority=True, asks=True),
    Action(
        "interview",
        "end_round",
        "f6",
        "End round",
        "End this round early",
        priority=True,
        asks=True,
    ),
    Action(
        "interview",
        "end_interview",
        "f8",
        "End",
        "End the interview and go to the debrief",
        footer=False,  # no room for it at 80 columns beside the bench
        priority=True,
        asks=True,
    ),
    Action(
        "answer",
        "newline",
        "ctrl+j,shift+enter",
        "New line",
        "Insert a new line, never send",
        footer=False,
    ),
    Action(
        "answer",
        "older",
        "alt+up,ctrl+up",
        "Earlier answer",
        "Recall an earlier answer",
        footer=False,
    ),
    Action(
        "answer", "newer", "alt+down,ctrl+down", "Later answer", "Go back from it", footer=False
    ),
    Action("answer", "cursor_down", "ctrl+n", "Down", footer=False),
    Action("answer", "cursor_left", "ctrl+b", "Left", footer=False),
    Action("answer", "cursor_right", "ctrl+f", "Right", footer=False),
    Action("number", "strike", "x", "Strike", "Strike this number: it was misread, or is wrong"),
    Action("number", "correct", "equals_sign,e", "Correct", "Put the right value in its place"),
    Action("number", "leave", "escape,alt+m", "Back", "Go back to your answer"),
    Action("figure", "values", "v", "Values", "Show the values as a table, or draw them"),
    Action("figure", "close", "escape,enter,q,alt+o", "Back"),
    Action("card", "go_on", "enter", "Continue"),
    Action("verdict", "retry", "r", "Try again", "Answer the same question once more"),
    Action("verdict", "drill", "d", "Drill", "Answer one question on the point you missed"),
    Action("verdict", "pause", "f2", "Pause", "Leave now and resume later"),
    Action("confirm", "yes", "y", "Yes", "Do it"),
    Action("confirm", "no", "n,escape", "No", "Change nothing"),
    Action("point", "settle", "m", "Your verdict", "Settle this point: said, not said, or neither"),
    Action("point", "appeal", "A", "Appeal", "Have the model judge this point again"),
    Action("debrief", "summary", "1", "Summary", "The verdict and what to do", footer=False),
    Action("debrief", "questions", "2", "Questions", "Each criterion and quote", footer=False),
    Action("debrief", "study", "3", "Study", "What to learn, to tick off", footer=False),
    Action("debrief", "numbers", "4", "Numbers", "The numbers you stated", footer=False),
    Action("debrief", "costliest", "c", "Costliest", "Go to the point that cost you most"),
    Action("debrief", "practise", "p", "Practise", "Answer this question again now"),
    Action("debrief", "transcript", "t", "Transcript", "Show the turn where you said this"),
    Action("debrief", "source", "o", "Source", "Open the source in a browser"),
    Action("debrief", "copy", "y", "Copy", "Copy this row, or the whole debrief"),
    Action("debrief", "export", "e", "Export", "Save the session as Markdown"),
    Action("debrief", "expand_all", "a", "Unfold", "Open or close all sections", footer=False),
    Action("debrief", "next", "j,down", "Down", footer=False),
    Action("debrief", "previous", "k,up", "Up", footer=False),
    Action("debrief", "first", "g,home", "Top", footer=False),
    Action("debrief", "last", "G,end", "Bottom", footer=False),
    Action("debrief", "next_tab", "l,right_square_bracket", "Next tab", footer=False),
    Action("debrief", "previous_tab", "h,left_square_bracket", "Previous tab", footer=False),
    Action("row", "choose", "enter", "Open", "Show the criterion or the turn", footer=False),
    Action("study", "tick", "space,x", "Tick", "Tick this off, or untick it"),
    Action("page", "page_down", "pagedown,space", "Page down", footer=False),
    Action("page", "page_up", "pageup", "Page up", footer=False),
    Action("page", "half_page_down", "ctrl+d", "Half a page down", footer=False),
    Action("page", "half_page_up", "ctrl+u", "Half a page up", footer=False),
    Action("sessions", "transcript", "t", "Transcript", "Read the session turn by turn"),
    Action("sessions", "delete", "d,delete", "Delete", "Delete the session permanently"),
    Action("search", "to_list", "down,enter", "To the list", footer=False),
    Action("search", "empty", "escape", "Clear", "Clear the search, then leave it"),
    Action("questions", "search", "slash", "Search", "Find questions by their words"),
    Action("questions", "filter", "f", "Filter", "Choose round, topic, difficulty and kind"),
    Action("questions", "practise", "p", "Practise", "Answer this question now"),
    Action("questions", "mark", "m", "Mark", "Put this question into a mock of your own"),
    Action("questions", "start", "s", "Mock", "Start a mock of the marked questions"),
    Action("questions", "answers", "a", "Answers", "Show or hide criteria, hints and answer"),
    Action("questions", "answer", "w", "Write answer", "Write the answer that it still lacks"),
    Action("questions", "edit", "e", "Edit", "Edit this question"),
    Action("questions", "new", "n", "New", "Write a question of your own"),
    Action("questions", "duplicate", "d", "Duplicate", "Copy it into your own", footer=False),
    Action("questions", "import", "i", "Import", "Import a list of questions", footer=False),
    Action("questions", "delete", "delete", "Delete", "Delete a question of yours", footer=False),
    Action("questions", "mine", "1", "Mine", "Only your own questions", footer=False),
    Action("questions", "weak", "2", "Weak", "Only those you last failed", footer=False),
    Action("questions", "never_asked", "3", "Never asked", "Only new ones", footer=False),
    Action("questions", "due", "4", "Due", "Only those due today", footer=False),
    Action("questions", "marked", "5", "Marked", "Only the marked ones", footer=False),
    Action("questions", "clear", "x", "Show all", "Clear search and filters", footer=False),
    Action("questions", "unmark", "u", "Unmark all", "Take all marks away", footer=False),
    Action("questions", "reload", "f5", "Reload", "Read the files again", footer=False),
    Action("filter", "tick", "space", "Tick", footer=False),
    Action("report", "again", "e", "Edit again", "Edit the file again"),
    Action("unanswered", "save", "ctrl+s", "Save", "Save the answer", priority=True),
    Action("unanswered", "draft", "f5", "Model drafts", "Have the model draft it", priority=True),
    Action("rubric", "save", "ctrl+s", "Save", "Save the file, sound or not", priority=True),
    Action("rubric", "revert", "ctrl+r", "Revert", "Go back to what is in the file", priority=True),
    Action("list", "select", "enter", "Open or choose", footer=False),
    Action("list", "cursor_down", "j,down", "Down", footer=False),
    Action("list", "cursor_up", "k,up", "Up", footer=False),
    Action("list", "first", "g,home", "First", footer=False),
    Action("list", "last", "G,end", "Last", footer=False),
    Action("list", "half_page_down", "ctrl+d", "Half a page down", footer=False),
    Action("list", "half_page_up", "ctrl+u", "Half a page up", footer=False),
    Action("list", "page_down", "pagedown", "Page down", footer=False),
    Action("list", "page_up", "pageup", "Page up", footer=False),
    Action("scroll", "scroll_down", "j,down", "Down", footer=False),
    Action("scroll", "scroll_up", "k,up", "Up", footer=False),
    Action("scroll", "scroll_home", "g,home", "Top", footer=False),
    Action("scroll", "scroll_end", "G,end", "Bottom", footer=False),
    Action("scroll", "half_page_down", "ctrl+d", "Half a page down", footer=False),
    Action("scroll", "half_page_up", "ctrl+u", "Half a page up", footer=False),
    Action("scroll", "page_down", "pagedown", "Page down", footer=False),
    Action("scroll", "page_up", "pageup", "Page up", footer=False),
    Action("choice", "next_button", "j,l,down,right", "Next", footer=False),
    Action("choice", "previous_button", "k,h,up,left", "Previous", footer=False),
    Action("choice", "toggle_button", "enter,space", "Choose", footer=False),
    Action("help", "close", "escape,q", "Close", footer=False),
    Action("keys", "add", "a", "Add a key", "Keep its keys, and add another"),
    Action("keys", "reset", "backspace,delete", "Default", "Give it its own keys again"),
    Action("keys", "search", "slash", "Search", "Search by what it does, id or key"),
    Action("clash", "swap", "s", "Swap", "Give the other one the keys that are free now"),
    Action("clash", "both", "b", "Keep both", "Leave the key to both"),
    Action("clash", "cancel", "c,escape", "Cancel", "Change nothing"),
    Action("jump", "cancel", "escape", "Stay", footer=False),
    Action(
        "app", "toggle_help", "f1,question_mark", "Keys", "Show or hide the keys of this screen"
    ),
    Action(
        "app",
        "command_palette",
        "ctrl+p",
        "palette",  # as Textual's footer writes it
        "Find anything: screens, plans, questions, sessions, themes",
        footer=False,
        priority=True,
        asks=True,
    ),
    Action("settings", "test", "f5", "Test", "Test the connection to the endpoint"),
    Action("settings", "keys", "f6", "All keys", "See and change all keys"),
    Action("settings", "doctor", "f7", "Doctor", "Check everything on this machine"),
    Action(
        "app",
        "jump",
        "ctrl+l,alt+j",  # at the bench the first one shows the grammar
        "Jump",
        "Show a letter on each part of the screen; typing it goes there",
        footer=False,
    ),
    Action(
        "app",
        "settings",
        "f10",
        "Settings",
        "Endpoint, theme, keys and clock",
        footer=False,
        asks=True,
    ),
    Action(
        "app",
        "quit",
        "ctrl+q,ctrl+c",
        "Quit",
        "Save what you typed and quit",
        footer=False,
        asks=True,  # in an interview
    ),
)
BY_ID = {action.id: action for action in ACTIONS}
ASKING = frozenset(action.id for action in ACTIONS if action.asks)
HELP_KEY = BY_ID["app.toggle_help"].binding
"""For dialogues too, where the app's other keys do nothing."""
EVERYWHERE = "Everywhere"
HEADINGS = {
    "home": "Home",
    "setup": "New mock",
    "failure": "After a failed step",
    "challenges": "Challenges",
    "bench": "Bench",
    "bench_editor": "In the bench's editor",
    "grammar": "On the bench's grammar card",
    "practice": "Bench alone",
    "interview": "Interview",
    "answer": "In the answer",
    "number": "On a number of yours",
    "figure": "On a figure",
    "card": "On a card",
    "verdict": "On a verdict",
    "confirm": "Yes or no",
    "debrief": "Debrief",
    "point": "On a point",
    "row": "On a row",
    "study": "In the study list",
    "page": "In a page",
    "sessions": "Sessions",
    "questions": "Questions",
    "search": "In the search",
    "filter": "In the filters",
    "unanswered": "In the answer to a question of yours",
    "rubric": "In the editor of a question",
    "report": "On a report",
    "list": "In a list",
    "scroll": "In a text",
    "choice": "In a choice",
    "settings": "Settings",
    "help": "In the help",
    "keys": "Keys",
    "clash": "When two actions want a key",
    "jump": "While letters are shown",
    "back": EVERYWHERE,
    "app": EVERYWHERE,
}
"""What people read in place of a scope."""
AWAY_FROM_BENCH = frozenset(
    {"send", "dont_know", "skip", "end_round", "end_interview", "edit", "page_up", "page_down"}
)
"""Actions of the interview that wait while the bench has the focus, since it uses their keys."""
ENTER_SENDS = {
    "interview.send": "ctrl+s",
    "answer.newline": "alt+enter,ctrl+j,shift+enter",
}
"""The keymap for ``send_key = "enter"``; the answer editor handles Enter itself."""


def bindings(*scopes: str) -> list[Binding]:
    """The bindings of these scopes, in table order."""
    return [action.binding for action in ACTIONS if action.scope in scopes]


def in_table_order(active: dict[str, ActiveBinding]) -> dict[str, ActiveBinding]:
    """This table's bindings in its order, then the others."""
    order = {action.id: place for place, action in enumerate(ACTIONS)}
    places = sorted(
        active.items(), key=lambda item: order.get(item[1].binding.id or "", len(order))
    )
    return dict(places)


def keymap(settings: Settings) -> dict[str, str]:
    """The keys that differ from the table: by ``send_key``, then by the user's ``[keys]``."""
    return {**(ENTER_SENDS if settings.send_key == "enter" else {}), **settings.keys}


def shown_keys(app: App[Any], settings: Settings, action_id: str) -> list[str]:
    """An action's keys as configured, written as in the footer."""
    binding = BY_ID[action_id].binding
    keys = keymap(settings).get(action_id, binding.key).split(",")
    return [app.get_key_display(binding.with_key(key.strip())) for key in keys]
