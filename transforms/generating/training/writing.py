"""Write training text to a file: ``tacenda train text --seed 1 --count 9 --output FILE``."""

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path

from tacenda.transforms.generating.training.corpus import conversations


def main(argv: Sequence[str]) -> None:
    """Write ``--count`` conversations of ``--seed`` as JSON lines, compressed if the name ends in .gz."""
    parser = argparse.ArgumentParser(prog="tacenda train text", description=main.__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--first", type=int, default=0, help="index of the first conversation")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args(argv)
    lines = (
        json.dumps(one, ensure_ascii=False) + "\n"
        for one in conversations(given.seed, given.first, given.count)
    )
    if given.output.suffix == ".gz":
        # No time stamp or file name in the header, so that equal arguments give equal bytes.
        with given.output.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
            packed.writelines(line.encode() for line in lines)
    else:
        with given.output.open("w", encoding="utf-8") as file:
            file.writelines(lines)
