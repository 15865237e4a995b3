"""Run ``tacenda lab masked-lm``: convert a model that fills masks, choose thresholds on gold, write a config.

Converting reads ``config.json``, ``tokenizer.json`` and ``*.safetensors`` of a Hugging Face folder, downloads
nothing, and compares the result with the original on a row of tokens; it needs the extras ``[torch,train]``.
"""

import math
import shutil
import warnings
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from tacenda.models.lab.masked_lm import load
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.other_models import CONFIG, is_masked_lm
from tacenda.models.token_classifier.package import MODEL, TOKENIZER, WEIGHTS, Engine
from tacenda.models.training.corpora import read_gold
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.language.identifying import main_languages, tell
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.text.column import TextColumn

_INSTALL = "pip install '.[torch,train]'"
_OPSET = 18
_ROW = 8  # places of the row that both networks are compared on
_CLOSE = 1e-3  # largest difference of logits, from another order of sums
_INFO_TYPE = "GENERIC_ID"  # what words are found as: the model tells no classes
_BELOW = 1 - 1e-9  # keeps a threshold below the score of the next word, however it is rounded


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
    for language, (log_score, f1, words) in found.items():
        thresholds[language] = math.exp(log_score) * _BELOW
        say(f"{language or 'other'}: F1 {f1:.3f} over {words:,} words")
    least = thresholds.pop("", None) or min(thresholds.values())
    decision = {"rule": "binary", "info_type": _INFO_TYPE, "threshold": least, "by_language": thresholds}
    config = arguments.target / "config.yaml"
    config.write_text(yaml.safe_dump({"models": [{}, {"path": path, "decision": decision}]}), "utf-8")
    say(f"{config}: the embedded model and this one; anonymize with --config {config}")
    return ExitCode.DONE


def converted(source: Path, target: Path) -> None:
    """Write the model of ``source``, or copy it if it is converted, to ``target``, a new or empty folder.

    Raises:
        UserError: ``source`` holds no such model, ``target`` is in use, or a package is not installed.
    """
    if not is_masked_lm(source):
        raise UserError(f"model {source}: {CONFIG} names no architecture …ForMaskedLM")
    if not (source / TOKENIZER).is_file():
        raise UserError(f"model {source}: no {TOKENIZER}; save its fast tokenizer there with save_pretrained")
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise UserError(f"{target}: is no empty folder; name a new one")
    network = None if (source / MODEL).is_file() else _loaded(source)
    target.mkdir(parents=True, exist_ok=True)
    if network is not None:
        write_onnx(network, int(network.config.vocab_size), target / MODEL)
    for name in (CONFIG, TOKENIZER, *((MODEL, WEIGHTS) if network is None else ())):
        if (source / name).is_file():
            shutil.copyfile(source / name, target / name)


def write_onnx(network: Any, vocabulary: int, path: Path) -> None:
    """Write a network to a file, and compare the two.

    The network is a torch module of ``input_ids`` and ``attention_mask``, whose result has ``logits``.

    Raises:
        UserError: the file computes something else.
    """
    import torch

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            return self.network(input_ids=input_ids, attention_mask=attention_mask).logits

    ids = np.arange(_ROW, dtype=np.int64)[None] % vocabulary
    names = ["input_ids", "attention_mask"]
    logits = Logits().eval()
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")  # Tracing warns about each Python condition on a shape.
        torch.onnx.export(
            logits,
            (torch.from_numpy(ids), torch.ones(1, _ROW, dtype=torch.int64)),
            str(path),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={name: {0: "rows", 1: "places"} for name in (*names, "logits")},
            opset_version=_OPSET,
            dynamo=False,
        )
        # Of another shape, in case the trace has kept the first.
        rows = np.concatenate([ids, ids[:, ::-1]])[:, 1:]
        wanted = logits(torch.from_numpy(rows), torch.ones_like(torch.from_numpy(rows))).numpy()
    got = OnnxSession(path, vocabulary).scores(rows, np.ones_like(rows), np.zeros_like(rows))
    if got.shape != wanted.shape or not np.allclose(got, wanted, atol=_CLOSE):
        path.unlink()
        raise UserError(f"model {path}: the converted network computes something else; it was removed")


def _loaded(source: Path) -> Any:
    try:
        import onnx  # noqa: F401
        from transformers import AutoModelForMaskedLM
    except ImportError:
        told = f"model {source}: needs torch, transformers and onnx; mend it with: {_INSTALL}"
        raise UserError(told) from None
    try:
        # Nothing that could execute code: no pickles, no modules of the model's own.
        network, told = AutoModelForMaskedLM.from_pretrained(
            str(source),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
        )
    except Exception as error:  # noqa: BLE001 - the library may raise anything
        raise UserError(f"model {source}: transformers cannot load it ({type(error).__name__})") from None
    if told["missing_keys"]:
        raise UserError(
            f"model {source}: its weights lack {len(told['missing_keys'])} tensors of a model that fills masks"
        )
    return network.eval()


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
        words, log_scores = network.score(column, 0)
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
