"""Span: consecutive words that form a name; Spans: many of them as columns."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.candidates import Places
from tacenda.transforms.schema.likelihood import Likelihood

PERSON = "PERSON_NAME"
PLACE = "LOCATION"
ORGANIZATION = "ORGANIZATION_NAME"

INFO_TYPES = (PERSON, PLACE, ORGANIZATION)


class Span(NamedTuple):
    """Words ``start:end`` of a reading."""

    start: int
    end: int
    info_type: str
    likelihood: Likelihood


class Spans(NamedTuple):
    """One entry per span in each column; ``info_types`` are indexes into ``INFO_TYPES``."""

    starts: Places
    ends: Places
    info_types: Places
    likelihoods: Places

    def filter(self, chosen: npt.NDArray[np.bool_]) -> "Spans":
        """Select spans by a mask."""
        return Spans(*(column[chosen] for column in self))


def in_columns(spans: Iterable[Span]) -> Spans:
    """Spans as columns, in order."""
    rows = [(start, end, _INDEX[name], int(likelihood)) for start, end, name, likelihood in spans]
    return Spans(*np.asarray(rows, dtype=np.int64).reshape(-1, 4).T)


def joined(several: Sequence[Spans]) -> Spans:
    """Concatenate the spans of several searches."""
    return Spans(*map(np.concatenate, zip(*several, strict=True)))


_INDEX = {name: index for index, name in enumerate(INFO_TYPES)}
