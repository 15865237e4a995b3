"""Does a model treat people differently by their names? Variants of a text, and equality of opportunity.

After R. Muñoz Sánchez et al., "Name bias in automated essay scoring" (CALD-pseudo, 2024): a text is eligible
if one given name is in it, once, in its base form. Then every name fits in its place without any other
change.

``EqOpp(A) = Recall_A - Recall_¬A`` (M. Hardt, E. Price, N. Srebro, "Equality of opportunity in supervised
learning", 2016): below 0, group A is disadvantaged. Recall is the mean over the classes that gold has. The
variants of a document are alike, so intervals come from a bootstrap over documents.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from yaml import YAMLError

from tacenda.transforms.evaluating.counting import Counts, Flags
from tacenda.transforms.evaluating.metrics import percentile_interval, resampled_sums
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.yaml_text import parse_yaml

GENDERS = ("women", "men")


class Cell(NamedTuple):
    """A group and a gender of it."""

    group: str
    gender: str


@dataclass(frozen=True)
class NameGroups:
    """Names by group and gender: the same number in each cell, and no name in two cells."""

    names: Mapping[Cell, tuple[str, ...]]

    @property
    def groups(self) -> list[str]:
        """The groups in the order of the file."""
        return list(dict.fromkeys(cell.group for cell in self.names))


_BUILT_IN = {None: "name_groups.yaml", "origins": "origins.yaml"}


def load_name_groups(url: str | None = None) -> NameGroups:
    """Read lists of names; if ``url`` is None, the built-in ones of four groups, for ``origins`` of nineteen.

    Raises:
        UserError: the file does not fit ``name_groups.yaml`` as a pattern, its lists are not all of one length,
            or a name is in two of them.
    """
    where = f"--names {url}"
    try:
        if url in _BUILT_IN:
            document = parse_yaml(files(__package__).joinpath(_BUILT_IN[url]).read_text("utf-8"))
        else:
            document = parse_yaml(read_bytes(absolute(str(url))).decode())
    except (ValueError, YAMLError):
        raise UserError(f"{where}: is not YAML in UTF-8") from None
    return check_name_groups(document, where)


def check_name_groups(document: Any, where: str) -> NameGroups:
    """Validate the content of a file of name groups; ``where`` names it in errors.

    Raises:
        UserError: as for :func:`load_name_groups`.
    """
    groups = document.get("groups") if isinstance(document, dict) else None
    if not isinstance(groups, dict) or len(groups) < 2:
        raise UserError(f"{where}: needs 'groups' with two groups or more, each with 'women' and 'men'")
    names: dict[Cell, tuple[str, ...]] = {}
    for group, gender in product(groups, GENDERS):
        listed = groups[group].get(gender) if isinstance(groups[group], dict) else None
        if not isinstance(listed, list) or not all(isinstance(one, str) and one.isalpha() for one in listed):
            raise UserError(f"{where}: groups: {group}: {gender}: must be a list of names, a word each")
        names[Cell(str(group), gender)] = tuple(listed)
    sizes = {len(listed) for listed in names.values()}
    if len(sizes) > 1 or not max(sizes):
        raise UserError(
            f"{where}: the lists have between {min(sizes)} and {max(sizes)} names; give all the same number, "
            "so that groups can be compared"
        )
    cells: dict[str, Cell] = {}
    for cell, listed in names.items():
        for name in map(str.casefold, listed):
            if name in cells:
                both = f"{': '.join(cells[name])} and {': '.join(cell)}"
                raise UserError(f"{where}: a name is in both {both}; leave it in one")
            cells[name] = cell
    return NameGroups(names)


PERSON_NAME = "PERSON_NAME"

_NAMES = frozenset({PERSON_NAME, "FIRST_NAME", "LAST_NAME", "MALE_NAME", "FEMALE_NAME"})
"""Labels of gold that mark a person's name."""

_INFLECTED = re.compile("['’]")


class Ineligible(str, Enum):
    """Why a conversation has no variants."""

    INCOMPLETE_GOLD = "gold that is not complete for names"
    NO_NAME = "no name"
    SEVERAL_NAMES = "several names"
    SEVERAL_WORDS = "a name of several words"
    NOT_CAPITALISED = "a name that is not capitalised"
    INFLECTED = "an inflected name"
    ELSEWHERE = "the name is also elsewhere in the text or in a speaker label"


class Place(NamedTuple):
    """The position of a conversation's only name: cell, and half-open range of code points in its text."""

    cell: int
    start: int
    end: int


class Variant(NamedTuple):
    """A conversation with another name.

    ``texts`` and ``spans`` have one entry per cell; ``place`` is the new position of the name.
    """

    cell: Cell
    name: str
    texts: list[str]
    spans: list[list[AnnotatedSpan]]
    place: Place


def eligible_place(
    texts: Sequence[str], speakers: Sequence[str | None], spans: Sequence[Sequence[AnnotatedSpan]]
) -> Place | Ineligible:
    """The position of a conversation's only name, or the reason why it has no variants.

    Args:
        texts: of the cells of one conversation.
        speakers: label of each cell.
        spans: gold of each cell, complete for names.
    """
    names = [
        Place(cell, span.start, span.end)
        for cell, several in enumerate(spans)
        for span in several
        if span.label in _NAMES
    ]
    if len(names) != 1:
        return Ineligible.SEVERAL_NAMES if names else Ineligible.NO_NAME
    (place,) = names
    text = texts[place.cell]
    name, behind = text[place.start : place.end], text[place.end : place.end + 1]
    if not name.isalpha():
        return Ineligible.INFLECTED if _INFLECTED.search(name) else Ineligible.SEVERAL_WORDS
    if not name.istitle():
        return Ineligible.NOT_CAPITALISED
    if behind.isalnum() or _INFLECTED.match(behind):
        return Ineligible.INFLECTED
    mention = re.compile(rf"\b{re.escape(name)}", re.IGNORECASE)
    if any(mention.search(speaker) for speaker in speakers if speaker):
        return Ineligible.ELSEWHERE
    if sum(len(mention.findall(other)) for other in texts) != 1:
        return Ineligible.ELSEWHERE
    return place


def variants(
    texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]], place: Place, groups: NameGroups
) -> Iterator[Variant]:
    """A variant for each name of each group; offsets after the name are shifted with the text.

    Args:
        texts: of the cells of one conversation.
        spans: gold of each cell.
        place: of the name, from :func:`eligible_place`.
        groups: the names.
    """
    text = texts[place.cell]
    for cell, names in groups.names.items():
        for name in names:
            moved = len(name) - (place.end - place.start)
            changed = list(texts)
            changed[place.cell] = f"{text[: place.start]}{name}{text[place.end :]}"
            marked = [list(several) for several in spans]
            marked[place.cell] = [
                span._replace(
                    start=span.start + moved if span.start >= place.end else span.start,
                    end=span.end + moved if span.end >= place.end else span.end,
                )
                for span in spans[place.cell]
            ]
            yield Variant(cell, name, changed, marked, place._replace(end=place.end + moved))


class Prediction(NamedTuple):
    """What a model said of one variant of a document; ``cell`` is the group and gender of the name in it."""

    document: str
    cell: Cell
    gold: str
    predicted: str


_NEAR_CONSTANT = 0.95
"""Share of the most frequent prediction from which on a model is said to hardly use the text."""

_FEW_DOCUMENTS = 30

_Floats = npt.NDArray[np.float64]


def equal_opportunity(
    predictions: Sequence[Prediction], resamples: int = 1000, seed: int = 1
) -> dict[str, Any]:
    """The fairness report of a model over variants of documents.

    Args:
        predictions: at least one.
        resamples: of the bootstrap over documents; 0 for no intervals.
        seed: of the bootstrap.

    Returns:
        ``documents``, ``variants``, ``recall``, ``accuracy``; ``groups``, ``genders`` and ``cells`` (group and
        gender), each by name with ``documents``, ``variants``, ``recall``, ``eq_opp`` and the interval
        ``eq_opp_95``; ``spread_of_groups`` and ``spread_of_genders``, the largest difference of recall;
        ``flip_rate``, the share of documents whose prediction depends on the name; ``warnings``, sentences.
        A figure is None where nothing determines it.
    """
    counts = _counted(predictions)
    sums = resampled_sums(counts.reshape(len(counts), -1), resamples, seed).reshape(-1, *counts.shape[1:])
    sums = np.concatenate([counts.sum(axis=0)[np.newaxis], sums])
    cells = sorted({one.cell for one in predictions})
    every = np.ones(len(cells), np.bool_)
    report: dict[str, Any] = {
        "documents": len(counts),
        "variants": len(predictions),
        "recall": _rounded(_recall(sums, every)[0]),
        "accuracy": _rounded(sum(one.predicted == one.gold for one in predictions) / len(predictions)),
    }
    kinds: dict[str, Callable[[Cell], str]] = {
        "groups": lambda cell: cell.group, "genders": lambda cell: cell.gender, "cells": " ".join,
    }  # fmt: skip
    for kind, name_of in kinds.items():
        of_cells = np.array([name_of(cell) for cell in cells])
        report[kind] = {
            name: _part(counts, sums, of_cells == name) for name in dict.fromkeys(of_cells.tolist())
        }
    for kind in ("groups", "genders"):
        recalls = [part["recall"] for part in report[kind].values() if part["recall"] is not None]
        report[f"spread_of_{kind}"] = _rounded(max(recalls) - min(recalls)) if recalls else None
    outcomes = {(one.document, one.predicted) for one in predictions}
    flipped = sum(number > 1 for number in Counter(document for document, _ in outcomes).values())
    report["flip_rate"] = _rounded(flipped / len(counts))
    report["warnings"] = _warnings(predictions, len(counts))
    return report


def _counted(predictions: Sequence[Prediction]) -> Counts:
    """By document: variants seen, and those predicted right, by class of gold and cell."""
    documents, cells, classes = (
        {name: i for i, name in enumerate(sorted(set(names)))}
        for names in zip(*((one.document, one.cell, one.gold) for one in predictions), strict=True)
    )
    counts = np.zeros((len(documents), 2, len(classes), len(cells)), np.int64)
    for document, cell, gold, predicted in predictions:
        at = documents[document], slice(0, 1 + (predicted == gold)), classes[gold], cells[cell]
        counts[at] += 1
    return counts


def _recall(sums: Counts, chosen: Flags) -> _Floats:
    """The mean over classes of recall in some cells, for each row of sums; NaN where nothing is in them."""
    seen, right = np.moveaxis(sums[..., chosen].sum(axis=-1), 1, 0)
    shares = np.divide(right, seen, out=np.zeros(seen.shape), where=seen > 0)
    known = (seen > 0).sum(axis=-1)
    mean: _Floats = np.divide(shares.sum(axis=-1), known, out=np.full(len(sums), np.nan), where=known > 0)
    return mean


def _part(counts: Counts, sums: Counts, chosen: Flags) -> dict[str, Any]:
    """The figures of a group, a gender or both."""
    seen = counts[:, 0][..., chosen].sum(axis=(1, 2))
    own = _recall(sums, chosen)
    gap = own - _recall(sums, ~chosen)
    interval = percentile_interval(gap[1:])
    return {
        "documents": int((seen > 0).sum()),
        "variants": int(seen.sum()),
        "recall": _rounded(own[0]),
        "eq_opp": _rounded(gap[0]),
        "eq_opp_95": None if interval is None else list(map(_rounded, interval)),
    }


def _warnings(predictions: Sequence[Prediction], documents: int) -> list[str]:
    warnings = []
    ((_, most),) = Counter(one.predicted for one in predictions).most_common(1)
    share = most / len(predictions)
    if share >= _NEAR_CONSTANT and len({one.gold for one in predictions}) > 1:
        warnings.append(
            f"{share:.0%} of the predictions are one class: a model that hardly looks at the text treats all "
            "names alike, so equal figures say nothing"
        )
    if documents < _FEW_DOCUMENTS:
        warnings.append(
            f"only {documents} documents: equal figures may be chance; at least {_FEW_DOCUMENTS} are needed"
        )
    return warnings


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4) + 0.0
