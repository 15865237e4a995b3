"""Local web servers: one returns a fixed text, one the files of a folder."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

_POLLED_S = 0.02  # how long the end of a server may take


class QuietHandler(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def answering(text: str) -> Iterator[str]:
    """The address of a server that answers every request with this text."""

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text.encode())

    with listening(Handler) as address:
        yield address


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server of the files in a folder."""

    class Handler(QuietHandler, SimpleHTTPRequestHandler):
        pass

    with listening(partial(Handler, directory=str(folder))) as address:
        yield address


@contextmanager
def listening(handler: Any) -> Iterator[str]:
    """The address of a server on a free local port, in a thread."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(_POLLED_S,))
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
