"""What the training data contribute: fewer conversations, none share-alike, no synthetic ones, no augmentation.

    python -m tests.benchmarks.bench_training_data DATA_FOLDER --base BERT_FOLDER --work FOLDER [--steps 400]

Each row is a training of `tacenda train detector` that differs from "real, 100 %" in one respect. All have the same number of
steps, so fewer conversations are seen more often; synthetic ones, 0.6 for each real one, shrink with these. All
choose their thresholds on the same dev files. `tacenda evaluate` asks each model alone, and those of all real
conversations as one of the default detectors too, for the dev files of corpora without a train file and of those
with one. *Typed* is the share of spans that a finding of the right class touches; the dev loss depends on no
threshold, but hardly minds what is found of classes that the dev files do not annotate.

Short trainings of half the base's layers, as in ``bench_unseen_makers``; what was trained or measured is kept in
FOLDER and not done again.
"""

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tacenda.models.training.corpora import read_gold
from tacenda.models.training.sources import sources
from tacenda.models.training.splitting import portion
from tests.benchmarks.evaluated import (
    HEADINGS,
    OF_THRESHOLDS,
    UNSEEN,
    columns,
    evaluated,
    gold_files,
    known_corpora,
    tacenda,
)


class Variant(NamedTuple):
    percent: int = 100
    synthetic: float = 0.6
    augmented: bool = True
    share_alike: bool = True

    @property
    def title(self) -> str:
        without = "" if self.synthetic else ", none synthetic"
        without += "" if self.share_alike else ", none share-alike"
        return f"real, {self.percent} %{without}{'' if self.augmented else ', nothing varied'}"

    @property
    def name(self) -> str:
        free = "" if self.share_alike else "-free"
        return f"{self.percent}-{self.synthetic}-{self.augmented:d}{free}"


VARIANTS = (
    Variant(),
    Variant(share_alike=False),
    Variant(percent=25),
    Variant(percent=6),
    Variant(augmented=False),
    Variant(percent=50),
    Variant(synthetic=0.0),
)
ASKED = (("alone", ("model",)), ("default", ("rules", "gazetteer", "model")))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--layers", default="1,3,5")
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    known = known_corpora(chosen.data)
    print(
        f"{'trained on':28}{'seed':>4}  {'dev files':16}{'detectors':9}{HEADINGS}{'typed':>7}{'dev loss':>10}"
    )
    for seed in range(1, chosen.seeds + 1):
        for variant in VARIANTS:
            name = f"{variant.name}-{seed}"
            package = chosen.work / name
            if not (package / "package.json").is_file():
                _train(chosen, variant, seed, package)
            loss = _dev_loss(package)
            for files, corpora in (("no train file", UNSEEN), ("with train file", known)):
                for title, detectors in ASKED if variant.percent == 100 else ASKED[:1]:
                    dev = gold_files(chosen.data, "dev", corpora)
                    figures = chosen.work / f"{name} {files} {title}.json".replace(" ", "_")
                    row = evaluated(dev, detectors, package, figures)["total"]
                    told = f"{columns(row)}{row['typed_recall']['value']:>7.3f}{loss:>10.4f}"
                    print(f"{variant.title:28}{seed:>4}  {files:16}{title:9}{told}", flush=True)


def _train(chosen: argparse.Namespace, variant: Variant, seed: int, package: Path) -> None:
    gold = [
        path
        for path in gold_files(chosen.data, "train", known_corpora(chosen.data))
        if "training" in (source := sources()[path.name]).uses
        and (variant.share_alike or "BY-SA" not in source.licence)
    ]
    if variant.percent < 100:
        gold = [_part(gold, variant.percent, chosen.work / f"gold-{variant.percent}.jsonl.gz")]
    words = ["train", "detector", "--gold", *gold, "--dev", *gold_files(chosen.data, "dev", OF_THRESHOLDS)]
    words += ["--base", chosen.base, "--layers", chosen.layers, "--synthetic", variant.synthetic]
    words += [] if variant.augmented else ["--no-augmentation"]
    words += ["--steps", chosen.steps, "--checkpoint-every", chosen.steps, "--seed", seed]
    tacenda([*words, "--threads", 1, "--output", package])


def _part(gold: Sequence[Path], percent: int, path: Path) -> Path:
    """A file with some of the conversations, chosen by a hash: smaller shares are subsets of larger ones."""
    if not path.is_file():
        partial = path.with_suffix(".partial")
        with gzip.open(partial, "wt", encoding="utf-8") as file:
            file.writelines(
                json.dumps(record) + "\n" for record in portion(list(read_gold(gold)), percent / 100)
            )
        partial.replace(path)
    return path


def _dev_loss(package: Path) -> float:
    (log,) = package.with_name(f"{package.name}.training").glob("*/log.jsonl")
    lines = map(json.loads, log.read_text("utf-8").splitlines())
    return float(next(line["dev_loss"] for line in lines if "dev_loss" in line))


if __name__ == "__main__":
    main()
