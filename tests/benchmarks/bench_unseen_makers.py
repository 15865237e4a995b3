"""Recall on corpora whose sources were left out of training, each in turn.

    python -m tests.benchmarks.bench_unseen_makers DATA_FOLDER --base BERT_FOLDER --work FOLDER [--steps 700]

Every group of ``makers.yaml`` is left out once: `tacenda train detector` learns from the other train files and chooses its
thresholds on their dev files, and `tacenda evaluate` runs the default detectors with that model in place of the
shipped one on the dev files of the group. Short trainings of half the base's layers, so that all of it takes an
hour on one core: a floor for what the shipped model does on text of other makers. A group that was measured is
not trained again.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import yaml

from tests.benchmarks.evaluated import (
    HEADINGS,
    OF_THRESHOLDS,
    columns,
    evaluated,
    gold_files,
    known_corpora,
    tacenda,
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=700)
    parser.add_argument("--layers", default="1,3,5")
    parser.add_argument("--synthetic", default="0.6")
    chosen = parser.parse_args()
    groups = yaml.safe_load(Path(__file__).with_name("makers.yaml").read_text("utf-8"))
    chosen.work.mkdir(parents=True, exist_ok=True)
    print(f"{'left out':22}{HEADINGS}")
    for number, left_out in enumerate(groups):
        figures = chosen.work / f"{number}.json"
        if not figures.is_file():
            package = chosen.work / f"{number}"
            if not (package / "package.json").is_file():
                _train(chosen, left_out, package)
        dev = gold_files(chosen.data, "dev", left_out)
        for name, row in evaluated(dev, ("rules", "gazetteer", "model"), package, figures)["files"].items():
            print(f"{name:22}{columns(row)}", flush=True)


def _train(chosen: argparse.Namespace, left_out: Sequence[str], package: Path) -> None:
    known = known_corpora(chosen.data)
    gold = gold_files(chosen.data, "train", [name for name in known if name not in left_out])
    dev = gold_files(chosen.data, "dev", [name for name in OF_THRESHOLDS if name not in left_out])
    words = [
        "train",
        "detector",
        "--gold",
        *gold,
        "--dev",
        *dev,
        "--base",
        chosen.base,
        "--layers",
        chosen.layers,
    ]
    words += ["--steps", chosen.steps, "--synthetic", chosen.synthetic]
    tacenda([*words, "--threads", 1, "--output", package])


if __name__ == "__main__":
    main()
