"""An ONNX graph under construction: nodes, tensors, and the few shapes of node that a network is made of."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

Weights = Mapping[str, npt.NDArray[np.float32]]
"""Tensors by the names of a network's state dict."""

FUSED = "com.microsoft"
"""The domain of ONNX Runtime's own operators."""


class Graph:
    """Nodes and initializers; every method adds some and returns the name of what comes out.

    With ``quantised``, the weights of products and embeddings are int8 with one scale an output column (an
    embedding's: a row), and activations are quantised as they come.
    """

    def __init__(self, quantised: bool) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self._quantised = quantised

    def constant(self, name: str, value: npt.NDArray[Any]) -> str:
        """A tensor that is part of the graph."""
        self.initializers.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def add(self, operator: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        """A node with one output."""
        self.nodes.append(
            helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes)
        )
        return output

    def split(self, of: str, sizes: str, outputs: list[str]) -> list[str]:
        """Parts of a tensor along its last axis."""
        self.nodes.append(
            helper.make_node("Split", [of, sizes], outputs, name=f"{outputs[0]}.split", axis=-1)
        )
        return outputs

    def product(self, hidden: str, weights: Weights, name: str, part: slice | None = None) -> str:
        """The hidden state times the weight of a linear layer, plus its bias.

        With ``part``, these outputs of the layer alone.
        """
        kept = part or slice(None)
        made = name if part is None else f"{name}.{kept.start}"
        matrix, bias = weights[f"{name}.weight"][kept].T, weights[f"{name}.bias"][kept]
        if not self._quantised:
            raw = self.add("MatMul", [hidden, self.constant(f"{made}.weight", matrix)], f"{made}.raw")
            return self.add("Add", [raw, self.constant(f"{made}.bias", bias)], f"{made}.out")
        eights, scales = _int8(matrix, axis=0)
        inputs = [
            hidden,
            self.constant(f"{made}.weight", eights),
            self.constant(f"{made}.scale", scales),
            "",
            self.constant(f"{made}.bias", bias),
        ]
        return self.add("DynamicQuantizeMatMul", inputs, f"{made}.out", FUSED)

    def embedded(self, ids: str, weights: Weights, name: str) -> str:
        """Rows of an embedding."""
        table = weights[f"{name}.weight"]
        if not self._quantised:
            return self.add("Gather", [self.constant(f"{name}.weight", table), ids], f"{name}.out")
        eights, scales = _int8(table, axis=1)
        rows = self.add("Gather", [self.constant(f"{name}.weight", eights), ids], f"{name}.rows")
        scale = self.add("Gather", [self.constant(f"{name}.scale", scales[:, None]), ids], f"{name}.scales")
        floats = self.add("Cast", [rows], f"{name}.floats", to=TensorProto.FLOAT)
        return self.add("Mul", [floats, scale], f"{name}.out")

    def norm(self, hidden: str, skip: str, weights: Weights, name: str) -> str:
        """Layer normalisation of a sum."""
        scale = self.constant(f"{name}.weight", weights[f"{name}.weight"])
        shift = self.constant(f"{name}.bias", weights[f"{name}.bias"])
        # The fused operator for both takes half as long again as the two.
        both = self.add("Add", [hidden, skip], f"{name}.both")
        return self.add("LayerNormalization", [both, scale, shift], f"{name}.out", axis=-1, epsilon=1e-12)


def _int8(matrix: npt.NDArray[np.float32], axis: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Symmetric int8 and the scales, one for each index of the other axis."""
    largest = np.abs(matrix).max(axis=axis, keepdims=True)
    scale = np.where(largest == 0, 1, largest / 127).astype(np.float32)
    return np.rint(matrix / scale).clip(-127, 127).astype(np.int8), scale.squeeze(axis)
