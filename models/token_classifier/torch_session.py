"""Run any transformers token classifier in PyTorch, on a CPU or GPU. Needs the extra ``[torch]``.

On a GPU the weights are bf16, row lengths are rounded up to a few sizes to limit recompilation, and calls
overlap: the next is sent before the previous one has returned.
"""

from collections import deque
from collections.abc import Iterable, Iterator
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

_AHEAD = 2
"""Concurrent calls on a GPU: one computes while the other is copied."""


class TorchSession:
    """An ``AutoModelForTokenClassification``, loaded from a local folder only.

    Args:
        folder: folder of the model.
        threads: number of torch threads on the CPU.
        device: "cpu", "cuda" or "cuda:N"; None for a GPU if there is one.

    Raises:
        UserError: torch is not installed or cannot load the model.
    """

    pads = True
    gated = False

    def __init__(self, folder: Path, threads: int = 1, device: str | None = None) -> None:
        try:
            import torch
            from transformers import AutoModelForTokenClassification
        except ImportError:
            raise UserError(
                f"model {folder}: needs torch and transformers; mend it with: {INSTALL}"
            ) from None
        self._torch = torch
        chosen = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._device = torch.device(chosen)
        self._on_gpu = self._device.type == "cuda"
        self.arithmetic = f"torch {torch.__version__}, {self._device}, {threads} threads"
        self.budget = GPU_BUDGET if self._on_gpu else CPU_BUDGET
        if not self._on_gpu:
            torch.set_num_threads(threads)
        try:
            # Load nothing that could execute code: no pickles, no modules of the model's own.
            network: Any = AutoModelForTokenClassification.from_pretrained(
                str(folder),
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                dtype=torch.bfloat16 if self._on_gpu else torch.float32,
            )
        except Exception as error:  # noqa: BLE001 - the library may raise anything
            raise UserError(f"model {folder}: transformers cannot load it ({type(error).__name__})") from None
        # RoBERTa's positions start at 2.
        self._longest = int(getattr(network.config, "max_position_embeddings", None) or 0) - 2
        self._types = getattr(network.config, "type_vocab_size", 0) or 0
        self._network = network.eval().to(self._device)
        if self._on_gpu:
            self._network = torch.compile(self._network, dynamic=True)

    def scores(self, ids: Ints, mask: Ints, types: Ints) -> Floats:
        """See ``session.Session``."""
        (logits,) = self.scores_of([(ids, mask, types)])
        return logits

    def scores_of(self, several: Iterable[tuple[Ints, Ints, Ints]], whole: bool = False) -> Iterator[Floats]:
        """Scores of several inputs, in order; on a GPU the next is sent while one is computed."""
        under_way: deque[tuple[Any, Any, int]] = deque()
        for ids, mask, types in several:
            under_way.append(self._sent(ids, mask, types))
            if len(under_way) >= (_AHEAD if self._on_gpu else 1):
                yield self._returned(*under_way.popleft())
        while under_way:
            yield self._returned(*under_way.popleft())

    def _sent(self, ids: Ints, mask: Ints, types: Ints) -> tuple[Any, Any, int]:
        torch = self._torch
        places = ids.shape[1]
        wanted = stepped(places, self._longest) if self._on_gpu else places
        rows: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
        if self._types > 1:
            rows["token_type_ids"] = np.minimum(types, self._types - 1)
        sent = {}
        for name, values in rows.items():
            tensor = torch.from_numpy(np.pad(values, ((0, 0), (0, wanted - places))))
            tensor = tensor.pin_memory() if self._on_gpu else tensor
            sent[name] = tensor.to(self._device, non_blocking=True)
        with torch.inference_mode():
            logits = self._network(**sent).logits.float()
        if not self._on_gpu:
            return logits, None, places
        waiting = torch.empty(logits.shape, dtype=torch.float32, pin_memory=True)
        waiting.copy_(logits, non_blocking=True)
        done = torch.cuda.Event()
        done.record()
        return waiting, done, places

    def _returned(self, logits: Any, done: Any, places: int) -> Floats:
        if done is not None:
            done.synchronize()
        returned: Floats = logits.numpy()[:, :places]
        return returned


def stepped(places: int, longest: int) -> int:
    """Round ``places`` up to a multiple of the step, or to the network's ``longest`` row if that is less."""
    return max(places, min(-(-places // _STEP) * _STEP, longest))
