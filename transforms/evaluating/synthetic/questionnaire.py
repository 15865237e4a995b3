"""Blinded questions to people about records of both corpora, and how far two people agree."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tacenda.transforms.scoring.rater_agreement import cohen_kappa

QUESTIONS = {
    "natural": "Is the text natural?",
    "comprehensible": "Can you understand it?",
    "correct": "Is it correct in its field?",
    "identifying": "Does it contain anything that identifies a person?",
}
"""The four yes-or-no questions of the audit, by the name of their column."""

SOURCE, SYNTHETIC = "source", "synthetic"

_ANSWERS = {f"{one}_{other}": (one, other) for one in ("yes", "no") for other in ("yes", "no")}
"""What the two people answered in each cell."""


class SheetRow(NamedTuple):
    """A record on the sheet: its number there, its origin (kept from who answers), its id and text."""

    number: int
    origin: str
    record: str
    text: str


def sheet(
    source: Sequence[tuple[str, str]], synthetic: Sequence[tuple[str, str]], seed: int
) -> list[SheetRow]:
    """Records (id, text) of both origins in a random order that tells nothing of the origin."""
    both = [*((SOURCE, *record) for record in source), *((SYNTHETIC, *record) for record in synthetic)]
    random.Random(seed).shuffle(both)  # noqa: S311 - no secret
    return [SheetRow(number, *record) for number, record in enumerate(both, 1)]


def agreement(
    origins: Mapping[int, str], first: Mapping[int, bool], second: Mapping[int, bool]
) -> dict[str, Any]:
    """The answers of two people to one question.

    Args:
        origins: of each number on the sheet.
        first: answers of one of them, by number.
        second: answers of the other.

    Returns:
        ``cells``: counts by answers (``yes_yes``, ``yes_no``, ``no_yes``, ``no_no``) in total and by origin,
        and ``kappa``.

    Raises:
        ValueError: someone did not answer for exactly the numbers of the sheet.
    """
    if not origins.keys() == first.keys() == second.keys():
        raise ValueError("answers are missing, or are for numbers that are not on the sheet")
    names = {True: "yes", False: "no"}
    counted = Counter((f"{names[first[n]]}_{names[second[n]]}", origin) for n, origin in origins.items())
    return from_cells(
        {cell: {origin: counted[cell, origin] for origin in (SOURCE, SYNTHETIC)} for cell in _ANSWERS},
        len(origins),
    )


def from_cells(cells: Mapping[str, Mapping[str, int]], total: int) -> dict[str, Any]:
    """The same from counts by answers and origin.

    Raises:
        ValueError: they do not add up to the ``total`` of records.
    """
    sums = {cell: sum(by_origin.values()) for cell, by_origin in cells.items()}
    if sum(sums.values()) != total:
        raise ValueError(f"the cells add up to {sum(sums.values())}, not to {total}")
    kappa = cohen_kappa({_ANSWERS[cell]: count for cell, count in sums.items()})
    return {
        "cells": {cell: {"total": sums[cell], **by_origin} for cell, by_origin in cells.items()},
        "kappa": None if kappa is None else round(kappa, 4),
    }
