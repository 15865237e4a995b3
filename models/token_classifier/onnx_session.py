"""ONNX Runtime session on the CPU: the default, which needs neither a GPU nor a framework."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from tacenda.models.token_classifier.session import Floats, Ints
from tacenda.transforms.schema.errors import UserError

_QUIET = 3
"""Log errors only."""

BUDGET = 256
"""Places of one call: what stays in a core's cache. A network of 6 layers, 384 wide, in int8 made 13.5 k
places/s of one row of 128, 14.4 k of four and 10.6 k of 64 (CPU time, one thread); rows of 16 want company:
9.6 k alone, 14.1 k sixteen at a time."""


GATE_LEAST = ".gate.least"
"""Ends the name of what a place must exceed to pass a gate of the network."""

_SLOWER = ("SkipLayerNormFusion",)
"""Fusions of the runtime that are left out: on a CPU this one takes half as long again as what it replaces."""


class OnnxSession:
    """A network in ONNX; its inputs are ``input_ids`` and, or not, ``attention_mask`` and ``token_type_ids``.

    One without ``attention_mask`` is never given rows that are padded.

    One thread unless told otherwise: a machine's cores are used by its worker processes, and a network's own
    threads would only stand in their way.

    Raises:
        UserError: the file is no network of this form.
    """

    budget = BUDGET

    def __init__(self, model: Path, classes: int, threads: int = 1) -> None:
        # Here, since a run without a model needs neither its time nor its 30 MB.
        import onnxruntime as ort

        self.arithmetic = f"onnxruntime {ort.__version__}, {threads} threads"
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = _QUIET
        # Waiting threads give their core back; plans of memory are kept by shape, and shapes here are many.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_mem_pattern = False
        try:
            self._session = ort.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"], disabled_optimizers=list(_SLOWER)
            )
        except Exception as error:  # noqa: BLE001 - the runtime has its own classes, none of them public
            raise UserError(f"model {model}: ONNX Runtime cannot load it ({type(error).__name__})") from None
        self._inputs = {
            i.name: np.int32 if "int32" in i.type else np.int64 for i in self._session.get_inputs()
        }
        if not {"input_ids"} <= set(self._inputs) <= {"input_ids", "attention_mask", "token_type_ids"}:
            raise UserError(f"model {model}: its inputs are not those of a token classifier")
        self.pads = "attention_mask" in self._inputs
        open_gate = np.array(-np.inf, np.float32)
        self._open_gates = {
            i.name: open_gate
            for i in self._session.get_overridable_initializers()
            if i.name.endswith(GATE_LEAST)
        }
        self.gated = bool(self._open_gates)
        self._output = self._session.get_outputs()[0].name
        width = (self._session.get_outputs()[0].shape or [None])[-1]
        if isinstance(width, int) and width != classes:
            raise UserError(f"model {model}: has {width} classes, its description has {classes}")

    def scores(self, ids: Ints, mask: Ints, types: Ints, whole: bool = False) -> Floats:
        """See ``session.Session``; ``whole`` as in ``scores_of``."""
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        feed = {name: given[name].astype(kind, copy=False) for name, kind in self._inputs.items()}
        (logits,) = self._session.run([self._output], {**feed, **self._open_gates} if whole else feed)
        return np.asarray(logits, np.float32)

    def scores_of(self, several: Iterable[tuple[Ints, Ints, Ints]], whole: bool = False) -> Iterator[Floats]:
        """See ``session.Session``."""
        return (self.scores(*one, whole) for one in several)
