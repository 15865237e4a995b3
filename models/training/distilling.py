"""Distillation: train a smaller network on a larger one's outputs and hidden layers.

Hinton, Vinyals and Dean 2015 (the larger network's probabilities as targets) with the layer-wise targets of
TinyBERT (Jiao et al. 2020). Every place teaches, also where the gold is silent.
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
    """A network that starts from some of the teacher's layers (from 0 on), each cut to ``inner`` inner units.

    The units that stay are those whose weights in and out are the largest.

    Raises:
        ValueError: the teacher has no such layer, or not as many inner units.
    """
    config = teacher.config
    if not layers or not all(0 <= at < config.layers for at in layers) or not 0 < inner <= config.inner:
        raise ValueError("a student has some of its teacher's layers, and at most its inner units")
    student = TokenNetwork(replace(config, layers=len(layers), inner=inner))
    with torch.no_grad():
        for name in ("words", "places", "cases", "norm", "classify"):
            getattr(student, name).load_state_dict(getattr(teacher, name).state_dict())
        # It reads words as its teacher does; half the parameters are then no work to learn.
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
    """The larger network, which learns nothing any more."""

    def __init__(self, network: TokenNetwork) -> None:
        self._network = network.eval().requires_grad_(False)
        self._run: Any = network.seen_through

    def compile(self) -> None:
        """Compile it, one graph a shape of batches."""
        self._run = torch.compile(self._network.seen_through, dynamic=False)

    def loss(self, inputs: Inputs, logits: Tensor, left: Sequence[Tensor]) -> Tensor:
        """How far a student is from it on the places of a batch that are no padding.

        ``logits`` (rows, places, classes) and ``left``, the hidden states of the student's layers, which are
        held against the teacher's at the same share of the depth. The divergence of the probabilities, in nats,
        and the mean squared distance of the hidden states, both means over the places.
        """
        with torch.no_grad(), torch.autocast(logits.device.type, dtype=torch.bfloat16):
            its_logits, its_left = self._run(*inputs)
        seen = inputs[1].bool()
        target = functional.log_softmax(its_logits[seen].float(), -1)
        said = functional.log_softmax(logits[seen].float(), -1)
        loss = functional.kl_div(said, target, reduction="batchmean", log_target=True)
        for i, hidden in enumerate(left, 1):
            other = its_left[round(i * len(its_left) / len(left)) - 1]
            loss = loss + functional.mse_loss(hidden[seen].float(), other[seen].float()) / len(left)
        return loss
