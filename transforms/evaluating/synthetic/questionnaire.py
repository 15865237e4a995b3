"""Blinded questions to people about records of both corpora, and how far two people agree."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

QUESTIONS = {
    "natural": "Is the text natural?",
    "comprehensible": "Can you understand it?",
    "correct": "Is it correct in its field?",
    "identifying": "Does it contain anything that identifies a person?",
}
"""The four yes-or-no questions of the audit, by the name of their column."""

SOURCE, SYNTHETIC = "source", "synthetic"


class Asked(NamedTuple):
    """A record on the sheet: its number there, its origin (kept from who answers), its id and text."""

    number: int
    origin: str
    record: str
    text: str


def sheet(source: Sequence[tuple[str, str]], synthetic: Sequence[tuple[str, str]], seed: int) -> list[Asked]:
    """Records (id, text) of both origins in a random order that tells nothing of the origin."""
    both = [*((SOURCE, *record) for record in source), *((SYNTHETIC, *record) for record in synthetic)]
    random.Random(seed).shuffle(both)  # noqa: S311 - no secret
    return [Asked(number, *record) for number, record in enumerate(both, 1)]


def cohens_kappa(yes_yes: int, yes_no: int, no_yes: int, no_no: int) -> float | None:
    """Agreement of two people on yes-or-no answers beyond chance (J. Cohen, 1960).

    None where both always answered alike, which leaves nothing beyond chance.

    >>> round(cohens_kappa(71, 15, 83, 31), 3)
    0.089
    """
    total = yes_yes + yes_no + no_yes + no_no
    observed = (yes_yes + no_no) / total
    first, second = (yes_yes + yes_no) / total, (yes_yes + no_yes) / total
    chance = first * second + (1 - first) * (1 - second)
    return None if chance == 1 else (observed - chance) / (1 - chance)


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
        {
            cell: {origin: counted[cell, origin] for origin in (SOURCE, SYNTHETIC)}
            for cell in ("yes_yes", "yes_no", "no_yes", "no_no")
        },
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
    kappa = cohens_kappa(**sums)
    return {
        "cells": {cell: {"total": sums[cell], **by_origin} for cell, by_origin in cells.items()},
        "kappa": None if kappa is None else round(kappa, 4),
    }
