"""Sets of infoTypes by name, which a config adds to the default ones: ``presets.yaml``."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tacenda.transforms.detecting import word_lists as lists
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file


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
    data = data_file(__package__, "presets.yaml")
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
    words = {} if word_list is None else {"word_list": {"words": sorted(lists.word_list(word_list))}}
    return {
        "info_type": {"name": info_type},
        "likelihood": "VERY_LIKELY" if words else "LIKELY",
        **({"dictionary": words} if words else {"regex": {"pattern": regex}}),
    }
