"""Whether the exported network is the trained one: largest difference of their probabilities on real blocks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from models.token_classifier.blocks import blocks, lengths, stream
from models.token_classifier.encoding import TurnEncoder
from models.token_classifier.packing import Rows, micro_batches, rows
from models.token_classifier.scoring import softmax
from models.token_classifier.session import Session
from models.training.network import TokenNetwork

TOLERANCE = 1e-3
"""Of a probability; float32 in another order of operations differs by some 1e-5."""

_CONVERSATIONS = 64


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
    largest = 0.0
    network = network.eval().float().cpu()
    for row in _rows(records[::step][:_CONVERSATIONS], encoder, max_places, context):
        with torch.no_grad():
            trained = network(*(torch.from_numpy(a) for a in (row.ids, row.mask, row.cases))).numpy()
        exported = session.scores(row.ids, row.mask, row.cases)
        if row.scored.any():
            apart = np.abs(softmax(trained[row.scored]) - softmax(exported[row.scored]))
            largest = max(largest, float(apart.max()))
    return largest


def _rows(
    records: Sequence[Mapping[str, Any]], encoder: TurnEncoder, max_places: int, context: int
) -> Iterator[Rows]:
    turns = [[turn["text"] for turn in record["turns"]] for record in records]
    first_cell = np.concatenate([[0], np.cumsum([len(t) for t in turns])])
    of = stream(encoder.encode([text for t in turns for text in t]), first_cell.tolist(), encoder.separating)
    cut = list(blocks(of, max_places, context))
    for chosen in micro_batches(lengths(cut), 2048):
        yield rows(of, [cut[i] for i in chosen.tolist()], encoder.classifying, encoder.padding)
