"""The section of a package's MODEL_CARD.md on its filter of turns: what it was learnt from, what it loses."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from tacenda.models.token_classifier.package import file_sha256
from tacenda.models.training.card import CARD

_HEADING = "## Turns that skip the network"


def describe_filter(folder: Path, report: Mapping[str, Any], read: Mapping[Path, int]) -> None:
    """Put the section in its place, or at the end.

    Args:
        folder: of the package.
        report: what ``turn_filter.learn_turn_filter`` says.
        read: how many conversations of each file were read.
    """
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)  # noqa: S701
    template = environment.from_string(files(__package__).joinpath("filter_card.md.j2").read_text("utf-8"))
    told = [
        {"file": path.name, "sha256": file_sha256(path), "conversations": f"{count:,}"}
        for path, count in read.items()
    ]
    section = f"{_HEADING}\n\n{template.render(report=report, read=told).strip()}\n"
    card = folder / CARD
    before, heading, after = (card.read_text("utf-8") if card.is_file() else "").partition(_HEADING)
    _, following, rest = after.partition("\n## ") if heading else ("", "", "")
    text = f"{before.rstrip()}\n\n{section}" + (f"\n## {rest}" if following else "")
    card.write_text(text.lstrip(), "utf-8")
