"""Early exit: train gates between layers on the network's own final output.

A gate predicts which tokens may still turn out to be personal data; the others skip the remaining layers
(``gated_places``). No gold is needed: the target is the network's own output. The threshold of a gate is
chosen by how much of that output it loses on development text.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.training.drawing import drawn
from tacenda.models.training.gated_places import Gate
from tacenda.models.training.network import TokenNetwork
from tacenda.models.training.real_rows import real_rows

OF_INTEREST = 0.1
"""Probability of personal data above which a token counts as lost: half the lowest threshold
(``thresholds.LIMITS``), which applies to words next to a found one. A second look has lower thresholds and so
loses some less likely findings (``docs/evidence/accuracy.md``)."""

_NEARLY = 0.05
"""Probability above which a gate is trained to pass a token; lower than what it is evaluated by."""

_ROUNDS, _FINE_ROUNDS, _STEP = 5, 3, 4096
_RATE, _FINE_RATE = 1e-2, 2e-3
_PASSING_WEIGHT = 10.0


class GateReport(NamedTuple):
    """A gate on development text: the share of tokens that pass, and of tokens of interest that do not."""

    passing: float
    lost: float

    def to_dict(self) -> dict[str, float]:
        """Plain data."""
        return {"passing": round(self.passing, 4), "lost": round(self.lost, 5)}


class _States(NamedTuple):
    """Hidden states (tokens, width) after each layer but the last; each token's probability of not being O."""

    hidden: list[npt.NDArray[np.float16]]
    inside: npt.NDArray[np.float32]


def learnt_gates(
    network: TokenNetwork,
    encoder: TurnEncoder,
    train: Sequence[Mapping[str, Any]],
    dev: Sequence[Mapping[str, Any]],
    max_places: int,
    context: int,
    lost: float,
) -> dict[int, tuple[Gate, GateReport]]:
    """Train a gate after each layer but the last, by layer index; gates that would pass everything are left
    out.

    Args:
        network: the trained network.
        encoder: its tokenizer.
        train: conversations to train gates on.
        dev: conversations to choose thresholds on.
        max_places: as in ``blocks``.
        context: as in ``blocks``.
        lost: share of the tokens of interest that each gate may drop; 0 for no gates.
    """
    if not lost:
        return {}
    learnt = _states(network, encoder, drawn(train), max_places, context)
    judged = _states(network, encoder, drawn(dev), max_places, context)
    of_interest = judged.inside > OF_INTEREST
    gates = {}
    for layer, (hidden, of_dev) in enumerate(zip(learnt.hidden, judged.hidden, strict=True)):
        weight = _direction(hidden, learnt.inside)
        values = of_dev.astype(np.float32) @ weight
        least = _least(values[of_interest], lost)
        if least is None:
            continue
        passes = values > least
        report = GateReport(float(np.mean(passes)), float(np.mean(~passes[of_interest])))
        if report.passing < 1:
            gates[layer] = Gate(weight, least), report
    return gates


def _states(
    network: TokenNetwork,
    encoder: TurnEncoder,
    records: Sequence[Mapping[str, Any]],
    max_places: int,
    context: int,
) -> _States:
    """Run the network on conversations and collect its hidden states and output."""
    rows = real_rows(records, encoder, max_places, context, padded=False)
    network = network.eval().float().cpu()
    hidden: list[list[npt.NDArray[np.float16]]] = [[] for _ in network.layers[:-1]]
    inside: list[npt.NDArray[np.float32]] = [np.zeros(0, np.float32)]
    for ids, mask, cases in rows.inputs():
        given = [torch.from_numpy(one) for one in (ids, mask, cases)]
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            logits, left = network.seen_through(*given)
        for one, state in zip(hidden, left, strict=False):
            one.append(_flat(state).half().numpy())
        inside.append(1 - torch.softmax(_flat(logits), -1)[:, 0].numpy())
    nothing = np.zeros((0, network.config.width), np.float16)
    return _States([np.concatenate([nothing, *one]) for one in hidden], np.concatenate(inside))


def _flat(tensor: Tensor) -> Tensor:
    return tensor.float().flatten(0, 1)


def _direction(hidden: npt.NDArray[np.float16], inside: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The weights of a logistic regression from hidden state to personal data."""
    torch.manual_seed(0)
    linear = nn.Linear(hidden.shape[1], 1)
    optimizer = torch.optim.Adam(linear.parameters(), _RATE)
    states, target = torch.from_numpy(hidden), torch.from_numpy(inside > _NEARLY).float()
    for number in range(_ROUNDS + _FINE_ROUNDS):
        if number == _ROUNDS:
            optimizer.param_groups[0]["lr"] = _FINE_RATE
        for some in torch.randperm(len(states)).split(_STEP):
            value, wanted = linear(states[some].float())[:, 0], target[some]
            importance = 1 + (_PASSING_WEIGHT - 1) * wanted
            loss = functional.binary_cross_entropy_with_logits(value, wanted, importance)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    weight: npt.NDArray[np.float32] = linear.weight.detach().numpy()[0]
    return weight


def _least(values: npt.NDArray[np.float32], lost: float) -> float | None:
    """The greatest limit that at most a share ``lost`` of the values do not exceed; None without values."""
    if not len(values):
        return None
    held_back = int(lost * len(values))
    return float(np.nextafter(np.sort(values)[held_back], np.float32(-np.inf)))
