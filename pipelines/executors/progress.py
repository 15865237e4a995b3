"""A progress line on a terminal: units, conversations, MB/s, time left. Quiet everywhere else."""

import json
import sys
import threading
import time
from types import TracebackType
from typing import TextIO

from pipelines.plan import Plan
from pipelines.receipts import finished_receipts
from pipelines.settings import JobSettings
from transforms.schema.errors import UserError
from transforms.storage.files import read_bytes

_LOCAL_PERIOD_S = 0.5
_REMOTE_PERIOD_S = 5.0


class ProgressLine:
    """Follows the receipts of a run while it goes; a context manager around the run.

    Receipts are on storage, so it works the same for a runner in this process and on a far cluster.
    """

    def __init__(self, plan: Plan, job: JobSettings, stream: TextIO | None = None) -> None:
        self._plan = plan
        self._job = job
        self._stream = stream or sys.stderr
        self._sizes = {part.name: part.size_bytes for part in plan.parts}
        self._conversations: dict[str, int] = {}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._begin = time.monotonic()

    def __enter__(self) -> "ProgressLine":
        if self._stream.isatty():
            self._thread = threading.Thread(target=self._follow, name="progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def line(self, elapsed_s: float) -> str:
        """The line for what is finished by now."""
        total = len(self._sizes)
        done = len(self._conversations)
        done_bytes = sum(self._sizes.get(name, 0) for name in self._conversations)
        all_bytes = sum(self._sizes.values())
        rate = done_bytes / elapsed_s if elapsed_s > 0 else 0.0
        left = f"{_clock((all_bytes - done_bytes) / rate)} left" if rate and done < total else ""
        return (
            f"{done}/{total} units  {sum(self._conversations.values()):,} conversations  "
            f"{rate / 1e6:.1f} MB/s  {left}"
        ).rstrip()

    def _follow(self) -> None:
        remote = "://" in self._job.output and not self._job.output.startswith("file://")
        while not self._stop.wait(_REMOTE_PERIOD_S if remote else _LOCAL_PERIOD_S):
            try:
                self._look()
            except (OSError, ValueError, UserError):
                continue  # receipts go when the run ends, and storage has hiccups; the next look mends it
            self._stream.write(f"\r\x1b[K{self.line(time.monotonic() - self._begin)}")
            self._stream.flush()

    def _look(self) -> None:
        for name, url in finished_receipts(self._job).items():
            if name not in self._conversations:
                self._conversations[name] = json.loads(read_bytes(url))["conversations"]


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600}:{whole % 3600 // 60:02d}:{whole % 60:02d}"
