"""Sets of infoTypes by name, which a config adds to the default ones: ``presets.yaml``."""

from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml


class Preset(NamedTuple):
    """A set: built-in infoTypes, and custom infoTypes as an InspectConfig has them, plain JSON data.

    ``public_knowledge`` says whether that stays readable.
    """

    description: str
    info_types: tuple[str, ...]
    custom: tuple[Mapping[str, Any], ...]
    public_knowledge: bool = False


@built_once
def presets() -> Mapping[str, Preset]:
    """All sets by name."""
    data = parse_yaml(files(__package__).joinpath("presets.yaml").read_text("utf-8"))
    return MappingProxyType(
        {
            name: Preset(
                entry["description"],
                tuple(entry["info_types"]),
                tuple(_custom(**term) for term in entry.get("terms", ())),
                entry.get("public_knowledge", False),
            )
            for name, entry in data.items()
        }
    )


def _custom(info_type: str, word_list: str | None = None, regex: str | None = None) -> dict[str, Any]:
    found = {"regex": {"pattern": regex}} if word_list is None else {"dictionary": _dictionary(word_list)}
    return {
        "info_type": {"name": info_type},
        "likelihood": "LIKELY" if word_list is None else "VERY_LIKELY",
        **found,
    }


def _dictionary(name: str) -> dict[str, Any]:
    return {"word_list": {"words": sorted(word_list(name))}}
