"""A progress line on terminals: percentage, conversations, MB/s, time left."""

import sys
import threading
import time
from types import TracebackType
from typing import TextIO

from tacenda.pipelines.command_line.terminal import is_quiet
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.receipts import finished_units
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.writing.staging import open_staged

_LOCAL_PERIOD_S = 0.5
_REMOTE_PERIOD_S = 5.0
_PAUSES = 20
"""Pauses between polls are at least this many times as long as a poll."""


class ProgressLine:
    """Shows the progress of a run; a context manager around it.

    Executors in this process call :meth:`advance` for each batch. Otherwise the line polls storage for
    finished units, which also works for a remote cluster.
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
        """Add what an executor in this process has finished."""
        self._told = True
        self._conversations += conversations
        self._characters += characters
        self._done_bytes += text_bytes

    def line(self, elapsed_s: float) -> str:
        """The current line; the size of compressed input is an estimate."""
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
                    continue  # a staged unit was removed when its part was finished, or storage had a hiccup
            # In very large runs, listing finished units takes a while.
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
