"""A challenge: what is to be derived or written, and all that a check of it needs.

Plain frozen values, as written in a YAML file of ``rubrics/challenges``. The code in it (reference,
properties, wrong answers) runs in the confined worker only, never in this process.
"""

from __future__ import annotations

from collections.abc import Collection as Ids
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, model_validator

from interviewer.content.collection import Collection, Origin, collect
from interviewer.content.fields import FieldsError, Finite, Frozen, Locator, Name, Slug, Text
from interviewer.content.files import FileReading, read
from interviewer.content.kinds import CHALLENGES
from interviewer.rubric.text import table
from interviewer.sandbox.worker.protocol import DERIVATIVES

Size = int | Annotated[str, StringConstraints(min_length=1, max_length=40)]
"""A number, or a small expression over dims such as ``h * dh``."""
Code = Annotated[str, StringConstraints(min_length=1, max_length=8000)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]

Kind = Literal["derivation", "implementation", "estimation"]
Group = Literal["elementary", "softmax", "norms", "losses"]

Distribution = Literal[
    "normal", "uniform", "positive", "simplex", "logprob", "mask", "integer", "choice", "fixed"
]


@lru_cache(maxsize=1)
def operators() -> Any:
    """The operators of torch in groups, of which a challenge allows some and forbids the rest."""
    return table("operators", "interviewer.sandbox")


class Input(Frozen):
    """A given quantity and how its values are drawn.

    Without ``shape`` it is one number. ``normal`` follows the draw's scale; ``uniform`` and
    ``integer`` lie in ``low`` to ``high`` (of integers ``high`` itself is left out, and may be
    written over dims); ``choice`` takes one of ``values``, ``fixed`` the first; ``simplex`` and
    ``logprob`` hold along the last axis. ``instance`` is the value of an estimation's first draw.
    """

    shape: tuple[Size, ...] = Field(default=(), max_length=4)
    draw: Distribution = "normal"
    low: Finite = 0.0
    high: Finite | Size = 1.0
    values: tuple[Finite, ...] = ()
    instance: Finite | None = None
    unit: str = ""
    gradient: bool = True
    """Gradients with respect to it are compared; never those of integers, masks and numbers."""
    about: str = Field(default="", max_length=200)

    @model_validator(mode="after")
    def _has_values(self) -> Input:
        if self.draw in ("choice", "fixed") and not self.values:
            raise FieldsError((("values",), f"is empty; {self.draw} takes its number from there"))
        return self

    @property
    def differentiable(self) -> bool:
        """Gradients with respect to it can be compared."""
        continuous = self.draw in ("normal", "uniform", "positive", "simplex", "logprob")
        return self.gradient and continuous and bool(self.shape)


class TaskQuantity(Frozen):
    """A quantity with a name that lines use, and its shape in dims."""

    name: Name
    shape: tuple[Size, ...] = Field(default=(), max_length=4)
    about: str = Field(default="", max_length=300)


class AnswerPart(TaskQuantity):
    """A part of the answer. ``rel`` is how far a typed number may be off, as a share of it."""

    unit: str = ""
    rel: Finite = Field(default=0.03, gt=0, lt=0.5)


class TaskStep(TaskQuantity):
    """A quantity on the way and its definition as a line; lines that use its name must mean it."""

    value: Line
    required: bool = False


class Landmark(Frozen):
    """A right line on the way, known by its value under whatever name.

    ``values`` are the forms it may have, over inputs, dims and steps; one is enough. A question's
    criterion is met once every landmark that names it has been found.
    """

    values: tuple[Line, ...] = Field(min_length=1, max_length=6)
    criterion: Slug | None = None
    """The criterion of the question's rubric that such lines prove."""


class Stress(Frozen):
    """A further draw at an unusual scale. Where it need not hold, a failure is an open point."""

    scale: Finite = Field(gt=0)
    about: Line
    must_hold: bool = False


class Property(Frozen):
    """Something that holds for every right answer.

    ``code`` is one Python function of ``f`` and the arguments that returns a pair (got, wanted) or
    a list of such pairs; ``says`` is what the candidate hears where they differ.
    """

    id: Slug
    says: Text
    code: Code
    rel: Finite = Field(default=1e-7, gt=0, lt=1)
    atol: Finite = Field(default=1e-9, gt=0)


class Wrong(Frozen):
    """A known wrong answer. ``says`` is sent only where the candidate's numbers match its own.

    ``steps`` are the wrong values of declared steps that the same mistake shows in, as expressions:
    who goes wrong there already hears the same. ``same_as`` names another wrong answer that gives
    the same numbers and whose words fit both.
    """

    id: Slug
    label: Line
    says: Text
    code: Code | None = None
    """The whole wrong answer; left out where the mistake shows in a step alone."""
    steps: dict[Name, Line] = Field(default_factory=dict, max_length=4)
    same_as: Slug | None = None

    @model_validator(mode="after")
    def _shows_somewhere(self) -> Wrong:
        if self.code is None and not self.steps:
            raise ValueError("needs code, or steps in which the mistake shows")
        return self


class Accepted(Frozen):
    """Another honest solution, which must pass: as lines or as a function."""

    lines: Code | None = None
    code: Code | None = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Accepted:
        if (self.lines is None) == (self.code is None):
            raise ValueError("needs either lines or code")
        return self


class Challenge(Frozen):
    """A task for the bench; the file format of ``rubrics/challenges``."""

    id: Slug
    version: int = Field(ge=1)
    title: Text
    kind: Kind
    topic: str = Field(default="", max_length=40)
    """The heading it is listed under."""
    rubrics: tuple[Slug, ...] = ()
    """The rubrics whose questions it belongs to."""
    task: Text
    dims: dict[Name, Size] = Field(default_factory=dict, max_length=12)
    edges: tuple[dict[Name, int], ...] = Field(default=(), max_length=4)
    """Further draws, each with these dims in place of the usual ones."""
    inputs: dict[Name, Input] = Field(default_factory=dict, max_length=12)
    arguments: tuple[Name, ...] = ()
    """What a function takes, in order: inputs or dims; left out, it is all inputs."""
    answer: tuple[AnswerPart, ...] = Field(min_length=1, max_length=4)
    steps: tuple[TaskStep, ...] = Field(default=(), max_length=12)
    landmarks: tuple[Landmark, ...] = Field(default=(), max_length=12)
    """Right lines that count even where the end is wrong."""
    reference: Code
    """Python: one function of the arguments; returns the answer, of several parts as a tuple."""
    banned: tuple[Line, ...] = Field(default=(), max_length=30)
    """Names that neither lines nor functions may use."""
    operators: tuple[Group, ...] = ()
    """The groups of operators that functions may use; without any, all but what is banned."""
    visits: tuple[Line, ...] = Field(default=(), max_length=12)
    """Conditions in the expression language; each must be true somewhere over the draws."""
    stress: tuple[Stress, ...] = Field(default=(), max_length=4)
    atol: Finite = Field(default=1e-9, ge=0)
    rtol: Finite = Field(default=1e-7, gt=0, lt=1)
    """Of the largest entry of a tensor."""
    properties: tuple[Property, ...] = Field(default=(), max_length=12)
    wrong: tuple[Wrong, ...] = Field(default=(), max_length=16)
    accepted: tuple[Accepted, ...] = Field(default=(), max_length=12)
    hints: tuple[Text, ...] = Field(default=(), max_length=4)
    derivation: Code | None = None
    """The worked derivation in the expression language; shown with the solution, and must pass."""
    solution: Text
    """In words, Markdown; shown after the attempt."""
    cannot_see: tuple[Text, ...] = Field(default=(), max_length=6)
    """What a run says nothing about, for the examiner."""
    sources: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _names_are_distinct_and_known(self) -> Challenge:
        faults: list[tuple[tuple[str | int, ...], str]] = []
        seen: set[str] = set()
        for where, name in self._declared():
            if name in seen:
                faults.append((where, f"{name} is declared twice; give each its own name"))
            seen.add(name)
        ids, steps = {wrong.id for wrong in self.wrong}, {step.name for step in self.steps}
        for place, name in enumerate(self.arguments):
            if name not in self.given:
                faults.append((("arguments", place), f"{name} is neither an input nor a dim"))
        for place, wrong in enumerate(self.wrong):
            if wrong.same_as and (wrong.same_as not in ids or wrong.same_as == wrong.id):
                message = f"{wrong.same_as} is no other wrong answer here"
                faults.append((("wrong", place, "same_as"), message))
            for name in wrong.steps.keys() - steps:
                message = f"{name} is no step of this challenge"
                faults.append((("wrong", place, "steps", name), message))
        if faults:
            raise FieldsError(*faults)
        return self

    def _declared(self) -> list[tuple[tuple[str | int, ...], str]]:
        return [
            *((("dims", name), name) for name in self.dims),
            *((("inputs", name), name) for name in self.inputs),
            *((("steps", n, "name"), step.name) for n, step in enumerate(self.steps)),
            *((("answer", n, "name"), part.name) for n, part in enumerate(self.answer)),
        ]

    @property
    def wrong_codes(self) -> tuple[tuple[Wrong, str], ...]:
        """Every wrong answer that is one as a whole, with its code."""
        return tuple((wrong, wrong.code) for wrong in self.wrong if wrong.code is not None)

    @property
    def wrong_steps(self) -> tuple[tuple[Wrong, str, str], ...]:
        """Every wrong value of a step: the mistake, the step's name, the expression."""
        return tuple((w, name, value) for w in self.wrong for name, value in w.steps.items())

    @property
    def landmark_values(self) -> tuple[tuple[int, str], ...]:
        """Every form of every landmark, with the landmark's place."""
        return tuple((n, value) for n, each in enumerate(self.landmarks) for value in each.values)

    @property
    def given(self) -> frozenset[str]:
        """The names that lines may start from: inputs and dims."""
        return frozenset((*self.inputs, *self.dims))

    @property
    def leaves(self) -> tuple[str, ...]:
        """The inputs that gradients are compared for."""
        return tuple(name for name, each in self.inputs.items() if each.differentiable)

    @property
    def records_functions(self) -> bool:
        """Gradients of functions are compared; not where derivatives are forbidden."""
        return DERIVATIVES.isdisjoint(self.banned)

    @property
    def allowed(self) -> list[str]:
        """What the operators that functions may use are called, variants apart."""
        groups = [operators()[group]["names"] for group in self.operators]
        return [name for listed in groups for text in listed for name in text.split()]

    @property
    def instead(self) -> list[str]:
        """What a function may be built from, in words."""
        return [operators()[group]["about"] for group in self.operators]

    @property
    def head(self) -> str:
        """How a function for it begins, up to the colon."""
        return f"def f({', '.join(self.parameters)})"

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of a function's arguments, in order."""
        return self.arguments or tuple(self.inputs)


Catalogue = Collection[Challenge, Challenge]


def is_shipped(challenge: Challenge) -> bool:
    """Whether it comes with the program, unchanged."""
    entry = load_catalogue(only={challenge.id}).entries.get(challenge.id)
    return entry is not None and entry.model == challenge


def load_catalogue(own: Iterable[Path] = (), only: Ids[str] | None = None) -> Catalogue:
    """Load the shipped challenges, or ``only`` some of them by id, and those of own folders."""

    def look(path: Path, origin: Origin) -> FileReading[Challenge]:
        if origin == "shipped" and only is not None and path.stem not in only:
            return FileReading(None, (), Locator(path))
        return read(path, Challenge)

    return collect(CHALLENGES, own, look, lambda _path, challenge: challenge)
