"""What measures quality and speed: figures, each held to a bar in ``thresholds.toml``.

    python -m tests.evals [--list] [--sample] [GROUP …]

Run from the root of the repository. ``command.py`` says what the options do, ``registry.py`` which
evals there are.
"""
