"""Add up receipts: from units to parts, and from parts to the totals of a run."""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from tacenda.transforms.replacing.standing_out import MOST_IDS
from tacenda.transforms.schema.receipt import Receipt, Totals
from tacenda.transforms.scoring.identifiability import IdentifiabilitySketch
from tacenda.transforms.scoring.statistics import RiskSketch
from tacenda.transforms.scoring.worst import ScoredConversation, worst_from_json, worst_of, worst_to_json

_SUMMED = ("units", "text_bytes", *(column.name for column in fields(Totals) if column.type is int))
_COUNTED = [column.name for column in fields(Totals) if column.type is not int]


def combine(name: str, receipts: Iterable[Receipt]) -> Receipt:
    """The sum of some receipts under a name, independent of order and grouping.

    Lists of individual items (sources, files, hashes of ids) are left out.
    """
    combined = Receipt(name, units=0)
    sketch, dropped, remains = RiskSketch(), RiskSketch(), IdentifiabilitySketch()
    worst: list[tuple[str, ScoredConversation]] = []
    for receipt in receipts:
        for field_name in _SUMMED:
            setattr(combined, field_name, getattr(combined, field_name) + getattr(receipt, field_name))
        for field_name in _COUNTED:
            add_counts(getattr(combined, field_name), getattr(receipt, field_name))
        sketch.merge(RiskSketch.from_json(receipt.risk))
        remains.merge(IdentifiabilitySketch.from_json(receipt.remains))
        dropped.merge(RiskSketch.from_json(receipt.risk_dropped))
        worst.extend(worst_from_json(receipt.worst))
        combined.suspected = sorted([*combined.suspected, *receipt.suspected])[:MOST_IDS]
    for field_name in _COUNTED:
        setattr(combined, field_name, dict(sorted(getattr(combined, field_name).items())))
    combined.remains = remains.to_json()
    combined.risk, combined.risk_dropped = sketch.to_json(), dropped.to_json()
    combined.worst = worst_to_json(worst_of(worst))
    return combined


def add_counts(counts: dict[str, int], more: Mapping[str, int]) -> None:
    """Add some counts to others."""
    for key, count in more.items():
        counts[key] = counts.get(key, 0) + count


def receipt_to_json(receipt: Receipt) -> dict[str, Any]:
    """A receipt as plain JSON data."""
    data = {column.name: getattr(receipt, column.name) for column in fields(receipt)}
    data["id_hashes"] = base64.b64encode(receipt.id_hashes).decode("ascii")
    return data


def receipt_from_json(data: dict[str, Any]) -> Receipt:
    """The inverse of :func:`receipt_to_json`."""
    return Receipt(**{**data, "id_hashes": base64.b64decode(data["id_hashes"])})
