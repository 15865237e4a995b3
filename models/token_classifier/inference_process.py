"""One process a machine that holds a network on a GPU for all its workers.

Workers find it by a socket in the machine's cache, which nobody but its owner can enter; the first one starts
it, and it ends some seconds after the last has gone. Token ids and logits lie in memory that a worker shares
with it; through the socket go only shapes, and the class of an error.
"""

import json
import os
import struct
import subprocess
import sys
from contextlib import suppress
from mmap import mmap
from pathlib import Path
from select import select
from socket import AF_UNIX, recv_fds, send_fds, socket
from threading import Lock
from typing import Any

import numpy as np

from tacenda.models.token_classifier.onnx_session import Floats, Ints, Session
from tacenda.models.token_classifier.torch_session import package_session
from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.machine_cache import fingerprint, locked

_IDLE_S = 10.0
"""The process ends when no worker has been connected for this long."""

_START_S = 120.0
"""Longest wait for a process that loads torch and the network."""

_SHAPE = struct.Struct("3q")
"""Rows, places and classes of a call."""


def shared_session(model: Path, classes: int, device: str) -> "SharedSession":
    """The network of a package in the machine's inference process, which is started if there is none.

    Raises:
        UserError: the process cannot be started, or cannot load the network.
    """
    process = socket(AF_UNIX)
    process.settimeout(_START_S)
    try:
        with locked() as folder:
            address = folder / f"gpu-{fingerprint(str(model), str(model.stat().st_mtime_ns), device)}"
            if process.connect_ex(str(address)):
                _start(address, model, device)
                process.connect(str(address))
        return SharedSession(process, classes)
    except (OSError, ValueError):
        raise UserError(f"model {model.parent}: its inference process did not start on {device}") from None


class SharedSession:
    """A network with so many classes in another process; a ``Session``.

    Raises:
        UserError: the process cannot load the network.
        OSError, ValueError: it does not answer.
    """

    pads, gated = True, False

    def __init__(self, process: socket, classes: int) -> None:
        self._answers = process.makefile("r")
        told: dict[str, Any] = json.loads(self._answers.readline())
        if "error" in told:
            raise UserError(told["error"])
        self.budget: int = told["budget"]
        self.arithmetic: str = told["arithmetic"]
        self.tolerance: float = told["tolerance"]
        process.settimeout(None)
        self._process, self._classes, self._one_at_a_time = process, classes, Lock()
        self._memory = os.memfd_create("tokens")

    def scores(self, ids: Ints, mask: Ints, types: Ints, whole: bool = False) -> Floats:
        """See ``onnx_session.Session``.

        Raises:
            DetectorUnavailableError: the process has ended.
            RuntimeError: the network failed on these rows.
        """
        shape = (*ids.shape, self._classes)
        with self._one_at_a_time:
            rows, logits = _mapped(self._memory, *shape)
            rows[:] = ids, mask, types
            try:
                send_fds(self._process, [_SHAPE.pack(*shape)], [self._memory])
                answer = self._answers.readline()
            except OSError:
                answer = ""
            if not answer:
                raise DetectorUnavailableError("model", "InferenceProcessEnded")
            if answer.strip():
                raise RuntimeError(f"the inference process failed: {answer.strip()}")
            return np.array(logits)


def _mapped(memory: int, rows: int, places: int, classes: int) -> tuple[Ints, Floats]:
    """Ids, mask and types (3, rows, places), and logits (rows, places, classes), in shared memory."""
    size = rows * places * 3 * 8
    whole = size + rows * places * classes * 4
    if os.fstat(memory).st_size < whole:
        os.ftruncate(memory, whole)
    shared = mmap(memory, whole)
    inputs = np.frombuffer(shared, np.int64, rows * places * 3).reshape(3, rows, places)
    return inputs, np.frombuffer(shared, np.float32, offset=size).reshape(rows, places, classes)


def _start(address: Path, model: Path, device: str) -> None:
    """Start a process that listens at an address, where workers can wait for it from now on."""
    address.unlink(missing_ok=True)
    code = f"import sys; from {__name__} import serve; serve(*sys.argv[1:])"
    with socket(AF_UNIX) as listening:
        listening.bind(str(address))
        listening.listen(1024)
        subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-c", code, str(listening.fileno()), str(address), str(model), device],
            pass_fds=[listening.fileno()],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def serve(descriptor: str, address: str, model: str, device: str) -> None:
    """Load a package's network and score for all workers that connect to a socket with this descriptor.

    Returns when the last one has been gone for some seconds.
    """
    listening = socket(fileno=int(descriptor))
    session: Session | None = None
    told: dict[str, Any] = {}
    try:
        session = package_session(Path(model), device)
        told = {name: getattr(session, name) for name in ("budget", "arithmetic", "tolerance")}
    except UserError as error:
        told["error"] = str(error)
    workers: list[socket] = []
    while True:
        ready, _, _ = select([listening, *workers], [], [], _IDLE_S)
        for one in ready:
            if one is listening:
                workers.append(listening.accept()[0])
                with suppress(OSError):
                    workers[-1].sendall(json.dumps(told).encode() + b"\n")
            elif session is None or not _answered(one, session):
                workers.remove(one)
                one.close()
        if not ready and not workers:
            with locked():  # so that nobody connects now
                if not select([listening], [], [], 0)[0]:
                    return os.unlink(address)


def _answered(worker: socket, session: Session) -> bool:
    """Answer a worker's call; false if it has gone."""
    with suppress(OSError):
        shape, memories, _, _ = recv_fds(worker, _SHAPE.size, 1)
        failed = b""
        for memory in memories:
            try:
                rows, logits = _mapped(memory, *_SHAPE.unpack(shape))
                np.concatenate([session.scores(*rows)], out=logits)  # which refuses another shape
            except Exception as error:  # noqa: BLE001 - the worker fails its unit; others go on
                failed = type(error).__name__.encode()
            os.close(memory)
        worker.sendall(failed + b"\n")
        return bool(shape)
    return False
