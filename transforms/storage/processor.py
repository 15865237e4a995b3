"""CPU features on which floating-point results depend."""

import platform
from pathlib import Path

from tacenda.transforms.storage.process_cache import built_once

_CPUINFO = Path("/proc/cpuinfo")

_FEATURES = (
    "avx2", "fma", "avx_vnni", "avx512f", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "amx_int8",
    "amx_bf16", "asimd", "asimddp", "i8mm", "bf16", "sve", "sve2",
)  # fmt: skip
"""Those by which ONNX Runtime and the libraries of matrices choose their routines, as Linux calls them."""


@built_once
def processor() -> str:
    """The architecture and its features that arithmetic depends on, as ``x86_64 avx2 fma``.

    Only Linux tells of features; elsewhere it is the architecture alone.
    """
    try:
        text = _CPUINFO.read_text("ascii", "replace")
    except OSError:
        text = ""
    return described(platform.machine(), text)


def described(machine: str, cpuinfo: str) -> str:
    """The same of an architecture and the text of ``/proc/cpuinfo``."""
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() in ("flags", "features"):
            present = set(value.split())
            return " ".join((machine, *(feature for feature in _FEATURES if feature in present)))
    return machine
