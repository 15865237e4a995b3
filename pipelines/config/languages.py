"""The ``languages`` section: how to treat text in languages that no active detector covers."""

from collections.abc import Collection, Sequence
from typing import Any, cast

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.schema import check_section
from tacenda.transforms.language.coverage import LanguageSettings, Uncovered, canonical, known_codes


def language_settings(document: ConfigDocument, covered: Collection[str]) -> LanguageSettings:
    """Parse the section; ``covered`` are the languages of the active detectors.

    Raises:
        UserError: a setting is invalid, or a language is accepted without a reason.
    """
    check_section(document, "languages")
    section = document.section("languages")
    uncovered = section.get("uncovered") or "quarantine"
    accepted = section.get("accepted") or {}
    reasons: dict[str, str] = {}
    for code, reason in accepted.items():
        place = f"languages.accepted.{code}"
        (known,) = checked_codes(document, place, [code])
        reasons[known] = reason
    return LanguageSettings(frozenset(covered), reasons, cast(Uncovered, uncovered))


def checked_codes(document: ConfigDocument, place: str, codes: Sequence[Any]) -> tuple[str, ...]:
    """Canonical codes of languages.

    Raises:
        UserError: a code is unknown.
    """
    known = known_codes()
    found = tuple(canonical(code) if isinstance(code, str) else "" for code in codes)
    if not set(found) <= known:
        raise document.error(
            place,
            "has a language that cannot be recognised (a YAML 'no' needs quotes); known here: "
            f"{', '.join(sorted(known))}",
        )
    return found
