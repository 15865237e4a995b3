"""Convert a Hugging Face model that fills masks to the ONNX file that is loaded here.

    pip install '.[torch,train]'
    python -m tacenda.models.masked_lm.converting MODEL NEW_FOLDER

reads ``config.json``, ``tokenizer.json`` and ``*.safetensors`` of a folder and downloads nothing. The result is
compared with the original on a row of tokens.
"""

import argparse
import shutil
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.models.command_line import mistakes_in_one_line
from tacenda.models.token_classifier.hugging_face import CONFIG, is_masked_lm
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import MODEL, TOKENIZER
from tacenda.transforms.schema.errors import UserError

_INSTALL = "pip install '.[torch,train]'"
_OPSET = 18
_ROW = 8
"""Places of the row that both networks are compared on."""
_CLOSE = 1e-3
"""Largest difference of logits, from another order of sums."""


def converted(source: Path, target: Path) -> None:
    """Write the model of ``source`` to ``target``, a new or empty folder.

    Raises:
        UserError: ``source`` holds no such model, ``target`` is in use, or a package is not installed.
    """
    if not is_masked_lm(source):
        raise UserError(f"model {source}: {CONFIG} names no architecture …ForMaskedLM")
    if not (source / TOKENIZER).is_file():
        raise UserError(f"model {source}: no {TOKENIZER}; save its fast tokenizer there with save_pretrained")
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise UserError(f"{target}: is no empty folder; name a new one")
    network = _loaded(source)
    target.mkdir(parents=True, exist_ok=True)
    write_onnx(network, int(network.config.vocab_size), target / MODEL)
    for name in (CONFIG, TOKENIZER):
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


def main(arguments: Sequence[str]) -> None:
    """See the module; a mistake of the user is one line, and exit code 2."""
    parser = argparse.ArgumentParser(
        "python -m tacenda.models.masked_lm.converting", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("model", type=Path, metavar="MODEL", help="folder of the model")
    parser.add_argument("target", type=Path, metavar="NEW_FOLDER", help="folder to write")
    given = parser.parse_args(arguments)
    with mistakes_in_one_line(parser):
        converted(given.model, given.target)
    sys.stdout.write(f"{given.target}: {MODEL}, {CONFIG}, {TOKENIZER}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
