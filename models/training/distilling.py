"""Distillation: train a smaller network on a larger one's outputs and hidden layers.

Hinton, Vinyals and Dean 2015 (the larger network's probabilities as targets) with the layer-wise targets of
TinyBERT (Jiao et al. 2020). Every token contributes, labelled or not.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from tacenda.models.training.network import TokenNetwork

Inputs = tuple[Tensor, Tensor, Tensor]
"""Token ids, attention mask and cases, each (rows, places)."""


def student_of(teacher: TokenNetwork, layers: Sequence[int], inner: int) -> TokenNetwork:
    """A network initialised with some of the teacher's layers (0-based), each reduced to ``inner`` inner
    units.

    The units with the largest input and output weights are kept.

    Raises:
        ValueError: the teacher lacks such a layer or has fewer inner units.
    """
    config = teacher.config
    if not layers or not all(0 <= at < config.layers for at in layers) or not 0 < inner <= config.inner:
        raise ValueError("a student has some of its teacher's layers, and at most its inner units")
    student = TokenNetwork(replace(config, layers=len(layers), inner=inner))
    with torch.no_grad():
        for name in ("words", "places", "cases", "norm", "classify"):
            getattr(student, name).load_state_dict(getattr(teacher, name).state_dict())
        # Keeping the teacher's word embeddings spares learning half of the parameters.
        student.words.requires_grad_(False)
        for layer, at in zip(student.layers, layers, strict=True):
            _cut(layer, teacher.layers[at], inner)
    return student


def _cut(layer: nn.Module, source: nn.Module, inner: int) -> None:
    for name in ("attention_in", "attention_out", "attention_norm", "norm"):
        getattr(layer, name).load_state_dict(getattr(source, name).state_dict())
    size = source.inner.weight.norm(dim=1) * source.outer.weight.norm(dim=0)
    kept = size.topk(inner).indices.sort().values
    layer.inner.weight.copy_(source.inner.weight[kept])
    layer.inner.bias.copy_(source.inner.bias[kept])
    layer.outer.weight.copy_(source.outer.weight[:, kept])
    layer.outer.bias.copy_(source.outer.bias)


class Teacher:
    """The network to learn from, with frozen weights; ``layerwise``: from its hidden states too."""

    def __init__(self, network: TokenNetwork, layerwise: bool = True) -> None:
        self._layerwise = layerwise
        self._network = network.eval().requires_grad_(False)
        self._run: Any = network.seen_through

    def compile(self) -> None:
        """Compile the network, one graph a batch shape."""
        self._run = torch.compile(self._network.seen_through, dynamic=False)

    def loss(
        self, inputs: Inputs, logits: Tensor, left: Sequence[Tensor], rows: Tensor | None = None
    ) -> Tensor:
        """Distance of a student from the teacher on ``rows`` (bool; None: all) of a batch, without padding.

        ``logits`` are (rows, places, classes); ``left`` are the hidden states of the student's layers, each
        compared with the teacher's layer at the same relative depth. The loss is the KL divergence of the
        probabilities, in nats, plus the mean squared error of the hidden states, both averaged over places.
        """
        if rows is not None:
            inputs = (inputs[0][rows], inputs[1][rows], inputs[2][rows])
            logits, left = logits[rows], [hidden[rows] for hidden in left]
        seen = inputs[1].bool()
        if not seen.any():
            return logits.new_zeros(())
        with torch.no_grad(), torch.autocast(logits.device.type, dtype=torch.bfloat16):
            its_logits, its_left = self._run(*inputs)
        target = functional.log_softmax(its_logits[seen].float(), -1)
        predicted = functional.log_softmax(logits[seen].float(), -1)
        loss = functional.kl_div(predicted, target, reduction="batchmean", log_target=True)
        for i, hidden in enumerate(left if self._layerwise else (), 1):
            other = its_left[round(i * len(its_left) / len(left)) - 1]
            loss = loss + functional.mse_loss(hidden[seen].float(), other[seen].float()) / len(left)
        return loss
