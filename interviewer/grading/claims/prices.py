"""What an hour of one device costs, as of November 2025.

From the cheapest spot or marketplace offer to the dearest list price of the large clouds, 2022 to
2025. Wide on purpose: a cost is only called impossible where no offer of these years explains it.
"""

from __future__ import annotations

DOLLARS_AN_HOUR: dict[str, tuple[float, float]] = {
    "P100": (0.1, 1.6),
    "V100": (0.12, 3.1),
    "T4": (0.08, 0.8),
    "L4": (0.15, 1.3),
    "A10": (0.15, 2),
    "A40": (0.2, 2),
    "A6000": (0.2, 1.9),
    "L40S": (0.3, 2.9),
    "3090": (0.08, 0.8),
    "4090": (0.15, 1.2),
    "A100": (0.4, 5.2),
    "H100": (0.9, 12.9),
    "H200": (1.2, 14),
    "B200": (1.8, 20),
    "MI250X": (0.6, 5),
    "MI300X": (0.8, 8.5),
    "TPU v4": (0.7, 3.6),
    "TPU v5e": (0.2, 1.6),
    "TPU v5p": (0.9, 4.6),
}
