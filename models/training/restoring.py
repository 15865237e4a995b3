"""Restore a float32 network from the ONNX graph that ``exporting`` wrote."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

from tacenda.models.training.gated_places import Gate
from tacenda.transforms.schema.errors import UserError


class Restored(NamedTuple):
    """Arguments of ``exporting.exported``; int8 weights are dequantised and keep their rounding."""

    weights: dict[str, npt.NDArray[np.float32]]
    layers: int
    heads: int
    gates: dict[int, Gate]


def restored(path: Path) -> Restored:
    """Read a graph that this training exported.

    Raises:
        UserError: it was not exported by this training.
    """
    try:
        model = onnx.load(str(path))
        tensors = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        (heads,) = {
            attribute.i
            for node in model.graph.node
            for attribute in node.attribute
            if node.op_type == "MultiHeadAttention" and attribute.name == "num_heads"
        }
        layers = len({name.split(".")[1] for name in tensors if name.startswith("layers.")})
        gates = {
            i: Gate(tensors[f"layers.{i}.gate.weight"].ravel(), float(tensors[f"layers.{i}.gate.least"]))
            for i in range(layers)
            if f"layers.{i}.gate.weight" in tensors
        }
        weights = {name: tensors[name] for name in tensors if name.endswith((".weight", ".bias"))}
        weights = {name: value for name, value in weights.items() if ".gate." not in name}
        for name in [name for name in weights if weights[name].dtype == np.int8]:
            weights[name] = weights[name] * tensors[f"{name.removesuffix('weight')}scale"]
        for i in range(layers):
            _join(weights, f"layers.{i}.attention_in")
        # The weights of linear layers are transposed in the graph.
        for name in weights:
            if f"{name.removesuffix('weight')}bias" in weights and weights[name].ndim == 2:
                weights[name] = np.ascontiguousarray(weights[name].T)
    except (OSError, ValueError, KeyError, IndexError, onnx.checker.ValidationError) as error:
        raise UserError(f"{path}: not a network exported by this training ({type(error).__name__})") from None
    except Exception as error:  # noqa: BLE001 - protobuf's own class is not public
        raise UserError(f"{path}: not an ONNX file ({type(error).__name__})") from None
    return Restored(weights, layers, heads, gates)


def _join(weights: dict[str, npt.NDArray[np.float32]], name: str) -> None:
    """Concatenate the parts of a linear layer that was exported as several products."""
    parts = sorted(
        (k for k in weights if k.startswith(f"{name}.") and k.split(".")[-2].isdigit()),
        key=lambda k: int(k.split(".")[-2]),
    )
    for kind in ("weight", "bias"):
        own = [weights.pop(k) for k in parts if k.endswith(kind)]
        if own:
            weights[f"{name}.{kind}"] = np.concatenate(own, axis=-1)
