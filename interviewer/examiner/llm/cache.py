"""Judgements kept, so that the same input judged by the same versions gives the same grade."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Protocol

from pydantic import TypeAdapter, ValidationError

from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.bench_facts import has_runs, run_facts
from interviewer.examiner.protocol import Case
from interviewer.grading.verdicts import Judgement

_JUDGEMENT = TypeAdapter(Judgement)


class JudgementCache(Protocol):
    """Plain JSON values by key. Both are called in a thread and may block or raise StoreError."""

    def get(self, key: str) -> dict[str, Any] | None:
        """What was put under the key, None where nothing was."""

    def put(self, key: str, body: dict[str, Any]) -> None:
        """Keep the value, in place of an earlier one."""


def cache_key(case: Case, judge: Mapping[str, object]) -> str:
    """A digest of all that decides a judgement: rubric, what was said, and who judges how.

    Not in it is what the judge does not see: persona, mode, the turns' numbers in the session, and
    the standing verdicts, which follow from the turns.
    """
    decides: dict[str, object] = {
        "rubric": case.rubric.model_dump(mode="json"),
        "turns": [[t.author, t.kind, t.text, t.target, t.hint_level] for t in case.turns],
        "judge": judge,
    }
    if has_runs(case):
        decides["runs"] = [run_facts(turn, case.turns) for turn in case.turns]
        decides["about_runs"] = prompts.load("judge_bench").version
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()


def as_plain(judgement: Judgement) -> dict[str, Any]:
    """The judgement as JSON data."""
    plain: dict[str, Any] = _JUDGEMENT.dump_python(judgement, mode="json")
    return plain


def from_plain(body: Mapping[str, Any]) -> Judgement | None:
    """The judgement again; None where the data is of a shape that this version does not know."""
    try:
        return _JUDGEMENT.validate_python(body)
    except ValidationError:
        return None
