"""A local server with the protocol of S3."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def running() -> Iterator[None]:
    """The server, configured by environment variables, which worker processes inherit."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    before = dict(os.environ)
    os.environ.update(
        AWS_ENDPOINT_URL=f"http://{host}:{port}",
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
        AWS_DEFAULT_REGION="us-east-1",
    )
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        server.stop()
