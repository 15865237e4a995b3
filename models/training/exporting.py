"""A trained network to an ONNX graph: the fused operators of ONNX Runtime, and int8 weights.

The graph is written node by node instead of being traced, so that it holds the runtime's own fused operators
(attention, bias and GELU, dynamically quantised products) wherever it can. It takes rows of one length and no
mask: without one, the runtime's attention never writes down a whole matrix of weights, and the network runs
some 12 % faster than one that could be padded.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

Weights = Mapping[str, npt.NDArray[np.float32]]

_FUSED = "com.microsoft"

_SMALL = 1024
"""Bytes of a tensor below which it stays with the graph: the runtime reads shapes and the like from there."""

_ALIGNED = 4096
"""A tensor of its own file begins at a multiple of this, a page of memory."""


class _Graph:
    """Nodes and initializers under construction."""

    def __init__(self, quantised: bool) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self._quantised = quantised

    def constant(self, name: str, value: npt.NDArray[Any]) -> str:
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, operator: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(
            helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes)
        )
        return output

    def product(self, hidden: str, weights: Weights, name: str, bias: bool = True) -> str:
        """The hidden state times the weight of a linear layer, plus its bias where it is asked for."""
        matrix = weights[f"{name}.weight"].T
        if not self._quantised:
            raw = self.add("MatMul", [hidden, self.constant(f"{name}.weight", matrix)], f"{name}.raw")
            if not bias:
                return raw
            return self.add(
                "Add", [raw, self.constant(f"{name}.bias", weights[f"{name}.bias"])], f"{name}.out"
            )
        eights, scales = _int8(matrix, axis=0)
        inputs = [
            hidden,
            self.constant(f"{name}.weight", eights),
            self.constant(f"{name}.scale", scales),
            "",
            self.constant(f"{name}.bias", weights[f"{name}.bias"]) if bias else "",
        ]
        return self.add("DynamicQuantizeMatMul", inputs, f"{name}.out", _FUSED)

    def embedded(self, ids: str, weights: Weights, name: str) -> str:
        """Rows of an embedding, int8 with one scale a row where quantised."""
        table = weights[f"{name}.weight"]
        if not self._quantised:
            return self.add("Gather", [self.constant(f"{name}.weight", table), ids], f"{name}.out")
        eights, scales = _int8(table, axis=1)
        rows = self.add("Gather", [self.constant(f"{name}.weight", eights), ids], f"{name}.rows")
        scale = self.add("Gather", [self.constant(f"{name}.scale", scales[:, None]), ids], f"{name}.scales")
        floats = self.add("Cast", [rows], f"{name}.floats", to=TensorProto.FLOAT)
        return self.add("Mul", [floats, scale], f"{name}.out")

    def norm(self, hidden: str, skip: str, weights: Weights, name: str) -> str:
        scale = self.constant(f"{name}.weight", weights[f"{name}.weight"])
        shift = self.constant(f"{name}.bias", weights[f"{name}.bias"])
        # The fused operator for both takes half as long again as the two.
        both = self.add("Add", [hidden, skip], f"{name}.both")
        return self.add("LayerNormalization", [both, scale, shift], f"{name}.out", axis=-1, epsilon=1e-12)


def exported(weights: Weights, layers: int, heads: int, *, quantised: bool) -> onnx.ModelProto:
    """The ONNX model of a ``TokenNetwork``'s weights (float32, by the names of its state dict).

    Inputs ``input_ids``, ``token_type_ids`` (int64; rows, places), output ``logits`` (float32; rows, places,
    classes). With ``quantised``, weights are int8 with one scale an output column (an embedding's: a row), and
    activations are quantised as they come.
    """
    graph = _Graph(quantised)
    words = graph.embedded("input_ids", weights, "words")
    cases = graph.add(
        "Gather", [graph.constant("cases.weight", weights["cases.weight"]), "token_type_ids"], "cases"
    )
    count = graph.add("Shape", ["input_ids"], "count", start=1, end=2)
    graph.constant("zero", np.array([0], np.int64))
    table = graph.constant("places.weight", weights["places.weight"])
    places = graph.add("Slice", [table, "zero", count, "zero"], "places")
    both = graph.add("Add", [cases, places], "cases_and_places")
    hidden = graph.norm(words, both, weights, "norm")
    width = len(weights["norm.weight"])
    graph.constant("thirds", np.array([width] * 3, np.int64))
    for i in range(layers):
        hidden = _layer(graph, weights, f"layers.{i}", hidden, heads)
    graph.add("Identity", [graph.product(hidden, weights, "classify")], "logits")
    axes = ["rows", "places_in_row"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, axes)
        for name in ("input_ids", "token_type_ids")
    ]
    classes = len(weights["classify.bias"])
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [*axes, classes])
    made = helper.make_graph(graph.nodes, "token_classifier", inputs, [output], graph.initializers)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_FUSED, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=9, producer_name="tacet")


def _layer(graph: _Graph, weights: Weights, name: str, hidden: str, heads: int) -> str:
    three = graph.product(hidden, weights, f"{name}.attention_in")
    parts = [f"{name}.{part}" for part in ("query", "key", "value")]
    graph.nodes.append(helper.make_node("Split", [three, "thirds"], parts, name=f"{name}.split", axis=2))
    seen = graph.add("MultiHeadAttention", parts, f"{name}.seen", _FUSED, num_heads=heads)
    out = graph.product(seen, weights, f"{name}.attention_out")
    hidden = graph.norm(out, hidden, weights, f"{name}.attention_norm")
    inner = graph.product(hidden, weights, f"{name}.inner", bias=False)
    bias = graph.constant(f"{name}.inner.bias", weights[f"{name}.inner.bias"])
    grown = graph.add("BiasGelu", [inner, bias], f"{name}.grown", _FUSED)
    outer = graph.product(grown, weights, f"{name}.outer")
    return graph.norm(outer, hidden, weights, f"{name}.norm")


def _int8(matrix: npt.NDArray[np.float32], axis: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Symmetric int8 and the scales, one for each index of the other axis."""
    largest = np.abs(matrix).max(axis=axis, keepdims=True)
    scale = np.where(largest == 0, 1, largest / 127).astype(np.float32)
    return np.rint(matrix / scale).clip(-127, 127).astype(np.int8), scale.squeeze(axis)


def write_onnx(
    weights: Weights, layers: int, heads: int, path: Path, *, quantised: bool, apart: bool = False
) -> None:
    """``exported`` to a file, checked by the ONNX checker.

    With ``apart``, weights go to a file of their own beside it, its name with ``.data``: the processes of a
    machine then share what the runtime does not rearrange, such as the embedding of words.
    """
    model = exported(weights, layers, heads, quantised=quantised)
    if apart:
        _put_apart(model, path.with_name(f"{path.name}.data"))
    path.write_bytes(model.SerializeToString(deterministic=True))
    onnx.checker.check_model(str(path))


def _put_apart(model: onnx.ModelProto, path: Path) -> None:
    """Write all but small tensors to a file, and in the model where they are."""
    with path.open("wb") as file:
        for tensor in model.graph.initializer:
            if len(tensor.raw_data) < _SMALL:
                continue
            file.write(bytes(-file.tell() % _ALIGNED))
            place = {"location": path.name, "offset": file.tell(), "length": len(tensor.raw_data)}
            file.write(tensor.raw_data)
            tensor.ClearField("raw_data")
            tensor.data_location = TensorProto.EXTERNAL
            for key, value in place.items():
                tensor.external_data.add(key=key, value=str(value))
