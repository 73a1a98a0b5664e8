"""The transcript as Markdown: what stands in it, and that nothing typed can break it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.replays import Recorder, a_finished_session
from support.rubrics import a_rubric

from interviewer.examiner.protocol import Move, MoveKind
from interviewer.grading.verdicts import Verdict
from interviewer.interview.debrief import debrief
from interviewer.interview.journal import Replay
from interviewer.report.plain import printable
from interviewer.report.text import fenced, quoted, transcript_markdown, transcript_page
from interviewer.rubric.rubric import Rating

GOLDEN = Path(__file__).parent / "transcript.md"

MARKUP = st.text(
    st.sampled_from(list("ab 1\n\t\\`*_{}[]()<>#+-=.!|~&$:/\"'\r\x1b\u202e\u2028\u00a0é"))
    | st.characters(exclude_categories=["Cs"]),
    max_size=40,
)


def written(replay: Replay) -> str:
    return transcript_markdown(replay, debrief(replay.state, replay.rubrics))


def parsed(markdown: str) -> list[Token]:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)


def visible(tokens: list[Token]) -> str:
    """The text of all inline tokens, spaces single; fails if there is any markup in it."""
    told = []
    for token in tokens:
        for child in token.children or []:
            assert child.type in {"text", "text_special", "softbreak", "hardbreak"}, child
            told.append(child.content or " ")
    return " ".join("".join(told).split())


def test_the_transcript_is_the_golden_one() -> None:
    assert written(a_finished_session()) == GOLDEN.read_text("utf-8")


@given(MARKUP)
@example("```\n````\n")
@example("`````")
def test_a_fence_holds_whatever_is_in_it(text: str) -> None:
    [fence] = parsed(fenced(text))
    assert fence.type == "fence"
    assert fence.content == printable(text) + "\n"


@given(MARKUP)
@example("1. one\n2) two\n- three\n+ four\n===\n---\n# five\n> six\n    seven\n<b>\n&amp;")
@example("[a]: http://b\n![x](y) <http://z>")
@example("| a | b |\n|---|---|\n| c | d |")
def test_a_quote_holds_text_and_no_markup(text: str) -> None:
    tokens = parsed("\n".join(["before", "", quoted(text), "", "after"]))
    blocks = {token.type.removesuffix("_open") for token in tokens if token.nesting == 1}
    assert blocks <= {"paragraph", "blockquote"}
    told = visible(tokens).removeprefix("before").removesuffix("after")
    assert "".join(told.split()) == "".join(printable(text).split())


@given(MARKUP)
def test_no_answer_changes_the_outline_of_the_document(text: str) -> None:
    recorder = Recorder(a_rubric())
    recorder.say(text)
    recorder.follow_up(Move(MoveKind.PROBE, "alpha"), text)
    recorder.say(f"First alpha decides it. {text}")
    recorder.judge(Verdict("alpha", Rating.MET, f"First alpha decides it. {text}"))
    recorder.close()
    recorder.finish()
    tokens = parsed(written(recorder.replay()))
    headings = [tokens[i + 1].content for i, t in enumerate(tokens) if t.type == "heading_open"]
    told = [heading.split(":")[0].split(" (")[0] for heading in headings]
    numbers = [title for title in told if title == "Figures from your own runs, as they were read"]
    talk = [title for title in told if title == "During the interview"]
    assert told == [
        "Letters",
        "Do next",
        *talk,
        "Recommendation by what was heard",
        "Doubts",
        "Yours to mark, heaviest first",
        "Round 1",
        "Question 1",
        "Verdict",
        *numbers,
    ]
    assert max(map(len, (numbers, talk))) <= 2
    assert [token.type for token in tokens].count("fence") == 2
    assert not [token for token in tokens if token.type == "html_block"]


class Page(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(" ".join([tag, *(name for name, _ in attrs)]))

    def handle_data(self, data: str) -> None:
        self.text += data


OUTLINE = {
    *("html lang", "head", "meta charset", "meta http-equiv content", "meta name content", "title"),
    *("style", "body", "h1", "h2", "h3", "h4", "p", "ul", "li", "strong", "blockquote", "pre"),
    *("code", "code class", "br"),
}


@given(MARKUP)
@example("<script>alert(1)</script><img src=x onerror=alert(1)> [a](javascript:b) ![c](d) &lt;")
@example("`</code></pre><b>` **bold** <http://z> | a |\n|---|\n| <i>")
def test_nothing_said_becomes_markup_of_the_page(text: str) -> None:
    recorder = Recorder(a_rubric(title=f"Greek {text}", reference=f"alpha {text}"), "practice")
    recorder.say(text)
    recorder.follow_up(Move(MoveKind.PROBE, "alpha"), text)
    recorder.say(f"First alpha decides it. {text}")
    recorder.judge(Verdict("alpha", Rating.MET, f"First alpha decides it. {text}"))
    recorder.close()
    replay = recorder.replay()
    page = Page(transcript_page(replay, debrief(replay.state, replay.rubrics)))
    assert page.tags <= OUTLINE
    told = "".join(f"First alpha decides it. {printable(text)}".split())
    assert told in "".join(page.text.split())
