"""A local server with the protocol of S3."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen


@contextmanager
def running() -> Iterator[str]:
    """The address of the server; environment variables lead to it, which worker processes inherit."""
    import s3fs
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
    s3fs.S3FileSystem.clear_instance_cache()
    # What earlier servers of this process stored is still there.
    with urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")):
        pass
    try:
        yield os.environ["AWS_ENDPOINT_URL"]
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
        os.environ.clear()
        os.environ.update(before)
        server.stop()
