"""Gold conversations as the rows that a network receives at inference."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tacenda.models.token_classifier.blocks import blocks, stream
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.packing import Rows, packed
from tacenda.transforms.text.column import TextColumn

_BUDGET = 2048
"""Places in one call."""


def real_rows(
    records: Sequence[Mapping[str, Any]], encoder: TurnEncoder, max_places: int, context: int, padded: bool
) -> Rows:
    """The rows of some conversations; ``max_places`` and ``context`` as in ``blocks``."""
    turns = [[turn["text"] for turn in record["turns"]] for record in records]
    first_cell = np.concatenate([[0], np.cumsum([len(t) for t in turns])])
    column = TextColumn([text for t in turns for text in t], first_cell.tolist())
    of = stream(encoder.encode(column), column.first_cell, encoder.separating)
    cut = list(blocks(of, max_places, context))
    return packed(of, cut, _BUDGET, padded, encoder.classifying, encoder.padding)
