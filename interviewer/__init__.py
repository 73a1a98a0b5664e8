"""The engine of the mock interview: rubrics, examiners, grading, the store and the command line.

Nothing here knows the terminal front end in ``tui``; both front ends (``tui`` and
``interviewer run``) drive the same :class:`interviewer.interview.interview.Interview`.
"""
