"""Batch invariance: measure at load whether rows get the same scores together as alone.

Activations quantised by the tensor at hand, a product of matrices that takes another routine for more rows, a
mask that lets a little through: each makes a row's scores depend on its neighbours.
"""

from collections.abc import Iterator
from enum import Enum
from itertools import groupby

import numpy as np

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.session import Floats, Ints, Session
from tacenda.transforms.text.column import TextColumn

LENGTHS = (3, 17, 48)
"""Places of the rows that are tried."""

_MOST_ROWS = 8
"""Of each length."""

_TEXT = (
    "Hello, this is Ann-Marie O'Neill of Berg & Sons in Scranton, PA 18503; call me at +46 70 123 45 67 or "
    "write to ann@example.com before 3 May. ok so I think we could maybe do that again next week, thanks, bye! "
    "The total was 1,204.50 for order X-2291: see https://example.com/a?b=1 [SIC]. Åsa från Växjö säger hej. "
)


class Company(Enum):
    """What may stand in a call beside a row."""

    ANY = "any rows"
    SAME_LENGTH = "rows of the same length"
    NONE = "no other row"


def measured_company(session: Session, encoder: TurnEncoder, max_places: int) -> Company:
    """Compare, bit for bit, the scores of some rows alone with those of the same rows together.

    Args:
        session: the network; rows of different lengths are tried together only where it says that it pads.
        encoder: its tokenizer, for tokens that it knows.
        max_places: longer rows, less the classifying token, are not tried.
    """
    rows = list(_rows(encoder, session.budget, max_places))
    alone = [_scores(session, [row], encoder.padding)[0] for row in rows]
    numbered = range(len(rows))
    for _, several in groupby(numbered, key=lambda i: len(rows[i])):
        if not _same(session, rows, alone, list(several), encoder.padding):
            return Company.NONE
    if not session.pads:
        return Company.SAME_LENGTH
    mixed = list(numbered)[::-1], [0, len(rows) - 1]
    fine = all(_same(session, rows, alone, several, encoder.padding) for several in mixed)
    return Company.ANY if fine else Company.SAME_LENGTH


def _rows(encoder: TurnEncoder, budget: int, max_places: int) -> Iterator[Ints]:
    """Token ids of rows, by length; as many of a length as a call may have, within reason."""
    text = encoder.encode(TextColumn([_TEXT])).ids.astype(np.int64)
    for length in LENGTHS:
        if length > max_places + 1:
            return
        for number in range(max(2, min(_MOST_ROWS, budget // length))):
            row = np.resize(np.roll(text, -7 * number), length)
            row[0] = encoder.classifying
            yield row


def _same(session: Session, rows: list[Ints], alone: list[Floats], several: list[int], padding: int) -> bool:
    together = _scores(session, [rows[i] for i in several], padding)
    return all(np.array_equal(one, alone[i]) for one, i in zip(together, several, strict=True))


def _scores(session: Session, rows: list[Ints], padding: int) -> list[Floats]:
    """The scores of rows in one call, each padded to the longest and cut again."""
    ids = np.full((len(rows), max(map(len, rows))), padding, np.int64)
    mask = np.zeros_like(ids)
    for i, row in enumerate(rows):
        ids[i, : len(row)], mask[i, : len(row)] = row, 1
    (scores,) = session.scores_of([(ids, mask, np.zeros_like(ids))])
    return [scores[i, : len(row)] for i, row in enumerate(rows)]
