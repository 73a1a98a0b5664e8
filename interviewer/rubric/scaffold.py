"""The commented starter rubric and the JSON schemas for editors."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Container
from typing import Any

from pydantic import BaseModel

from interviewer.content.files import rendered
from interviewer.errors import RubricFileError
from interviewer.rubric.rubric import Rubric

LONGEST = 48
MOST_WORDS = 6
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_EMPTY = """
    a an and are as at be by can could describe did do does explain for from give has have how i if
    in is it its me of on or please so some tell that the their them then there these they this to
    use used was we what when where which who why will with would you your
"""
_EMPTY_WORDS = frozenset(_EMPTY.split())


def slug_of(text: str, taken: Container[str] = (), *, otherwise: str = "question") -> str:
    """An id of the text's first telling words that is not taken yet.

    ``otherwise`` is used for a text without Latin letters or digits.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    telling = [word for word in words if word not in _EMPTY_WORDS] or words
    slug = ""
    for word in telling[:MOST_WORDS]:
        longer = f"{slug}-{word}" if slug else word[:LONGEST]
        if len(longer) > LONGEST:
            break
        slug = longer
    if len(slug) < 2:
        slug = f"{otherwise}-{slug}" if slug else otherwise
    return free_slug(slug, taken)


def is_slug(text: str) -> bool:
    """The text can be an id as it is."""
    return bool(_SLUG.fullmatch(text)) and 2 <= len(text) <= 80


def require_slug(text: str, what: str) -> str:
    """The text, if it can be an id; raises RubricFileError with one that can."""
    if is_slug(text):
        return text
    raise RubricFileError(
        f"{text!r} cannot be {what}: it has 2 to 80 lower-case letters, digits and single hyphens, "
        f"as in {slug_of(text)!r}."
    )


def free_slug(slug: str, taken: Container[str]) -> str:
    """The id, with a number where it is taken."""
    number, free = 1, slug
    while free in taken:
        number += 1
        free = f"{slug}-{number}"
    return free


RUBRIC_SCHEMA = "rubric.schema.json"
"""The schema's file name, beside the rubrics."""

_ONE_TEXT = {"type": "string", "minLength": 1}


def rubric_schema() -> dict[str, Any]:
    """The schema, including the short forms that the loader takes.

    One pattern may stand for an all-of list of one, and a misconception's claim for the whole of
    it; the model itself only knows the long forms.
    """
    schema = schema_of(Rubric)
    criterion = schema["$defs"]["Criterion"]["properties"]
    misconception = schema["$defs"]["Misconception"]["properties"]
    for short in (
        criterion["patterns"],
        criterion["partly"],
        criterion["misconceptions"],
        misconception["patterns"],
    ):
        short["items"] = {"anyOf": [_ONE_TEXT, short["items"]]}
    return schema


def rubric_schema_text() -> str:
    """The schema as it stands in ``rubrics/rubric.schema.json``."""
    return as_file(rubric_schema())


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a file that holds this model, with the dialect that it is written in."""
    return model.model_json_schema() | {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def as_file(schema: dict[str, Any]) -> str:
    """The schema as the text of its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


_BODY = r"""# easy, medium or hard
difficulty: easy
# derivation, concept, comparison, debugging, design, project, estimation or pseudocode
kind: concept
# What the candidate reads.
question: >-
  Why do you shuffle the training examples before every epoch, and what has to be kept so that a
  run that was interrupted can go on?
# What a very good answer says, as it would be spoken. Shown in the debrief, never during a mock.
reference: >-
  Files are usually sorted somehow, by source or by date. Read in that order, consecutive batches
  look alike and the gradient is biased towards whatever the file holds at that place. To go on
  after a crash I store the seed of the shuffle and the position in it with the checkpoint, or
  the run sees some examples twice and others never.
# The points that the answer is judged by, one proposition each. Two to six are enough.
criteria:
  - id: biased-batches
    # What has to be said, in one sentence. Nothing here is shown before the debrief.
    claim: Read in file order, neighbouring batches resemble each other and bias the gradient.
    # Shares of the score, compared with the other weights. Above 0, at most 10.
    weight: 3
    # fact, mechanism, number, tradeoff, pitfall or experience: what follow-ups ask for.
    kind: mechanism
    # Without it the whole question is worth half at most. Leave it out for the other points.
    must_have: true
    # Other ways to say it, as people speak. They count in full.
    accept:
      - Sorted data means that examples next to each other are correlated, and so are the updates.
    # What sounds like it and is not enough.
    reject:
      - Shuffling is good for generalisation.
    # Statements that contradict the claim, with patterns by which the offline examiner sees them.
    misconceptions:
      - claim: Shuffling only matters for speed.
        patterns: ['\bonly (matters|helps|is there) for (the )?(speed|throughput)']
    # For the offline examiner. Each entry is one alternative; an entry that is a list wants all of
    # its patterns within two sentences. RE2 syntax, case ignored, single quotes around them.
    # {same}, {split} and others stand for many words each; your own go under 'terms:'.
    patterns:
      - - '\b(neighbour|consecutive|successive|adjacent|next to each other|sorted|file order)\w*'
        - '\b(bias|skew|correlat|pull|drift)\w*'
    # The follow-up where the point did not come up: one question that does not answer itself.
    probe: What would the first thousand updates look like if you read the file from top to bottom?
    # Two hints: where to look, then the relation. Neither says the claim or its numbers.
    hints:
      - Think about how such a file came to be.
      - Compare two updates in a row, in either way of reading.
  - id: seed-and-position
    claim: A resumed run needs the seed of the order together with the place reached in it.
    weight: 2
    kind: mechanism
    accept:
      - I save the state of the random generator and how far the loader had come.
    misconceptions:
      - claim: Nothing has to be kept.
        patterns: ['\b(need|keep|store)s? (neither|nothing|no (seed|state|position))\b']
    patterns:
      - - '\b(seed|generator|random state|rng)\b'
        - '\b(position|place|offset|index|cursor|how far|where it was)\b'
    # What goes part of the way, for the offline examiner.
    partly:
      - '\b(seed|generator|random state|rng)\b'
    probe: Your job dies in the middle of an epoch; what does the loader read from the checkpoint?
    hints:
      - Ask yourself what would make two runs read alike.
      - An order alone is not enough; something says what of it is done.
# Harder variants, for those who had everything. One question each.
escalations:
  - What changes when the data no longer fit on one disk and every worker streams its own shards?
# Answers with their verdicts: met, partial, not_met or contradicted for every criterion. Write them
# first, as people speak, and never bend one to make a pattern pass.
samples:
  - kind: empty
    answer: I don't know, the framework does that for me.
    verdicts: {biased-batches: not_met, seed-and-position: not_met}
  - kind: wrong
    answer: Shuffling only matters for speed, because the loader can read ahead. After a crash I
      begin the epoch again.
    verdicts: {biased-batches: contradicted, seed-and-position: not_met}
  - kind: middle
    answer: Our files were sorted by website, so each batch was correlated with the one before and
      the loss moved in waves.
    verdicts: {biased-batches: met, seed-and-position: not_met}
  - kind: middle
    answer: You store the random seed with the checkpoint, so the order comes out the same.
    verdicts: {biased-batches: not_met, seed-and-position: partial}
  - kind: full
    answer: Without it, consecutive batches are nearly the same and the gradient is skewed towards
      that part of the file. With the checkpoint I keep the seed and the index of the last example.
    verdicts: {biased-batches: met, seed-and-position: met}
  - kind: recited
    answer: Shuffling is a well-known best practice of machine learning. It improves generalisation
      and it prevents overfitting.
    verdicts: {biased-batches: not_met, seed-and-position: not_met}
  - kind: negated
    answer: It isn't the case that consecutive batches are correlated. And to go on you need neither
      the seed nor the position.
    verdicts: {biased-batches: contradicted, seed-and-position: contradicted}
# Where the facts come from.
# sources:
#   - Title, authors, year, or an address.
"""


def rubric_starter(rubric_id: str, *, title: str, round_id: str, topic: str, schema: str) -> str:
    """The starter as the text of a file; ``schema`` is the address that editors read.

    It lints without a word and can be asked at once.
    """
    head = rendered(
        {"id": rubric_id, "version": 1, "title": title, "round": round_id, "topic": topic},
        heading=[
            f"yaml-language-server: $schema={schema}",
            "A small question that works as it stands. Put yours in its place, field by field:",
            "'interviewer rubrics lint' says what does not hold together, and",
            f"'interviewer grade {rubric_id}' shows what an answer gets.",
        ],
        notes={
            "id": ["The question's name for good: sessions keep it."],
            "version": ["Raise it when answers would be judged differently."],
            "round": [
                "Plans draw questions by these fields. The shipped plans draw from the rounds",
                "transformer, rlhf and distributed; under another name it waits for your own plan.",
            ],
        },
    )
    return head + _BODY
