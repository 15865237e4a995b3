"""Export a trained network to ONNX: fused operators of ONNX Runtime, int8 weights, and a gate.

The graph is built node by node rather than traced, in order to use the runtime's fused operators (attention,
bias and GELU, quantised products). It takes rows of one length and no mask: without a mask, the runtime's
attention does not materialise the weight matrix, and the network runs some 12 % faster than with padding.

A row's scores are bitwise independent of the other rows of a call: activations have fixed scales, and the
gate decides on each token by itself.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

Floats = npt.NDArray[np.float32]
Weights = Mapping[str, Floats]
"""Tensors by the names of a network's state dict."""

PRODUCT = ".raw"
"""Name suffix of a float32 product's node; the rest of the name is that of its range."""

_FUSED = ("MultiHeadAttention", "Gelu", "MatMulIntegerToFloat")
"""ONNX Runtime's own operators."""
_RUNTIME = "com.microsoft"

_PAIR = 128
"""Most that the magnitudes of two neighbouring weights may add up to."""

_SURELY_OUTSIDE = 20.0
"""Logit of class O for dropped tokens; their other logits are 0."""

_SMALL = 1024
"""Tensors below this size, in bytes, stay in the graph, where the runtime expects shapes and the like."""

_ALIGNED = 4096
"""Alignment of tensors in the external file: a memory page."""


class Range(NamedTuple):
    """Activation range of a product; values outside are clipped."""

    least: float
    greatest: float


class Gate(NamedTuple):
    """Passes tokens whose hidden state after a layer (from 0) times ``weight`` (width) exceeds ``least``."""

    layer: int
    weight: Floats
    least: float


class _Graph:
    """Nodes and initializers; methods that add some return the name of the last output.

    With ``ranges``, by the name of each product, the graph is quantised: weights of products and embeddings
    are int8 with one scale per output column (per row for embeddings), and activations are uint8 with a fixed
    scale. Dynamic scales, as in ``DynamicQuantizeMatMul``, would make a row's scores depend on the other rows
    of a call.
    """

    def __init__(self, weights: Weights, ranges: Mapping[str, Range] | None) -> None:
        self.weights, self._ranges = weights, ranges
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.settings: list[str] = []

    def constant(self, name: str, value: Any, kind: Any = np.int64) -> str:
        """Add an initializer."""
        self.initializers.append(numpy_helper.from_array(np.asarray(value, kind, order="C"), name))
        return name

    def weight(self, name: str) -> str:
        """Add a tensor of the network."""
        return self.constant(name, self.weights[name], None)

    def add(self, lines: str) -> str:
        """Add a node a line: ``outputs = Operator inputs attribute=value``; ``-`` is an input left out.

        A node is named as its last output, or by the attribute ``name``.
        """
        outputs = [""]
        for line in lines.strip().splitlines():
            made, _, call = line.partition(" = ")
            operator, *words = call.split()
            inputs = ["" if word == "-" else word for word in words if "=" not in word]
            attributes = dict(word.split("=") for word in words if "=" in word)
            outputs = made.split()
            name = attributes.pop("name", outputs[-1])
            # Named for all but nodes with several outputs, so that the file is the same as ever.
            domain = _RUNTIME if operator in _FUSED else "" if len(outputs) == 1 else None
            values = {key: json.loads(value) for key, value in attributes.items()}
            self.nodes.append(helper.make_node(operator, inputs, outputs, name=name, domain=domain, **values))
        return outputs[-1]

    def product(self, hidden: str, name: str, part: slice | None = None) -> str:
        """Add a linear layer, or ``part`` of its outputs: the hidden state times its weight, plus its bias."""
        kept = part or slice(None)
        made = name if part is None else f"{name}.{kept.start}"
        matrix, bias = self.weights[f"{name}.weight"][kept].T, self.weights[f"{name}.bias"][kept]
        if self._ranges is None:
            self.constant(f"{made}.weight", matrix, None)
            raw = self.add(f"{made}{PRODUCT} = MatMul {hidden} {made}.weight")
            return self.add(f"{made}.out = Add {raw} {self.constant(f'{made}.bias', bias, None)}")
        # Asymmetric uint8; zero is always in the range and exact.
        least, greatest = min(self._ranges[made].least, 0.0), max(self._ranges[made].greatest, 0.0)
        step = np.float32((greatest - least) / 255 or 1.0)
        scale = self.constant(f"{made}.activation_scale", step, None)
        zero = self.constant(f"{made}.activation_zero", np.rint(-least / step).clip(0, 255), np.uint8)
        eights, scales = unsaturated(matrix)
        self.constant(f"{made}.weight", eights, None)
        self.constant(f"{made}.scale", scales, None)
        self.constant(f"{made}.bias", bias, None)
        return self.add(
            f"{made}.quantised = QuantizeLinear {hidden} {scale} {zero}\n"
            f"{made}.out = MatMulIntegerToFloat {made}.quantised {made}.weight {scale} {made}.scale {zero}"
            f" - {made}.bias"
        )

    def embedded(self, ids: str, name: str) -> str:
        """Add an embedding lookup."""
        if self._ranges is None:
            return self.add(f"{name}.out = Gather {self.weight(f'{name}.weight')} {ids}")
        eights, scales = _int8(self.weights[f"{name}.weight"], axis=1)
        self.constant(f"{name}.weight", eights, None)
        self.constant(f"{name}.scale", scales[:, None], None)
        return self.add(
            f"{name}.rows = Gather {name}.weight {ids}\n"
            f"{name}.scales = Gather {name}.scale {ids}\n"
            f"{name}.floats = Cast {name}.rows to={TensorProto.FLOAT}\n"
            f"{name}.out = Mul {name}.floats {name}.scales"
        )

    def norm(self, hidden: str, skip: str, name: str) -> str:
        """Add a layer normalisation of a sum."""
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        # The fused operator is 50 % slower than these two.
        return self.add(
            f"{name}.both = Add {hidden} {skip}\n"
            f"{name}.out = LayerNormalization {name}.both {scale} {shift} axis=-1 epsilon=1e-12"
        )


class _Passing:
    """The tokens that a gate lets pass, and the state of all.

    Rows of a tensor have the same length, so every row keeps as many tokens as pass in the row where most do.
    The surplus ones keep their state and stay class O, so that no token depends on other rows. Token numbers
    count through all rows.

    ``state`` (rows, tokens kept, width) is that of the tokens kept, directly after the gate.
    """

    def __init__(self, graph: _Graph, hidden: str, gate: Gate, width: int) -> None:
        self._graph, self._all = graph, hidden
        constants = {"two": [2], "last": [-1], "flat": [-1, width], "width": [width]}
        for name, value in {**constants, "one_and_one": [1, 1], "scalar_0": 0, "scalar_1": 1}.items():
            graph.constant(name, value)
        # Not a matrix product, whose rounding may depend on the number of rows.
        graph.constant("gate.weight", gate.weight, None)
        # A run can set this to minus infinity to switch the gate off.
        least = graph.constant(f"layers.{gate.layer}.gate.least", gate.least, np.float32)
        graph.settings.append(least)
        # At least two a row: not every operator takes an empty tensor, and for a single token the runtime may
        # switch to a routine that rounds differently.
        self.state = graph.add(
            f"gate.raised = Mul {hidden} gate.weight\n"
            "gate.value = ReduceSum gate.raised last keepdims=0\n"
            f"gate.would_pass = Greater gate.value {least}\n"
            f"gate.passing = Cast gate.would_pass to={TensorProto.INT64}\n"
            "gate.counts = ReduceSum gate.passing last keepdims=0\n"
            "gate.most = ReduceMax gate.counts keepdims=1\n"
            "gate.enough = Max gate.most two\n"
            "shape = Shape input_ids\n"
            "shape_of_all = Concat shape width axis=0\n"
            "rows wide = Split shape one_and_one axis=-1 name=rows.split\n"
            "gate.left = Min gate.enough wide\n"
            "gate.best gate.chosen = TopK gate.value gate.left axis=1\n"
            f"gate.passes = Greater gate.best {least}\n"
            "each_passes = Unsqueeze gate.passes last\n"
            "scalar_rows = Squeeze rows\n"
            "row = Range scalar_0 scalar_rows scalar_1\n"
            "first_of_row = Mul row wide\n"
            "first_of_rows = Unsqueeze first_of_row last\n"
            "number = Add gate.chosen first_of_rows\n"
            "at = Unsqueeze number last\n"
            f"everyone = Reshape {hidden} flat\n"
            "gate.out = Gather everyone number"
        )

    def attended(self, hidden: str, name: str) -> str:
        """The latest state of all tokens (rows, places, width)."""
        if hidden == self.state:
            return self._all
        return self._graph.add(
            f"{name}.everyone = ScatterND everyone at {hidden}\n"
            f"{name}.attended = Reshape {name}.everyone shape_of_all"
        )

    def unchanged(self, after: str, before: str, name: str) -> str:
        """The state after a layer, or the logits; surplus tokens keep what was before it."""
        return self._graph.add(f"{name}.unchanged = Where each_passes {after} {before}")

    def restored(self, logits: str, classes: int) -> str:
        """The logits of all tokens (rows, places, classes); those of dropped tokens are class O."""
        outside = np.zeros((1, classes), np.float32)
        outside[0, 0] = _SURELY_OUTSIDE
        passing = self.unchanged(logits, self._graph.constant("outside", outside, None), "logits")
        self._graph.constant("classes", [classes])
        return self._graph.add(
            "count_of_all = Mul rows wide\n"
            "flat_logits_shape = Concat count_of_all classes axis=0\n"
            "outside_all = Expand outside flat_logits_shape\n"
            f"flat_logits = ScatterND outside_all at {passing}\n"
            "logits_shape = Concat rows wide classes axis=0\n"
            "all_logits = Reshape flat_logits logits_shape"
        )


def exported(
    weights: Weights,
    heads: int,
    ranges: Mapping[str, Range] | None = None,
    gate: Gate | None = None,
) -> onnx.ModelProto:
    """Build the ONNX model of a ``TokenNetwork`` from its weights (float32, by the names of its state dict).

    Inputs ``input_ids``, ``token_type_ids`` (int64; rows, places), output ``logits`` (float32; rows, places,
    classes). With ``ranges`` (``calibrated``) it is quantised. A token that the gate drops skips all further
    layers: other tokens attend to its state at that point, and its class is O.
    """
    graph = _Graph(weights, ranges)
    width, classes = len(weights["norm.weight"]), len(weights["classify.bias"])
    last = max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
    words = graph.embedded("input_ids", "words")
    graph.weight("cases.weight")
    graph.constant("zero", [0])
    graph.weight("places.weight")
    both = graph.add(
        "cases = Gather cases.weight token_type_ids\n"
        "count = Shape input_ids start=1 end=2\n"
        "places = Slice places.weight zero count zero\n"
        "cases_and_places = Add cases places"
    )
    hidden = graph.norm(words, both, "norm")
    graph.constant("thirds", [width] * 3)
    graph.constant("halves", [width] * 2)
    passing: _Passing | None = None
    for i in range(last + 1):
        name = f"layers.{i}"
        if passing is None:
            hidden = _layer(graph, name, hidden, hidden, heads, width)
        else:
            after = _layer(graph, name, hidden, passing.attended(hidden, name), heads, width)
            # After the last layer, dropped places need no state: their logits are fixed.
            hidden = after if i == last else passing.unchanged(after, hidden, name)
        if gate is not None and i == gate.layer:
            passing = _Passing(graph, hidden, gate, width)
            hidden = passing.state
    logits = graph.product(hidden, "classify")
    graph.add(f"logits = Identity {logits if passing is None else passing.restored(logits, classes)}")
    axes = ["rows", "places_in_row"]
    # An initializer that is also an input can be overridden by a run.
    inputs = [
        *(helper.make_tensor_value_info(n, TensorProto.INT64, axes) for n in ("input_ids", "token_type_ids")),
        *(helper.make_tensor_value_info(n, TensorProto.FLOAT, []) for n in graph.settings),
    ]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [*axes, classes])
    made = helper.make_graph(graph.nodes, "token_classifier", inputs, [output], graph.initializers)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_RUNTIME, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=9, producer_name="tacenda")


def _layer(graph: _Graph, name: str, hidden: str, attended: str, heads: int, width: int) -> str:
    """One layer: ``hidden`` (rows, some places, width) attends to ``attended`` (rows, places, width)."""
    query, key, value = (f"{name}.{part}" for part in ("query", "key", "value"))
    if attended == hidden:
        three = graph.product(hidden, f"{name}.attention_in")
        graph.add(f"{query} {key} {value} = Split {three} thirds axis=-1 name={query}.split")
    else:
        query = graph.product(hidden, f"{name}.attention_in", slice(0, width))
        two = graph.product(attended, f"{name}.attention_in", slice(width, 3 * width))
        graph.add(f"{key} {value} = Split {two} halves axis=-1 name={key}.split")
    seen = graph.add(f"{name}.seen = MultiHeadAttention {query} {key} {value} num_heads={heads}")
    hidden = graph.norm(graph.product(seen, f"{name}.attention_out"), hidden, f"{name}.attention_norm")
    # The fused operator that includes the bias is 50 % slower.
    grown = graph.add(f"{name}.grown = Gelu {graph.product(hidden, f'{name}.inner')}")
    return graph.norm(graph.product(grown, f"{name}.outer"), hidden, f"{name}.norm")


def write_onnx(
    weights: Weights,
    heads: int,
    path: Path,
    ranges: Mapping[str, Range] | None = None,
    gate: Gate | None = None,
    *,
    apart: bool = False,
) -> None:
    """Write ``exported`` to a file and run the ONNX checker on it.

    With ``apart``, weights go to a separate file with the suffix ``.data``, so that the processes of a
    machine share the memory of tensors that the runtime does not rearrange, such as word embeddings.
    """
    model = exported(weights, heads, ranges, gate)
    if apart:
        data = path.with_name(f"{path.name}.data")
        with data.open("wb") as file:
            for tensor in model.graph.initializer:
                if len(tensor.raw_data) < _SMALL:
                    continue
                file.write(bytes(-file.tell() % _ALIGNED))
                place = {"location": data.name, "offset": file.tell(), "length": len(tensor.raw_data)}
                file.write(tensor.raw_data)
                tensor.ClearField("raw_data")
                tensor.data_location = TensorProto.EXTERNAL
                for key, value in place.items():
                    tensor.external_data.add(key=key, value=str(value))
    path.write_bytes(model.SerializeToString(deterministic=True))
    onnx.checker.check_model(str(path))


def _int8(matrix: Floats, axis: int) -> tuple[npt.NDArray[np.int8], Floats]:
    """Quantise to symmetric int8; the values, and one scale for each index of the other axis."""
    largest = np.abs(matrix).max(axis=axis, keepdims=True)
    scale = np.where(largest == 0, 1, largest / 127).astype(np.float32)
    return np.rint(matrix / scale).clip(-127, 127).astype(np.int8), scale.squeeze(axis)


def unsaturated(matrix: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Quantise a product's weights (inputs, outputs) so that no processor saturates.

    Those without VNNI multiply uint8 by int8 and add two neighbours along the inputs in 16 bits (VPMADDUBSW).
    255 times 128 fits, so neighbours may have magnitudes of at most 128 together. Of a pair with more, both
    lose the same, or the output gets a coarser scale, whichever is nearer to its weights.
    """
    clipped, fine = _int8(matrix, axis=0)
    for first in range(0, len(matrix) - 1, 2):
        pair = clipped[first : first + 2].astype(np.int16)
        sizes = np.abs(pair)
        excess = np.maximum(sizes.sum(0) - _PAIR, 0)
        sizes -= np.stack([excess - excess // 2, excess // 2])
        clipped[first : first + 2] = np.sign(pair) * sizes
    even = len(matrix) // 2 * 2
    most = np.abs(matrix[:even]).reshape(-1, 2, matrix.shape[1]).sum(1).max(0, initial=0)
    coarse = np.maximum(fine, (most / (_PAIR - 1)).astype(np.float32))
    scaled = np.rint(matrix / coarse).astype(np.int8)
    apart = [np.square(w * scale - matrix).sum(0) for w, scale in ((clipped, fine), (scaled, coarse))]
    better = apart[1] < apart[0]
    return np.where(better, scaled, clipped), np.where(better, coarse, fine)
