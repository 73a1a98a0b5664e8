"""Accelerators: speed, memory and the ways people say their names.

Peaks are the vendors' figures for dense BF16 or FP16 matrix products with FP32 accumulation. An
ambiguous name means the fastest variant, so that checks err in the candidate's favour. Sources:
NVIDIA's data sheets (V100, T4, A100, A10, A30, A40, RTX A6000, L4, L40S, H100, H200, GB200 NVL72,
DGX B200) and white papers on GeForce Ampere, Ada and Blackwell, AMD's Instinct product pages,
Google's Cloud TPU documentation, Intel's Gaudi papers, the AWS Trainium pages. The variants for
China and the Ascend 910B have no public data sheet; their figures are those commonly reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    """One type of accelerator; ``memory`` is that of its largest variant."""

    name: str
    flops: float
    """Peak operations a second, dense."""
    memory: float
    """Bytes."""
    has_fp8: bool = False
    """Has native FP8, which doubles the peak for training in eight bits."""
    link: float | None = None
    """Bytes a second over all links to other devices, both directions together; None if unknown."""


def _device(name: str, teraflops: float, gigabytes: float, *, has_fp8: bool = False) -> Device:
    link = _LINKS.get(name)
    return Device(
        name, teraflops * 1e12, gigabytes * 1e9, has_fp8, None if link is None else link * 1e9
    )


_LINKS = {
    **{"V100": 300, "A100": 600, "A800": 400, "H100": 900, "H800": 400, "H20": 900, "H200": 900},
    **{"GH200": 900, "B100": 1800, "B200": 1800, "GB200": 1800, "B300": 1800, "GB300": 1800},
    **{"MI250X": 800, "MI300X": 896, "MI325X": 896},
}
"""NVLink or Infinity Fabric in gigabytes a second, from the same data sheets."""


_DEVICES = {
    device.name: device
    for device in (
        _device("P100", 21.2, 16),
        _device("V100", 125, 32),
        _device("T4", 65, 16),
        _device("A100", 312, 80),
        _device("A800", 312, 80),
        _device("A10", 125, 24),
        _device("A30", 165, 24),
        _device("A40", 150, 48),
        _device("A6000", 155, 48),
        _device("L4", 121, 24, has_fp8=True),
        _device("L40", 181, 48, has_fp8=True),
        _device("L40S", 362, 48, has_fp8=True),
        _device("RTX 6000 Ada", 364, 48, has_fp8=True),
        _device("3090", 71, 24),
        _device("4090", 165, 24, has_fp8=True),
        _device("5090", 210, 32, has_fp8=True),
        _device("H100", 989, 80, has_fp8=True),
        _device("H100 PCIe", 756, 80, has_fp8=True),
        _device("H100 NVL", 835, 94, has_fp8=True),
        _device("H800", 989, 80, has_fp8=True),
        _device("H20", 148, 96, has_fp8=True),
        _device("H200", 989, 141, has_fp8=True),
        _device("GH200", 989, 144, has_fp8=True),
        _device("B100", 1800, 192, has_fp8=True),
        _device("B200", 2250, 192, has_fp8=True),
        _device("GB200", 2500, 192, has_fp8=True),
        _device("B300", 2250, 288, has_fp8=True),
        _device("GB300", 2500, 288, has_fp8=True),
        _device("MI100", 185, 32),
        _device("MI210", 181, 64),
        _device("MI250", 362, 128),
        _device("MI250X", 383, 128),
        _device("MI300X", 1307, 192, has_fp8=True),
        _device("MI325X", 1307, 256, has_fp8=True),
        _device("MI355X", 2500, 288, has_fp8=True),
        _device("TPU v2", 46, 16),
        _device("TPU v3", 123, 32),
        _device("TPU v4", 275, 32),
        _device("TPU v5e", 197, 16),
        _device("TPU v5p", 459, 95),
        _device("TPU v6e", 918, 32),
        _device("Gaudi 2", 432, 96, has_fp8=True),
        _device("Gaudi 3", 1835, 128, has_fp8=True),
        _device("Trainium", 190, 32, has_fp8=True),
        _device("Trainium 2", 667, 96, has_fp8=True),
        _device("Ascend 910", 320, 32),
        _device("Ascend 910B", 376, 64),
        _device("Ascend 910C", 800, 128),
    )
}

_FORM = r"(?:[ -](?:sxm[2-5]?|hgx|dgx|tensor core))?"
_NAMES: tuple[tuple[str, str], ...] = (
    ("H100 PCIe", r"h100[ -]pcie"),
    ("H100 NVL", r"h100[ -]nvl"),
    ("RTX 6000 Ada", r"(?:rtx )?6000[ -]adas?|ada 6000"),
    ("A6000", r"(?:rtx[ -]?)?a6000"),
    ("MI250X", r"mi[ -]?250x"),
    *((f"MI{n}X", rf"mi[ -]?{n}x?") for n in (300, 325, 355)),
    *((f"MI{n}", rf"mi[ -]?{n}") for n in (100, 210, 250)),
    *(
        (f"TPU {v}", rf"tpu[ -]?{v}|{v}[ -]tpu|{v}[ -](?=chip|pod|core|slice)")
        for v in ("v2", "v3", "v4")
    ),
    *((f"TPU {v}", rf"(?:tpu[ -]?)?{v}(?:[ -]tpu)?") for v in ("v5e", "v5p", "v6e")),
    ("TPU v6e", r"trillium"),
    ("Gaudi 3", r"gaudi[ -]?3"),
    ("Gaudi 2", r"gaudi[ -]?2"),
    ("Trainium 2", r"(?:trainium[ -]?|trn)2"),
    ("Trainium", r"trainium|trn1"),
    ("Ascend 910B", r"(?:ascend )?910b\d?"),
    ("Ascend 910C", r"(?:ascend )?910c"),
    ("Ascend 910", r"ascend 910"),
    *((n, rf"(?:geforce )?(?:rtx[ -]?)?{n}(?:[ -]?ti)?") for n in ("3090", "4090", "5090")),
    ("4090", r"forty[ -]ninet(?:y(?![ -]\w)|ie)"),
    ("3090", r"thirty[ -]ninet(?:y(?![ -]\w)|ie)"),
    ("A100", r"a[ -](?:one[ -])?hundred(?=s\b)|(?<!of )a[ -]one[ -]hundred"),
    ("H100", r"h[ -](?:one[ -])?hundred"),
    ("V100", r"v[ -](?:one[ -])?hundred"),
    ("H200", r"h[ -]two[ -]hundred"),
    ("B200", r"b[ -]two[ -]hundred"),
    ("H800", r"h[ -]eight[ -]hundred"),
    ("A800", r"a[ -]eight[ -]hundred(?=s\b)"),
    *(
        (name, name.lower())
        for name in (
            *("GB300", "GB200", "GH200", "B300", "B200", "B100", "H200", "H800", "H100", "H20"),
            *("A800", "A100", "A40", "A30", "A10", "L40S", "L40", "L4", "V100", "P100", "T4"),
        )
    ),
)
_GROUPS = {f"d{i}": _DEVICES[name] for i, (name, _) in enumerate(_NAMES)}
DEVICE = re.compile(
    r"(?:\b(?:nvidia |amd |intel |google |huawei )?|(?<=\dx))(?:"
    + "|".join(f"(?P<d{i}>{pattern})" for i, (_, pattern) in enumerate(_NAMES))
    + rf")(?:'?s|es)?{_FORM}(?![\w])"
)
"""A device's name in normalised text. "40-90" with a hyphen stays a range."""


def device_of(match: re.Match[str]) -> Device:
    """The device that a match of ``DEVICE`` names."""
    return _GROUPS[str(match.lastgroup)]
