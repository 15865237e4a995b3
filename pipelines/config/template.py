"""A Cloud DLP template, as the cloud exports it, as the sections of a config of ours.

Taken are an InspectTemplate, a DeidentifyTemplate, either of them inside the request that makes it, and the two
configs beside each other as in a request to de-identify. Our own sections may stand beside them: a custom
infoType needs a place in the score table, which no template has.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from tacenda.transforms.schema.errors import UserError

T = TypeVar("T")

_WRAPPERS = ("inspectTemplate", "inspect_template", "deidentifyTemplate", "deidentify_template")
_LISTS = ("inspectTemplates", "inspect_templates", "deidentifyTemplates", "deidentify_templates")
_CONFIGS = {
    "inspectConfig": "inspect",
    "inspect_config": "inspect",
    "deidentifyConfig": "deidentify",
    "deidentify_config": "deidentify",
}
_ABOUT = frozenset(
    {
        "name", "displayName", "display_name", "description", "createTime", "create_time", "updateTime",
        "update_time", "parent", "templateId", "template_id", "locationId", "location_id", "updateMask",
        "update_mask", "allowLimitedAvailabilityInfoTypes", "allow_limited_availability_info_types",
    }
)  # fmt: skip
"""What a template, or the request for one, says beside its config: nothing that a run would heed."""


def is_template(data: Mapping[str, Any]) -> bool:
    """Say whether a config file holds a template, or what looks like one."""
    return not data.keys().isdisjoint((*_WRAPPERS, *_LISTS, *_CONFIGS))


def sections_of(
    name: str, data: Mapping[str, Any], places: Mapping[str, T]
) -> tuple[dict[str, Any], dict[str, T]]:
    """Return the sections that a template stands for, and the place of each of their settings.

    Args:
        name: the file, for messages.
        data: its content.
        places: dotted paths in it, and where they stand.

    Raises:
        UserError: it holds several templates, or two configs of one kind.
    """
    sections: dict[str, Any] = {}
    moved: dict[str, T] = {}

    def take(place: str, holder: Mapping[str, Any]) -> None:
        for key, value in holder.items():
            path = f"{place}.{key}" if place else key
            if key in _LISTS:
                raise UserError(f"{name}: '{path}' is a list of templates; write the one that is meant")
            if key in _WRAPPERS and not place:
                if not isinstance(value, dict):
                    raise UserError(f"{name}: '{path}' must be a mapping, a template of Cloud DLP")
                take(path, value)
            elif key not in _ABOUT:
                section = _CONFIGS.get(key, key)
                if section in sections:
                    raise UserError(f"{name}: '{path}' gives the section '{section}' again; keep one of them")
                sections[section] = value
                moved.update(_moved(places, path, section))

    take("", data)
    return sections, moved


def _moved(places: Mapping[str, T], path: str, section: str) -> dict[str, T]:
    below = (f"{path}.", f"{path}[")
    return {
        section + known.removeprefix(path): place
        for known, place in places.items()
        if known == path or known.startswith(below)
    }
