"""Turn an exported Cloud DLP template into sections of our config.

Accepted are an InspectTemplate, a DeidentifyTemplate, the request that creates either, and both configs side
by side as in a de-identification request. Our own sections may be added: a custom infoType needs a score,
which templates do not have.
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
"""Keys of a template, or of the request for one, that do not affect a run."""


def is_template(data: Mapping[str, Any]) -> bool:
    """Whether a config file contains a template, or something that looks like one."""
    return not data.keys().isdisjoint((*_WRAPPERS, *_LISTS, *_CONFIGS))


def sections_of(
    name: str, data: Mapping[str, Any], places: Mapping[str, T]
) -> tuple[dict[str, Any], dict[str, T]]:
    """The sections equivalent to a template, and the positions of their settings.

    Args:
        name: the file, for messages.
        data: its content.
        places: positions by dotted path.

    Raises:
        UserError: there are several templates, or two configs of one kind.
    """
    sections: dict[str, Any] = {}
    moved: dict[str, T] = {}

    def take(place: str, holder: Mapping[str, Any]) -> None:
        for key, value in holder.items():
            path = f"{place}.{key}" if place else key
            if key in _LISTS:
                raise UserError(f"{name}: '{path}' is a list of templates; keep the one you mean")
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
