"""Model sessions, rows of tokens in and class scores out; the default is ONNX Runtime on the CPU."""

from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tacenda.transforms.schema.errors import UserError

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class Session(Protocol):
    """A loaded network.

    ``budget`` is the optimal number of places in a call. ``pads``: rows of one call may differ in length, the
    shorter ones padded and masked. ``gated``: the network drops places between layers; these have logit 0 for
    every class but O. ``arithmetic`` names what else its scores depend on: the library, its version and the
    number of threads. ``tolerance`` is the largest difference of a probability that other rows in a call may
    make; 0 for none.
    """

    budget: int
    pads: bool
    gated: bool
    arithmetic: str
    tolerance: float

    def scores(self, ids: Ints, mask: Ints, types: Ints, whole: bool = False) -> Floats:
        """Logits (rows, places, classes) of inputs (rows, places).

        ``mask`` is 0 for padding, ``types`` are the token types. ``whole``: switch the gates off, so that no
        place is dropped. Equal input gives equal output on the same machine.
        """
        ...


_QUIET = 3
"""Log severity: errors only."""

BUDGET = 256
"""Places in one call: few enough for a core's cache. Measured on a 6-layer int8 network of width 384 (CPU
time, one thread), in thousands of places a second: rows of 128 places, 13.5 alone, 14.4 in fours, 10.6 in
64s; rows of 16 places, 9.6 alone, 14.1 in sixteens."""


GATE_LEAST = ".gate.least"
"""Name suffix of the inputs that set a gate's threshold."""

_SLOWER = ("SkipLayerNormFusion",)
"""Disabled fusions of the runtime: on a CPU this one is 50 % slower than the nodes that it replaces."""


class OnnxSession:
    """An ONNX network with the input ``input_ids`` and optionally ``attention_mask`` and ``token_type_ids``.

    Networks without ``attention_mask`` get no padded rows. The default is one thread, since worker processes
    already use all cores.

    Raises:
        UserError: the file is not a network of this form.
    """

    budget = BUDGET
    tolerance = 0.0

    def __init__(self, model: Path, classes: int, threads: int = 1) -> None:
        # Imported here to save runs without a model its import time and 30 MB.
        import onnxruntime as ort

        self.arithmetic = f"onnxruntime {ort.__version__}, {threads} threads"
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = _QUIET
        # Idle threads must not spin; memory patterns are cached per shape, and there are many shapes.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_mem_pattern = False
        try:
            self._session = ort.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"], disabled_optimizers=list(_SLOWER)
            )
        except Exception as error:  # noqa: BLE001 - the runtime's exception classes are not public
            raise UserError(f"model {model}: ONNX Runtime cannot load it ({type(error).__name__})") from None
        kinds = {i.name: i.type for i in self._session.get_inputs()}
        self._inputs = {name: np.int32 if "int32" in kind else np.int64 for name, kind in kinds.items()}
        if not {"input_ids"} <= set(self._inputs) <= {"input_ids", "attention_mask", "token_type_ids"}:
            raise UserError(f"model {model}: its inputs are not those of a token classifier")
        self.pads = "attention_mask" in self._inputs
        settings = (i.name for i in self._session.get_overridable_initializers())
        open_gate = np.array(-np.inf, np.float32)
        self._open_gates = {name: open_gate for name in settings if name.endswith(GATE_LEAST)}
        self.gated = bool(self._open_gates)
        output = self._session.get_outputs()[0]
        self._output = output.name
        width = (output.shape or [None])[-1]
        if isinstance(width, int) and width != classes:
            raise UserError(f"model {model}: has {width} classes, its description has {classes}")

    def scores(self, ids: Ints, mask: Ints, types: Ints, whole: bool = False) -> Floats:
        """See ``Session``."""
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        feed = {name: given[name].astype(kind, copy=False) for name, kind in self._inputs.items()}
        (logits,) = self._session.run([self._output], {**feed, **self._open_gates} if whole else feed)
        return np.asarray(logits, np.float32)


def softmax(logits: Floats) -> Floats:
    """Convert rows of logits to probabilities, in place."""
    logits -= logits.max(axis=1, keepdims=True, initial=-np.inf)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits
