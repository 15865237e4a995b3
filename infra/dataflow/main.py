"""What the launcher of the flex template runs: `tacenda anonymize`, left to Dataflow once built."""

import sys

from tacenda.pipelines.cli import main

if __name__ == "__main__":
    sys.argv.append("--no_wait_until_finish")  # a launcher that waits keeps the job from starting
    main("anonymize")
