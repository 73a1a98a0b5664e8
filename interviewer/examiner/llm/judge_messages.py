"""What the judge is sent: rules, answer key, transcript, and last which criteria to look at.

All looks of a judgement share everything but the last message, and over a question only the
transcript grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.batches import Batch
from interviewer.examiner.llm.bench_facts import rules, run_facts
from interviewer.examiner.llm.examples import examples
from interviewer.examiner.llm.messages import (
    CHARACTERS_PER_TOKEN,
    Message,
    as_json,
    as_json_text,
    fenced,
)
from interviewer.examiner.protocol import Case
from interviewer.grading.verdicts import Finding
from interviewer.rubric.rubric import Criterion

PROMPT_CHARACTERS = 3000 * CHARACTERS_PER_TOKEN
"""What a judge prompt should fit into: servers with a small context cut longer ones silently."""
TRANSCRIPT_CHARACTERS = 500 * CHARACTERS_PER_TOKEN
"""Kept free of examples, for the transcript."""
MOST_WORDINGS = 3
"""Of each kind a criterion. Pattern matching wants many, a model sees from a few what is meant, and
graded examples are worth more in the same room."""


def material(case: Case, batch: Batch) -> tuple[Message, ...]:
    """Rules, the answer key of the batch, the transcript: what every look at it begins with."""
    transcript = [
        {
            "turn": number,
            "author": turn.author,
            "kind": turn.kind.value,
            "text": turn.text,
            **run_facts(turn, case.turns),
        }
        for number, turn in enumerate(case.turns, start=1)
    ]
    return (
        Message("system", rules("judge", "judge_bench", case)),
        Message("user", _answer_key(case, batch)),
        Message("user", fenced("The transcript to judge", transcript, case)),
    )


def look_at(criteria: Iterable[str]) -> Message:
    """Which criteria to judge, in this order."""
    return Message("user", f"Judge these criteria, in this order:\n{as_json(list(criteria))}")


def quote_again(refused: Iterable[tuple[Finding, str]]) -> Message:
    """The findings whose quotes cannot stand, each with the reason."""
    entries = [
        {
            "id": finding.criterion,
            "evidence": finding.evidence,
            "verdict": finding.verdict.value,
            "problem": why,
        }
        for finding, why in refused
    ]
    return Message("user", f"{prompts.load('requote').text}\n{as_json(entries)}")


def repair_messages(
    asked: Sequence[Message], reply: str, problems: Iterable[str]
) -> tuple[Message, ...]:
    """The same request, the reply it brought, and what was wrong with that."""
    said = (Message("assistant", as_json_text(reply)),) if reply.strip() else ()
    complaint = f"{prompts.load('repair').text}\n{as_json(list(problems))}"
    return (*asked, *said, Message("user", complaint))


def _answer_key(case: Case, batch: Batch) -> str:
    rubric = case.rubric
    key: dict[str, object] = {
        "question": rubric.question,
        "reference": rubric.reference,
        "criteria": [_as_key(criterion) for criterion in batch.key],
    }
    used = len(rules("judge", "judge_bench", case)) + len(as_json(key)) + TRANSCRIPT_CHARACTERS
    said = {turn.text.strip() for turn in case.turns if turn.author == "candidate"}
    if chosen := examples(rubric, batch.ids, PROMPT_CHARACTERS - used, leave_out=said):
        key["examples"] = list(chosen)
    return f"The answer key, as JSON.\n{as_json(key)}"


def _as_key(criterion: Criterion) -> dict[str, object]:
    lists = {
        "accept": list(criterion.accept[:MOST_WORDINGS]),
        "reject": list(criterion.reject[:MOST_WORDINGS]),
        "misconceptions": [wrong.claim for wrong in criterion.misconceptions[:MOST_WORDINGS]],
    }
    filled = {name: entries for name, entries in lists.items() if entries}
    return {"id": criterion.id, "claim": criterion.claim, **filled}
