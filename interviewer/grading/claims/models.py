"""Published models: their sizes and shapes, and the ways people say their names.

Sources: the papers and the ``config.json`` that each was published with: GPT-2 (Radford et al.
2019), GPT-3 (arXiv:2005.14165), BERT (1810.04805), Llama (2302.13971), Llama 2 (2307.09288),
Llama 3 (2407.21783), Mistral 7B (2310.06825), Mixtral (2401.04088), Qwen2.5 (2412.15115),
DeepSeek-V3 (2412.19437).
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """A published model; ``kv_heads`` is 0 if its cache holds no heads, and ``ffn_width`` if layers
    differ in it."""

    name: str
    parameters: float
    layers: int
    width: int
    heads: int
    kv_heads: int
    head_width: int
    vocabulary: int
    ffn_width: int
    active: float | None = None
    experts: tuple[int, int] | None = None
    """All, and those that each token passes."""
    latent: int | None = None


_LLAMA = r"(?:meta[ -])?llama[ -]?"
_3 = r"3(?:\.[013])?[ -]?"
_ROWS: tuple[tuple[str, Published], ...] = (
    (r"gpt[ -]?2[ -]?(?:small|124m)", Published("GPT-2", 124e6, 12, 768, 12, 12, 64, 50257, 3072)),
    (r"gpt[ -]?2[ -]?(?:medium|355m)",
        Published("GPT-2 medium", 355e6, 24, 1024, 16, 16, 64, 50257, 4096)),
    (r"gpt[ -]?2[ -]?(?:large|774m)",
        Published("GPT-2 large", 774e6, 36, 1280, 20, 20, 64, 50257, 5120)),
    (r"gpt[ -]?2[ -]?(?:xl|1\.5b)",
        Published("GPT-2 XL", 1.56e9, 48, 1600, 25, 25, 64, 50257, 6400)),
    (r"gpt[ -]?3(?![.\d])(?:[ -]175b)?",
        Published("GPT-3", 175e9, 96, 12288, 96, 96, 128, 50257, 49152)),
    (r"bert[ -]base", Published("BERT base", 110e6, 12, 768, 12, 12, 64, 30522, 3072)),
    (r"bert[ -]large", Published("BERT large", 340e6, 24, 1024, 16, 16, 64, 30522, 4096)),
    (rf"{_LLAMA}(?:1[ -])?65b",
        Published("Llama 65B", 65.2e9, 80, 8192, 64, 64, 128, 32000, 22016)),
    (rf"{_LLAMA}2[ -]?7b|7b {_LLAMA}2",
        Published("Llama 2 7B", 6.74e9, 32, 4096, 32, 32, 128, 32000, 11008)),
    (rf"{_LLAMA}2[ -]?13b|13b {_LLAMA}2",
        Published("Llama 2 13B", 13.0e9, 40, 5120, 40, 40, 128, 32000, 13824)),
    (rf"{_LLAMA}2[ -]?70b|70b {_LLAMA}2",
        Published("Llama 2 70B", 69.0e9, 80, 8192, 64, 8, 128, 32000, 28672)),
    (rf"{_LLAMA}(?:{_3})?8b|8b {_LLAMA}(?:{_3})?",
        Published("Llama 3 8B", 8.03e9, 32, 4096, 32, 8, 128, 128256, 14336)),
    (rf"{_LLAMA}{_3}70b|70b {_LLAMA}{_3}",
        Published("Llama 3 70B", 70.6e9, 80, 8192, 64, 8, 128, 128256, 28672)),
    (rf"{_LLAMA}(?:{_3})?405b|405b {_LLAMA}(?:{_3})?",
        Published("Llama 3 405B", 405.9e9, 126, 16384, 128, 8, 128, 128256, 53248)),
    (r"mistral[ -]7b", Published("Mistral 7B", 7.24e9, 32, 4096, 32, 8, 128, 32000, 14336)),
    (r"mixtral(?:[ -]8x7b)?(?![ -]?8x22)",
        Published("Mixtral 8x7B", 46.7e9, 32, 4096, 32, 8, 128, 32000, 14336, 12.9e9, (8, 2))),
    (r"qwen[ -]?2(?:\.5)?[ -]?0?\.5b",
        Published("Qwen2.5 0.5B", 494e6, 24, 896, 14, 2, 64, 151936, 4864)),
    (r"qwen[ -]?2(?:\.5)?[ -]?1\.5b",
        Published("Qwen2.5 1.5B", 1.54e9, 28, 1536, 12, 2, 128, 151936, 8960)),
    (r"qwen[ -]?2(?:\.5)?[ -]?7b",
        Published("Qwen2.5 7B", 7.62e9, 28, 3584, 28, 4, 128, 152064, 18944)),
    (r"qwen[ -]?2(?:\.5)?[ -]?14b",
        Published("Qwen2.5 14B", 14.77e9, 48, 5120, 40, 8, 128, 152064, 13824)),
    (r"qwen[ -]?2(?:\.5)?[ -]?32b",
        Published("Qwen2.5 32B", 32.8e9, 64, 5120, 40, 8, 128, 152064, 27648)),
    (r"qwen[ -]?2(?:\.5)?[ -]?72b",
        Published("Qwen2.5 72B", 72.7e9, 80, 8192, 64, 8, 128, 152064, 29568)),
    (r"deepseek[ -]?v3",
        Published("DeepSeek-V3", 671e9, 61, 7168, 128, 0, 0, 129280, 0, 37e9, (256, 8), 576)),
)  # fmt: skip
_GROUPS = {f"m{i}": model for i, (_, model) in enumerate(_ROWS)}
MODEL = re.compile(
    r"(?<![\w.])(?:"
    + "|".join(f"(?P<m{i}>{pattern})" for i, (pattern, _) in enumerate(_ROWS))
    + r")(?:[ -](?:base|instruct|chat|it))?(?![\w.]*\w)"
    r"(?![ -](?:style|like|type|class|tokeni[sz]er|vocab\w*|paper|report|recipe|authors|team)|'s)"
)
"""A model's name with its size, in normalised text."""


def model_of(match: re.Match[str]) -> Published:
    """The model that a match of ``MODEL`` names."""
    return _GROUPS[str(match.lastgroup)]
