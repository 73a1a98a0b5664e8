"""The examiner behind any OpenAI-compatible endpoint; the only home of the openai package."""

ABOUT = (
    "LLM examiner ({name}): judges meaning and reasoning but may be wrong or lenient; credit rests "
    "only on your own words, which code checks."
)
