"""Run ``tacenda lab masked-lm``: choose thresholds of a model that fills masks on gold, and write a config."""

import math
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from tacenda.models.lab.masked_lm import load
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.package import Engine
from tacenda.models.training.corpora import read_gold
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.language.identifying import main_languages, tell
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.text.column import TextColumn

_INFO_TYPE = "GENERIC_ID"  # what words are found as: the model tells no classes
_BELOW = 1 - 1e-9  # keeps a threshold below the score of the next word, however it is rounded


def make(arguments: Namespace) -> int:
    """Write the config to a new folder; returns the exit code.

    Raises:
        UserError: the model's folder holds no such model, the gold no annotated word, or the folder is in use.
    """
    target = arguments.target
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise UserError(f"{target}: is no empty folder; name a new one")
    path = absolute(str(arguments.model))
    found = tuned(path, (record["turns"] for record in read_gold(arguments.gold)))
    if not found:
        raise UserError(f"{arguments.gold[0]}: no span of personal data; name gold that has some")
    thresholds: dict[str, Any] = {}
    for language, (log_score, f1, words) in found.items():
        thresholds[language] = math.exp(log_score) * _BELOW
        say(f"{language or 'other'}: F1 {f1:.3f} over {words:,} words")
    least = thresholds.pop("", None) or min(thresholds.values())
    decision = {"rule": "binary", "info_type": _INFO_TYPE, "threshold": least, "by_language": thresholds}
    target.mkdir(parents=True, exist_ok=True)
    config = target / "config.yaml"
    config.write_text(yaml.safe_dump({"models": [{}, {"path": path, "decision": decision}]}), "utf-8")
    say(f"{config}: the embedded model and this one; anonymize with --config {config}")
    return ExitCode.DONE


def best_threshold(
    log_scores: npt.NDArray[np.float64], is_personal: npt.NDArray[np.bool_]
) -> tuple[float, float]:
    """The threshold below which words are personal data with the best F1, and this; the lowest of several.

    Every distinct score is tried, so no grid can miss it; some word is personal data.

    >>> best_threshold(np.array([-9.0, -8.0, -1.0]), np.array([True, True, False]))
    (-1.0, 1.0)
    """
    order = np.argsort(log_scores, kind="stable")
    right = np.concatenate(([0], np.cumsum(is_personal[order])))
    values = np.append(np.unique(log_scores), np.inf)
    below = np.searchsorted(log_scores[order], values, side="left")
    f1 = 2 * right[below] / (below + right[-1])
    best = int(np.argmax(f1))
    # Above the last score, any probability will do: 1 at most.
    return float(min(values[best], 0.0)), float(f1[best])


def tuned(model: str, turns: Iterable[Sequence[Mapping[str, Any]]]) -> dict[str, tuple[float, float, int]]:
    """By language with an annotated word, the best threshold, its F1, and the number of words.

    Turns have ``text`` and ``spans``; words of don't-care spans are not judged.

    Raises:
        UserError: the folder holds no such model.
    """
    package = package_of(model)
    if package.engine is not Engine.MASKED_LM:
        raise UserError(f"model {model}: is no masked language model")
    network = load(package, 1)
    found: dict[str, list[tuple[float, bool]]] = {}
    for several in turns:
        column = TextColumn([str(turn["text"]) for turn in several], (0, len(several)))
        [language] = main_languages(tell(column), column.first_cell)
        words, log_scores = network.score(column, 0, language)
        for word, score in zip(words, log_scores.tolist(), strict=True):
            kinds = {
                gold_labels().kind(span["label"])
                for span in several[word.cell]["spans"]
                if span["start"] < word.end and word.start < span["end"]
            }
            if kinds != {"dont_care"}:
                found.setdefault(language, []).append((score, bool(kinds - {"dont_care"})))
    best = {}
    for language, judged in sorted(found.items()):
        scores, personal = (np.array(column) for column in zip(*judged, strict=True))
        if personal.any():
            best[language] = *best_threshold(scores, personal), len(judged)
    return best
