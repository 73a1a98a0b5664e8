"""Forbidden functions of torch, refused where they are called rather than where they are named.

Whichever way a function is reached, it ends in a Python function or in an operator of the
dispatcher. Both are replaced in a candidate's process before its code is loaded, and nothing in it
leads back to the originals, nor does machine code called by ctypes. Where a challenge lists
operators, the kernels of all others go: below vmap, autograd and TorchScript. Where it forbids
derivatives, autograd records nothing, so that there is no graph whose nodes could be called.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

import torch
from torch._decomp import decomposition_table

from .protocol import DERIVATIVES

_DERIVATIVES = frozenset(
    {
        *("grad", "backward", "grad_and_value", "jacobian", "hessian", "jacrev", "jacfwd", "hvp"),
        *("vhp", "vjp", "jvp", "linearize", "make_dual", "enter_dual_level", "_autograd_grad"),
        "_engine_run_backward",
    }
)
_DERIVING_OPERATORS = ("aten::_backward", "aten::_make_dual")
_DERIVED = "backward"
"""In the name of whatever works a derivative out by a formula of torch's own."""
_NUMBERS = (
    *("CPU", "CompositeExplicitAutograd", "NestedTensorCPU", "SparseCPU", "SparseCsrCPU"),
    *("MkldnnCPU", "QuantizedCPU"),
)
"""Under these keys numbers are computed; kernels under any other end in these."""
_KEYS = (
    *_NUMBERS,
    *("AutogradCPU", "CompositeImplicitAutograd", "CompositeExplicitAutogradNonFunctional"),
    *("Autograd", "AutogradOther", "AutogradNestedTensor", "CompositeImplicitAutogradNestedTensor"),
    *("AutocastCPU", "BackendSelect", "ADInplaceOrView", "Functionalize", "FuncTorchBatched"),
    *("FuncTorchBatchedDecomposition", "FuncTorchVmapMode", "Conjugate", "Negative", "ZeroTensor"),
)
_COMPILERS = (
    (torch._C, "StaticModule _jit_to_static_module _fuse_to_static_module _jit_differentiate"),
    (torch._C, "_jit_pass_fuse_tensorexprs _jit_pass_create_autodiff_subgraphs"),
    (getattr(torch._C, "_te", torch._C), "TensorExprKernel SimpleIREvaluator construct_codegen"),
)
"""What runs graphs on kernels past the dispatcher, or differentiates them."""
_READY_MADE = ("flex_attention", "onnx.ops")
"""Modules that have whole exercises in Python, made of operators that may be used."""
_SHORTEST, _LONG = 5, 7
"""Letters from which a forbidden name is looked for inside that of an operator, of a function."""
Refuse = Callable[..., Any]


class BannedError(RuntimeError):
    """A forbidden function was called; the text is its name."""


class CallGuard:
    """What is refused here, and was called all the same; without ``operators`` any may be used."""

    def __init__(self, banned: Collection[str], operators: Collection[str] = ()) -> None:
        self.called: list[str] = []
        names = frozenset((*banned, *(_READY_MADE if operators else ())))
        deriving = bool(names & DERIVATIVES)
        for name in names | (_DERIVATIVES if deriving else frozenset()):
            for function in _functions(name, inside=bool(operators)):
                _recode(function, self._refusal(name))
        for operator, name, keys in _unlisted(operators, derivatives=not deriving):
            _override(operator, self._refusal(name), keys)
        for operator, name in _operators(names - DERIVATIVES):
            _override(operator, self._refusal(name))
        if deriving:
            self._forbid_derivatives()
        if names:
            _let_go_of_overrides()
            _refuse_machine_code(self._refusal("ctypes"))
            _refuse_compilers(self._refusal("TorchScript"))

    def _forbid_derivatives(self) -> None:
        refuse = self._refusal("autograd")
        for function in _functions(_DERIVED, inside=True):
            _recode(function, refuse)
        for operator in _DERIVING_OPERATORS:
            _override(operator, refuse)
        _stop_recording(refuse)

    def _refusal(self, name: str) -> Refuse:
        called = self.called

        def refuse(*_: Any, **__: Any) -> Any:
            called.append(name)
            raise BannedError(name)

        return refuse


def prepare() -> None:
    """Look through torch once, so that a child need not."""
    _index()
    _all_operators()
    _computing()
    _decompositions()
    _recorders()


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


# Python functions


@lru_cache(maxsize=1)
def _index() -> dict[str, list[FunctionType]]:
    """Functions and methods of torch by what they, their classes and their modules are called."""
    found: dict[str, dict[int, FunctionType]] = {}
    for module in [each for name, each in list(sys.modules.items()) if name.startswith("torch")]:
        for name, each in list(getattr(module, "__dict__", {}).items()):
            for function, names in _own_functions(name, each):
                path = function.__module__ or ""
                for key in {*names, path, *path.split(".")}:
                    found.setdefault(_plain(key), {})[id(function)] = function
    return {name: list(functions.values()) for name, functions in found.items()}


def _own_functions(name: str, each: Any) -> Iterator[tuple[FunctionType, tuple[str, ...]]]:
    """A function, or the methods of a class, each with the names that it goes by."""
    for function in _unwrapped(each):
        yield function, (name, function.__name__)
    if isinstance(each, type) and each.__module__.startswith("torch"):
        for attribute, method in list(vars(each).items()):
            for function in _unwrapped(getattr(method, "__func__", method)):
                yield function, (name, each.__name__, attribute)


def _unwrapped(function: Any) -> Iterator[FunctionType]:
    """The function and what it wraps, as far as they are torch's own."""
    while isinstance(function, FunctionType):
        if (function.__module__ or "").startswith("torch"):
            yield function
        function = getattr(function, "__wrapped__", None)


def _functions(name: str, *, inside: bool) -> list[FunctionType]:
    """Functions of this name, or also with a long one ``inside`` theirs: SoftmaxTransform."""
    plain = _plain(name)
    keys = [key for key in _index() if plain in key] if inside and len(plain) >= _LONG else [plain]
    return [each for key in keys if plain != "autograd" for each in _index().get(key, ())]


def _recode(function: FunctionType, refuse: Refuse) -> None:
    """Let the function itself refuse, whoever holds it; its own code is gone."""
    function.__code__ = _refusing(len(function.__code__.co_freevars))
    function.__defaults__ = None
    function.__kwdefaults__ = {"__refuse": refuse}


@lru_cache(maxsize=64)
def _refusing(free: int) -> CodeType:
    """Code that refuses, with as many variables of an outer function as the code it replaces."""
    held = ", ".join(f"v{n}" for n in range(free))
    source = "def outer():\n"
    source += f"    {' = '.join(f'v{n}' for n in range(free))} = None\n" if free else ""
    source += f"    def refuse(*a, __refuse, **k):\n        ({held})\n        return __refuse()\n"
    source += "    return refuse\n"
    scope: dict[str, Any] = {}
    exec(source, scope)
    code: CodeType = scope["outer"]().__code__
    return code


# Operators

_library: Any = torch._C._dispatch_library("IMPL", "aten", "", __file__, 0)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_library))  # what it overrides stays overridden
_has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key


def _let_go_of_overrides() -> None:
    """Who holds the library could take its overrides back."""
    global _library
    _library = None


@lru_cache(maxsize=1)
def _all_operators() -> dict[str, tuple[frozenset[str], list[str]]]:
    """The operators by their plain names: its words, and every overload under its full name."""
    found: dict[str, tuple[frozenset[str], list[str]]] = {}
    for name in torch._C._dispatch_get_all_op_names():
        if name.startswith("aten::"):
            own = name.removeprefix("aten::").split(".")[0]
            found.setdefault(_plain(own), (frozenset(own.split("_")), []))[1].append(name)
    return found


def _operators(names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Operators with a forbidden name in theirs, whatever stands round it, and that name."""
    ranked = sorted(names, key=lambda name: (-len(name), not name.islower()))
    asked = [(name, _plain(name), set(filter(None, name.lower().split("_")))) for name in ranked]
    for plain, (words, overloads) in _all_operators().items() if asked else ():
        for name, own, parts in asked:
            inside = own == plain or (len(own) >= _SHORTEST and own in plain)
            if inside or parts <= words:
                yield from ((overload, name) for overload in overloads)
                break


@lru_cache(maxsize=1)
def _computing() -> list[tuple[str, list[str]]]:
    """The operators that compute rather than call others, with the keys that they do it under."""
    every = (operator for _, overloads in _all_operators().values() for operator in overloads)
    return [
        (each, [key for key in _NUMBERS if _has_kernel(each, key)])
        for each in every
        if not _has_kernel(each, "CompositeImplicitAutograd")
    ]


def _unlisted(
    listed: Collection[str], *, derivatives: bool
) -> Iterator[tuple[str, str, list[str]]]:
    """The operators that are not listed, if any are: each in full, its name and its keys."""
    allowed = frozenset(listed)
    for operator, keys in _computing() if allowed else ():
        name = operator.removeprefix("aten::").split(".")[0]
        if _family(name) not in allowed or (_DERIVED in name and not derivatives):
            yield operator, name, keys


def _family(operator: str) -> str:
    """What an operator is listed as, whether in place, over lists, a copy or its derivative."""
    name = operator.removeprefix("_foreach_").rstrip("_").removesuffix("_copy")
    return name.split(f"_{_DERIVED}")[0].removesuffix("_forward")


@lru_cache(maxsize=1)
def _decompositions() -> dict[str, Callable[..., Any]]:
    table: dict[Any, Callable[..., Any]] = decomposition_table
    return {operator.name(): function for operator, function in table.items()}


def _override(operator: str, refuse: Refuse, keys: Collection[str] = _KEYS) -> None:
    for function in _unwrapped(_decompositions().get(operator)):
        _recode(function, refuse)
    for key in keys:
        with contextlib.suppress(RuntimeError):  # a key that this version has not
            if _has_kernel(operator, key):
                _library.impl(operator.removeprefix("aten::"), key, refuse)


# Recording of autograd


_RECORDING = (
    (torch._C, "_set_grad_enabled"),
    (torch._C._functorch, "_grad_increment_nesting"),  # in such a level inference mode is off
    (torch._C._functorch, "_jvp_increment_nesting"),
)
"""What lets autograd record, by name: nothing here may hold the functions themselves."""


@lru_cache(maxsize=1)
def _recorders() -> tuple[list[Any], list[Any]]:
    """The functions that let autograd record, and all that holds one; found before gc.freeze()."""
    found = [getattr(module, name) for module, name in _RECORDING]
    return found, [each for each in gc.get_referrers(*found) if type(each) in (dict, list, set)]


def _stop_recording(refuse: Refuse) -> None:
    """Let autograd record nothing from now on.

    Tensors made in inference mode are never recorded, whoever finds a switch of recording itself
    (TorchScript has one, as an operator).
    """
    functions, holders = _recorders()
    switch, *levels = functions
    switch(False)
    inference: Any = torch._C._InferenceMode(True)
    inference.__enter__()
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(inference))  # it lasts as long as the process

    def only_off(enabled: bool) -> None:
        if enabled:
            refuse()

    instead = {id(switch): only_off, **{id(each): refuse for each in levels}}
    for holder in holders:
        if isinstance(holder, dict):
            held = {name: instead[id(each)] for name, each in holder.items() if id(each) in instead}
            holder.update(held)
        elif isinstance(holder, list):
            holder[:] = [instead.get(id(each), each) for each in holder]
        else:
            holder.difference_update(functions)
    _recorders.cache_clear()
    setattr(torch._C._InferenceMode, "__init__", refuse)  # noqa: B010 - a class of C++
    setattr(torch._C.CompilationUnit, "define", refuse)  # noqa: B010


# Machine code


def _refuse_machine_code(refuse: Refuse) -> None:
    """Let ctypes load and look up nothing from now on; a hook like this cannot be taken back."""

    def hook(event: str, _: object) -> None:
        if event.startswith("ctypes."):
            refuse()

    sys.addaudithook(hook)


def _refuse_compilers(refuse: Refuse) -> None:
    for holder, names in _COMPILERS:
        for name in names.split():
            each = getattr(holder, name, None)
            place, attribute = (each, "__init__") if isinstance(each, type) else (holder, name)
            setattr(place, attribute, refuse)
