"""The examiner behind any OpenAI-compatible endpoint; the only home of the openai package.

:class:`~interviewer.examiner.llm.examiner.LlmExaminer` judges and asks, over an
:class:`~interviewer.examiner.llm.client.Endpoint`; :mod:`~interviewer.examiner.llm.check` tells
what works there.
"""
