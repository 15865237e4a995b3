"""CPU features on which floating-point results depend."""

import platform
from pathlib import Path

from tacenda.transforms.storage.process_cache import built_once

_CPUINFO = Path("/proc/cpuinfo")

_FEATURES = (
    "avx2", "fma", "avx_vnni", "avx512f", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "amx_int8",
    "amx_bf16", "asimd", "asimddp", "i8mm", "bf16", "sve", "sve2",
)  # fmt: skip
"""Features by which ONNX Runtime and matrix libraries choose their routines, as named by Linux."""


@built_once
def processor() -> str:
    """The architecture and the features that affect arithmetic, such as ``x86_64 avx2 fma``.

    Features are known on Linux only; elsewhere this is just the architecture.
    """
    try:
        text = _CPUINFO.read_text("ascii", "replace")
    except OSError:
        text = ""
    return described(platform.machine(), text)


def described(machine: str, cpuinfo: str) -> str:
    """:func:`processor` from an architecture and the text of ``/proc/cpuinfo``."""
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() in ("flags", "features"):
            present = set(value.split())
            return " ".join((machine, *(feature for feature in _FEATURES if feature in present)))
    return machine
