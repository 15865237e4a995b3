"""The ``look_for`` section: infoTypes and sets of them that are added to those of ``inspect``."""

from typing import Any

from tacenda.models.cloud_dlp.config import cloud_info_types
from tacenda.pipelines.config.document import ConfigDocument, check_section
from tacenda.transforms.detecting.functions import pinned
from tacenda.transforms.detecting.presets import presets
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.settings import Function
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.token import makes_tokens

_SECTION = "look_for"


def inspect_section(document: ConfigDocument) -> dict[str, Any]:
    """The ``inspect`` section, a DLP InspectConfig, with what ``look_for`` adds to it.

    What it adds is written like the user's own; an empty list of infoTypes becomes that of the default ones.

    Raises:
        UserError: a name is neither that of an infoType nor of a preset.
    """
    check_section(document, _SECTION)
    given = document.section("inspect")
    asked = document.section(_SECTION)
    added = [_known(document, f"also[{i}]", name) for i, name in enumerate(asked.get("also") or ())]
    custom: list[Any] = []
    for i, name in enumerate(asked.get("presets") or ()):
        if name not in presets():
            raise document.error(
                f"{_SECTION}.presets[{i}]", f"is no preset; there are {', '.join(sorted(presets()))}"
            )
        added += presets()[name].info_types
        custom += presets()[name].custom
    if not added:
        return given
    names = section_key(given, "info_types")
    customs = section_key(given, "custom_info_types")
    listed = given.get(names) or [{"name": name} for name in default_info_types()]
    if not isinstance(listed, list) or not isinstance(given.get(customs) or [], list):
        return given  # not valid; whoever reads the section says so
    here = [entry.get("name") for entry in listed if isinstance(entry, dict)]
    return {
        **given,
        names: [*listed, *({"name": name} for name in dict.fromkeys(added) if name not in here)],
        **({customs: [*(given.get(customs) or []), *custom]} if custom else {}),
    }


def section_key(section: dict[str, Any], name: str) -> str:
    """The name of a field as the section spells it."""
    first, *rest = name.split("_")
    camel = first + "".join(map(str.capitalize, rest))
    return camel if camel in section else name


def own_functions(document: ConfigDocument) -> dict[str, Function]:
    """The user's own functions by the infoType that each finds.

    Raises:
        UserError: a name makes no token, or a function cannot be imported.
    """
    own: dict[str, Function] = {}
    for info_type, name in (document.section(_SECTION).get("functions") or {}).items():
        place = f"{_SECTION}.functions.{info_type}"
        if not makes_tokens(info_type):
            raise document.error(place, "makes no token [NAME_1]; rename it in capital letters, as MY_ID")
        try:
            own[info_type] = pinned(name)
        except UserError as error:
            raise document.error(place, str(error)) from None
    return own


def _known(document: ConfigDocument, place: str, name: str) -> str:
    if name not in catalogue() and name not in cloud_info_types():
        raise document.error(
            f"{_SECTION}.{place}",
            "is no built-in infoType; 'tacenda config infotypes' lists them, and presets "
            "have a setting of their own",
        )
    return name
