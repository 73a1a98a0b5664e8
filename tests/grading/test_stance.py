"""Whose view a candidate tells, and which of their own words they take back."""

from __future__ import annotations

import pytest

from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.stance import takes_back_figure, withdrawing_words


def takes_something_back(text: str) -> bool:
    parsed = ParsedAnswer(text)
    return withdrawing_words(parsed.plain.text, parsed.sentences) is not None


@pytest.mark.parametrize(
    "text",
    [
        "So the states take 112 GB. That's wrong, it's 104.",
        "That was not right, the batch was 512.",
        "I take back the ten days, it's 34.",
        "It is 28, well, not quite right, 26.",
        "Wait, maybe we had 64 cards in that run.",
        "Sorry, no, it was the validation loss.",
    ],
)
def test_what_was_said_before_is_taken_back(text: str) -> None:
    assert takes_something_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "People say the loss is averaged over the group, that's not true, it's summed.",
        "Many blogs claim that it always helps. That's not true.",
        "You usually hear that only batch norm breaks it. That's wrong for language models.",
        "I used to think it was noise. That's wrong.",
        "My boss thought it was the data; that was wrong, it was the seed.",
        "You said the bubble vanishes, that's not right.",
        "The idea that more rollouts always help, that's wrong.",
        "Voting gives what the model says most often; if that's wrong, more samples don't help.",
        "The usual formula is not quite right for packed batches.",
        "What actually happens is that it is not summed twice.",
        "The gain held as well as we had hoped, and probably it was the data.",
    ],
)
def test_calling_another_view_wrong_is_a_statement_like_any_other(text: str) -> None:
    assert not takes_something_back(text)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("It comes to 27.6 GB, no wait, 26.9 GB.", ["27.6 gb"]),
        ("It's 27.6, no, 26.9.", ["27.6"]),
        ("I'd say ten days, sorry, 34 days.", ["ten days"]),
        ("About 16 bytes per parameter, I mean 18.", ["16 bytes per parameter"]),
        ("It divides by the width. Scratch that. It divides by the root.", [
            "it divides by the width."
        ]),
        ("People say it's 28 GB. That's wrong, it's 14.", []),
        ("It takes 8 GPUs, no more than 9 in total.", []),
        ("It's 12 layers, wait, 24.", ["12 layers"]),
        ("The other 8 ranks wait 3 ms for the slow one.", []),
        ("I have 8 cards, no 16 GB ones.", []),
        ("Each has 8 cards, I mean the new ones.", []),
    ],
)  # fmt: skip
def test_the_last_word_counts(text: str, gone: list[str]) -> None:
    parsed = ParsedAnswer(text)
    assert [parsed.plain.text[a:b] for a, b in parsed.withdrawn] == gone


def test_a_later_answer_takes_back_the_figure_that_it_names() -> None:
    assert takes_back_figure("no, not ten days, it's 34 days", "on 1,024 cards about ten days")
    assert takes_back_figure("i take back the ten days", "on 1,024 cards about ten days")
    assert not takes_back_figure("i take back the ten days", "that needs 96 gb")
    assert takes_back_figure("i was wrong about the ten days", "about ten days")
    assert not takes_back_figure("sorry, no, on 64 cards it's 34 days", "64 cards share the load")
    assert not takes_back_figure("that is not one step, but many", "one step sums them")
    assert not takes_back_figure("ten days on 1,024 cards", "about ten days")
