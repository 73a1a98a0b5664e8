"""The examiner behind any OpenAI-compatible endpoint; the only home of the openai package.

``endpoint``, ``client`` and ``replies`` talk to the server, ``messages`` and ``findings`` write the
requests and read the judgements, ``judge`` judges, ``examiner`` joins them; ``draft`` proposes
rubrics and ``patterns`` patterns, and ``check`` tells what works at an endpoint.
"""

ABOUT = (
    "LLM examiner ({name}): judges meaning and reasoning but may be wrong or lenient; credit rests "
    "only on your own words, which code checks."
)
