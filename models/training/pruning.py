"""Prune the inner units of a network's feed-forward layers, and fit what remains to what they gave before.

Of each layer the units stay that its output varies most with; the output weights of those are then solved by
least squares on real text, as in optimal brain surgery by layer (Dong et al., NeurIPS 2017).
"""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor
from torch.nn import functional

from tacenda.models.training.network import TokenNetwork

Inputs = tuple[Tensor, Tensor, Tensor]
"""Token ids, attention masks and cases, each (rows, places)."""

_RIDGE = 1e-4
"""Ridge, relative to the mean variance of the units."""


def pruned(network: TokenNetwork, texts: Sequence[Inputs], inner: int) -> TokenNetwork:
    """A copy of ``network`` with ``inner`` units a layer.

    ``texts`` are batches of real text: some 20 places a unit.

    Raises:
        ValueError: the network has fewer units.
    """
    if not 0 < inner <= network.config.inner:
        raise ValueError("a network cannot be pruned to more inner units than it has")
    small = TokenNetwork(replace(network.config, inner=inner))
    with torch.no_grad():
        _prune(network, small, texts, inner)
    return small


def _prune(network: TokenNetwork, small: TokenNetwork, texts: Sequence[Inputs], inner: int) -> None:
    own = network.state_dict()
    small.load_state_dict(
        {k: own[k] if own[k].shape == v.shape else v for k, v in small.state_dict().items()}
    )
    states = [(network.embedded(ids, cases), mask) for ids, mask, cases in texts]
    for layer, thin in zip(network.layers, small.layers, strict=True):
        attended = [layer.attended(hidden, network.bias(mask, hidden)) for hidden, mask in states]
        rows = torch.cat([hidden[mask.bool()] for hidden, (_, mask) in zip(attended, states, strict=True)])
        units = functional.gelu(layer.inner(rows))
        given = layer.outer(units)
        kept = (units.var(0) * layer.outer.weight.square().sum(0)).topk(inner).indices.sort().values
        some = torch.cat([units[:, kept], torch.ones(len(units), 1)], 1)
        square = some.T @ some
        square += torch.eye(len(square)) * (_RIDGE * square.diagonal().mean())
        solved = torch.linalg.solve(square, some.T @ given)
        thin.inner.weight.copy_(layer.inner.weight[kept])
        thin.inner.bias.copy_(layer.inner.bias[kept])
        thin.outer.weight.copy_(solved[:-1].T)
        thin.outer.bias.copy_(solved[-1])
        states = [(thin.grown(hidden), mask) for hidden, (_, mask) in zip(attended, states, strict=True)]
