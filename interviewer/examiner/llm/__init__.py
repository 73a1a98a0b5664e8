"""The examiner behind any OpenAI-compatible endpoint; the only home of the openai package."""
