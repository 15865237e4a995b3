"""Export a trained network to ONNX: fused operators of ONNX Runtime, int8 weights, and gates.

The graph is written node by node instead of being traced, so that it holds the runtime's own fused operators
(attention, bias and GELU, quantised products) wherever it can. It takes rows of one length and no
mask: without one, the runtime's attention never writes down a whole matrix of weights, and the network runs
some 12 % faster than one that could be padded.

A row's scores are the same, bit for bit, alone and in any call: activations have fixed scales, and a gate
decides on each place by itself.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from tacenda.models.training.gated_places import Gate, GatedPlaces
from tacenda.models.training.graph import FUSED, Graph, Range, Weights

_SMALL = 1024
"""Bytes of a tensor below which it stays with the graph: the runtime reads shapes and the like from there."""

_ALIGNED = 4096
"""A tensor of its own file begins at a multiple of this, a page of memory."""


def exported(
    weights: Weights,
    layers: int,
    heads: int,
    *,
    ranges: Mapping[str, Range] | None = None,
    gates: Mapping[int, Gate] | None = None,
) -> onnx.ModelProto:
    """The ONNX model of a ``TokenNetwork``'s weights (float32, by the names of its state dict).

    Inputs ``input_ids``, ``token_type_ids`` (int64; rows, places), output ``logits`` (float32; rows, places,
    classes). It is quantised where ``ranges`` are given (``calibrating``), as in ``Graph``. Each gate stands
    behind the layer of its number, from 0 on. A place that it holds back goes through no further layer: the
    others attend to it as it left that one, and its class is O.
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
        # What the last layer makes of places that are held back is replaced with their logits.
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
    # What has a value and is an input as well may be given another one.
    inputs += [helper.make_tensor_value_info(name, TensorProto.FLOAT, []) for name in graph.settings]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [*axes, classes])
    made = helper.make_graph(graph.nodes, "token_classifier", inputs, [output], graph.initializers)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=9, producer_name="tacenda")


def _layer(graph: Graph, weights: Weights, name: str, hidden: str, attended: str, heads: int) -> str:
    """One layer: the state of some places (rows, some, width), which attend to all (rows, places, width)."""
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
    # The operator that adds the bias as well takes half as long again as this one.
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
    """``exported`` to a file, checked by the ONNX checker.

    With ``apart``, weights go to a file of their own beside it, its name with ``.data``: the processes of a
    machine then share what the runtime does not rearrange, such as the embedding of words.
    """
    model = exported(weights, layers, heads, ranges=ranges, gates=gates)
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
