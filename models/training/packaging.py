"""Turn a checkpoint into a package: export, check, choose thresholds on development gold, write the card."""

import json
import math
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
import torch
from onnx import TensorProto, helper

from tacenda.models.token_classifier.decoding_settings import Decision
from tacenda.models.token_classifier.encoding import TurnEncoder, read_encoder
from tacenda.models.token_classifier.onnx_session import Ints, OnnxSession, Session
from tacenda.models.token_classifier.package import (
    CURVE,
    DESCRIPTION,
    MIN_PLACES,
    MODEL,
    TOKENIZER,
    WEIGHTS,
    read_package,
)
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.torch_network import TokenNetwork
from tacenda.models.token_classifier.torch_session import TorchSession
from tacenda.models.training.batches import LONGEST_BLOCK
from tacenda.models.training.card import CARD, write_card
from tacenda.models.training.corpora import LabelScheme, Sides
from tacenda.models.training.early_exit import learnt_gate
from tacenda.models.training.exporting import PRODUCT, Gate, Range, Weights, exported, write_onnx
from tacenda.models.training.figures import ALL, Curve, curves, decided, figures
from tacenda.models.training.gold_tokens import ScoredGold, column_of, drawn, real_rows, score_gold
from tacenda.models.training.recipe import Recipe
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.schema.errors import UserError

MARGIN = 1.1
"""Factor by which a range exceeds the values seen, to allow for other text. Clipping costs far more than
coarse steps: with a factor of .75 the embedded network lost 1.6 points of recall; with a factor of 2, .2 points
of recall and .8 of precision."""

TOLERANCE = 1e-3
"""Largest accepted difference of a probability; reordered float32 operations differ by some 1e-5."""

_CONVERSATIONS = 64
_ERRORS = 3


def calibrated(
    weights: Weights,
    heads: int,
    inputs: Iterable[tuple[Ints, Ints, Ints]],
    gate: Gate | None = None,
    margin: float = MARGIN,
) -> dict[str, Range]:
    """The activation range of each matrix product in the float32 network, by the product's name.

    ``inputs`` are those of calls on representative text, as from ``Rows.inputs``; places that the ``gate``
    drops do not count. The other arguments are those of ``exported``.
    """
    model = exported(weights, heads, gate=gate)
    watched = [node for node in model.graph.node if node.op_type == "MatMul" and node.name.endswith(PRODUCT)]
    for node in watched:
        for operator in ("ReduceMin", "ReduceMax"):
            name = f"{node.name}.{operator}"
            model.graph.node.append(helper.make_node(operator, [node.input[0]], [name], keepdims=0))
            model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, []))
    options = ort.SessionOptions()
    options.log_severity_level = _ERRORS
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    outputs = [o.name for o in session.get_outputs()[1:]]
    seen = [session.run(outputs, {"input_ids": ids, "token_type_ids": types}) for ids, _, types in inputs]
    extremes = np.array(seen, np.float32).reshape(-1, len(watched), 2)
    least = extremes[..., 0].min(axis=0, initial=np.inf).tolist()
    greatest = extremes[..., 1].max(axis=0, initial=-np.inf).tolist()
    return {
        node.name.removesuffix(PRODUCT): Range(a * margin, b * margin)
        for node, a, b in zip(watched, least, greatest, strict=True)
    }


def largest_difference(
    network: TokenNetwork,
    session: Session,
    encoder: TurnEncoder,
    records: Sequence[Mapping[str, Any]],
    max_places: int,
    context: int,
) -> float:
    """The largest difference of any class probability at any token, over evenly spaced conversations."""
    step, sizes = max(1, len(records) // _CONVERSATIONS), network.config
    column = column_of(records[::step][:_CONVERSATIONS])
    threads = torch.get_num_threads()
    trained = TorchSession(network.float(), sizes.positions, sizes.types, torch.device("cpu"), threads)
    one, other = (
        Scorer(encoder, some, sizes.classes, max_places, context, casing=True).score(column).probabilities
        for some in (trained, session)
    )
    return float(np.abs(one - other).max(initial=0))


def package(
    network: TokenNetwork,
    tokenizer: Path,
    gold: Sides,
    output: Path,
    scheme: LabelScheme,
    recipe: Recipe,
    facts: Mapping[str, Any],
    data: Mapping[str, Any],
) -> dict[str, Any]:
    """Turn a trained network into a package in the folder ``output``; returns ``curve.json``.

    ``gold`` passed ``refuse_unmeasurable``: thresholds and figures come from its development part only, the
    gate and ranges from the other.
    ``facts`` is what the card says of the training, ``data`` the files and what they hold.

    Raises:
        UserError: the exported network differs from the trained one.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{output.name}.", dir=output.parent) as partial:
        folder = Path(partial)
        curve = {**measured(network, tokenizer, gold, folder, scheme, recipe), "facts": facts, "data": data}
        (folder / CURVE).write_text(json.dumps(curve, indent=1, sort_keys=True) + "\n", "utf-8")
        warning = "Trained on raw gold conversations: the weights can reveal them. Protect both alike."
        description = {
            "name": recipe.name,
            "version": recipe.package_version,
            "labels": list(scheme.classes),
            "unreported": [name for name in scheme.classes if name in scheme.unreported],
            "max_places": recipe.max_places,
            "context": recipe.context,
            "casing": True,
            "lists": True,
            "decision": curve["decision"],
            "languages": sorted({str(r["lang"]) for r in gold.dev if r.get("lang")}),
            "trained_on_personal_data": True,
            "licenses": list(recipe.license),
            "about": {**facts, "warning": warning},
        }
        (folder / DESCRIPTION).write_text(json.dumps(description, indent=1) + "\n", "utf-8")
        write_card(folder)
        read_package(folder)
        # The description is removed first and added last, so that a partial package is invalid.
        output.mkdir(exist_ok=True)
        (output / DESCRIPTION).unlink(missing_ok=True)
        for name in (WEIGHTS, MODEL, TOKENIZER, CURVE, CARD, DESCRIPTION):
            os.replace(folder / name, output / name)
    return curve


def refuse_unmeasurable(recipe: Recipe, dev: Sequence[Mapping[str, Any]]) -> None:
    """Reject settings and gold from which no package can be made.

    Raises:
        UserError: the block size is impossible, or there is no gold to measure on.
    """
    least = max(MIN_PLACES, 4 * recipe.context)
    if not least <= recipe.max_places <= LONGEST_BLOCK:
        raise UserError(
            f"max places must be from four times the context to {LONGEST_BLOCK}, and at least {MIN_PLACES}; "
            f"not {recipe.max_places} with a context of {recipe.context}"
        )
    if not any(turn["spans"] for record in dev for turn in record["turns"]):
        raise UserError("the development part has no gold span; give more gold, or --dev")


def asked_by_default(classes: Sequence[str]) -> list[str]:
    """The classes that a run without a config asks for; if none, all classes that are infoTypes."""
    usual = default_info_types()
    return [n for n in classes[1:] if n in usual] or [n for n in classes[1:] if n in catalogue()]


def decision_of(
    gold: ScoredGold, asked: Sequence[str], delta: float, hysteresis: float = 1.0
) -> tuple[Decision, dict[str, Curve]]:
    """Choose thresholds: for ``asked`` classes among themselves, for the others among all classes."""
    named = curves(gold, asked, hysteresis)
    chosen = decided(named, delta)
    rest = [name for name in gold.classes[1:] if name not in asked]
    if rest:
        with_all = curves(gold, list(gold.classes[1:]), hysteresis)
        more = {name: with_all[name] for name in rest}
        own = decided({**more, ALL: named[ALL]}, delta).thresholds
        named.update(more)
        chosen = replace(chosen, thresholds=tuple(sorted((*chosen.thresholds, *own))))
    return replace(chosen, hysteresis=hysteresis), named


def measured(
    network: TokenNetwork, tokenizer: Path, gold: Sides, folder: Path, scheme: LabelScheme, recipe: Recipe
) -> dict[str, Any]:
    """Export the network and tokenizer to ``folder``, verify the export, choose thresholds and measure.

    Raises:
        UserError: the base has no tokenizer, or the exported network differs from the trained one.
    """
    encoder = read_encoder(tokenizer, lists=True)
    shutil.copyfile(tokenizer, folder / TOKENIZER)
    weights = {name: tensor.detach().float().cpu().numpy() for name, tensor in network.state_dict().items()}
    heads, classes = network.config.heads, network.config.classes
    exact, shipped = folder / "exact.onnx", folder / MODEL
    write_onnx(weights, heads, exact)
    size = recipe.max_places, recipe.context
    learnt = learnt_gate(network, encoder, gold.train, gold.dev, *size, recipe.early_exit)
    gate, report = learnt or (None, {})
    rows = real_rows(drawn(gold.train), encoder, *size)
    write_onnx(weights, heads, shipped, calibrated(weights, heads, rows.inputs(), gate), gate, apart=True)

    def scored(model: Path) -> ScoredGold:
        scorer = Scorer(encoder, opened(model), classes, *size, casing=True)
        return score_gold(gold.dev, scheme, scorer)

    def opened(model: Path) -> OnnxSession:
        return OnnxSession(model, classes, recipe.threads or os.cpu_count() or 1)

    apart = largest_difference(network, opened(exact), encoder, gold.dev, *size)
    if not apart <= TOLERANCE:
        raise UserError(
            f"the exported network differs from the trained one: probabilities by up to {apart:.2g}; "
            "report this with the versions of torch and onnxruntime"
        )
    asked = asked_by_default(scheme.classes)
    small = scored(shipped)
    decision, named = decision_of(small, asked, recipe.delta, recipe.hysteresis)
    told = figures(small, decision, asked)
    del small
    steps = {
        "float32": figures(scored(exact), decision, asked),
        "int8, early exit" if gate else "int8": told,
    }
    shown = ("recall", "precision", "f1", "leak_rate")
    sizes = {
        "float32": exact.stat().st_size,
        "int8": sum((folder / n).stat().st_size for n in (MODEL, WEIGHTS)),
    }
    exact.unlink()
    rounded = float(np.format_float_scientific(apart, 1)) if apart and math.isfinite(apart) else apart
    return {
        "decision": decision.to_dict(),
        "delta": recipe.delta,
        "asked": asked,
        "curves": named,
        "figures": told,
        "export": {"largest_difference": rounded, "tolerance": TOLERANCE},
        "calibration": {"margin": MARGIN, "places": int(rows.scored.sum())},
        "early_exit": {
            "allowed": recipe.early_exit,
            "gates": [{"after_layer": gate.layer + 1, **report}] if gate else [],
        },
        "steps": {kind: {name: one[name] for name in shown} for kind, one in steps.items()},
        "bytes": sizes,
    }
