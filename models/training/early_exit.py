"""Early exit: train a gate between two layers on the network's own final output.

The gate predicts which tokens may still turn out to be personal data; the others skip the remaining layers
(``exporting``). No gold is needed: the target is the network's own output. Its threshold is chosen by how much
of that output it loses on development text.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.onnx_session import Floats
from tacenda.models.token_classifier.torch_network import TokenNetwork
from tacenda.models.training.exporting import Gate
from tacenda.models.training.gold_tokens import drawn, real_rows
from tacenda.models.training.network import autocast

OF_INTEREST = 0.1
"""Probability of personal data above which a token counts as lost: half the lowest threshold
(``figures.LIMITS``), which applies to words next to a found one. A second look has lower thresholds and so
loses some less likely findings (``docs/evidence/accuracy.md``)."""

_NEARLY = 0.05
"""Probability above which a gate is trained to pass a token; lower than what it is evaluated by."""

_ROUNDS, _FINE_ROUNDS, _STEP = 5, 3, 4096
_RATE, _FINE_RATE = 1e-2, 2e-3
_PASSING_WEIGHT = 10.0


def learnt_gate(
    network: TokenNetwork,
    encoder: TurnEncoder,
    train: Sequence[Mapping[str, Any]],
    dev: Sequence[Mapping[str, Any]],
    max_places: int,
    context: int,
    lost: float,
) -> tuple[Gate, dict[str, float]] | None:
    """Train a gate on ``train``, after the layer where it saves most, and choose its threshold on ``dev``.

    It may drop a share ``lost`` of the tokens of interest (0 for no gate). With it come the share of the tokens
    that pass, and of those of interest that do not. None if it would pass everything after every layer.
    """
    if not lost:
        return None
    (learnt, inside), (judged, inside_dev) = (
        _states(network, encoder, drawn(gold), max_places, context) for gold in (train, dev)
    )
    of_interest = inside_dev > OF_INTEREST
    if not of_interest.any():
        return None
    best, saved = None, 0.0
    for layer, (hidden, of_dev) in enumerate(zip(learnt, judged, strict=True)):
        weight = _direction(hidden, inside)
        values = of_dev.astype(np.float32) @ weight
        sought = np.sort(values[of_interest])
        # The greatest limit that at most a share ``lost`` of them do not exceed.
        least = float(np.nextafter(sought[int(lost * len(sought))], np.float32(-np.inf)))
        passes = values > least
        of_layers = float(np.mean(~passes)) * (len(judged) - layer)
        if of_layers > saved:
            missed = float(np.mean(~passes[of_interest]))
            report = {"passing": round(float(np.mean(passes)), 4), "lost": round(missed, 5)}
            best, saved = (Gate(layer, weight, least), report), of_layers
    return best


def _states(
    network: TokenNetwork,
    encoder: TurnEncoder,
    records: Sequence[Mapping[str, Any]],
    max_places: int,
    context: int,
) -> tuple[list[npt.NDArray[np.float16]], Floats]:
    """The hidden states (tokens, width) of conversations after each layer but the last, and each token's
    probability of not being O.
    """

    def flat(tensor: Tensor) -> Tensor:
        return tensor.float().flatten(0, 1)

    rows = real_rows(records, encoder, max_places, context)
    network = network.eval().float().cpu()
    nothing = np.zeros((0, network.config.width), np.float16)
    hidden = [[nothing] for _ in network.layers[:-1]]
    inside = [np.zeros(0, np.float32)]
    for call in rows.inputs():
        ids, mask, cases = map(torch.from_numpy, call)
        with torch.no_grad(), autocast(ids.device):
            logits, left = network.read(network.words(ids), mask, cases)
        for one, state in zip(hidden, left, strict=False):
            one.append(flat(state).half().numpy())
        inside.append(1 - torch.softmax(flat(logits), -1)[:, 0].numpy())
    return [np.concatenate(one) for one in hidden], np.concatenate(inside)


def _direction(hidden: npt.NDArray[np.float16], inside: Floats) -> Floats:
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
    weight: Floats = linear.weight.detach().numpy()[0]
    return weight
