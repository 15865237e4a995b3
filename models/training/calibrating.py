"""Calibrate quantisation: record the activation ranges of a network on real text."""

from collections.abc import Iterable, Mapping

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper

from tacenda.models.token_classifier.session import Ints
from tacenda.models.training.exporting import exported
from tacenda.models.training.gated_places import Gate
from tacenda.models.training.graph import PRODUCT, Range, Weights

MARGIN = 1.1
"""Factor by which a range exceeds the values seen, to allow for other text. Clipping costs far more than
coarse
steps: with a factor of .75 the embedded network lost 1.6 points of recall; with a factor of 2, .2 points of
recall and .8 of precision."""

_ERRORS = 3


def calibrated(
    weights: Weights,
    layers: int,
    heads: int,
    inputs: Iterable[tuple[Ints, Ints, Ints]],
    gates: Mapping[int, Gate] | None = None,
    margin: float = MARGIN,
) -> dict[str, Range]:
    """The activation range of each matrix product in the float32 network, by the product's name.

    Args:
        weights: as in ``exporting.exported``, as are ``layers``, ``heads`` and ``gates``.
        layers: number of layers.
        heads: number of attention heads.
        inputs: ids, mask and token types of calls, as from ``Rows.inputs``, of representative text.
        gates: gates by layer, as they will be exported; places that they drop do not count.
        margin: factor by which a range exceeds the values seen.
    """
    model = exported(weights, layers, heads, gates=gates)
    watched = [node for node in model.graph.node if node.op_type == "MatMul" and node.name.endswith(PRODUCT)]
    for node in watched:
        for operator in ("ReduceMin", "ReduceMax"):
            name = f"{node.name}.{operator}"
            model.graph.node.append(helper.make_node(operator, [node.input[0]], [name], keepdims=0))
            model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, []))
    options = ort.SessionOptions()
    options.log_severity_level = _ERRORS
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    outputs = [o.name for o in session.get_outputs()[1:]]
    extremes = np.array([[np.inf], [-np.inf]], np.float32).repeat(len(watched), 1)
    for ids, _, types in inputs:
        seen = np.array(session.run(outputs, {"input_ids": ids, "token_type_ids": types})).reshape(-1, 2)
        np.minimum(extremes[0], seen[:, 0], out=extremes[0])
        np.maximum(extremes[1], seen[:, 1], out=extremes[1])
    names = [node.name.removesuffix(PRODUCT) for node in watched]
    return {
        name: Range(least * margin, greatest * margin)
        for name, least, greatest in zip(names, *extremes.tolist(), strict=True)
    }
