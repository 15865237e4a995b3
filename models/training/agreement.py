"""Check an export: compare its probabilities with the trained network's on real text."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.scoring import softmax
from tacenda.models.token_classifier.session import Session
from tacenda.models.training.network import TokenNetwork
from tacenda.models.training.real_rows import real_rows

TOLERANCE = 1e-3
"""Largest accepted difference of a probability; reordered float32 operations differ by some 1e-5."""

_CONVERSATIONS = 64


def largest_difference(
    network: TokenNetwork,
    session: Session,
    encoder: TurnEncoder,
    records: Sequence[Mapping[str, Any]],
    max_places: int,
    context: int,
) -> float:
    """The largest difference of any class probability at any scored token, over evenly spaced conversations."""
    step = max(1, len(records) // _CONVERSATIONS)
    rows = real_rows(records[::step][:_CONVERSATIONS], encoder, max_places, context, session.pads)
    largest = 0.0
    network = network.eval().float().cpu()
    for (start, count, width), (ids, mask, cases) in zip(rows.calls, rows.inputs(), strict=True):
        scored = rows.scored[start : start + count * width].reshape(count, width)
        with torch.no_grad():
            trained = network(*map(torch.from_numpy, (ids, mask, cases))).numpy()
        exported = session.scores(ids, mask, cases)
        if scored.any():
            apart = np.abs(softmax(trained[scored]) - softmax(exported[scored]))
            largest = max(largest, float(apart.max()))
    return largest
