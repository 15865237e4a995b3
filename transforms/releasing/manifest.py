"""The manifest: what was done, with which versions and settings, and what each file's bytes hash to.

It holds counts and hashes, never text, and nothing that changes from one run to the next on the same input.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from transforms.releasing.merging import Totals
from transforms.schema.receipt import Receipt


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """What a run is made of; two runs with equal identity write equal bytes."""

    command: str
    version: str
    fingerprint: str
    config: dict[str, Any]
    config_hash: str
    score_table: dict[str, str]
    shape: str
    inputs: tuple[dict[str, Any], ...]


def build_manifest(
    identity: RunIdentity,
    receipts: Sequence[Receipt],
    totals: Totals,
    verdict: dict[str, Any],
) -> dict[str, Any]:
    """The manifest as plain JSON data; units in the order of the plan."""
    return {
        "tacet": identity.version,
        "command": identity.command,
        "fingerprint": identity.fingerprint,
        "verdict": verdict,
        "rows": {
            "in": totals.rows_in,
            "out": totals.rows_out,
            "quarantined": totals.rows_quarantined,
            "balanced": totals.balanced,
        },
        "totals": {
            key: value
            for key, value in asdict(totals).items()
            if key not in ("rows_in", "rows_out", "rows_quarantined")
        },
        "score_table": identity.score_table,
        "config_hash": identity.config_hash,
        "config": identity.config,
        "shape": identity.shape,
        "inputs": list(identity.inputs),
        "units": [
            {
                "unit": receipt.unit,
                "source": receipt.source,
                "rows": {
                    "in": receipt.rows_in,
                    "out": receipt.rows_out,
                    "quarantined": receipt.rows_quarantined,
                },
                "conversations": receipt.conversations,
                "files": dict(sorted(receipt.files.items())),
            }
            for receipt in sorted(receipts, key=lambda receipt: receipt.unit)
        ],
    }
