"""Merge the receipts of all units into the totals of a run."""

import base64
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from transforms.schema.receipt import Receipt

_SUMMED = (
    "rows_in",
    "rows_out",
    "rows_quarantined",
    "conversations",
    "turns",
    "characters",
    "speakers_replaced",
    "reviews_matched",
)
_COUNTED = ("findings", "entities", "missed", "unscored", "quarantined")


@dataclass(slots=True)
class Totals:
    """Sums over receipts; the same however the corpus was split into units."""

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

    @property
    def balanced(self) -> bool:
        """Rows in = rows out + quarantined; anything else means that rows were lost or doubled."""
        return self.rows_in == self.rows_out + self.rows_quarantined


def total(receipts: Iterable[Receipt]) -> Totals:
    """Add up receipts; counts by key come out sorted by key."""
    totals = Totals()
    for receipt in receipts:
        for name in _SUMMED:
            setattr(totals, name, getattr(totals, name) + getattr(receipt, name))
        for name in _COUNTED:
            counts: dict[str, int] = getattr(totals, name)
            for key, count in getattr(receipt, name).items():
                counts[key] = counts.get(key, 0) + count
    for name in _COUNTED:
        setattr(totals, name, dict(sorted(getattr(totals, name).items())))
    return totals


def latest(receipts: Iterable[Receipt]) -> list[Receipt]:
    """One receipt a unit, in the order of the plan: the repaired one where there is one."""
    by_unit: dict[str, Receipt] = {}
    for receipt in receipts:
        if receipt.repaired or receipt.unit not in by_unit:
            by_unit[receipt.unit] = receipt
    return [by_unit[unit] for unit in sorted(by_unit)]


def receipt_to_json(receipt: Receipt) -> dict[str, Any]:
    """A receipt as plain JSON data."""
    data = asdict(receipt)
    data["id_hashes"] = base64.b64encode(receipt.id_hashes).decode("ascii")
    return data


def receipt_from_json(data: dict[str, Any]) -> Receipt:
    """The receipt that :func:`receipt_to_json` wrote."""
    return Receipt(**{**data, "id_hashes": base64.b64decode(data["id_hashes"])})
