"""Recall on corpora whose makers were left out of training, each maker in turn.

    python -m tests.benchmarks.bench_unseen_makers DATA_FOLDER --base BERT_FOLDER --work FOLDER [--steps 700]

Every group of ``makers.yaml`` is left out once: `tacet train` learns from the other train files and chooses its
thresholds on their dev files, and `tacet evaluate` runs the default detectors with that model in place of the
shipped one on the dev files of the group. Short trainings of half the base's layers, so that all of it takes an
hour on one core: a floor for what the shipped model does on text of other makers. A group that was measured is
not trained again.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

_OF_THRESHOLDS = (
    "multidogo",
    "sgd",
    "wnut17",
    "btc",
    "turku-ner",
    "swedish-ner",
    "multiconer-es",
    "gum",
    "pii-anon",
)
"""Those whose dev files thresholds are chosen by, as far as they are not left out: chats and texts, few enough."""


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
    print(f"{'left out':22}{'spans':>7}{'recall':>8}{'precision':>11}{'leak':>7}")
    for number, left_out in enumerate(groups):
        figures = chosen.work / f"{number}.json"
        if not figures.is_file():
            package = chosen.work / f"{number}"
            if not (package / "package.json").is_file():
                _train(chosen, left_out, package)
            _evaluate(_files(chosen.data, "dev", left_out), package, figures)
        for name, row in json.loads(figures.read_text("utf-8"))["files"].items():
            print(_line(name, row), flush=True)


def _files(data: Path, side: str, names: Sequence[str]) -> list[Path]:
    return [path for name in names if (path := data / f"{name}.{side}.jsonl.gz").is_file()]


def _train(chosen: argparse.Namespace, left_out: Sequence[str], package: Path) -> None:
    known = [path.name.split(".")[0] for path in sorted(chosen.data.glob("*.train.jsonl.gz"))]
    gold = _files(chosen.data, "train", [name for name in known if name not in left_out])
    dev = _files(chosen.data, "dev", [name for name in _OF_THRESHOLDS if name not in left_out])
    words = ["train", "--gold", *gold, "--dev", *dev, "--base", chosen.base, "--layers", chosen.layers]
    words += ["--steps", chosen.steps, "--checkpoint-every", chosen.steps, "--synthetic", chosen.synthetic]
    _tacet([*words, "--threads", 1, "--output", package])


def _evaluate(dev: Sequence[Path], package: Path, figures: Path) -> None:
    detectors = [word for name in ("rules", "gazetteer", "model") for word in ("--detector", name)]
    partial = figures.with_suffix(".partial")
    _tacet(["evaluate", "--input", *dev, *detectors, "--model", package, "--bootstrap", 0, "--json", partial])
    partial.replace(figures)


def _tacet(words: Sequence[Any]) -> None:
    command = [sys.executable, "-c", "from pipelines.cli import main; main()", *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise SystemExit(f"tacet {words[0]}: exit {done.returncode}")


def _line(name: str, row: Any) -> str:
    recall, precision, leak = (row[of] for of in ("recall", "char_precision", "conversation_leak_rate"))
    shares = "".join(
        f"{'–' if one['value'] is None else format(one['value'], '.3f'):>{width}}"
        for one, width in ((recall, 8), (precision, 11), (leak, 7))
    )
    return f"{name:22}{recall['of']:>7,}{shares}"


if __name__ == "__main__":
    main()
