"""An emulator of Google Cloud Storage, in a process of its own."""

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.waiting import wait_until

_STARTS = 5


@contextmanager
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the server; environment variables lead to it, which worker processes inherit."""
    import gcsfs

    process, url = _started()
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", url)
    for protocol in ("GCS", "GS"):
        monkeypatch.setenv(f"FSSPEC_{protocol}", '{"token": "anon"}')
    gcsfs.GCSFileSystem.clear_instance_cache()
    try:
        yield url
    finally:
        gcsfs.GCSFileSystem.clear_instance_cache()
        process.kill()
        process.wait()


def _started() -> tuple["subprocess.Popen[bytes]", str]:
    for _ in range(_STARTS):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = ["start", "--host=127.0.0.1", f"--port={port}", "--in-memory", "--quiet"]
        process = subprocess.Popen(
            [sys.executable, "-m", "gcp_storage_emulator", *words], stderr=subprocess.DEVNULL
        )
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: process.poll() is not None or _answers(url), step_s=0.05)  # noqa: B023
        if process.poll() is None:
            return process, url
    raise AssertionError("the emulator does not start")


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


os.environ.setdefault("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")
"""Read when gcsfs is imported: otherwise it asks for a bucket's type by gRPC, and the emulator has none."""
