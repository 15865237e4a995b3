"""Run a network in PyTorch, on a CPU or GPU: any transformers token classifier, or a package of ours.

Needs the extra ``[torch]``. On a GPU row lengths are rounded up to a few sizes to limit recompilation. Weights
of transformers are bf16 there; the whole numbers of a package are exact in TF32.
"""

from pathlib import Path
from typing import Any

import numpy as np

from tacenda.models.token_classifier.onnx_session import Floats, Ints
from tacenda.transforms.schema.errors import UserError

INSTALL = "pip install '.[torch]'"

CPU_BUDGET = 1024
GPU_BUDGET = 1 << 16
"""Padded places in one call; on a GPU, enough to keep it busy."""

_STEP = 32
"""On a GPU, row lengths are multiples of this."""

TOLERANCE = 0.05
"""Largest difference of a probability between calls of a GPU. A rounded activation may fall to its other
neighbour when sums are added up in another order: on an H200, 1 % of the tokens differ by more than this from
the package on a CPU, and .3 % have another class (``tests/benchmarks/bench_network``)."""


class TorchSession:
    """A loaded network; a ``Session``.

    Args:
        network: the module.
        longest: the longest row that it takes, in tokens.
        types: the number of its token types.
        device: where it is.
        threads: number of torch threads on the CPU.
    """

    pads = True
    gated = False

    def __init__(
        self,
        network: Any,
        longest: int,
        types: int,
        device: Any,
        threads: int = 1,
    ) -> None:
        import torch

        self._torch, self._device = torch, device
        self._on_gpu = device.type == "cuda"
        self.arithmetic = f"torch {torch.__version__}, {device}, {threads} threads"
        self.budget = GPU_BUDGET if self._on_gpu else CPU_BUDGET
        self.tolerance = TOLERANCE if self._on_gpu else 0.0
        if not self._on_gpu:
            torch.set_num_threads(threads)
        self._longest, self._types = longest, types
        self._network = network.eval().to(device)
        if self._on_gpu:
            torch.backends.cuda.matmul.allow_tf32 = True
            self._network = torch.compile(self._network, dynamic=True)

    def scores(self, ids: Ints, mask: Ints, types: Ints, whole: bool = False) -> Floats:
        """See ``onnx_session.Session``."""
        torch, places = self._torch, ids.shape[1]
        wanted = stepped(places, self._longest) if self._on_gpu else places
        rows: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
        if self._types > 1:
            rows["token_type_ids"] = np.minimum(types, self._types - 1)
        sent = {
            name: torch.from_numpy(np.pad(values, ((0, 0), (0, wanted - places)))).to(self._device)
            for name, values in rows.items()
        }
        with torch.inference_mode():
            made = self._network(**sent)
            logits = getattr(made, "logits", made).float()
        returned: Floats = logits.cpu().numpy()[:, :places]
        return returned


def hugging_face_session(folder: Path, threads: int = 1, device: str | None = None) -> TorchSession:
    """An ``AutoModelForTokenClassification``, loaded from a local folder only.

    ``device`` is "cpu", "cuda" or "cuda:N"; None for a GPU if there is one.

    Raises:
        UserError: torch is not installed or cannot load the model.
    """
    try:
        import torch
        from transformers import AutoModelForTokenClassification
    except ImportError:
        raise UserError(f"model {folder}: needs torch and transformers; mend it with: {INSTALL}") from None
    place = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    try:
        # Load nothing that could execute code: no pickles, no modules of the model's own.
        network: Any = AutoModelForTokenClassification.from_pretrained(
            str(folder),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=torch.bfloat16 if place.type == "cuda" else torch.float32,
        )
    except Exception as error:  # noqa: BLE001 - the library may raise anything
        raise UserError(f"model {folder}: transformers cannot load it ({type(error).__name__})") from None
    # RoBERTa's positions start at 2.
    longest = int(getattr(network.config, "max_position_embeddings", None) or 0) - 2
    types = getattr(network.config, "type_vocab_size", 0) or 0
    return TorchSession(network, longest, types, place, threads)


def package_session(model: Path, device: str, threads: int = 1) -> TorchSession:
    """The network of a package of ours, with the weights of its ``model.onnx`` and without its gates.

    Raises:
        UserError: torch is not installed, sees no such device, or cannot load the network.
    """
    try:
        import onnx  # noqa: F401 - from_onnx reads the file with it
        import torch

        from tacenda.models.token_classifier.torch_network import from_onnx
    except ImportError:
        raise UserError(
            f"model {model.parent}: device {device} needs torch; mend it with: {INSTALL}"
        ) from None
    if device == "cuda" and not torch.cuda.is_available():
        raise UserError(
            f"model {model.parent}: device cuda: torch sees no GPU here; leave 'device' out, or "
            "install torch for your GPU"
        )
    try:
        network = from_onnx(model)
    except Exception as error:  # noqa: BLE001 - of onnx, torch or a file that is none of ours
        raise UserError(f"model {model}: torch cannot load it ({type(error).__name__})") from None
    config = network.config
    return TorchSession(network, config.positions, config.types, torch.device(device), threads)


def stepped(places: int, longest: int) -> int:
    """Round ``places`` up to a multiple of the step, or to the network's ``longest`` row if that is less."""
    return max(places, min(-(-places // _STEP) * _STEP, longest))
