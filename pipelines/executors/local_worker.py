"""A Beam worker process on this machine, started by :mod:`tacenda.pipelines.executors.beam`.

Beam's own worker logs each of its steps at level INFO and WARNING to the terminal, once a process. Errors
reach the runner anyway, which reports them once.
"""

import logging
import os
import sys
import traceback

from tacenda.pipelines.command_line.outcome import leave
from tacenda.pipelines.executors.children import follow

_NOT_OURS = ("pymongo", "boto3")
"""Packages that Beam imports, if installed, for its own sources and sinks; we use fsspec instead."""


def main() -> None:
    """Run Beam's worker without output; the argument is the id of the parent process."""
    follow(int(sys.argv[1]))
    if not os.environ.get("TACENDA_DEBUG"):
        logging.disable(logging.CRITICAL)
        # Beam also prints tracebacks; the runner gets them with the error.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the life of the process
    for package in _NOT_OURS:
        sys.modules.setdefault(package, None)  # type: ignore[arg-type]  # makes its import fail
    from apache_beam.runners.worker import sdk_worker_main

    try:
        sdk_worker_main.main(sys.argv[:1])
    except BaseException:  # noqa: BLE001 - whatever it is, the process ends with it
        traceback.print_exc()
        code = 1
    else:
        code = 0
    # A regular exit unloads native libraries under their running threads, which may abort with output.
    leave(code)


if __name__ == "__main__":
    main()
