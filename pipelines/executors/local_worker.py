"""A Beam worker process on this machine, started by :mod:`tacenda.pipelines.executors.beam`.

Beam's own worker reports each of its steps at level INFO and WARNING, once a process, to the terminal of
whoever runs the job. An error reaches the runner anyway, which says it once.
"""

import logging
import os
import sys
import traceback

from tacenda.pipelines.executors.children import follow
from tacenda.pipelines.outcome import leave

_NOT_OURS = ("pymongo", "boto3")
"""What Beam imports for sources and sinks of its own if it is there; we read and write through fsspec."""


def main() -> None:
    """Run Beam's worker, quietly; the argument is the id of the process that started it."""
    follow(int(sys.argv[1]))
    if not os.environ.get("TACENDA_DEBUG"):
        logging.disable(logging.CRITICAL)
        # Beam also prints tracebacks; the runner gets them with the error.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the life of the process
    for package in _NOT_OURS:
        sys.modules.setdefault(package, None)  # type: ignore[arg-type]  # an import of it fails from here on
    from apache_beam.runners.worker import sdk_worker_main

    try:
        sdk_worker_main.main(sys.argv[:1])
    except BaseException:  # noqa: BLE001 - whatever it is, the process ends with it
        traceback.print_exc()
        code = 1
    else:
        code = 0
    # An ordinary end takes down native libraries under their own threads, which may abort, and the terminal
    # shows it.
    leave(code)


if __name__ == "__main__":
    main()
