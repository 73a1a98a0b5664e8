"""The rows of the tables that tell what an amount measures, and how they are written down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.claim import Measure as M

RL = "rollout prompt group grpo ppo rl response generating rlhf rlvr reinforce completion"
SERVING = "request cache serving served serve inference vllm concurrent"
"""Terms that tell what a sentence is about."""


@dataclass(frozen=True, slots=True)
class Row:
    """One way of saying a measure."""

    measure: Measure | None
    side: str
    """``<`` if the head stands before the amount, ``>`` if behind, empty for both."""
    led: frozenset[str]
    """Some of these right before the amount, but for words such as "was"."""
    per: frozenset[str] | None
    """What it is per, all of these; None if that doesn't matter, empty for a total."""
    near: frozenset[str]
    """Some of these between the amounts before and after this one."""
    never: frozenset[str]
    """None of these there, or from the head to the amount if the head stands before it."""
    about: frozenset[str]
    """Some of these in the sentence or the two before."""
    off: frozenset[str]
    """None of these there."""
    low: float
    high: float
    reach: int
    factor: float


LIMITS: dict[Measure, tuple[float, float]] = {
    M.PARAMETERS: (1e6, 2e13),
    M.ACTIVE_PARAMETERS: (1e6, 2e12),
    M.TRAINABLE_PARAMETERS: (1e4, 1e12),
    M.LAYERS: (2, 400),
    M.WIDTH: (64, 1e5),
    M.FFN_WIDTH: (128, 4e5),
    M.HEADS: (1, 512),
    M.KV_HEADS: (1, 512),
    M.HEAD_WIDTH: (8, 1024),
    M.VOCABULARY: (100, 2e6),
    M.EXPERTS: (2, 10_000),
    M.ACTIVE_EXPERTS: (1, 256),
    M.RANK: (1, 4096),
    M.TOKENS: (1e6, 1e15),
    M.DATASET_TOKENS: (1e5, 1e16),
    M.EXAMPLES: (100, 1e10),
    M.EXAMPLE_LENGTH: (1, 1e6),
    M.EPOCHS: (0.01, 1000),
    M.BATCH_SEQUENCES: (1, 3e5),
    M.BATCH_TOKENS: (1000, 1e9),
    M.MICRO_BATCH: (1, 4096),
    M.ACCUMULATION: (1, 65536),
    M.SEQUENCE_LENGTH: (64, 1.1e7),
    M.STEPS: (10, 1e9),
    M.STEP_TIME: (1e-3, 7200),
    M.DURATION: (60, 1e8),
    M.THROUGHPUT: (1, 1e12),
    M.DEVICE_THROUGHPUT: (1, 1e8),
    M.LEARNING_RATE: (1e-9, 1),
    M.GPUS: (1, 1e6),
    M.NODES: (1, 1e5),
    M.NODE_GPUS: (1, 128),
    M.DATA_PARALLEL: (1, 1e6),
    M.TENSOR_PARALLEL: (1, 1024),
    M.PIPELINE_STAGES: (1, 512),
    M.EXPERT_PARALLEL: (1, 4096),
    M.CONTEXT_PARALLEL: (1, 4096),
    M.MICRO_BATCHES: (1, 1e5),
    M.VIRTUAL_STAGES: (1, 64),
    M.MFU: (0.001, 1.5),
    M.HFU: (0.001, 1.5),
    M.BUBBLE: (0.0, 1.0),
    M.DEVICE_FLOPS: (1e11, 5e15),
    M.TOTAL_FLOPS: (1e12, 1e22),
    M.RUN_FLOPS: (1e15, 1e29),
    M.DEVICE_TIME: (60, 1e14),
    M.GPU_MEMORY: (6e9, 4e11),
    M.LOSS: (0.001, 20),
    M.FIRST_LOSS: (0.1, 30),
    M.PERPLEXITY: (1.0, 1e6),
    M.ACCURACY: (0.0, 1.5),
    M.LABEL_AGREEMENT: (0.0, 1.5),
    M.PRICE: (1e-6, 0.1),
    M.COST: (1, 1e10),
    M.BEST_OF: (2, 1e6),
    M.TOKEN_BYTES: (0.3, 30),
    M.BITS_PER_BYTE: (0.05, 10),
    M.DOCUMENT_LENGTH: (1, 1e7),
    M.DOCUMENT_BYTES: (1, 1e9),
    M.WEIGHT_BYTES: (0.1, 8),
    M.CACHE_BYTES: (0.1, 8),
    M.STATE_BYTES: (1, 64),
    M.LATENT_WIDTH: (16, 1e5),
    M.BANDWIDTH: (1e6, 1e14),
    M.STORAGE_RATE: (1e5, 1e14),
    M.CHECKPOINT_SIZE: (1e6, 1e15),
    M.RESPONSE_LENGTH: (1, 1e6),
    M.GENERATION_RATE: (0.1, 1e9),
    M.ROLLOUTS: (1, 1e6),
    M.KL: (-100, 100),
    M.SEQUENCE_KL: (0, 1e5),
}
"""A number outside these limits was misread: it cannot be the measure."""


class Rows:
    """Rows in the order in which they are written down: the specific before the general."""

    def __init__(self) -> None:
        self._added: list[tuple[str, str, Row]] = []

    def add(
        self,
        letters: str,
        heads: str,
        measure: Measure | None,
        *,
        led: str = "",
        per: str = "*",
        side: str = "",
        near: str = "",
        never: str = "",
        about: str = "",
        off: str = "",
        low: float = 0.0,
        high: float = float("inf"),
        reach: int = 5,
        factor: float = 1.0,
    ) -> None:
        """Add a row; the words are separated by spaces, phrases are terms with ``_`` for spaces."""
        if measure in LIMITS and factor > 0:
            least, most = LIMITS[measure]
            low, high = max(low, least / factor), min(high, most / factor)
        added = Row(
            measure,
            side,
            _set(led),
            None if per == "*" else _set(per),
            _set(near),
            _set(never),
            _set(about),
            _set(off),
            low,
            high,
            reach,
            factor,
        )
        self._added += [
            (letter, head, added) for letter in letters for head in _names(heads) or [""]
        ]

    def __add__(self, others: Rows) -> Rows:
        """These rows, then the others."""
        both = Rows()
        both._added = self._added + others._added
        return both

    def by_place(self) -> Mapping[tuple[str, str], Sequence[Row]]:
        """The rows by letter and head."""
        table: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for letter, head, row in self._added:
            table[letter, head].append(row)
        return dict(table)


def _set(names: str) -> frozenset[str]:
    return frozenset(_names(names))


def _names(words: str) -> list[str]:
    return [word.replace("_", " ") for word in words.split()]
