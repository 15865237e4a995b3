"""Postal codes: digits that nothing but a model takes for one need a place or a cue near them.

"Please see 138560" is the number of something; "madurai 625106" is a place with its code. A turn that is
nothing but the digits answers a question, which the model may have heard. "Apt. 787" is a part of an address.
"""

import re
from collections.abc import Sequence

from tacenda.transforms.detecting.fitting.words import words
from tacenda.transforms.detecting.word_lists import words_of
from tacenda.transforms.schema.finding import Finding

_POSTAL = "ZIP_CODE"
_PLACES = frozenset(("LOCATION", "STREET_ADDRESS", "US_STATE", "CITY", "COUNTRY"))
_BEFORE, _AFTER = 3, 1
"""Cells before and after the number in which a place may be named."""

_CONTEXT = 24
"""Number of preceding cells in which a cue may be."""

_REACH = 120
"""Code points of each of these that are looked at."""

_NEXT = 20
"""Code points before a number in which the word for a dwelling may be."""

_WORD = re.compile(r"[^\W\d_]+")


def postal_codes_with_places(texts: Sequence[str], cells: list[list[Finding]]) -> None:
    """Turn the postal codes of a conversation that nothing supports into mere numbers, or numbers of dwellings.

    Args:
        texts: the cells of the conversation.
        cells: their findings, which are replaced in place.
    """
    for i, cell in enumerate(cells):
        if any(f.info_type == _POSTAL for f in cell):
            cell = [_of_dwelling(texts[i], finding) for finding in cell]
            cells[i] = cell if _near_a_place(cells, i) else [_settled(texts, i, finding) for finding in cell]


def _of_dwelling(text: str, finding: Finding) -> Finding:
    """A number behind a word such as *Apt.* is no postal code."""
    if finding.info_type != _POSTAL or finding.detector != "model":
        return finding
    before = (
        text[max(0, finding.start - _NEXT) : finding.start].lower().rstrip(" .#:").rpartition(" ")[2].strip()
    )
    dwellings = words_of("house_parts/dwellings", "house_parts/with_numbers")
    return finding._replace(info_type="STREET_ADDRESS") if before in dwellings else finding


def _near_a_place(cells: Sequence[Sequence[Finding]], i: int) -> bool:
    near = cells[max(0, i - _BEFORE) : i + _AFTER + 1]
    return any(finding.info_type in _PLACES for cell in near for finding in cell)


def _settled(texts: Sequence[str], i: int, finding: Finding) -> Finding:
    if finding.info_type != _POSTAL or finding.detector != "model":
        return finding
    said = texts[i][finding.start : finding.end]
    if not said.isdigit() or said == texts[i].strip():
        return finding
    near = [text[-_REACH:] for text in texts[max(0, i - _CONTEXT) : i]]
    near.append(texts[i][max(0, finding.start - _REACH) : finding.start])
    is_named = any(word.lower() in words("postal_cues") for text in near for word in _WORD.findall(text))
    return finding if is_named else finding._replace(info_type="NUMERIC")
