"""Convert a masked language model to the format that is loaded here, and choose its thresholds on gold.

Converting reads ``config.json``, ``tokenizer.json`` and ``*.safetensors`` of a Hugging Face folder, downloads
nothing, and compares the result with the original on a row of tokens; it needs the extras ``[torch,train]``.
"""

import shutil
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.lab.masked_lm import load
from tacenda.models.token_classifier.hugging_face import CONFIG, is_masked_lm
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import MODEL, TOKENIZER, WEIGHTS, Engine
from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.language.telling import main_languages, tell
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

_INSTALL = "pip install '.[torch,train]'"
_OPSET = 18
_ROW = 8
"""Places of the row that both networks are compared on."""
_CLOSE = 1e-3
"""Largest difference of logits, from another order of sums."""


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

    Args:
        network: a torch module of ``input_ids`` and ``attention_mask``, whose result has ``logits``.
        vocabulary: number of its tokens.
        path: the file.

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
        raise UserError(
            f"model {source}: needs torch, transformers and onnx; mend it with: {_INSTALL}"
        ) from None
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


class Threshold(NamedTuple):
    """Words whose log score is below ``log_score`` count; ``f1`` is what that gives on the words given."""

    log_score: float
    f1: float


def best_threshold(log_scores: npt.NDArray[np.float64], is_personal: npt.NDArray[np.bool_]) -> Threshold:
    """The threshold with the best F1; of several, the lowest, which hides least.

    Every distinct score is tried, so no grid can miss it.

    >>> best_threshold(np.array([-9.0, -8.0, -1.0]), np.array([True, True, False]))
    Threshold(log_score=-1.0, f1=1.0)

    Raises:
        ValueError: no word is personal data.
    """
    if not is_personal.any():
        raise ValueError("no annotated word")
    order = np.argsort(log_scores, kind="stable")
    ordered = log_scores[order]
    right = np.concatenate(([0], np.cumsum(is_personal[order])))
    values = np.append(np.unique(ordered), np.inf)
    below = np.searchsorted(ordered, values, side="left")
    f1 = 2 * right[below] / (below + right[-1])
    best = int(np.argmax(f1))
    # Above the last score, any probability will do: 1 at most.
    return Threshold(float(min(values[best], 0.0)), float(f1[best]))


class Tuned(NamedTuple):
    """The best threshold of a language, and the words that it was chosen on."""

    threshold: Threshold
    words: int


def tuned(model: str, turns: Iterable[Sequence[Mapping[str, Any]]]) -> dict[str, Tuned]:
    """The thresholds by language; languages without an annotated word are left out.

    Args:
        model: the folder of a masked language model.
        turns: those of each conversation, with ``text`` and ``spans``. Words of don't-care spans are not
            judged.

    Raises:
        UserError: the folder holds no such model.
    """
    package = package_of(model)
    if package.engine is not Engine.MASKED_LM:
        raise UserError(f"model {model}: is no masked language model")
    network = load(package, 1)
    found: dict[str, tuple[list[float], list[bool]]] = {}
    for several in turns:
        column = TextColumn([str(turn["text"]) for turn in several], (0, len(several)))
        [language] = main_languages(tell(column), column.first_cell)
        scores, personal = found.setdefault(language, ([], []))
        words, log_scores = network.score(column, 0)
        for word, score in zip(words, log_scores.tolist(), strict=True):
            kinds = {
                gold_labels().kind(span["label"])
                for span in several[word.cell]["spans"]
                if span["start"] < word.end and word.start < span["end"]
            }
            if kinds != {"dont_care"}:
                scores.append(score)
                personal.append(bool(kinds - {"dont_care"}))
    return {
        language: Tuned(best_threshold(np.array(scores), np.array(personal)), len(scores))
        for language, (scores, personal) in sorted(found.items())
        if any(personal)
    }
