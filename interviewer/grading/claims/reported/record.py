"""Claims that a model read and code verified, in the form in which a journal keeps them.

Names are kept as text and looked up when they are used, so that a journal stays readable after a
quantity was renamed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from interviewer.grading.claims.circumstances import BINDING, Circumstance, Stage
from interviewer.grading.claims.claim import PARTS, Claim, Measure, Passage, Statement
from interviewer.grading.claims.hardware import DEVICE, Device, device_of
from interviewer.grading.claims.models import MODEL
from interviewer.grading.claims.rules.reading import ParsedClaims, parse_claims
from interviewer.grading.transcript import Turn


@dataclass(frozen=True)
class ReadClaim:
    """One number. ``high`` is None where nothing bounds it; ``device`` is "" if none was named."""

    measure: str
    value: float
    unit: str
    text: str
    span: tuple[int, int]
    low: float
    high: float | None = None
    device: str = ""


@dataclass(frozen=True)
class ReadRun:
    """What an answer says about one run of the candidate's own.

    ``label`` is the same for the same run in all turns. ``replaces`` are the quantities whose
    earlier values these replace, ``withdrawn`` the numbers taken back.
    """

    label: str
    claims: tuple[ReadClaim, ...] = ()
    stage: str = ""
    circumstances: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    withdrawn: tuple[ReadClaim, ...] = ()


@dataclass(frozen=True)
class ReadClaims:
    """All that a model read in an answer; ``dropped`` counts what failed verification."""

    runs: tuple[ReadRun, ...] = ()
    dropped: int = 0


def as_parsed(read: ReadClaims, turn: Turn) -> ParsedClaims:
    """The same as the rules would give it, a passage for each run.

    What is no longer in the turn's text is left out. Circumstances that rules find are added, since
    most of them excuse odd numbers, and so is the shape of a published model that is named.
    """
    passages = [_passage(run, turn) for run in read.runs]
    named = {device_of(m).name: device_of(m) for m in DEVICE.finditer(turn.parsed.plain.text)}
    if len(named) == 1:
        (device,) = named.values()
        passages = [_on(device, passage) for passage in passages]
    found = parse_claims(turn.parsed, turn.number)
    for theirs in found.passages:
        passages = [
            _with_shape(passage, theirs) if is_about else passage
            for passage, is_about in zip(passages, _are_about(passages, theirs), strict=True)
        ]
        passages = _with_circumstances(passages, theirs)
    withdrawn = tuple(claim for passage in passages for claim in passage.withdrawn)
    return ParsedClaims(tuple(passages), withdrawn, corrects=False)


def _passage(run: ReadRun, turn: Turn) -> Passage:
    statements = tuple(_statements(run.claims, turn))
    is_count = any(s.claim.measure in PARTS for s in statements)
    devices = {s.device for s in statements if s.device}
    if len(devices) == 1:
        statements = tuple(replace(s, device=next(iter(devices))) for s in statements)
    return Passage(
        statements,
        frozenset(Circumstance(each) for each in run.circumstances if each in _CIRCUMSTANCES),
        Stage(run.stage) if run.stage in _STAGES else None,
        is_own=True,
        label=f"{run.label}, turn {turn.number}" if is_count else run.label,
        replaces=frozenset(Measure(each) for each in run.replaces if each in _MEASURES),
        withdrawn=tuple(s.claim for s in _statements(run.withdrawn, turn)),
    )


def _on(device: Device, passage: Passage) -> Passage:
    """The passage with the only device that the turn names, unless it has one."""
    if any(s.device for s in passage.statements):
        return passage
    return replace(passage, statements=tuple(replace(s, device=device) for s in passage.statements))


def _statements(claims: tuple[ReadClaim, ...], turn: Turn) -> Iterator[Statement]:
    for each in claims:
        start, end = each.span
        if each.measure not in _MEASURES or turn.text[start:end] != each.text:
            continue
        claim = Claim(
            each.text, Measure(each.measure), each.value, each.unit, turn.number, (start, end)
        )
        high = math.inf if each.high is None else each.high
        yield Statement(claim, each.low, high, _device(each.device))


def _device(name: str) -> Device | None:
    match = DEVICE.search(name.lower())
    return device_of(match) if match else None


def _are_about(passages: Sequence[Passage], theirs: Passage) -> list[bool]:
    """Which of the runs share a number with this passage of the rules; a lone run always does."""
    spans = [s.claim.span for s in theirs.statements]
    return [
        len(passages) == 1
        or any(
            a < s.claim.span[1] and s.claim.span[0] < b
            for a, b in spans
            for s in passage.statements
        )
        for passage in passages
    ]


def _with_circumstances(passages: list[Passage], theirs: Passage) -> list[Passage]:
    """Added to the runs that the passage is about.

    Only what excuses is added; if it is about none of several, to all of them.
    """
    about = _are_about(passages, theirs)
    added = theirs.circumstances - _THEIR_OWN
    return [
        replace(passage, circumstances=passage.circumstances | added)
        if is_about or not any(about)
        else passage
        for passage, is_about in zip(passages, about, strict=True)
    ]


_THEIR_OWN = frozenset(
    (
        *(*BINDING, Circumstance.FORWARD_ONLY, Circumstance.PARTIAL, Circumstance.SPARSITY),
        *(Circumstance.OFFLOADED, Circumstance.EIGHT_BIT_MATHS),
    )
)
"""What a model tells of a run, rules only of a text."""


def _with_shape(passage: Passage, theirs: Passage) -> Passage:
    """With what follows from the name of a published model, where nothing else was said."""
    known = {s.claim.measure for s in passage.statements}
    if known & PARTS or not _is_of_size(passage, theirs):
        return passage
    shape = (
        s
        for s in theirs.statements
        if s.claim.measure not in known and MODEL.search(s.claim.text.lower())
    )
    return replace(passage, statements=(*passage.statements, *shape))


def _is_of_size(passage: Passage, theirs: Passage) -> bool:
    """The run is of the published model's size, or of no other."""
    stated = [s.claim.value for s in passage.statements if s.claim.measure is Measure.PARAMETERS]
    named = [s.claim.value for s in theirs.statements if s.claim.measure is Measure.PARAMETERS]
    return not stated or any(0.85 < a / b < 1.18 for a in stated for b in named)


_MEASURES = frozenset(Measure)
_CIRCUMSTANCES = frozenset(Circumstance)
_STAGES = frozenset(Stage)
