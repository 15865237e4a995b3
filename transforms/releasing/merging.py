"""Add up receipts: of units to those of their parts, and of parts to the totals of a run."""

import base64
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.scoring.statistics import RiskSketch
from tacenda.transforms.scoring.worst import ScoredConversation, worst_from_json, worst_of, worst_to_json

_SUMMED = (
    "units",
    "text_bytes",
    "rows_in",
    "rows_out",
    "rows_quarantined",
    "conversations",
    "turns",
    "characters",
    "speakers_replaced",
    "reviews_matched",
)
_COUNTED = ("findings", "entities", "missed", "unscored", "quarantined", "sampling", "processors")


@dataclass(slots=True)
class Totals:
    """Sums over the conversations of a run; the same however it was divided."""

    rows_in: int = 0
    rows_out: int = 0
    rows_quarantined: int = 0
    conversations: int = 0
    turns: int = 0
    characters: int = 0
    speakers_replaced: int = 0
    reviews_matched: int = 0
    findings: dict[str, int] = field(default_factory=dict)
    entities: dict[str, int] = field(default_factory=dict)
    missed: dict[str, int] = field(default_factory=dict)
    unscored: dict[str, int] = field(default_factory=dict)
    quarantined: dict[str, int] = field(default_factory=dict)
    sampling: dict[str, int] = field(default_factory=dict)
    processors: dict[str, int] = field(default_factory=dict)

    @property
    def balanced(self) -> bool:
        """Rows in = rows out + quarantined; anything else means that rows were lost or doubled."""
        return self.rows_in == self.rows_out + self.rows_quarantined


def combine(name: str, receipts: Iterable[Receipt]) -> Receipt:
    """The sum of some receipts under a name; the same in whatever order and groups they are added up.

    What names the single ones (sources, files, hashes of ids) is left out.
    """
    combined = Receipt(name, units=0)
    sketch = RiskSketch()
    worst: list[tuple[str, ScoredConversation]] = []
    for receipt in receipts:
        for field_name in _SUMMED:
            setattr(combined, field_name, getattr(combined, field_name) + getattr(receipt, field_name))
        for field_name in _COUNTED:
            counts: dict[str, int] = getattr(combined, field_name)
            for key, count in getattr(receipt, field_name).items():
                counts[key] = counts.get(key, 0) + count
        sketch.merge(RiskSketch.from_json(receipt.risk))
        worst.extend(worst_from_json(receipt.worst))
    for field_name in _COUNTED:
        setattr(combined, field_name, dict(sorted(getattr(combined, field_name).items())))
    combined.risk = sketch.to_json()
    combined.worst = worst_to_json(worst_of(worst))
    return combined


def totals(receipt: Receipt) -> Totals:
    """What the receipt of a whole run says in the manifest."""
    return Totals(**{column.name: getattr(receipt, column.name) for column in fields(Totals)})


def receipt_to_json(receipt: Receipt) -> dict[str, Any]:
    """A receipt as plain JSON data."""
    data = asdict(receipt)
    data["id_hashes"] = base64.b64encode(receipt.id_hashes).decode("ascii")
    return data


def receipt_from_json(data: dict[str, Any]) -> Receipt:
    """The receipt that :func:`receipt_to_json` wrote."""
    return Receipt(**{**data, "id_hashes": base64.b64decode(data["id_hashes"])})
