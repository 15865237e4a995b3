"""What a package says of its filter of turns: ``turn_filter.json``, and its part of the card."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tacenda.models.token_classifier.package import file_sha256
from tacenda.models.training.card import FILTER_REPORT, write_card


def describe_filter(folder: Path, report: Mapping[str, Any], read: Mapping[Path, int]) -> None:
    """Write the report, and the card anew.

    Args:
        folder: of the package.
        report: what ``turn_filter.learn_turn_filter`` says.
        read: how many conversations of each file were read.
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
    told = {**report, "makers_left_out": makers, "read": files}
    (folder / FILTER_REPORT).write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    write_card(folder)
