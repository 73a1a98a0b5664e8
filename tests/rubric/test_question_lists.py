"""Question lists of every format: what is taken as a question, what is named and left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from interviewer.errors import RubricFileError
from interviewer.rubric.importing import LARGEST_LIST, MOST_QUESTIONS, read_list
from interviewer.rubric.markdown_lists import questions_of_markdown
from interviewer.rubric.question_lists import Item, Question, Skipped

Read = Callable[[str, str | bytes], tuple[Item, ...]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read(name: str, content: str | bytes) -> tuple[Item, ...]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_list(path).items

    return read


def asked(items: tuple[Item, ...]) -> list[tuple[int, str, str]]:
    return [(q.line, q.question, q.answer) for q in items if isinstance(q, Question)]


def test_a_table_with_a_header_takes_its_columns_by_name(read: Read) -> None:
    table = (
        "\ufeffID,Topic,Question,Difficulty,Answer,Note\r\n"
        'lora-rank,fine tuning,"Which rank, and why?",easy,"It depends.\nOn the data.",x\r\n'
        ",,Why warm up?,,,\r\n"
    )
    first, second = read("q.csv", table)
    assert first == Question(
        2, "Which rank, and why?", "It depends.\nOn the data.", "lora-rank", "fine tuning", "easy"
    )
    assert second == Question(4, "Why warm up?")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_told_from_the_table(read: Read, delimiter: str) -> None:
    rows = ["Why warm up", "What is Adam, in short", "How large"]
    answers = ["Adam is noisy; early.", "Two | moments", "7, 13, 70"]
    lines = [f'"{q}"{delimiter}"{a}"' for q, a in zip(rows, answers, strict=True)]
    found = asked(read("q.csv", "\n".join(lines)))
    assert found == [(n, q, a) for n, (q, a) in enumerate(zip(rows, answers, strict=True), 1)]


def test_an_enormous_cell_costs_its_own_row_only(read: Read) -> None:
    table = f"question,answer\nHuge?,{'x' * 200_000}\nWhy?,So.\n"
    skipped, kept = read("q.csv", table)
    assert isinstance(skipped, Skipped)
    assert (skipped.line, "is not a table row" in skipped.why) == (2, True)
    assert kept == Question(3, "Why?", "So.")


@pytest.mark.parametrize(
    "head",
    ["Prompt,Expected", "Interview question,Model answers", "Questions,Key points", "front,back"],
)
def test_columns_are_known_by_their_usual_names(read: Read, head: str) -> None:
    question = Question(2, "Why warm up?", "Noise, at first.")
    assert read("q.csv", f'{head}\nWhy warm up?,"Noise, at first."\n') == (question,)


@pytest.mark.parametrize("name", ["q.csv", "q.md"])
def test_answers_in_a_column_of_another_name_are_told(read: Read, name: str) -> None:
    table = "question | Erwartung\nWhy warm up? | Noise at first.\n"
    if name == "q.md":
        table = table.replace("\n", "\n--- | ---\n", 1)
    head, question = read(name, table.replace(" | ", ",") if name == "q.csv" else table)
    assert isinstance(head, Skipped)
    assert (head.line, "not read: Erwartung" in head.why) == (1, True)
    assert [each[1:] for each in asked((question,))] == [("Why warm up?", "")]


def test_a_quote_that_is_not_closed_costs_its_own_line_only(read: Read) -> None:
    table = 'question,answer\n"Why, and when?,Noise.\nWhy decay?,"At last,\nto settle."\n'
    assert read("q.csv", table) == (
        Skipped(2, "opens a quote that is not closed; check its quotes"),
        Question(3, "Why decay?", "At last,\nto settle."),
    )
    *_, last = read("q.csv", 'a",",\n' * 2000)
    assert isinstance(last, Skipped)
    assert "are not read" in last.why


JSON = """\
[
  {"Question": "Why warm up?", "answer": ["Noise", "Early steps"], "Topic": "adam", "id": 7},
  "Why decay?",
  12,
  {"prompt": "When?", "level": "senior", "tags": {"a": 1}}
]
"""


def test_a_json_list_is_read_by_its_fields(read: Read) -> None:
    expected = (
        Question(2, "Why warm up?", "- Noise\n- Early steps", "7", "adam"),
        Question(3, "Why decay?"),
        Skipped(4, "is neither a question nor an object with a field 'question'"),
        Question(5, "When?", difficulty="senior"),
    )
    assert read("q.json", JSON) == expected
    assert read("q.json", f'{{"questions": {JSON}}}') == expected
    lines = '{"question": "Why?", "answer": "So."}\n\n{"question": "When?"}\n'
    assert asked(read("q.jsonl", lines)) == [(1, "Why?", "So."), (3, "When?", "")]


@pytest.mark.parametrize("rest", ['{"question": "When', "nonsense", "[" * 100_000])
def test_where_json_breaks_off_is_told_and_what_came_before_is_kept(read: Read, rest: str) -> None:
    question, fault = read("q.json", f'[{{"question": "Why?"}},\n{rest}')
    assert question == Question(1, "Why?")
    assert isinstance(fault, Skipped)
    assert (fault.line, "is not JSON from here on" in fault.why) == (2, True)


CROWD_ANKI = """\
{"__type__": "Deck", "children": [{"notes": [
  {"fields": ["What is <b>LoRA</b>?", "Low rank"], "note_model_uuid": "basic"}]}],
 "note_models": [
  {"crowdanki_uuid": "basic", "flds": [{"name": "Front"}, {"name": "Back"}]},
  {"crowdanki_uuid": "own",
   "flds": [{"name": "Source"}, {"name": "Answer"}, {"name": "Question"}]}],
 "notes": [
  {"fields": ["a book", "Yes", "Is it?"], "note_model_uuid": "own"}]}
"""


def test_a_deck_of_crowdanki_is_read_by_the_fields_of_its_notes(read: Read) -> None:
    assert asked(read("deck.json", CROWD_ANKI)) == [
        (2, "What is LoRA?", "Low rank"),
        (8, "Is it?", "Yes"),
    ]
    (broken,) = read("deck.json", CROWD_ANKI[:300])
    assert isinstance(broken, Skipped)


ANKI = """\
#separator:tab
#html:true
#guid column:1
#tags column:4
a1\tWhat is <b>LoRA</b>?\t"Two <i>thin</i> matrices:<br><ul><li>A &lt; d</li><li>B</li></ul>"\ttag
a2\t<script>alert(1)</script>Why &amp; when?[sound:x.mp3]\t<img src=x onerror=alert(1)>Always\t
a3\tThe rank is {{c1::8}}\t\t
a4\t\tno front\t
"""


def test_an_anki_export_is_read_as_text(read: Read) -> None:
    lora, when, cloze, empty = read("deck.txt", ANKI)
    assert lora == Question(5, "What is LoRA?", "Two thin matrices:\n- A < d\n- B")
    assert when == Question(6, "Why & when?", "Always")
    assert cloze == Skipped(7, "is a cloze note, which asks nothing")
    assert empty == Skipped(8, "has no text on its front")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("q.csv", b"question\0answer", "is not a text file"),
        ("q.csv", "été été é".encode() + b"\xe9", "is not UTF-8 text"),
        ("q.csv", "question,answer\n", "contains no question"),
        ("q.md", "", "contains no question"),
        ("q.xlsx", b"PK\x03\x04", "has no ending that says its format"),
        ("q.csv", b"x" * (LARGEST_LIST + 1), "is larger than 10 MB"),
        ("q.csv", "q\n" * (MOST_QUESTIONS + 1), "contains more than 5000 questions"),
    ],
    ids=["binary", "damaged", "no rows", "nothing", "no format", "too large", "too many"],
)
def test_what_is_no_question_list_is_refused_in_a_sentence(
    read: Read, name: str, content: str | bytes, sentence: str
) -> None:
    with pytest.raises(RubricFileError, match=sentence) as caught:
        read(name, content)
    assert "\n" not in str(caught.value)


LISTS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("lists.yaml").read_text("utf-8"))
SHOWN = ("line", "question", "answer", "shown", "section", "difficulty", "follow_ups", "hints")


@pytest.mark.parametrize("name", LISTS)
def test_each_shape_is_read_whole_and_what_is_left_out_is_named(name: str) -> None:
    items = list(questions_of_markdown(LISTS[name]["text"]))
    found = [{f: getattr(q, f) for f in SHOWN} for q in items if isinstance(q, Question)]
    wanted = [{"answer": "", "shown": "", "section": "", **q} for q in LISTS[name]["questions"]]
    for each in wanted:
        each["follow_ups"], each["hints"] = map(
            tuple, (each.get("follow_ups", ()), each.get("hints", ()))
        )
        each.setdefault("difficulty", "")
    assert found == wanted
    left_out = [f"{i.line}: {i.why}" for i in items if not isinstance(i, Question)]
    assert left_out == LISTS[name].get("left_out", [])


@pytest.mark.parametrize("name", LISTS)
def test_every_line_with_words_is_taken_or_reported(name: str) -> None:
    """One word put in anywhere outside code comes back in a question or a report."""
    lines = LISTS[name]["text"].split("\n")
    for at in range(len(lines) + 1):
        text = "\n".join([*lines[:at], "", "Zyzzyva stands here.", "", *lines[at:]])
        found = list(questions_of_markdown(text))
        assert not found or "Zyzzyva" in repr(found), at


@pytest.mark.parametrize(
    "answer", ["Young's formula: the interval.", "The answer: no.", "See plan A. Then B."]
)
def test_a_label_of_the_answer_stands_at_its_beginning(answer: str) -> None:
    assert list(questions_of_markdown(f"## Why?\n{answer}\n")) == [Question(1, "Why?", answer)]
