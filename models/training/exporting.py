"""Export a trained network to ONNX: fused operators of ONNX Runtime, int8 weights, and gates.

The graph is built node by node rather than traced, in order to use the runtime's fused operators (attention,
bias and GELU, quantised products). It takes rows of one length and no mask: without a mask, the runtime's
attention does not materialise the weight matrix, and the network runs some 12 % faster than with padding.

A row's scores are bitwise independent of the other rows of a call: activations have fixed scales, and gates
decide on each token by itself.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from tacenda.models.training.early_exit import Gate, GatedPlaces
from tacenda.models.training.graph import FUSED, Graph, Range, Weights

_SMALL = 1024
"""Tensors below this size, in bytes, stay in the graph, where the runtime expects shapes and the like."""

_ALIGNED = 4096
"""Alignment of tensors in the external file: a memory page."""


def exported(
    weights: Weights,
    layers: int,
    heads: int,
    *,
    ranges: Mapping[str, Range] | None = None,
    gates: Mapping[int, Gate] | None = None,
) -> onnx.ModelProto:
    """Build the ONNX model of a ``TokenNetwork`` from its weights (float32, by the names of its state dict).

    Inputs ``input_ids``, ``token_type_ids`` (int64; rows, places), output ``logits`` (float32; rows, places,
    classes). With ``ranges`` (``calibrating``) it is quantised, as in ``Graph``. ``gates`` maps 0-based layer
    indexes to the gate after that layer. A token that a gate drops skips all further layers: other tokens
    attend to its state at that point, and its class is O.
    """
    graph = Graph(ranges)
    gates = gates or {}
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
    width, classes = len(weights["norm.weight"]), len(weights["classify.bias"])
    graph.constant("thirds", np.array([width] * 3, np.int64))
    graph.constant("halves", np.array([width] * 2, np.int64))
    going = GatedPlaces(graph, width)
    for i in range(layers):
        name = f"layers.{i}"
        after = _layer(graph, weights, name, hidden, going.attended(hidden, name), heads)
        # After the last layer, dropped places need no state: their logits are fixed.
        hidden = after if i == layers - 1 else going.unchanged(after, hidden, name)
        if i in gates:
            hidden = going.held_back(hidden, gates[i], f"{name}.gate")
    logits = graph.product(hidden, weights, "classify")
    graph.add("Identity", [going.restored(logits, classes)], "logits")
    axes = ["rows", "places_in_row"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, axes)
        for name in ("input_ids", "token_type_ids")
    ]
    # An initializer that is also an input can be overridden by a run.
    inputs += [helper.make_tensor_value_info(name, TensorProto.FLOAT, []) for name in graph.settings]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [*axes, classes])
    made = helper.make_graph(graph.nodes, "token_classifier", inputs, [output], graph.initializers)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=9, producer_name="tacenda")


def _layer(graph: Graph, weights: Weights, name: str, hidden: str, attended: str, heads: int) -> str:
    """One layer: ``hidden`` (rows, some places, width) attends to ``attended`` (rows, places, width)."""
    width = len(weights[f"{name}.norm.weight"])
    parts = [f"{name}.{part}" for part in ("query", "key", "value")]
    if attended == hidden:
        three = graph.product(hidden, weights, f"{name}.attention_in")
        graph.split(three, "thirds", parts)
    else:
        query = graph.product(hidden, weights, f"{name}.attention_in", part=slice(0, width))
        two = graph.product(attended, weights, f"{name}.attention_in", part=slice(width, 3 * width))
        parts = [query, *graph.split(two, "halves", parts[1:])]
    seen = graph.add("MultiHeadAttention", parts, f"{name}.seen", FUSED, num_heads=heads)
    out = graph.product(seen, weights, f"{name}.attention_out")
    hidden = graph.norm(out, hidden, weights, f"{name}.attention_norm")
    # The fused operator that includes the bias is 50 % slower.
    grown = graph.add("Gelu", [graph.product(hidden, weights, f"{name}.inner")], f"{name}.grown", FUSED)
    outer = graph.product(grown, weights, f"{name}.outer")
    return graph.norm(outer, hidden, weights, f"{name}.norm")


def write_onnx(
    weights: Weights,
    layers: int,
    heads: int,
    path: Path,
    *,
    ranges: Mapping[str, Range] | None = None,
    gates: Mapping[int, Gate] | None = None,
    apart: bool = False,
) -> None:
    """Write ``exported`` to a file and run the ONNX checker on it.

    With ``apart``, weights go to a separate file with the suffix ``.data``, so that the processes of a
    machine share the memory of tensors that the runtime does not rearrange, such as word embeddings.
    """
    model = exported(weights, layers, heads, ranges=ranges, gates=gates)
    if apart:
        _put_apart(model, path.with_name(f"{path.name}.data"))
    path.write_bytes(model.SerializeToString(deterministic=True))
    onnx.checker.check_model(str(path))


def _put_apart(model: onnx.ModelProto, path: Path) -> None:
    """Move all but small tensors to a file and record their locations in the model."""
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
