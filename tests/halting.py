"""Runs that are halted in the middle, so that tests do not depend on timing."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.talks import talk, write_lines
from tests.waiting import PATIENCE_S, wait_until

UNITS = 40
"""Work units that a run should have, so that it can be seen before it is over."""


def tacenda(*words: object) -> list[str]:
    return [sys.executable, "-m", "tacenda", *map(str, words)]


def write_calls(path: Path, ids: Iterable[int]) -> Path:
    """Write calls that take a run a moment, with one of these numbers each."""
    said = [("Pam", f"write to ann{i}@example.com or call 555-0100") for i in range(8)]
    return write_lines(path, (talk(f"c{i}", *said) for i in ids))


def staged_units(folder: Path) -> list[Path]:
    """The receipts of the work units that a run has finished."""
    return list(folder.glob(".tacenda/*/units/*/0*"))


def signal_group(process: "subprocess.Popen[str]", number: int) -> None:
    """Send a signal to a run and all of its processes."""
    os.killpg(process.pid, number)


def halted_in_the_middle(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    signal_workers: Callable[["subprocess.Popen[str]", int], None] = signal_group,
) -> "subprocess.Popen[str]":
    """A run of ``UNITS`` units whose workers stand still, with at least two finished and ten to do.

    ``signal_workers`` with ``SIGCONT`` lets it go on. It is started again where it was over before it could be
    halted.
    """
    for _ in range(10):
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
            preexec_fn=_hears,
        )
        wait_until(lambda: len(staged_units(folder)) >= 2 or process.poll() is not None)  # noqa: B023
        if process.poll() is None:
            signal_workers(process, signal.SIGSTOP)
            if 2 <= len(staged_units(folder)) <= UNITS - 10:
                return process
            signal_workers(process, signal.SIGCONT)
        _, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, err
        shutil.rmtree(folder)
    raise AssertionError("every run was over before it could be halted")


class EndedError(BaseException):
    """The end of a process, simulated: nothing in the program catches it."""


_STEPS = ("move", "remove_file", "publish_bytes", "remove_folder", "write_table")


def ended_at_step(number: int, module: ModuleType, patched: pytest.MonkeyPatch) -> None:
    """Raise :class:`EndedError` before a module moves, removes or publishes its ``number``th file."""
    left = iter(range(number))

    def ending(step: Callable[..., Any]) -> Callable[..., Any]:
        def end_or_do(*words: Any, **named: Any) -> Any:
            if next(left, None) is None:
                raise EndedError
            return step(*words, **named)

        return end_or_do

    for name in _STEPS:
        patched.setattr(module, name, ending(getattr(module, name)))


def _hears() -> None:
    """Enable interrupts: whoever runs the tests may ignore them, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
