"""Use lists of places: "Albanien" is not a person, whatever a model says, and "Concord MN" is two places."""

import re

from tacenda.transforms.detecting.names.known_places import is_known_place
from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once

_PERSON = "PERSON_NAME"
_WORD = re.compile(r"[^\W\d_]{4,}(?:-[^\W\d_]+)*")
_WELL_KNOWN = 2
"""Lowest level of well-known places; many small ones have names that people have elsewhere."""

_TRUSTED = frozenset(("model", "gazetteer"))


def typed_as_place(text: str, finding: Finding) -> Finding:
    """Retype a person of one word that is a listed place and not a listed name; else return it unchanged."""
    if finding.info_type != _PERSON or finding.detector not in _TRUSTED:
        return finding
    said = text[finding.start : finding.end]
    if not _WORD.fullmatch(said) or not is_known_place(said):
        return finding
    lists = lexicon()
    kind = kind_of(said.casefold())
    if lists.given[kind] or lists.family[kind] or lists.place[kind] < _WELL_KNOWN:
        return finding
    return finding._replace(info_type="LOCATION")


def split_places(text: str, finding: Finding) -> list[Finding]:
    """Split a town from the country or state that follows it without a comma.

    Each must be listed, and not the two together: "New Mexico" is one place.
    """
    said = text[finding.start : finding.end]
    if finding.info_type != "LOCATION" or finding.detector not in _TRUSTED or " " not in said or "," in said:
        return [finding]
    if is_known_place(said):
        return [finding]
    cut = said.rfind(" ")
    while cut > 0:
        first, last = said[:cut], said[cut + 1 :]
        if last.casefold() in _countries() and is_known_place(first):
            start = finding.start + cut + 1
            return [finding._replace(end=finding.start + cut), finding._replace(start=start)]
        cut = said.rfind(" ", 0, cut)
    return [finding]


@built_once
def _countries() -> frozenset[str]:
    return frozenset(name.casefold() for names in ("country_names", "us_states") for name in word_list(names))
