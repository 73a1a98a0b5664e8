"""The examiner behind any OpenAI-compatible endpoint; the only home of the openai package.

``endpoint``, ``client`` and ``replies`` talk to the server and read what it sends; ``judge`` with
``messages`` judges, ``conversation`` listens and asks, ``examiner`` joins them; ``check`` tells
what works at an endpoint.
"""

ABOUT = (
    "LLM examiner ({name}): judges meaning and reasoning but may be wrong or lenient; credit rests "
    "only on your own words, which code checks."
)
