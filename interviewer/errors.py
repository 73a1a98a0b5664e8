"""Every error whose message is written for the user: one sentence that says what, where and how to
fix it. Front ends print ``str(error)`` and nothing else, so it must make sense on its own.
"""

from __future__ import annotations


class InterviewerError(Exception):
    """Base of the errors whose message is written for the user."""


class RubricFileError(InterviewerError):
    """A rubric, plan or challenge file that cannot be used; names file, line and field."""


class UnknownNameError(InterviewerError):
    """No rubric, plan or session has this id; the message suggests similar ones."""


class SettingsError(InterviewerError):
    """An invalid or missing setting; the message says where it was read."""


class SessionHeldError(InterviewerError):
    """The session is open in another window; to go on here, it has to be taken over."""


class StoreError(InterviewerError):
    """The session database cannot be opened or read."""


class OvertakenError(StoreError):
    """Another window has gone on with the session; nothing was written."""


class DeletedError(OvertakenError, UnknownNameError):
    """The session has been deleted meanwhile; nothing was written."""


class StoreWriteError(StoreError):
    """A write did not reach the disk (read-only, full, locked); drafts stay in memory."""


class SandboxError(InterviewerError):
    """The derivation bench lacks an interpreter, torch or a worker; says how to get one."""


class ChallengeError(SandboxError):
    """A challenge that cannot be checked: its own reference or one of its steps fails."""


class ExaminerError(InterviewerError):
    """A call to the examiner without a usable result.

    ``retryable`` says whether the same call may succeed a moment later (rate limit, broken
    stream, server starting), or only once something is changed (key, address, model).
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable
