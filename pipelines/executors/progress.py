"""A progress line on a terminal: how far, conversations, MB/s, time left. Quiet everywhere else."""

import sys
import threading
import time
from types import TracebackType
from typing import TextIO

from tacenda.pipelines.plan import Plan
from tacenda.pipelines.receipts import finished_units
from tacenda.pipelines.settings import JobSettings
from tacenda.pipelines.terminal import is_quiet
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.writing.staging import open_staged

_LOCAL_PERIOD_S = 0.5
_REMOTE_PERIOD_S = 5.0
_PAUSES = 20
"""A pause is at least so many times as long as a look takes."""


class ProgressLine:
    """Says how far a run is while it goes; a context manager around the run.

    An executor in this process tells it of each batch by :meth:`advance`. Where nobody does, it looks for
    finished units on storage, which works the same for a far cluster.
    """

    def __init__(self, plan: Plan, job: JobSettings, stream: TextIO | None = None) -> None:
        self._job = job
        self._stream = stream or sys.stderr
        self._text_bytes = plan.text_bytes
        self._conversations = 0
        self._characters = 0
        self._done_bytes = 0
        self._seen: set[str] = set()
        self._told = False
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._begin = time.monotonic()

    def __enter__(self) -> "ProgressLine":
        if self._stream.isatty() and not is_quiet():
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

    def advance(self, conversations: int, characters: int, text_bytes: int) -> None:
        """Count what an executor in this process has done."""
        self._told = True
        self._conversations += conversations
        self._characters += characters
        self._done_bytes += text_bytes

    def line(self, elapsed_s: float) -> str:
        """The line for what is done by now; the size of compressed input is an estimate."""
        share = min(self._done_bytes / self._text_bytes, 0.99) if self._text_bytes else 0.0
        rate = self._characters / elapsed_s if elapsed_s > 0 else 0.0
        left = f"{_clock(elapsed_s * (1 - share) / share)} left" if share else ""
        return f"{share:.0%}  {self._conversations:,} conversations  {rate / 1e6:.2f} MB/s  {left}".rstrip()

    def _follow(self) -> None:
        remote = "://" in self._job.output and not self._job.output.startswith("file://")
        pause = _REMOTE_PERIOD_S if remote else _LOCAL_PERIOD_S
        while not self._stop.wait(pause):
            began = time.monotonic()
            if not self._told:
                try:
                    self._look()
                except (OSError, ValueError, UserError):
                    continue  # staged units go when their part is finished, and storage has hiccups
            # Of a very large run, listing what is finished takes a while.
            pause = max(pause, _PAUSES * (time.monotonic() - began))
            self._stream.write(f"\r\x1b[K{self.line(time.monotonic() - self._begin)}")
            self._stream.flush()

    def _look(self) -> None:
        for name, url in finished_units(self._job):
            if name not in self._seen:
                with open_staged(url) as staged:
                    receipt = staged.receipt
                self._seen.add(name)
                self._conversations += receipt["conversations"]
                self._characters += receipt["characters"]
                self._done_bytes += receipt["text_bytes"]


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600}:{whole % 3600 // 60:02d}:{whole % 60:02d}"
