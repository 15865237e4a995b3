"""Requantise a package's network: same int8 weights and gates, activation ranges measured again on text.

    tacenda train recalibrate --package FOLDER --version V --text FILE… [--dev FILE…]

The package is changed in place and keeps its decision. With ``--dev`` (gold not used in training), the
figures of ``curve.json`` and the model card are measured again; otherwise they stay.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tacenda.models.command_line import mistakes_in_one_line
from tacenda.models.token_classifier.encoding import TurnEncoder, read_encoder
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import (
    CURVE,
    DESCRIPTION,
    MODEL,
    TOKENIZER,
    WEIGHTS,
    Package,
    file_sha256,
    read_package,
)
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.training.calibrating import MARGIN, calibrated
from tacenda.models.training.card import write_card
from tacenda.models.training.corpora import LabelScheme, read_gold
from tacenda.models.training.drawing import drawn
from tacenda.models.training.exporting import write_onnx
from tacenda.models.training.figures import figures
from tacenda.models.training.gold_tokens import score_gold
from tacenda.models.training.real_rows import real_rows
from tacenda.models.training.restoring import restored
from tacenda.models.training.sources import refuse_unlisted


def recalibrate(folder: Path, version: str, text: Sequence[Path], dev: Sequence[Path] = ()) -> dict[str, Any]:
    """Rewrite a package's network with ranges measured on ``text``; returns the new ``curve.json``.

    Raises:
        UserError: the package is invalid, its graph was not exported by us, or a file cannot be read or is not
            listed in ``sources.yaml`` (for the embedded package).
    """
    refuse_unlisted(folder, text, "calibration")
    refuse_unlisted(folder, dev, "measuring")
    package = read_package(folder)
    network = restored(folder / MODEL)
    encoder = read_encoder(folder / TOKENIZER)
    rows = real_rows(drawn(list(read_gold(text))), encoder, package.max_places, package.context, padded=False)
    sizes = network.layers, network.heads
    ranges = calibrated(network.weights, *sizes, rows.inputs(), network.gates)
    with tempfile.TemporaryDirectory(prefix=".recalibrating.", dir=folder) as partial:
        write_onnx(
            network.weights,
            *sizes,
            Path(partial) / MODEL,
            ranges=ranges,
            gates=network.gates,
            apart=(folder / WEIGHTS).is_file(),
        )
        for file in sorted(Path(partial).iterdir()):
            os.replace(file, folder / file.name)
    told = json.loads((folder / CURVE).read_text("utf-8"))
    told["calibration"] = {
        "margin": MARGIN,
        "places": int(rows.scored.sum()),
        "files": [{"file": path.name, "sha256": file_sha256(path)} for path in text],
        "ranges": {name: [round(end, 4) for end in ends] for name, ends in ranges.items()},
    }
    told["bytes"]["int8"] = sum(
        (folder / n).stat().st_size for n in (MODEL, WEIGHTS) if (folder / n).exists()
    )
    if dev:
        _measure(package, encoder, dev, told)
    (folder / CURVE).write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", "utf-8")
    _describe(folder, version, told)
    return dict(told)


def _measure(package: Package, encoder: TurnEncoder, dev: Sequence[Path], told: dict[str, Any]) -> None:
    """Measure the figures again, with the package's decision on development gold."""
    classes = len(package.labels)
    session = OnnxSession(package.path / MODEL, classes, os.cpu_count() or 1)
    scorer = Scorer(encoder, session, classes, package.max_places, package.context, package.casing)
    gold = score_gold(list(read_gold(dev)), LabelScheme.load(None), scorer)
    told["figures"] = figures(gold, package.decision, told["asked"]).to_dict()
    shipped = list(told["steps"])[-1]
    told["steps"] = {
        "float32": told["steps"]["float32"],
        shipped: {name: told["figures"][name] for name in ("recall", "precision", "f1", "leak_rate")},
    }


def _describe(folder: Path, version: str, told: Mapping[str, Any]) -> None:
    """Update the version in description and card."""
    description = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    description["version"] = version
    files = ", ".join(one["file"] for one in told["calibration"]["files"])
    description["about"] = {"calibrated on": files, **description["about"]}
    (folder / DESCRIPTION).write_text(json.dumps(description, indent=1) + "\n", "utf-8")
    write_card(folder)


def main(argv: Sequence[str]) -> None:
    """The command; a mistake of the user is one line, and exit code 2."""
    parser = argparse.ArgumentParser(
        "tacenda train recalibrate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--text", type=Path, nargs="+", required=True)
    parser.add_argument("--dev", type=Path, nargs="+", default=[])
    arguments = parser.parse_args(argv)
    with mistakes_in_one_line(parser):
        recalibrate(arguments.package, arguments.version, arguments.text, arguments.dev)
