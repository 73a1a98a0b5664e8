"""The commented starter of a plan: two rounds that can be held, to be written over."""

from __future__ import annotations

from interviewer.rubric.rendering import rendered

_BODY = """\
# What the list of plans says about it.
description: >-
  Four questions in half an hour: two drawn from pre-training, then one that is always asked and
  one drawn from distributed training.
# Held in this order, each with its own clock and its own person opposite.
rounds:
  - id: warm-up
    title: Warm-up
    # Who asks. The manner shapes the tone and never the rules.
    persona:
      name: Noor
      manner: Calm and plain. Leaves time to think, and wants a reason with every answer.
    # For all questions of the round together.
    minutes: 12
    # The most follow-ups to one question, hints included.
    follow_ups: 3
    count: 2
    # Drawn anew every time. Each list that is given has to name the rubric's own value:
    # rounds, topics, difficulty (easy, medium, hard), kinds. Without lists all may be drawn.
    pick:
      rounds: [transformer]
      difficulty: [easy, medium]
  - id: deep-dive
    title: Deep dive
    persona:
      name: Viktor
      manner: Patient and exact. Stays with a number until it is clear where it comes from.
    minutes: 18
    follow_ups: 4
    count: 2
    # Always asked, in this order, by the ids that 'interviewer rubrics list' shows. What then
    # lacks to count is drawn.
    ask: [zero-memory-arithmetic]
    pick:
      rounds: [distributed]
"""


def plan_starter(plan_id: str, *, title: str, schema: str) -> str:
    """The starter as the text of a file; ``schema`` is the address that editors read."""
    head = rendered(
        {"id": plan_id, "version": 1, "title": title},
        heading=[
            f"yaml-language-server: $schema={schema}",
            "A small plan that works as it stands. Put yours in its place;",
            "'interviewer plans lint' says what does not hold together, and",
            f"'interviewer run --plan {plan_id}' holds it.",
        ],
        notes={
            "id": ["The plan's name for good: sessions keep it."],
            "version": ["Raise it when the plan becomes another one."],
        },
    )
    return head + _BODY
