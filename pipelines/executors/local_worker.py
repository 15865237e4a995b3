"""A Beam worker process on this machine, started by :mod:`pipelines.executors.beam`.

Beam's own worker reports each of its steps at level INFO and WARNING, once a process, to the terminal of
whoever runs the job. Only errors are worth a line there.
"""

import logging
import sys


def main() -> None:
    """Run Beam's worker, quietly."""
    logging.disable(logging.WARNING)
    from apache_beam.runners.worker import sdk_worker_main

    sdk_worker_main.main(sys.argv)


if __name__ == "__main__":
    main()
