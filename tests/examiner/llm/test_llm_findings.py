"""Reading replies: whatever comes, there are findings with a valid verdict or none."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from interviewer.examiner.llm.judge import MISSING_CHARACTERS, read_findings
from interviewer.examiner.llm.replies import without_thinking
from interviewer.rubric.rubric import Rating

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("met"),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["criteria", "id", "verdict", "evidence", "missing"]), inner
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_no_json_makes_up_a_verdict(value: object) -> None:
    reading = read_findings(json.dumps({"criteria": value}), ["alpha"])
    if reading.value:
        (finding,) = reading.value.values()
        assert finding.criterion == "alpha"
        assert finding.verdict in Rating
        assert finding.verdict.value in json.dumps(value).lower().replace(" ", "_")
    else:
        assert reading.problems


@given(st.text(alphabet='{}[]":, criteamt\n\\`', max_size=200))
def test_no_text_makes_the_reader_stumble(text: str) -> None:
    reading = read_findings(text, ["alpha"])
    assert not reading.value
    assert reading.problems


def test_long_remarks_are_shortened_and_quotes_are_not() -> None:
    entry = {"id": "alpha", "evidence": "q" * 900, "verdict": "met", "missing": "m" * 900}
    (finding,) = read_findings(json.dumps({"criteria": [entry]}), ["alpha"]).value.values()
    assert (len(finding.evidence), len(finding.missing)) == (900, MISSING_CHARACTERS)


@given(
    st.sampled_from(["", "<think>hm</think>", "\n<THINKING>\na < b</THINKING>", "<think></think>"]),
    st.text(alphabet="<thinkg/> ?\n", max_size=20).filter(lambda text: ">" not in text),
)
def test_leading_reasoning_is_no_part_of_a_reply(reasoning: str, words: str) -> None:
    assert without_thinking(reasoning + words).lstrip() == words.lstrip()
