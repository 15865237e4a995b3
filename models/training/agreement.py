"""Whether the exported network is the trained one: largest difference of their probabilities on real blocks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from models.token_classifier.blocks import blocks, stream
from models.token_classifier.encoding import TurnEncoder
from models.token_classifier.packing import packed
from models.token_classifier.scoring import softmax
from models.token_classifier.session import Session
from models.training.network import TokenNetwork

TOLERANCE = 1e-3
"""Of a probability; float32 in another order of operations differs by some 1e-5."""

_CONVERSATIONS = 64
_BUDGET = 2048


def largest_difference(
    network: TokenNetwork,
    session: Session,
    encoder: TurnEncoder,
    records: Sequence[Mapping[str, Any]],
    max_places: int,
    context: int,
) -> float:
    """The largest difference of any class' probability at any scored place, over evenly drawn conversations."""
    step = max(1, len(records) // _CONVERSATIONS)
    turns = [[turn["text"] for turn in record["turns"]] for record in records[::step][:_CONVERSATIONS]]
    first_cell = np.concatenate([[0], np.cumsum([len(t) for t in turns])])
    of = stream(encoder.encode([text for t in turns for text in t]), first_cell.tolist(), encoder.separating)
    cut = list(blocks(of, max_places, context))
    rows = packed(of, cut, _BUDGET, session.pads, encoder.classifying, encoder.padding)
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
