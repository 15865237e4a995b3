"""An HTTP proxy before one server that fails some of its requests, as networks and object stores do.

Whether a request fails, and how, is drawn from the seed, the request and how often it was asked before. So the
same program meets the same faults however its threads interleave, and a repeated request gets through at last.
"""

import http.client
import random
import re
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.fakes.web_server import QuietHandler, listening

_OF_ONE_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})
_CHANGES = re.compile(r"[0-9a-f]{32}|\?.*")
"""What differs from run to run: random names, and queries, which may hold the time."""

_SLOW_PIECES = 4
_SLOW_PIECE_S = 0.02


class Answer(NamedTuple):
    """What the server behind the proxy answered."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


@dataclass
class FaultyProxy:
    """A running proxy; ``rate`` and ``kinds`` may be changed at any time, ``faults`` counts what it did."""

    url: str
    rate: float
    seed: int
    kinds: frozenset[str]
    faults: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    _asked: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def fault_of(self, request: str) -> str | None:
        """The fault that meets a request, None if it is passed on as it is."""
        alike = _CHANGES.sub("", request)
        with self._lock:
            self.requests += 1
            self._asked[alike] += 1
            draw = random.Random(f"{self.seed} {self._asked[alike]} {alike}")
            if draw.random() >= self.rate:
                return None
            fault = draw.choice(sorted(self.kinds))
            self.faults[fault] += 1
            return fault


@contextmanager
def before(server: str, rate: float, seed: int) -> Iterator[FaultyProxy]:
    """A proxy before the server at this URL that fails a share ``rate`` of the requests."""
    told = FaultyProxy("", rate, seed, frozenset(FAULTS))

    class Handler(_Handler):
        upstream = urlsplit(server).netloc
        proxy = told

    with listening(Handler) as address:
        told.url = f"http://{address}"
        yield told


class _Handler(QuietHandler):
    protocol_version = "HTTP/1.1"
    upstream: str
    proxy: FaultyProxy

    def handle(self) -> None:
        with suppress(OSError):  # the client left
            super().handle()

    def answer(self) -> None:
        body = self._body()
        fault = self.proxy.fault_of(f"{self.command} {self.path}")
        if fault is None:
            self.send(self.forward(body))
        else:
            FAULTS[fault](self, body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = do_PATCH = answer  # noqa: N815 - as the base class asks

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        pieces = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return b"".join(pieces)

    def forward(self, body: bytes) -> Answer:
        """Ask the server, and take its whole answer."""
        connection = http.client.HTTPConnection(self.upstream, timeout=60)
        try:
            kept = {name: value for name, value in self.headers.items() if name.lower() not in _OF_ONE_HOP}
            connection.request(self.command, self.path, body, {**kept, "Content-Length": str(len(body))})
            told = connection.getresponse()
            headers = [pair for pair in told.getheaders() if pair[0].lower() not in _OF_ONE_HOP]
            if self.command == "HEAD" and (size := told.getheader("Content-Length")):
                headers.append(("Content-Length", size))
            return Answer(told.status, headers, told.read())
        finally:
            connection.close()

    def send(self, answer: Answer, stop: float = 1.0, pieces: int = 1) -> None:
        """Send an answer, or its first part only, at once or in pieces."""
        self.send_response_only(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        if self.command != "HEAD":
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        sent = answer.body[: int(len(answer.body) * stop)]
        step = max(1, -(-len(sent) // pieces))
        for begin in range(0, len(sent), step):
            self.wfile.write(sent[begin : begin + step])
            if pieces > 1:
                threading.Event().wait(_SLOW_PIECE_S)

    def refuse(self, status: int, *headers: tuple[str, str]) -> None:
        self.send(Answer(status, [*headers, ("Content-Type", "text/plain")], b"not now"))

    def reset(self) -> None:
        """End the connection as a crashed host does: the client sees a reset."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def cut(self, body: bytes) -> None:
        """Half an answer, then the end of the connection; one without a body ends before its first byte."""
        answer = self.forward(body)
        if answer.body and self.command != "HEAD":
            self.send(answer, stop=0.5)
            self.wfile.flush()
        self.close_connection = True

    def forward_and_reset(self, body: bytes) -> None:
        self.forward(body)
        self.reset()


FAULTS: dict[str, Callable[[_Handler, bytes], None]] = {
    "500": lambda handler, _: handler.refuse(500),
    "503, throttled": lambda handler, _: handler.refuse(503, ("Retry-After", "1")),
    "429, throttled": lambda handler, _: handler.refuse(429, ("Retry-After", "1")),
    "reset before it was done": lambda handler, _: handler.reset(),
    "done, and reset": _Handler.forward_and_reset,
    "answer cut off": _Handler.cut,
    "slow answer": lambda handler, body: handler.send(handler.forward(body), pieces=_SLOW_PIECES),
}
"""Of these, all but the last make the client ask again."""
