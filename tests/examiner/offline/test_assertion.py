"""A misconception counts only where the candidate asserts it."""

from __future__ import annotations

import pytest
from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.offline.judge import judge
from interviewer.grading.transcript import exchange
from interviewer.rubric.rubric import Rating

RUBRIC = a_rubric(
    a_criterion(
        "states",
        claim="The states of the model take 112 GB in total",
        patterns=[["112", r"\bstates?\b"]],
        misconceptions=[
            {
                "claim": "Merging is free of loss.",
                "patterns": [r"\bmerg\w*[^.;]{0,30}(lossless|no loss|loses nothing)"],
            },
            {
                "claim": "The spot price is always lower.",
                "patterns": [r"\bspot\b[^.;]{0,20}\balways (lower|cheaper)"],
            },
            {
                "claim": "A ping shows that the network is fine.",
                "patterns": [r"\bping\b[^.;]{0,25}\b(proves?|enough)"],
            },
            {
                "claim": "The buffer is large and costs nothing.",
                "patterns": [r"\bbuffer\b[^.;]{0,15}\bis (?:big|large)|\bbuffers? (?:do )?harm"],
            },
            {
                "claim": "A test that finds nothing shows that the link is clean.",
                "patterns": [r"\bfind nothing\b[^.;]{0,40}\b(?:is|it's) clean"],
            },
            {
                "claim": "The total isn't 112 GB.",
                "patterns": [r"(isn't|not|never)( \w+){0,3} 112"],
            },
        ],
    )
)


def is_contradicted(answer: str) -> bool:
    found = judge(RUBRIC, exchange(RUBRIC.question, answer)).findings
    return any(finding.verdict is Rating.CONTRADICTED for finding in found)


@pytest.mark.parametrize(
    "answer",
    [
        "Merging into four bits is lossless, so we do that after every single run.",
        "I think merging the adapter loses nothing, as far as I know.",
        "In our cluster spot is always cheaper, I'm pretty sure.",
        "When the ping goes through, that ping proves the network works.",
        "For seven billion parameters it isn't quite 112 gigabytes altogether.",
        "Some say it is risky, but in fact spot is always cheaper for training.",
        "The buffer is big, I'd say, compared with everything else.",
        "The buffer as such is largest of all that we keep.",
        "Those buffers harmed us more than anything else in the run.",
        "Merging into four bits is lossless and your adapter is safe with it.",
    ],
)
def test_what_is_asserted_contradicts(answer: str) -> None:
    assert is_contradicted(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "The buffer alone is bigger than the whole of the adapter.",
        "In this setup the buffer is larger than what the weights take.",
        "As I see it these buffers harmlessly sit beside the weights.",
        # Other people's words, and views given up since.
        "People told me that spot is always cheaper, with all our preemptions.",
        "I used to think merging into four bits is lossless, like everyone here.",
        "A colleague of mine keeps saying that spot is always cheaper than the rest.",
        "You often hear that merging is lossless, in talks about adapters.",
        "The common mistake is to believe spot is always cheaper for training.",
        # Taken back.
        "Spot is always cheaper? No: count the work that each preemption costs.",
        "Spot is always cheaper, but that's not so if you count preemptions.",
        "Merging into four bits is lossless. That's a myth you find in blogs.",
        "Is merging into four bits lossless for adapters as small as these?",
        "The idea that merging an adapter is lossless is plainly wrong.",
        "I doubt that merging the adapter loses nothing at four bits.",
        # Denied by the verb, before, inside or behind what the pattern found.
        "Merging into a base of four bits isn't lossless, so compare outputs.",
        "If you are merging into four bits it isn't lossless any more.",
        "If we find nothing, it doesn't prove that the link is clean.",
        "Down here the spot price is hardly always lower, so merging is not it.",
        # Denied by its heading, or by what comes of it.
        "What goes wrong: spot is always cheaper, people run without checkpoints.",
        "The trap is that spot is always cheaper on paper, not in the end.",
        "If spot is always cheaper in your table, the table is meaningless.",
        # Of something else: the gap of the pattern reaches into another clause.
        "Spot gets taken away or it is always cheaper to wait for the night.",
        # Not committed to.
        "I can't say whether spot is always cheaper for jobs of our size.",
    ],
)
def test_what_is_reported_denied_or_taken_back_does_not(answer: str) -> None:
    assert not is_contradicted(answer)


def test_a_point_and_its_opposite_are_neither_credited_nor_called_wrong() -> None:
    both = (
        "The states take 112 GB in total, all of them together. And the buffer is big, by the way."
    )
    (found,) = judge(RUBRIC, exchange(RUBRIC.question, both)).findings
    assert found.verdict is Rating.NOT_MET
    assert found.vague
