"""The shipped network as a torch module: for training, and to run a package on a GPU.

A BERT encoder with letter case as token types, and a linear classifier. Implemented here rather than taken from
a library because a plain module with fixed shapes compiles into one graph: on two cores with bf16 matrix units,
training is five times as fast as with a library's model class.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tacenda.models.token_classifier.encoding import TYPES


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """Sizes; the defaults are those of MiniLM-L6."""

    classes: int
    layers: int = 6
    width: int = 384
    heads: int = 12
    inner: int = 1536
    vocabulary: int = 30522
    positions: int = 512
    types: int = TYPES


class _Layer(nn.Module):
    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        width = config.width
        self.heads, self.size = config.heads, width // config.heads
        self.attention_in = nn.Linear(width, 3 * width)
        self.attention_out = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=1e-12)
        self.inner = nn.Linear(width, config.inner)
        self.outer = nn.Linear(config.inner, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        rows, places, width = hidden.shape
        parts = self.attention_in(hidden).view(rows, places, 3, self.heads, self.size).permute(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        # The fused attention kernel's backward pass is slower than this on a CPU.
        weights = torch.softmax(torch.matmul(query * self.size**-0.5, key.transpose(-1, -2)) + bias, -1)
        seen = torch.matmul(weights, value).transpose(1, 2).reshape(rows, places, width)
        hidden = self.attention_norm(hidden + self.attention_out(seen))
        normed: Tensor = self.norm(hidden + self.outer(functional.gelu(self.inner(hidden))))
        return normed


class TokenNetwork(nn.Module):
    """Logits (rows, places, classes) of token ids, attention mask and cases, each (rows, places)."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(config.vocabulary, config.width)
        self.places = nn.Embedding(config.positions, config.width)
        self.cases = nn.Embedding(config.types, config.width)
        self.norm = nn.LayerNorm(config.width, eps=1e-12)
        self.layers = nn.ModuleList(_Layer(config) for _ in range(config.layers))
        self.classify = nn.Linear(config.width, config.classes)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        return self.read(self.words(input_ids), attention_mask, token_type_ids)[0]

    def read(
        self, words: Tensor, attention_mask: Tensor, token_type_ids: Tensor
    ) -> tuple[Tensor, list[Tensor]]:
        """The logits for some word embeddings, and the state (rows, places, width) after each layer."""
        place = torch.arange(words.shape[1], device=words.device)
        hidden = self.norm(words + self.places(place) + self.cases(token_type_ids))
        # A large negative number is added to the attention to padding.
        bias = ((1.0 - attention_mask.to(hidden.dtype)) * -1e4)[:, None, None, :]
        left = []
        for layer in self.layers:
            hidden = layer(hidden, bias)
            left.append(hidden)
        return self.classify(hidden), left


class _Product(nn.Module):
    """A linear layer of a package: int8 weights times activations rounded to the 256 steps of their range.

    Both are whole numbers, which TF32 and float32 hold exactly. The outputs may have been exported in parts,
    each with a range of its own: queries behind a gate are fewer than keys and values.
    """

    def __init__(self, parts: Sequence[Mapping[str, Any]]) -> None:
        super().__init__()
        self.steps = [float(part["activation_scale"]) for part in parts]
        self.zeros = [float(part["activation_zero"]) for part in parts]
        self.numbers = nn.ModuleList(
            nn.ParameterDict({name: _tensor(part[name].T) for name in ("weight", "scale", "bias")})
            for part in parts
        )

    def forward(self, hidden: Tensor) -> Tensor:
        made = []
        for step, zero, own in zip(self.steps, self.zeros, self.numbers, strict=True):
            whole = torch.round(hidden / step).clamp(-zero, 255 - zero)
            made.append(functional.linear(whole, own["weight"]) * (own["scale"] * step) + own["bias"])
        return torch.cat(made, -1)


def from_onnx(model: Path) -> TokenNetwork:
    """The network of an exported, quantised package, without its gates; it cannot be trained further.

    Its scores differ from the package's by the order of sums, and by what a lower precision than float32 loses.

    Raises:
        ValueError, KeyError, StopIteration: the file is not an export of ``models.training``.
    """
    network, arrays = _read(model)
    for name, module in list(network.named_modules()):
        if isinstance(module, nn.Linear):
            inside, _, own = name.rpartition(".")
            setattr(network.get_submodule(inside), own, _Product(_parts(arrays, name)))
    network.eval()
    return network


def float_network(model: Path) -> TokenNetwork:
    """The network of an exported, quantised package with its weights as floats, to go on training from.

    Raises:
        ValueError, KeyError, StopIteration: as ``from_onnx``.
    """
    network, arrays = _read(model)
    for name, module in network.named_modules():
        if isinstance(module, nn.Linear):
            parts = _parts(arrays, name)
            weights = [(part["weight"] * part.get("scale", np.float32(1))).T for part in parts]
            biases = [part["bias"] for part in parts]
            module.load_state_dict(
                {"weight": _tensor(np.concatenate(weights)), "bias": _tensor(np.concatenate(biases))}
            )
    if network.config.types < TYPES:
        # What the lists say changes nothing before it is learnt.
        cases = network.cases.weight.detach().repeat(TYPES // network.config.types, 1)
        network.cases = nn.Embedding.from_pretrained(cases, freeze=False)
    return network


_Arrays = dict[str, dict[str, Any]]


def _read(model: Path) -> tuple[TokenNetwork, _Arrays]:
    """A network with the embeddings and norms of a package, and its other arrays by module and part."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(model)).graph
    arrays: _Arrays = {}
    for tensor in graph.initializer:
        name, _, part = tensor.name.rpartition(".")
        arrays.setdefault(name, {})[part] = numpy_helper.to_array(tensor)
    layers = 1 + max(int(name.split(".")[1]) for name in arrays if name.startswith("layers."))
    network = TokenNetwork(
        NetworkConfig(
            classes=len(arrays["classify"]["bias"]),
            layers=layers,
            width=len(arrays["norm"]["weight"]),
            heads=next(a.i for n in graph.node for a in n.attribute if a.name == "num_heads"),
            inner=len(arrays["layers.0.inner"]["bias"]),
            vocabulary=len(arrays["words"]["weight"]),
            positions=len(arrays["places"]["weight"]),
            types=len(arrays["cases"]["weight"]),
        )
    )
    network.words.weight.data = _tensor(arrays["words"]["weight"] * arrays["words"]["scale"])
    for name, module in network.named_modules():
        if isinstance(module, (nn.LayerNorm, nn.Embedding)) and name != "words":
            module.load_state_dict({part: _tensor(array) for part, array in arrays[name].items()})
    return network, arrays


def _parts(arrays: _Arrays, name: str) -> list[dict[str, Any]]:
    """The arrays of a linear layer, or of the parts in which it was exported."""
    return [arrays[key] for key in arrays if re.fullmatch(rf"{re.escape(name)}(\.\d+)?", key)]


def _tensor(array: Any) -> Tensor:
    return torch.from_numpy(np.array(array, np.float32))
