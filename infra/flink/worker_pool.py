"""Starts and stops Beam's Python workers for the task managers of a machine, as a side-car does on Kubernetes.

It differs from Beam's own pool in three ways: `apache_beam.runners.worker.worker_pool_main` listens on every
network interface, and anyone who reaches it can run code; it never reads the output of workers, so that a
worker blocks forever once it has printed 64 KiB; and it knows workers by their id alone. Task managers number
their workers alike, so with Beam's pool one would end the workers of another. Usage: worker_pool.py PORT
"""

from __future__ import annotations

import shutil
import signal
import sys
import threading

import grpc
from apache_beam.portability.api import beam_fn_api_pb2, beam_fn_api_pb2_grpc
from apache_beam.runners.worker.worker_pool_main import (
    BeamFnExternalWorkerPoolServicer,
    kill_process_gracefully,
)
from apache_beam.utils import thread_pool_executor


class WorkerPool(BeamFnExternalWorkerPoolServicer):
    """Beam's pool, whose workers may print, and belong to the task manager that asked for them."""

    _one_at_a_time = threading.Lock()

    def StartWorker(  # noqa: N802
        self, start_worker_request: beam_fn_api_pb2.StartWorkerRequest, context: grpc.ServicerContext
    ) -> beam_fn_api_pb2.StartWorkerResponse:
        """Start a worker process and let its standard output through."""
        with self._one_at_a_time:
            response = super().StartWorker(start_worker_request, context)
            worker = self._worker_processes.pop(start_worker_request.worker_id, None)
            if worker is not None:
                self._worker_processes[self._name(start_worker_request.worker_id, context)] = worker
        if worker is not None:
            streams = (worker.stdout, sys.stdout.buffer, 1024)
            threading.Thread(target=shutil.copyfileobj, args=streams, daemon=True).start()
        return response

    def StopWorker(  # noqa: N802
        self, stop_worker_request: beam_fn_api_pb2.StopWorkerRequest, context: grpc.ServicerContext
    ) -> beam_fn_api_pb2.StopWorkerResponse:
        """End a worker of the task manager that asks for it."""
        name = self._name(stop_worker_request.worker_id, context)
        return super().StopWorker(beam_fn_api_pb2.StopWorkerRequest(worker_id=name), context)

    @staticmethod
    def _name(worker_id: str, context: grpc.ServicerContext) -> str:
        """The id of a worker and the connection of its task manager, which starts and stops it by the same."""
        return f"{context.peer()} {worker_id}"

    def end_workers(self) -> None:
        """End every worker, by force after three seconds."""
        for worker in list(self._worker_processes.values()):
            kill_process_gracefully(worker, timeout=3)


def main(port: str) -> None:
    """Serve on localhost:`port` until a SIGTERM or SIGINT."""
    pool = WorkerPool(use_process=True, data_buffer_time_limit_ms=-1)
    # Without so_reuseport a second pool on the same port fails, instead of taking every other request.
    server = grpc.server(thread_pool_executor.shared_unbounded_instance(), options=[("grpc.so_reuseport", 0)])
    beam_fn_api_pb2_grpc.add_BeamFnExternalWorkerPoolServicer_to_server(pool, server)
    server.add_insecure_port(f"localhost:{port}")

    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    server.start()
    stopping.wait()
    server.stop(grace=None)
    pool.end_workers()


if __name__ == "__main__":
    main(sys.argv[1])
