"""One process a machine that holds a network on a GPU for all its workers: token ids go in, logits come back.

Workers find it by a socket in the machine's cache, which nobody but its owner can enter; the first one starts
it, and it ends some seconds after the last has gone. Messages are plain arrays, never pickles.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Client, Connection
from pathlib import Path
from socket import AF_UNIX, socket
from threading import Lock, Thread

import numpy as np

from tacenda.models.token_classifier.onnx_session import Floats, Ints, Session
from tacenda.models.token_classifier.torch_session import package_session
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.machine_cache import fingerprint, locked

_IDLE_S = 10.0
"""The process ends when no worker has been connected for this long."""

_START_S = 120.0
"""Longest wait for a process that loads torch and the network."""

_FAILED = b"failed "


def shared_session(model: Path, device: str) -> "SharedSession":
    """The network of a package in the machine's inference process, which is started if there is none.

    Raises:
        UserError: the process cannot be started, or cannot load the network.
    """
    with locked("inference.lock") as folder:
        address = folder / f"gpu-{fingerprint(str(model), str(model.stat().st_mtime_ns), device)}"
        return SharedSession(_connected(address) or _started(address, model, device))


class SharedSession:
    """A network in another process; a ``Session``.

    Raises:
        UserError: the process cannot load the network.
    """

    pads, gated = True, False

    def __init__(self, process: Connection) -> None:
        told = process.recv_bytes()
        if told.startswith(_FAILED):
            raise UserError(told.removeprefix(_FAILED).decode())
        facts = json.loads(told)
        self.budget: int = facts["budget"]
        self.arithmetic: str = facts["arithmetic"]
        self.tolerance: float = facts["tolerance"]
        self._process, self._one_at_a_time = process, Lock()

    def scores(self, ids: Ints, mask: Ints, types: Ints, whole: bool = False) -> Floats:
        """See ``onnx_session.Session``."""
        rows = np.stack([ids, mask, types]).astype(np.int32)
        with self._one_at_a_time:
            self._process.send_bytes(np.array(ids.shape, np.int32).tobytes() + rows.tobytes())
            answer = self._process.recv_bytes()
        if answer.startswith(_FAILED):
            raise RuntimeError(answer.decode())
        return np.frombuffer(answer, np.float32).reshape(*ids.shape, -1)


def _connected(address: Path) -> Connection | None:
    try:
        return Client(str(address), "AF_UNIX")
    except OSError:
        return None


def _started(address: Path, model: Path, device: str) -> Connection:
    address.unlink(missing_ok=True)
    code = f"import sys; from {__name__} import serve; serve(*sys.argv[1:])"
    process = subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-c", code, str(address), str(model), device],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    limit = time.monotonic() + _START_S
    while process.poll() is None and time.monotonic() < limit:
        if found := _connected(address):
            return found
        time.sleep(0.1)
    raise UserError(f"model {model.parent}: its inference process did not start on {device}")


def serve(address: str, model: str, device: str) -> None:
    """Load a network and score for every worker that connects, until the last has gone for some seconds."""
    serve_session(Path(address), lambda: package_session(Path(model), device))


def serve_session(address: Path, opened: Callable[[], Session]) -> None:
    """As ``serve``, for a session that ``opened`` returns."""
    session: Session | None = None
    try:
        session = opened()
        greeting = json.dumps(
            {"budget": session.budget, "arithmetic": session.arithmetic, "tolerance": session.tolerance}
        ).encode()
    except UserError as error:
        greeting = _FAILED + str(error).encode()
    one_at_a_time, workers = Lock(), list[Thread]()
    with socket(AF_UNIX) as listening:
        listening.bind(str(address))
        listening.listen(64)
        listening.settimeout(_IDLE_S)
        while True:
            try:
                accepted, _ = listening.accept()
            except TimeoutError:
                workers = [one for one in workers if one.is_alive()]
                if workers:
                    continue
                break
            worker = Connection(accepted.detach())
            worker.send_bytes(greeting)
            if session is None:
                break
            workers.append(Thread(target=_answer, args=(worker, session, one_at_a_time), daemon=True))
            workers[-1].start()
    os.unlink(address)


def _answer(worker: Connection, session: Session, one_at_a_time: Lock) -> None:
    """Answer one worker until it closes the connection."""
    while True:
        try:
            asked = worker.recv_bytes()
        except (EOFError, OSError):
            return
        shape = np.frombuffer(asked, np.int32, 2)
        ids, mask, types = np.frombuffer(asked, np.int32, offset=8).reshape(3, *shape).astype(np.int64)
        try:
            with one_at_a_time:
                answer = np.ascontiguousarray(session.scores(ids, mask, types), np.float32).tobytes()
        except Exception as error:  # noqa: BLE001 - the worker fails its unit; others go on
            answer = _FAILED + type(error).__name__.encode()
        worker.send_bytes(answer)
