"""A Beam worker process on this machine, started by :mod:`pipelines.executors.beam`.

Beam's own worker reports each of its steps at level INFO and WARNING, once a process, to the terminal of
whoever runs the job. An error reaches the runner anyway, which says it once.
"""

import logging
import os
import sys

_NOT_OURS = ("pymongo", "boto3")
"""What Beam imports for sources and sinks of its own if it is there; we read and write through fsspec."""


def main() -> None:
    """Run Beam's worker, quietly."""
    if not os.environ.get("TACET_DEBUG"):
        logging.disable(logging.CRITICAL)
        # Beam also prints tracebacks; the runner gets them with the error.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the life of the process
    for package in _NOT_OURS:
        sys.modules.setdefault(package, None)  # type: ignore[arg-type]  # an import of it fails from here on
    from apache_beam.runners.worker import sdk_worker_main

    sdk_worker_main.main(sys.argv)


if __name__ == "__main__":
    main()
