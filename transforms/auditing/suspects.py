"""Suspects: what the second look sees in replaced text, with the traits by which it is calibrated.

Kinds of suspicion: findings of the rules, lists and other detectors below their thresholds; faint findings of a
network; what the independent detector sees; echoes of what was replaced elsewhere; leftovers beside a token of
their kind; names where speakers say whom they represent. What several of them see in one place is one suspect.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from tacenda.transforms.auditing.echoes import ECHO, NEAR_ECHO
from tacenda.transforms.auditing.second_look import second_look_residuals
from tacenda.transforms.detecting import independent_looks
from tacenda.transforms.detecting.faint import EDGES, band_of
from tacenda.transforms.detecting.independent_looks import independent_band
from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.residual import Residual

_NETWORK, _LISTS, _INDEPENDENT = "model", "gazetteer", "independent"
_PLACES = frozenset(("LOCATION", "STREET_ADDRESS", "LOCATION_COORDINATES", "US_STATE", "ZIP_CODE"))
_FIRMS = frozenset(("ORGANIZATION_NAME", "PRODUCT"))
_MOST_WORDS = 4
_DENSE = 0.2
"""Replaced entities per word, at most, as a trait."""

KINDS = ("whole name", "part of a name", "place", "firm", "other")
"""Suspects by what they would be."""

TRAITS = (
    *KINDS,
    "network",
    "network's score",
    "over its threshold",
    "lists",
    "lists' likelihood",
    "rules",
    "rules' likelihood",
    "independent",
    "independent's score",
    "independent and network",
    "echo",
    "near echo",
    "beside a token",
    "speaker's own",
    "capital",
    "capital within a sentence",
    "no capitals anywhere",
    "digits",
    "words",
    "replaced entities",
)
"""The traits, in the order of a suspect's values and of the calibration's coefficients."""


class Suspect(NamedTuple):
    """A suspicion before it has a probability; ``traits`` are values of ``TRAITS``."""

    residual: Residual
    kind: str
    traits: tuple[float, ...]


class Surroundings(NamedTuple):
    """What the traits need to know of a conversation: its words, replaced entities, and use of capitals."""

    words: int
    entities: int
    capitals: bool

    @classmethod
    def of(cls, originals: Sequence[str], entities: Sequence[Sequence[int]]) -> "Surroundings":
        """Those of a conversation, by its original cells and the entities of its findings."""
        distinct = {entity for cell in entities for entity in cell}
        capitals = any(text != text.lower() for text in originals)
        return cls(sum(len(text.split()) for text in originals), len(distinct), capitals)


def suspects(
    texts: Sequence[str],
    seen: Sequence[Sequence[Finding]],
    rank: Mapping[str, int],
    around: Surroundings,
    of_speakers: Collection[str] = (),
) -> Iterator[Suspect]:
    """The suspects of one conversation.

    Args:
        texts: its replaced cells.
        seen: for each cell, everything that a look sees, faint findings and echoes as well; may overlap.
        rank: infoType to rank, for what overlaps.
        around: the conversation.
        of_speakers: infoTypes that score more for the speaker's own data.
    """
    for cell, (text, several) in enumerate(zip(texts, seen, strict=True)):
        if not several:
            continue
        merged = merge_overlapping([_renamed(finding) for finding in several], rank)
        residuals = second_look_residuals([text], [merged], of_speakers)
        ordered = sorted(several)
        at = 0
        for residual in residuals:
            _, start, end = residual.place or (0, 0, 0)
            members = []
            while at < len(ordered) and ordered[at].start < end:
                members.append(ordered[at])
                at += 1
            kind = _kind(residual)
            traits = _traits(text, residual, kind, members, around)
            yield Suspect(residual._replace(place=(cell, start, end)), kind, traits)


def _renamed(finding: Finding) -> Finding:
    if band_of(finding.detector) is not None:
        return finding._replace(detector=_NETWORK)
    if independent_band(finding.detector) is not None:
        return finding._replace(detector=_INDEPENDENT)
    return finding


def _kind(residual: Residual) -> str:
    if residual.label == "PERSON_NAME":
        return KINDS[0] if len(residual.value.split()) > 1 else KINDS[1]
    if residual.label in _PLACES:
        return KINDS[2]
    return KINDS[3] if residual.label in _FIRMS else KINDS[4]


def _traits(
    text: str, residual: Residual, kind: str, members: Sequence[Finding], around: Surroundings
) -> tuple[float, ...]:
    _, start, _ = residual.place or (0, 0, 0)
    bands = [band for band in (band_of(one.detector) for one in members) if band is not None]
    apart = [band for band in (independent_band(one.detector) for one in members) if band is not None]
    lists = [one.likelihood for one in members if one.detector == _LISTS]
    detectors = {one.detector for one in members}
    others = [
        one.likelihood
        for one in members
        if band_of(one.detector) is None
        and independent_band(one.detector) is None
        and one.detector not in (_LISTS, ECHO, NEAR_ECHO)
    ]
    capital = residual.value[:1].isupper()
    before = text[max(0, start - 4) : start].rstrip(" '\"’“(")
    opens = not before or before[-1] in ".!?:\n"
    band = max(bands, default=0)
    return (
        *(float(kind == name) for name in KINDS),
        float(bool(bands)),
        band / (len(EDGES) - 1),
        float(bool(bands) and EDGES[band] >= 1),
        float(bool(lists)),
        max(lists, default=0) / 5,
        float(bool(others)),
        max(others, default=0) / 5,
        float(bool(apart)),
        (max(apart, default=-1) + 1) / len(independent_looks.EDGES),
        float(bool(apart) and bool(bands)),
        float(ECHO in detectors),
        float(NEAR_ECHO in detectors),
        float(residual.partial),
        float(residual.speaker),
        float(capital),
        float(capital and not opens),
        float(not around.capitals),
        float(any(map(str.isdigit, residual.value))),
        min(_MOST_WORDS, len(residual.value.split())) / _MOST_WORDS,
        min(_DENSE, around.entities / max(1, around.words)) / _DENSE,
    )
