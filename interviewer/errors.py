"""Every error that a person is meant to read, as one tree.

::

    InterviewerError            one plain sentence: what, where, how to fix it
    ├── RubricFileError         a rubric, plan or challenge file that cannot be used
    ├── UnknownNameError        an id that does not exist (rubric, plan, session)
    ├── SettingsError           a setting that makes no sense
    ├── StoreError              the database cannot be read or written
    │   ├── NewerDatabaseError  written by a later version of the program
    │   └── StoreWriteError     read-only folder, full disk
    ├── SandboxError            no worker for the derivation bench can be made or started
    │   └── ChallengeError      a challenge whose own reference or step cannot be run
    └── ExaminerError           a judge or ask call that brought nothing usable

Front ends print ``str(error)`` and nothing else, so the sentence must stand alone.
"""

from __future__ import annotations


class InterviewerError(Exception):
    """Base of the errors whose message is written for the person at the screen."""


class RubricFileError(InterviewerError):
    """A rubric, plan or challenge file that cannot be used; names file, line and field."""


class UnknownNameError(InterviewerError):
    """No rubric, plan or session has this id; the message suggests similar ones."""


class SettingsError(InterviewerError):
    """An invalid configuration value; the message says where it was read."""


class SessionFinishedError(InterviewerError):
    """A finished session cannot be resumed."""


class StoreError(InterviewerError):
    """The session database cannot be opened or read."""


class NewerDatabaseError(StoreError):
    """The database was written by a later version; nothing in it was touched."""


class StoreWriteError(StoreError):
    """A write did not reach the disk (read-only, full, locked); what was typed stays in memory."""


class SandboxError(InterviewerError):
    """The derivation bench has no interpreter, torch or worker; says how to get one."""


class ChallengeError(SandboxError):
    """A challenge that cannot be checked: its own reference or one of its steps fails."""


class ExaminerError(InterviewerError):
    """A call to the examiner that brought nothing usable.

    ``retryable`` says whether the same call may succeed a moment later (rate limit, broken
    stream, server starting) or only after something is changed (key, address, model).
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable
