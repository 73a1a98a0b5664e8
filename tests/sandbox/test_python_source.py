"""Which sources are functions, and what is wrong with those that cannot be run."""

from __future__ import annotations

import pytest

from interviewer.sandbox.jobs import SourceError, function_in, is_function


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(x):\n    return x", True),
        ("# mine\n\nimport torch\ndef f(x): return x", True),
        ("@torch.no_grad()\ndef f(x): return x", True),
        ("out = softmax(x, dim=-1)", False),
        ("define = 3", False),
        ("", False),
    ],
)
def test_the_first_line_of_code_decides(source: str, expected: bool) -> None:
    assert is_function(source) is expected


def test_the_last_function_is_asked_and_the_others_help() -> None:
    found = function_in("def helper(x):\n    return x\n\ndef g(x):\n    return helper(x)")
    assert (found.name, found.line) == ("g", 4)


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("def f(x:\n    return x", 1, "cannot read"),
        ("x = 1", 1, "no function"),
        ("def f(x):\n    return 1\0", 1, "null bytes"),
        ("def f(x):\n    return " + "(" * 80, 2, "never closed"),
        ("def f(x):\n    return " + "-" * 15_000 + "x", 1, "Python cannot read"),
        ("def f(x): return x\n" + "#" * 1_000_000, 1, "longer than"),
    ],
)
def test_bad_sources_get_one_sentence(source: str, line: int, words: str) -> None:
    with pytest.raises(SourceError, match=words) as caught:
        function_in(source)
    assert caught.value.line == line
