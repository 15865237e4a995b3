"""A remote Beam runner, and the ways in which it may end."""

import subprocess
import sys

import grpc
from apache_beam.runners.runner import PipelineResult, PipelineRunner


class Gone(grpc.RpcError, grpc.Call):  # type: ignore[misc]
    """The gRPC error for a server that has gone away."""

    code = staticmethod(lambda: grpc.StatusCode.UNAVAILABLE)
    details = initial_metadata = trailing_metadata = lambda *_: None
    is_active = time_remaining = cancel = add_callback = lambda *_: None


class Runner(PipelineRunner):
    """A remote runner with a local job server; the test chooses how it ends."""

    at_submission: Exception | None = None
    at_end: Exception | str = "DONE"

    def run_pipeline(self, pipeline: object, options: object) -> PipelineResult:
        self.server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        if self.at_submission is not None:
            raise self.at_submission
        return Result(self.at_end)


class Result(PipelineResult):
    def __init__(self, end: Exception | str) -> None:
        super().__init__("RUNNING")
        self._end = end

    def wait_until_finish(self, duration: int | None = None) -> str:
        if isinstance(self._end, Exception):
            raise self._end
        return self._end
