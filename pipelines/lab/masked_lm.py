"""Run ``tacenda lab masked-lm``: convert a model that fills masks, choose thresholds, write a config."""

import math
from argparse import Namespace
from typing import Any

import yaml

from tacenda.models.lab.masked_lm_making import converted, tuned
from tacenda.models.training.corpora import read_gold
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute

_INFO_TYPE = "GENERIC_ID"
"""What words are found as: the model tells no classes."""
_BELOW = 1 - 1e-9
"""Keeps a threshold below the score of the next word, however it is rounded."""


def make(arguments: Namespace) -> int:
    """Make the new folder and its config; returns the exit code.

    Raises:
        UserError: the folder holds no such model, the gold no annotated word, or a package is not installed.
    """
    gold = [record["turns"] for record in read_gold(arguments.gold)]
    converted(arguments.model, arguments.target)
    path = absolute(str(arguments.target))
    found = tuned(path, gold)
    if not found:
        raise UserError(f"{arguments.gold[0]}: no span of personal data; name gold that has some")
    thresholds: dict[str, Any] = {}
    for language, (threshold, words) in found.items():
        thresholds[language] = math.exp(threshold.log_score) * _BELOW
        say(f"{language or 'other'}: F1 {threshold.f1:.3f} over {words:,} words")
    decision = {
        "rule": "binary",
        "info_type": _INFO_TYPE,
        "threshold": thresholds.pop("", None) or min(thresholds.values()),
        "by_language": thresholds,
    }
    config = arguments.target / "config.yaml"
    config.write_text(
        yaml.safe_dump({"models": [{}, {"path": path, "decision": decision}]}), encoding="utf-8"
    )
    say(f"{config}: the embedded model and this one; anonymize with --config {config}")
    return ExitCode.DONE
