"""The ``languages`` section: what becomes of text in languages that no active detector covers."""

from collections.abc import Collection, Sequence
from typing import Any, cast

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.schema import check_section
from tacenda.transforms.language.coverage import LanguageSettings, Uncovered, canonical, known_codes


def language_settings(document: ConfigDocument, covered: Collection[str]) -> LanguageSettings:
    """The section beside what the active detectors cover.

    Raises:
        UserError: a setting that cannot be, or a language accepted without a reason.
    """
    check_section(document, "languages")
    section = document.section("languages")
    uncovered = section.get("uncovered") or "hold"
    accepted = section.get("accepted") or {}
    reasons: dict[str, str] = {}
    for code, reason in accepted.items():
        place = f"languages.accepted.{code}"
        (known,) = checked_codes(document, place, [code])
        reasons[known] = reason
    return LanguageSettings(frozenset(covered), reasons, cast(Uncovered, uncovered))


def checked_codes(document: ConfigDocument, place: str, codes: Sequence[Any]) -> tuple[str, ...]:
    """Codes of languages as they are told here.

    Raises:
        UserError: one is none.
    """
    known = known_codes()
    found = tuple(canonical(code) if isinstance(code, str) else "" for code in codes)
    if not set(found) <= known:
        raise document.error(
            place,
            "holds a language that cannot be told (a YAML 'no' needs quotes); known here: "
            f"{', '.join(sorted(known))}",
        )
    return found
