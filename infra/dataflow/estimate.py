"""Estimate time and price of a job on Dataflow or Flink from the measured throughput of one process.

    python infra/dataflow/estimate.py --gigabytes 1000 --workers 50 [--on flink]

The throughput is that of `docs/figures/anonymize.json` (JSON lines, one process, the whole job with its
start), the prices are those of `prices.yaml`. No such cluster was measured: a vCPU there is a
hyperthread, so `--efficiency` is its assumed share of the measured core.
"""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

HERE = Path(__file__).parent
FIGURES = HERE.parents[1] / "docs" / "figures" / "anonymize.json"
PRICES: dict[str, Any] = yaml.safe_load((HERE / "prices.yaml").read_text("utf-8"))

START_S = 300.0
"""Time until the workers of a job are up, with an image of some gigabytes; it is charged."""


class Estimate(NamedTuple):
    """Hours from start to end, and dollars."""

    hours: float
    dollars: float


def measured_kilobytes_a_second() -> float:
    """Text that one process anonymises in a second of wall time, in thousand bytes."""
    rows = json.loads(FIGURES.read_text("utf-8"))["rows"]
    speeds = (row for row in rows if row["what"] == "one process" and row["unit"] == "KB/s wall")
    return next(float(row["value"]["median"]) for row in speeds if "gzip" not in row["on"])


def estimate(
    gigabytes: float,
    workers: int,
    kilobytes_a_second: float,
    efficiency: float,
    prices: dict[str, Any] = PRICES,
    on: str = "dataflow",
) -> Estimate:
    """Time and price of a job.

    Args:
        gigabytes: text of the input, not compressed, in thousand million bytes.
        workers: machines, all at work until the end.
        kilobytes_a_second: what one process does on the measured core.
        efficiency: the part of that which one vCPU does.
        prices: as in `prices.yaml`.
        on: whose prices, dataflow or flink.
    """
    machine, rates = prices["machine"], prices[on]
    speed = workers * machine["vcpus"] * kilobytes_a_second * 1e3 * efficiency
    hours = (gigabytes * 1e9 / speed + START_S) / 3600
    parts = (("vcpus", "vcpu_hour"), ("memory_gb", "memory_gb_hour"), ("disk_gb", "disk_gb_hour"))
    an_hour = sum(machine[size] * rates[rate] for size, rate in parts)
    # Only names, receipts and hashes of ids are shuffled; some 30 bytes for a conversation of 3 KB.
    shuffled = gigabytes * 0.01 * rates["shuffled_gb"]
    return Estimate(hours, workers * an_hour * hours + shuffled)


def main(arguments: Sequence[str]) -> int:
    """Print the estimate."""
    parser = argparse.ArgumentParser(prog="estimate.py", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--gigabytes", type=float, required=True, help="text of the input, not compressed")
    parser.add_argument("--workers", type=int, default=50)
    parser.add_argument("--efficiency", type=float, default=0.5, help="of a vCPU, beside the measured core")
    parser.add_argument("--on", choices=("dataflow", "flink"), default="dataflow", help="whose prices")
    given = parser.parse_args(arguments)
    if not (given.gigabytes > 0 and given.workers > 0 and 0 < given.efficiency <= 1):
        parser.error("--gigabytes and --workers must be above 0, --efficiency above 0 and at most 1")
    speed = measured_kilobytes_a_second()
    found = estimate(given.gigabytes, given.workers, speed, given.efficiency, on=given.on)
    machine = PRICES["machine"]["name"]
    sys.stdout.write(
        f"{given.gigabytes:,g} GB at {speed:,.0f} KB/s a core, of which a vCPU does {given.efficiency:.0%}, on "
        f"{given.workers:,} {machine} ({given.on}): {found.hours:,.1f} hours, "
        f"{math.ceil(found.dollars):,} US dollars\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
