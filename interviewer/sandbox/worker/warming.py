"""What the worker does once, so that its children find everything there."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import sys
from typing import Any

import torch

from . import job

_OFTEN_IMPORTED = (
    "array",
    "bisect",
    "cmath",
    "collections.abc",
    "copy",
    "dataclasses",
    "decimal",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "math",
    "operator",
    "random",
    "statistics",
    "string",
    "struct",
    "time",
    "typing",
    "unicodedata",
    "zlib",
)
"""A child cannot load an extension module of the library that the worker has not loaded."""


def warm() -> None:
    """One thread, no code made at run time, everything imported that a check may need."""
    torch.set_num_threads(1)
    with contextlib.suppress(RuntimeError):  # set before: by a package that torch brought along
        torch.set_num_interop_threads(1)
    backends: Any = torch.backends
    for backend in (backends.mkldnn, backends.nnpack):
        backend.set_flags(False)
    for name in _OFTEN_IMPORTED:
        importlib.import_module(name)
    job.warm()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    gc.collect()
    gc.freeze()
