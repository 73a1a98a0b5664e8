"""Measures, prints each figure beside its bar, and says whether one is missed.

    python -m tests.evals [GROUP …] [--sample] [--details]
    python -m tests.evals GROUP.EVAL [its own options]

Without a group all evals run that need nothing from outside; some take hours. An eval that is named
in full takes options of its own: see GROUP.EVAL --help. Exits 1 if a bar of thresholds.toml is
missed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from support.shipped import shipped_library

from evals.figures import HEAD, Figure, bar_of, rows, unmeasured
from evals.registry import EVALS, Module, chosen, module_of
from interviewer.errors import InterviewerError


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    named = chosen(given[:1], sample=False) if given else []
    try:
        return _one(named[0], given[1:]) if len(named) == 1 else _many(given)
    except InterviewerError as error:
        print(error, file=sys.stderr)
        return 1


def _parser(name: str, about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m tests.evals {name}".strip(),
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sample", action="store_true", help="what every change has to pass")
    parser.add_argument("--details", action="store_true", help="print what is behind each figure")
    return parser


def _one(name: str, given: Sequence[str]) -> int:
    """One eval with its own options; its figures as they come."""
    module, asked = _asked(name, given)
    print(HEAD)
    return _told(name, module.measure(asked), details=asked.details, whole=not given)


def _many(given: Sequence[str]) -> int:
    parser = _parser("", __doc__ or "")
    parser.add_argument("groups", nargs="*", metavar="GROUP")
    parser.add_argument("--list", action="store_true", help="print the evals, and end")
    asked = parser.parse_args(given)
    if asked.list:
        for name, each in EVALS.items():
            where = "sampled" if each.sampled else f"needs {each.needs}" if each.needs else ""
            print(f"{name:20} {each.about:70} {where}".rstrip())
        return 0
    names = chosen(asked.groups, sample=asked.sample)
    if not names:
        parser.error(f"nothing is called {' '.join(asked.groups) or 'so'}: see --list")
    print(HEAD)
    if not asked.sample:
        shared = ["--details"] if asked.details else []
        return max([_told(n, _measured(n, shared), details=asked.details) for n in names])
    shipped_library()  # which each process then has without parsing it
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
        found = pool.map(_sampled, names)
        told = [_told(*each, details=asked.details) for each in zip(names, found, strict=True)]
    return max(told)


def _sampled(name: str) -> list[Figure]:
    return list(_measured(name, ["--sample"]))


def _measured(name: str, given: Sequence[str]) -> Iterator[Figure]:
    module, asked = _asked(name, given)
    return module.measure(asked)


def _asked(name: str, given: Sequence[str]) -> tuple[Module, argparse.Namespace]:
    module = module_of(name)
    parser = _parser(name, module.__doc__ or "")
    if hasattr(module, "options"):
        module.options(parser)
    return module, parser.parse_args(given)


def _told(name: str, figures: Iterable[Figure], *, details: bool, whole: bool = True) -> int:
    """Print the figures of an eval; 1 if one misses its bar, or, of the whole, a bar its figure."""
    seen = list[Figure]()
    for figure in figures:
        print("\n".join(rows(name, figure, details=details)), flush=True)
        seen.append(figure)
    lost = unmeasured(name, seen) if whole else []
    for bar in lost:
        print(f"{name:20} {bar:58} {'-':>10}  {'':13} MISSED no figure is called so")
    return int(bool(lost) or any(not bar_of(name, each).holds(each.value) for each in seen))
