"""The ``interviewer`` command: a file per group of commands; each parses, calls and prints.

Only click and the table of commands are imported up front; what a command needs is imported when
it runs, so that ``--help`` costs next to nothing.
"""

from interviewer.cli.root import main

__all__ = ["main"]
