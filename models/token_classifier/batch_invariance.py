"""Batch invariance: measure at load whether rows get the same scores together as alone.

A row's scores depend on its neighbours where activations are quantised per tensor, where matrix products
switch routines with the number of rows, or where masking is not exact.
"""

from collections.abc import Iterator
from enum import Enum
from itertools import groupby

import numpy as np

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.onnx_session import Floats, Ints, Session, softmax
from tacenda.transforms.text.column import TextColumn

LENGTHS = (3, 17, 48)
"""Row lengths to try, in tokens."""

_MOST_ROWS = 8
"""Most rows of each length."""

_TEXT = (
    "Hello, this is Ann-Marie O'Neill of Berg & Sons in Scranton, PA 18503; call me at +46 70 123 45 67 or "
    "write to ann@example.com before 3 May. ok so I think we could maybe do that again next week, thanks, bye! "
    "The total was 1,204.50 for order X-2291: see https://example.com/a?b=1 [SIC]. Åsa från Växjö säger hej. "
)


class Batching(Enum):
    """Which rows can share a call with a row without changing its scores."""

    ANY = "any rows"
    SAME_LENGTH = "rows of the same length"
    ALONE = "no other row"


def measure_batching(session: Session, encoder: TurnEncoder, max_places: int) -> Batching:
    """Compare the scores of rows run alone with those of the same rows run together.

    They must be the same bit for bit, or as probabilities within the session's tolerance.

    Args:
        session: the network; rows of different lengths are combined only if it supports padding.
        encoder: its tokenizer, which provides valid token ids.
        max_places: longest row to try, without the classifying token.
    """
    rows = list(_rows(encoder, session.budget, max_places))
    alone = [_scores(session, [row], encoder.padding)[0] for row in rows]

    def independent(several: list[int]) -> bool:
        together = _scores(session, [rows[i] for i in several], encoder.padding)
        pairs = [(one, alone[i]) for one, i in zip(together, several, strict=True)]
        if not session.tolerance:
            return all(np.array_equal(one, other) for one, other in pairs)
        return all(
            np.abs(softmax(one.copy()) - softmax(other.copy())).max(initial=0) <= session.tolerance
            for one, other in pairs
        )

    numbers = list(range(len(rows)))
    if not all(independent(list(some)) for _, some in groupby(numbers, key=lambda i: len(rows[i]))):
        return Batching.ALONE
    mixed = session.pads and independent(numbers[::-1]) and independent([0, numbers[-1]])
    return Batching.ANY if mixed else Batching.SAME_LENGTH


def _rows(encoder: TurnEncoder, budget: int, max_places: int) -> Iterator[Ints]:
    """Token ids of rows, shortest first; of each length up to as many as one call takes."""
    text = encoder.encode(TextColumn([_TEXT])).ids.astype(np.int64)
    for length in LENGTHS:
        if length > max_places + 1:
            return
        for number in range(max(2, min(_MOST_ROWS, budget // length))):
            row = np.resize(np.roll(text, -7 * number), length)
            row[0] = encoder.classifying
            yield row


def _scores(session: Session, rows: list[Ints], padding: int) -> list[Floats]:
    """Scores of rows run in one call, with the padding removed."""
    ids = np.full((len(rows), max(map(len, rows))), padding, np.int64)
    mask = np.zeros_like(ids)
    for i, row in enumerate(rows):
        ids[i, : len(row)], mask[i, : len(row)] = row, 1
    scores = session.scores(ids, mask, np.zeros_like(ids))
    return [scores[i, : len(row)] for i, row in enumerate(rows)]
