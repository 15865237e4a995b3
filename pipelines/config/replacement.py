"""The ``replacement`` section: which values stand in the place of what, what is kept, and where secrets are."""

from collections.abc import Iterable
from typing import Any

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.schema import check_section
from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.replacing.settings import TOKENS, ReplacementSettings
from tacenda.transforms.schema.errors import UserError

_SECTION = "replacement"


def replacement_settings(document: ConfigDocument) -> ReplacementSettings:
    """The section as settings.

    Raises:
        UserError: a setting that cannot be.
    """
    check_section(document, _SECTION)
    section = document.section(_SECTION)
    secret = section.get("secret")
    return ReplacementSettings(
        default=section.get("default") or TOKENS,
        info_types=tuple(sorted((section.get("info_types") or {}).items())),
        kept=tuple(sorted((section.get("keep") or {}).items())),
        secret=None if secret is None else _reference(document, secret, f"{_SECTION}.secret"),
    )


def refuse_unknown_kept(
    document: ConfigDocument, settings: ReplacementSettings, known: Iterable[str]
) -> None:
    """Raise where an infoType is to be kept that nobody looks for: it may be misspelt."""
    names = frozenset(known)
    for info_type, _ in settings.kept:
        if info_type not in names:
            raise document.error(
                f"{_SECTION}.keep.{info_type}",
                "is not looked for, and so not replaced; drop it, or spell it as 'tacenda infotypes' does",
            )


def replacement_told(settings: ReplacementSettings) -> dict[str, Any]:
    """What manifest and report say of the settings, and what the config's hash rests on; no key."""
    return {
        "default": settings.default,
        "info_types": dict(settings.info_types),
        "keep": dict(settings.kept),
        "secret": None if settings.secret is None else str(settings.secret),
    }


def _reference(document: ConfigDocument, place: str, path: str) -> KeyReference:
    try:
        return KeyReference(place)
    except UserError as error:
        raise document.error(path, str(error)) from None
