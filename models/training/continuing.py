"""Continue the training of a package from its own weights, with more gold.

    tacenda train continue --package FOLDER --gold FILE… --steps N --work FOLDER

The package's network is also the teacher: on text of corpora whose ``taught`` is true the network keeps to
what it said before, on the others gold alone counts. The weights are those of the int8 graph, which is all that
a package holds. Resumes an interrupted training in ``--work``; ``checkpoint.pt`` there has the
result, ``log.jsonl`` the course.
"""

import argparse
import json
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch

from tacenda.models.command_line import mistakes_in_one_line
from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.package import MODEL, TOKENIZER
from tacenda.models.training.batches import Batches
from tacenda.models.training.corpora import LabelScheme, read_gold
from tacenda.models.training.distilling import Teacher
from tacenda.models.training.loop import Schedule, train
from tacenda.models.training.network import NetworkConfig, TokenNetwork
from tacenda.models.training.restoring import restored
from tacenda.models.training.sources import refuse_unlisted
from tacenda.transforms.generating.training.corpus import conversations

LOG = "log.jsonl"

_BLOCKS = (48, 96)
"""Lengths of blocks, in places: at most those of a package; longer ones take more than their share of time."""


def network_in(package: Path) -> TokenNetwork:
    """The network of a package in float32; int8 weights keep their rounding.

    Raises:
        UserError: its graph was not exported by this training.
    """
    found = restored(package / MODEL)
    weights = {name: torch.from_numpy(value.copy()) for name, value in found.weights.items()}
    config = NetworkConfig(
        classes=len(weights["classify.bias"]),
        layers=found.layers,
        width=weights["words.weight"].shape[1],
        heads=found.heads,
        inner=len(weights["layers.0.inner.bias"]),
        vocabulary=len(weights["words.weight"]),
        positions=len(weights["places.weight"]),
    )
    network = TokenNetwork(config)
    network.load_state_dict(weights)
    return network


def continued(
    package: Path,
    gold: Sequence[Path],
    schedule: Schedule,
    work: Path,
    *,
    synthetic: int = 0,
    seed: int = 1,
    places: int = 4096,
) -> TokenNetwork:
    """Train a package's network further; ``synthetic`` is the number of synthetic conversations to add.

    Raises:
        UserError: the package or gold cannot be used, or ``work`` has a training with another schedule.
    """
    refuse_unlisted(package, gold, "training")
    scheme = LabelScheme.load()
    records = [*read_gold(gold), *conversations(seed, 0, synthetic)]
    scheme.refuse_unknown(records)
    scheme.refuse_unknown_corpora(records)
    network = network_in(package)
    batches = Batches(records, scheme, read_encoder(package / TOKENIZER), places, seed, longest=_BLOCKS)
    batches.refuse_nothing()
    work.mkdir(mode=0o700, parents=True, exist_ok=True)
    teacher = Teacher(deepcopy(network), layerwise=False)
    with (work / LOG).open("a", encoding="utf-8") as log:

        def said(line: dict[str, Any]) -> None:
            log.write(json.dumps(line) + "\n")
            log.flush()

        # Compiling all row lengths takes longer than it saves in a short training.
        train(network, batches, schedule, work, compiled=False, said=said, teacher=teacher, seed=seed)
    return network


def main(argv: Sequence[str]) -> None:
    """The command; a mistake of the user is one line, and exit code 2."""
    parser = argparse.ArgumentParser(
        "tacenda train continue",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--gold", type=Path, nargs="+", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--rate", type=float, default=2.5e-4)
    parser.add_argument("--embedding-rate", type=float, default=1.5e-4)
    parser.add_argument("--synthetic", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    schedule = Schedule(given.steps, given.rate, given.embedding_rate)
    with mistakes_in_one_line(parser):
        continued(given.package, given.gold, schedule, given.work, synthetic=given.synthetic, seed=given.seed)
