"""The ``languages`` section: what becomes of text in languages that no active detector covers."""

from collections.abc import Collection
from typing import Any, cast, get_args

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.transforms.language.coverage import LanguageSettings, Uncovered, canonical, known_codes

_KEYS = ("uncovered", "accepted")


def language_settings(document: ConfigDocument, covered: Collection[str]) -> LanguageSettings:
    """The section beside what the active detectors cover.

    Raises:
        UserError: a setting that cannot be, or a language accepted without a reason.
    """
    section = document.section("languages")
    document.refuse_unknown("languages", section, _KEYS)
    uncovered = section.get("uncovered", "hold")
    if uncovered not in get_args(Uncovered):
        raise document.error("languages.uncovered", "must be hold or quarantine")
    accepted = section.get("accepted") or {}
    if not isinstance(accepted, dict):
        raise document.error("languages.accepted", "must be a mapping of languages to reasons, as de: why")
    reasons: dict[str, str] = {}
    for code, reason in accepted.items():
        place = f"languages.accepted.{code}"
        (known,) = checked_codes(document, place, [code])
        if not isinstance(reason, str) or not reason.strip():
            raise document.error(place, "give the reason in words; it is written into manifest and report")
        reasons[known] = reason
    return LanguageSettings(frozenset(covered), reasons, cast(Uncovered, uncovered))


def checked_codes(document: ConfigDocument, place: str, codes: Any) -> tuple[str, ...]:
    """Codes of languages as they are told here.

    Raises:
        UserError: one is none.
    """
    known = known_codes()
    if not isinstance(codes, list):
        raise document.error(place, "must be a list of languages, as [de, fr]")
    found = tuple(canonical(code) if isinstance(code, str) else "" for code in codes)
    if not set(found) <= known:
        raise document.error(
            place,
            "holds a language that cannot be told (a YAML 'no' needs quotes); known here: "
            f"{', '.join(sorted(known))}",
        )
    return found
