"""Write the report on a package's turn filter: ``turn_filter.json`` and its section of the model card."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tacenda.models.token_classifier.package import file_sha256
from tacenda.models.training.card import FILTER_REPORT, write_card


def describe_filter(folder: Path, report: Mapping[str, Any], read: Mapping[Path, int]) -> None:
    """Write the report and regenerate the card.

    Args:
        folder: folder of the package.
        report: the report of ``turn_filter.learn_turn_filter``.
        read: number of conversations used, by file.
    """
    makers = {
        maker: {
            "tokens": one["tokens"],
            "share_skipped": round(one["skipped"] / max(one["tokens"], 1), 3),
            "findings": one["findings"],
            "lost": one["lost"],
        }
        for maker, one in report["makers_left_out"].items()
    }
    files = [
        {"file": path.name, "sha256": file_sha256(path), "conversations": count}
        for path, count in read.items()
    ]
    written = {**report, "makers_left_out": makers, "read": files}
    (folder / FILTER_REPORT).write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    write_card(folder)
