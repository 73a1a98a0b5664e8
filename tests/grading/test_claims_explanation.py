"""Replies that explain numbers which seem to clash, and replies that do not."""

from __future__ import annotations

import pytest

from interviewer.grading.claims.explanation import explains
from interviewer.grading.parsed_answer import ParsedAnswer

SENTENCE = "By your numbers 20,000 steps × 4M tokens a step make 80B tokens; you said 400B tokens."


@pytest.mark.parametrize(
    "reply",
    [
        "We restarted from a checkpoint twice, and the counter began at zero again.",
        "Those were the steps of the second phase only.",
        "The difference is padding, we counted padded positions.",
        "That's with activation checkpointing, which is why the count is higher.",
        "I counted the code part twice.",
        "Because that is per node, and there were 5 of them.",
        "The 20,000 are since the batch went up to 16M.",
        "It's a mixture of experts.",
        "The cluster sat idle for most of March.",
        "The batch was ramped, it ended much higher.",
        "Not counting the first 80k steps, which ran elsewhere.",
        "There was another run before it, on the same data.",
        "No, the log includes evaluations.",
    ],
)
def test_a_cause_or_a_reason_with_another_number_explains(reply: str) -> None:
    assert explains(ParsedAnswer(reply), SENTENCE)


@pytest.mark.parametrize(
    "reply",
    [
        "No, that is how it was.",
        "Yes, I'm sure about both numbers.",
        "It was 400B tokens.",
        "Because it was very fast.",
        "Because we did 20,000 steps with 4M tokens.",
        "We never restarted and there was no padding.",
        "Maybe it was restarted, I don't know.",
        "Could it be padding?",
        "I think somebody counted twice.",
        "It wasn't a mixture of experts.",
        "Let me think. I stand by it.",
        "Right, one of the two must be wrong.",
        "That can't have been since the cluster was good.",
        "No idea, if it was resumed I'd have to look.",
        "We had a very good team and 12 coffees a day.",
        "",
    ],
)
def test_in_doubt_nothing_is_explained(reply: str) -> None:
    assert not explains(ParsedAnswer(reply), SENTENCE)
