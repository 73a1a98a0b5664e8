"""``python -m interviewer`` is the ``interviewer`` command."""

from interviewer.cli import main

main()
