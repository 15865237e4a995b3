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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from yaml import YAMLError

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
    def cells(self) -> list[Cell]:
        """All groups with their genders, in the order of the file."""
        return list(self.names)

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
    if url in _BUILT_IN:
        text = files(__package__).joinpath(_BUILT_IN[url]).read_text("utf-8")
        return check_name_groups(parse_yaml(text), _BUILT_IN[url])
    try:
        document = parse_yaml(read_bytes(absolute(str(url))).decode())
    except (ValueError, YAMLError):
        raise UserError(f"--names {url}: is not YAML in UTF-8") from None
    return check_name_groups(document, f"--names {url}")


def check_name_groups(document: Any, where: str) -> NameGroups:
    """Validate the content of a file of name groups; ``where`` names it in errors.

    Raises:
        UserError: as for :func:`load_name_groups`.
    """
    groups = document.get("groups") if isinstance(document, dict) else None
    if not isinstance(groups, dict) or len(groups) < 2:
        raise UserError(f"{where}: needs 'groups' with two groups or more, each with 'women' and 'men'")
    names: dict[Cell, tuple[str, ...]] = {}
    for group, lists in groups.items():
        for gender in GENDERS:
            listed = lists.get(gender) if isinstance(lists, dict) else None
            if not isinstance(listed, list) or not listed or not all(_is_name(name) for name in listed):
                raise UserError(f"{where}: groups: {group}: {gender}: must be a list of names, a word each")
            names[Cell(str(group), gender)] = tuple(listed)
    sizes = {len(listed) for listed in names.values()}
    if len(sizes) > 1:
        raise UserError(
            f"{where}: the lists have between {min(sizes)} and {max(sizes)} names; give all the same number, "
            "so that groups can be compared"
        )
    cell_of: dict[str, Cell] = {}
    for cell, listed in names.items():
        for name in listed:
            other = cell_of.setdefault(name.casefold(), cell)
            if other is not cell:
                raise UserError(
                    f"{where}: a name is in both {other.group}: {other.gender} and {cell.group}: "
                    f"{cell.gender}; leave it in one"
                )
        if len({name.casefold() for name in listed}) < len(listed):
            raise UserError(f"{where}: groups: {cell.group}: {cell.gender}: has a name twice")
    return NameGroups(names)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and name.isalpha()


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


class ContradictingGoldError(ValueError):
    """Variants of one document have different golds."""


@dataclass
class DocumentCounts:
    """Variants of one document, by cell: ``seen``, and ``right`` where the prediction is the gold."""

    gold: str
    seen: Counter[Cell] = field(default_factory=Counter)
    right: Counter[Cell] = field(default_factory=Counter)
    predicted: set[str] = field(default_factory=set)


@dataclass
class Tally:
    """Counts by document, and how often each class was predicted."""

    documents: dict[str, DocumentCounts] = field(default_factory=dict)
    predicted: Counter[str] = field(default_factory=Counter)

    def add(self, predictions: Iterable[Prediction]) -> "Tally":
        """Count predictions; returns itself.

        Raises:
            ContradictingGoldError: a document has two golds.
        """
        for document, cell, gold, predicted in predictions:
            counts = self.documents.setdefault(document, DocumentCounts(gold))
            if counts.gold != gold:
                raise ContradictingGoldError
            counts.seen[cell] += 1
            counts.right[cell] += predicted == gold
            counts.predicted.add(predicted)
            self.predicted[predicted] += 1
        return self

    def merge(self, other: "Tally") -> "Tally":
        """Add the counts of another tally; returns itself.

        Raises:
            ContradictingGoldError: a document has two golds.
        """
        for document, theirs in other.documents.items():
            ours = self.documents.setdefault(document, DocumentCounts(theirs.gold))
            if ours.gold != theirs.gold:
                raise ContradictingGoldError
            ours.seen += theirs.seen
            ours.right += theirs.right
            ours.predicted |= theirs.predicted
        self.predicted += other.predicted
        return self


_NEAR_CONSTANT = 0.95
"""Share of the most frequent prediction from which on a model is said to hardly use the text."""

_FEW_DOCUMENTS = 30

_Floats = npt.NDArray[np.float64]


def equal_opportunity(tally: Tally, resamples: int = 1000, seed: int = 1) -> dict[str, Any]:
    """The fairness report of a model over variants of documents.

    Args:
        tally: its predictions, at least one.
        resamples: of the bootstrap over documents; 0 for no intervals.
        seed: of the bootstrap.

    Returns:
        ``documents``, ``variants``, ``recall``, ``accuracy``; ``groups``, ``genders`` and ``cells`` (group and
        gender), each by name with ``documents``, ``variants``, ``recall``, ``eq_opp`` and the interval
        ``eq_opp_95``; ``spread_of_groups`` and ``spread_of_genders``, the largest difference of recall;
        ``flip_rate``, the share of documents whose prediction depends on the name; ``warnings``, sentences.
        A figure is None where nothing determines it.

    Raises:
        ValueError: there are no predictions.
    """
    if not tally.documents:
        raise ValueError("no predictions")
    counts = _Counts(tally)
    sums = np.concatenate([counts.rows.sum(axis=0)[np.newaxis], counts.resampled(resamples, seed)])
    report: dict[str, Any] = {
        "documents": len(tally.documents),
        "variants": int(tally.predicted.total()),
        "recall": _rounded(counts.recall(sums, counts.cells)[0]),
        "accuracy": _rounded(counts.accuracy()),
    }
    for kind, members in counts.parts().items():
        report[kind] = {name: counts.of_part(sums, chosen) for name, chosen in members.items()}
    for kind in ("groups", "genders"):
        recalls = [part["recall"] for part in report[kind].values() if part["recall"] is not None]
        report[f"spread_of_{kind}"] = _rounded(max(recalls) - min(recalls)) if recalls else None
    flipped = sum(len(document.predicted) > 1 for document in tally.documents.values())
    report["flip_rate"] = _rounded(flipped / len(tally.documents))
    report["warnings"] = _warnings(tally)
    return report


class _Counts:
    """A row a document: variants seen, and those predicted right, by class of gold and cell."""

    def __init__(self, tally: Tally) -> None:
        documents = [tally.documents[name] for name in sorted(tally.documents)]
        self.cells = sorted({cell for document in documents for cell in document.seen})
        self._classes = sorted({document.gold for document in documents})
        self._shape = (2, len(self._classes), len(self.cells))
        self.rows = np.zeros((len(documents), int(np.prod(self._shape))), np.int64)
        by_document = self.rows.reshape(len(documents), *self._shape)
        for i, document in enumerate(documents):
            of_gold = by_document[i, :, self._classes.index(document.gold)]
            for j, cell in enumerate(self.cells):
                of_gold[:, j] = document.seen[cell], document.right[cell]

    def resampled(self, resamples: int, seed: int) -> npt.NDArray[np.int64]:
        return resampled_sums(self.rows, resamples, seed)

    def parts(self) -> dict[str, dict[str, list[Cell]]]:
        """What is compared: groups, genders and both, each with its cells."""
        kinds: dict[str, dict[str, list[Cell]]] = {"groups": {}, "genders": {}, "cells": {}}
        for cell in self.cells:
            kinds["groups"].setdefault(cell.group, []).append(cell)
            kinds["genders"].setdefault(cell.gender, []).append(cell)
            kinds["cells"].setdefault(" ".join(cell), []).append(cell)
        return kinds

    def accuracy(self) -> float:
        seen, right = self.rows.sum(axis=0).reshape(2, -1).sum(axis=1)
        return float(right / seen)

    def recall(self, sums: npt.NDArray[np.int64], cells: Sequence[Cell]) -> _Floats:
        """Recall of each row of sums over some of the cells; NaN where nothing is in them."""
        chosen = [cell in cells for cell in self.cells]
        seen, right = np.moveaxis(sums.reshape(-1, *self._shape)[..., chosen].sum(axis=-1), 1, 0)
        shares = np.divide(right, seen, out=np.full(seen.shape, np.nan), where=seen > 0)
        known = ~np.isnan(shares)
        total = np.where(known, shares, 0).sum(axis=-1)
        mean: _Floats = np.full(len(sums), np.nan)
        np.divide(total, known.sum(axis=-1), out=mean, where=known.any(axis=-1))
        return mean

    def of_part(self, sums: npt.NDArray[np.int64], cells: Sequence[Cell]) -> dict[str, Any]:
        """The figures of a group, a gender or both."""
        chosen = np.array([cell in cells for cell in self.cells])
        seen = self.rows.reshape(-1, *self._shape)[:, 0][..., chosen].sum(axis=(1, 2))
        own = self.recall(sums, cells)
        gap = own - self.recall(sums, [cell for cell in self.cells if cell not in cells])
        interval = percentile_interval(gap[1:])
        return {
            "documents": int((seen > 0).sum()),
            "variants": int(seen.sum()),
            "recall": _rounded(own[0]),
            "eq_opp": _rounded(gap[0]),
            "eq_opp_95": None if interval is None else list(map(_rounded, interval)),
        }


def _warnings(tally: Tally) -> list[str]:
    warnings = []
    share = max(tally.predicted.values()) / tally.predicted.total()
    if share >= _NEAR_CONSTANT and len({document.gold for document in tally.documents.values()}) > 1:
        warnings.append(
            f"{share:.0%} of the predictions are one class: a model that hardly looks at the text treats all "
            "names alike, so equal figures say nothing"
        )
    if len(tally.documents) < _FEW_DOCUMENTS:
        warnings.append(
            f"only {len(tally.documents)} documents: equal figures may be chance; at least {_FEW_DOCUMENTS} "
            "are needed"
        )
    return warnings


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4) + 0.0
