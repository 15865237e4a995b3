"""Build an ONNX graph: nodes, initializers, and the node patterns of a transformer."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

Weights = Mapping[str, npt.NDArray[np.float32]]
"""Tensors by the names of a network's state dict."""

FUSED = "com.microsoft"
"""Domain of ONNX Runtime's own operators."""

PRODUCT = ".raw"
"""Name suffix of a float32 product's node; the rest of the name is that of its range."""


_PAIR = 128
"""Most that the magnitudes of two neighbouring weights may add up to."""


class Range(NamedTuple):
    """Activation range of a product; values outside are clipped."""

    least: float
    greatest: float


class Graph:
    """Nodes and initializers; every method adds some and returns the name of the output.

    With ``ranges``, by the name of each product, the graph is quantised: weights of products and embeddings
    are int8 with one scale per output column (per row for embeddings), and activations are uint8 with a fixed
    scale. Dynamic scales, as in ``DynamicQuantizeMatMul``, would make a row's scores depend on the other rows
    of a call.
    """

    def __init__(self, ranges: Mapping[str, Range] | None = None) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.settings: list[str] = []
        self._ranges = ranges

    def constant(self, name: str, value: npt.NDArray[Any]) -> str:
        """Add an initializer."""
        self.initializers.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def setting(self, name: str, value: float) -> str:
        """Add an initializer that a run can override."""
        self.settings.append(name)
        return self.constant(name, np.array(value, np.float32))

    def add(self, operator: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output."""
        self.nodes.append(
            helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes)
        )
        return output

    def split(self, of: str, sizes: str, outputs: list[str]) -> list[str]:
        """Split a tensor along its last axis."""
        self.nodes.append(
            helper.make_node("Split", [of, sizes], outputs, name=f"{outputs[0]}.split", axis=-1)
        )
        return outputs

    def product(self, hidden: str, weights: Weights, name: str, part: slice | None = None) -> str:
        """Add a linear layer: the hidden state times its weight, plus its bias.

        With ``part``, only these outputs of the layer.
        """
        kept = part or slice(None)
        made = name if part is None else f"{name}.{kept.start}"
        matrix, bias = weights[f"{name}.weight"][kept].T, weights[f"{name}.bias"][kept]
        if self._ranges is None:
            raw = self.add("MatMul", [hidden, self.constant(f"{made}.weight", matrix)], f"{made}{PRODUCT}")
            return self.add("Add", [raw, self.constant(f"{made}.bias", bias)], f"{made}.out")
        step, zero = _uint8(self._ranges[made])
        activation = [
            self.constant(f"{made}.activation_scale", step),
            self.constant(f"{made}.activation_zero", zero),
        ]
        eights, scales = unsaturated(matrix)
        inputs = [
            self.add("QuantizeLinear", [hidden, *activation], f"{made}.quantised"),
            self.constant(f"{made}.weight", eights),
            activation[0],
            self.constant(f"{made}.scale", scales),
            activation[1],
            "",
            self.constant(f"{made}.bias", bias),
        ]
        return self.add("MatMulIntegerToFloat", inputs, f"{made}.out", FUSED)

    def embedded(self, ids: str, weights: Weights, name: str) -> str:
        """Add an embedding lookup."""
        table = weights[f"{name}.weight"]
        if self._ranges is None:
            return self.add("Gather", [self.constant(f"{name}.weight", table), ids], f"{name}.out")
        eights, scales = _int8(table, axis=1)
        rows = self.add("Gather", [self.constant(f"{name}.weight", eights), ids], f"{name}.rows")
        scale = self.add("Gather", [self.constant(f"{name}.scale", scales[:, None]), ids], f"{name}.scales")
        floats = self.add("Cast", [rows], f"{name}.floats", to=TensorProto.FLOAT)
        return self.add("Mul", [floats, scale], f"{name}.out")

    def norm(self, hidden: str, skip: str, weights: Weights, name: str) -> str:
        """Add a layer normalisation of a sum."""
        scale = self.constant(f"{name}.weight", weights[f"{name}.weight"])
        shift = self.constant(f"{name}.bias", weights[f"{name}.bias"])
        # The fused operator is 50 % slower than these two.
        both = self.add("Add", [hidden, skip], f"{name}.both")
        return self.add("LayerNormalization", [both, scale, shift], f"{name}.out", axis=-1, epsilon=1e-12)


def _int8(matrix: npt.NDArray[np.float32], axis: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Quantise to symmetric int8; the values, and one scale for each index of the other axis."""
    largest = np.abs(matrix).max(axis=axis, keepdims=True)
    scale = np.where(largest == 0, 1, largest / 127).astype(np.float32)
    return np.rint(matrix / scale).clip(-127, 127).astype(np.int8), scale.squeeze(axis)


def unsaturated(matrix: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Quantise a product's weights (inputs, outputs) so that no processor saturates.

    Those without VNNI multiply uint8 by int8 and add two neighbours along the inputs in 16 bits (VPMADDUBSW).
    255 times 128 fits, so neighbours may have magnitudes of at most 128 together. Of a pair with more, both
    lose the same, or the output gets a coarser scale, whichever is nearer to its weights.
    """
    clipped, fine = _int8(matrix, axis=0)
    _clip(clipped)
    even = len(matrix) // 2 * 2
    most = np.abs(matrix[:even]).reshape(-1, 2, matrix.shape[1]).sum(1).max(0, initial=0)
    coarse = np.maximum(fine, (most / (_PAIR - 1)).astype(np.float32))
    scaled = np.rint(matrix / coarse).astype(np.int8)
    apart = [np.square(w * scale - matrix).sum(0) for w, scale in ((clipped, fine), (scaled, coarse))]
    better = apart[1] < apart[0]
    return np.where(better, scaled, clipped), np.where(better, coarse, fine)


def _clip(weights: npt.NDArray[np.int8]) -> None:
    """Clip the pairs that may saturate, in place."""
    for first in range(0, len(weights) - 1, 2):
        pair = weights[first : first + 2].astype(np.int16)
        sizes = np.abs(pair)
        excess = np.maximum(sizes.sum(0) - _PAIR, 0)
        sizes -= np.stack([excess - excess // 2, excess // 2])
        weights[first : first + 2] = np.sign(pair) * sizes


def _uint8(expected: Range) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    """Scale and zero point of asymmetric uint8; zero is always in the range and exact."""
    least, greatest = min(expected.least, 0.0), max(expected.greatest, 0.0)
    scale = np.float32((greatest - least) / 255 or 1.0)
    return np.asarray(scale), np.asarray(np.rint(-least / scale).clip(0, 255), np.uint8)
