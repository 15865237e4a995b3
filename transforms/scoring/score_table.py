"""The score table: the risk points of each tag, as data that counsel can change.

The shipped table is that of Gardiner et al., "Data Anonymization for Privacy-Preserving Large Language Model
Fine-Tuning on Call Transcripts" (CALD-pseudo 2024), appendix A, table 6; every row has its source.

A *tag* is the name under which a residual finding is scored. Label rules give infoTypes, gold labels and users'
labels a meaning in terms of tags.
"""

import csv
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from importlib import resources
from typing import Any, Literal, NamedTuple, get_args

from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

MISSED = "MISSED_"  # prefix of reviewers' tags; gold labels and infoTypes do not have it

_SPELLING = re.compile(rf"(?:{MISSED})?(.+?)((?:_PARTIAL|_SPEAKER)*)", re.DOTALL)


class Tag(NamedTuple):
    """A base tag of the score table, with two qualities that a reviewer may add.

    >>> Tag("PERSON_NAME", partial=True).spelling
    'MISSED_PERSON_NAME_PARTIAL'
    """

    name: str
    partial: bool = False
    speaker: bool = False

    @property
    def spelling(self) -> str:
        return f"{MISSED}{self.name}{'_SPEAKER' * self.speaker}{'_PARTIAL' * self.partial}"


class Unscored(NamedTuple):
    """A known label that adds nothing to a score, and why."""

    label: str
    reason: str


def parse_tag(label: str) -> Tag | None:
    """Split a label: an optional ``MISSED_``, a name, ``_PARTIAL`` and ``_SPEAKER`` in either order.

    The name is not looked up; None if a suffix is repeated or no name remains.

    >>> parse_tag("MISSED_PRODUCT_PARTIAL_SPEAKER")
    Tag(name='PRODUCT', partial=True, speaker=True)
    """
    match = _SPELLING.fullmatch(label)
    partial, speaker = (match[2].count(suffix) if match else 0 for suffix in ("_PARTIAL", "_SPEAKER"))
    if match is None or max(partial, speaker) > 1:
        return None
    return Tag(match[1], bool(partial), bool(speaker))


Meaning = Tag | Unscored

_UNSCORED = "unscored"


def _tag(target: Any, tags: Collection[str], where: str) -> Tag:
    tag = parse_tag(target) if isinstance(target, str) else None
    if tag is None or tag.name not in tags or (tag.speaker and f"{tag.name}_SPEAKER" not in tags):
        raise UserError(f"{where}: {no_tag(target, tags)}, or write {_UNSCORED}")
    return tag


def no_tag(name: Any, tags: Collection[str], labels: Mapping[str, Meaning] | None = None) -> str:
    """An error message that something is not a tag of the score table, with a suggestion."""
    told, bare = f"{name!r} is no tag of the score table", str(name).removeprefix(MISSED)
    meaning = (labels or {}).get(bare)
    if isinstance(meaning, Tag):
        counts_as = meaning.spelling.removeprefix(MISSED)
        return f"{told}: it counts as {counts_as}; change that, or give it another tag under risk.labels"
    if isinstance(meaning, Unscored):
        return f"{told}: it adds nothing by decision; give it a tag under risk.labels"
    whole = bare.removesuffix("_PARTIAL")
    if whole != bare and whole in tags:
        return f"{told}: a partial score is half; change {whole}, or its partial_rounding"
    close = get_close_matches(bare, list(tags), 1)
    return f"{told}; perhaps {close[0]} is meant" if close else f"{told}; write a tag or infoType of it"


PartialRounding = Literal["ceil", "floor"]
Provenance = Literal["paper", "inferred", "local"]

_MAX_SCORE = 5
_EVERY_TAG = "*"
_CHANGES: Mapping[str, tuple[Any, ...]] = {  # what can be changed, and to which values
    "score": tuple(range(_MAX_SCORE + 1)),
    "partial_rounding": get_args(PartialRounding),
    "direct": (True, False),
}


@dataclass(frozen=True)
class ScoreRow:
    """One row. ``tag`` is without ``MISSED_``, ``google_tag`` the infoType.

    ``direct``: a direct identifier, one "specific to an individual" and "commonly used for the purpose of
    identification" (section 4.2), whatever it scores.
    """

    group: str
    tag: str
    google_tag: str
    score: int
    partial_rounding: PartialRounding
    direct: bool
    provenance: Provenance
    note: str = ""

    @property
    def partial_score(self) -> int:
        """The score of partly readable data: half, rounded as the row says (section 4.2)."""
        return -(-self.score // 2) if self.partial_rounding == "ceil" else self.score // 2


class Weight(NamedTuple):
    """The points of one readable value; of its readable forms, the one with the most points counts.

    ``direct``: it is a direct identifier and entirely readable. ``infotype``: the infoType of the tag.
    """

    score: int
    whole: bool
    speaker: bool
    direct: bool
    tag: Tag
    infotype: str


@dataclass(frozen=True)
class ScoreTable:
    """Rows by tag, and the meaning of every accepted label in terms of these.

    ``version`` consists of the table's version, the preset, and a digest of all rows and labels in force:
    runs with equal versions score alike.
    """

    version: str
    rows: Mapping[str, ScoreRow]
    labels: Mapping[str, Meaning]

    @classmethod
    def load(
        cls,
        preset: str = "appendix",
        overrides: Mapping[str, int | Mapping[str, Any]] | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> "ScoreTable":
        """The shipped table with the changes of a preset, then the user's.

        ``overrides`` maps a tag or infoType to its new score, or to a mapping of ``score``,
        ``partial_rounding`` and ``direct``; ``"*"`` changes the rounding of every tag. ``labels`` maps the
        user's own labels (names of custom infoTypes) to a tag, with ``_PARTIAL`` or ``_SPEAKER`` where meant,
        or to ``"unscored"``. Raises ``UserError`` for an unknown preset, tag or value.
        """
        shipped = _shipped()
        rows, meanings, presets = dict(shipped.rows), dict(shipped.labels), shipped.presets
        if preset not in presets:
            raise UserError(f"risk.preset: {preset!r} is unknown; choose {' or '.join(sorted(presets))}")
        for row in rows.values():
            if not row.tag.endswith("_SPEAKER"):
                meanings[row.tag] = meanings[row.google_tag] = Tag(row.tag)
        for label, target in (labels or {}).items():
            where = f"risk.labels.{label}"
            if label in rows:
                raise UserError(f"{where}: a tag of the score table keeps its meaning; change its score")
            by_choice = Unscored(label, "The user's choice.")
            meanings[label] = by_choice if target == _UNSCORED else _tag(target, rows, where)
        _change(rows, presets[preset]["changes"], f"risk preset {preset!r}", meanings)
        _change(rows, overrides or {}, "risk.overrides", meanings)
        effective = [[asdict(row) for row in rows.values()], sorted(meanings.items())]
        digest = hashlib.sha256(json.dumps(effective).encode()).hexdigest()[:12]
        return cls(f"{shipped.version}/{preset}/{digest}", rows, meanings)

    def resolve(self, label: str, partial: bool = False, speaker: bool = False) -> Meaning | None:
        """The meaning of a label; ``partial`` and ``speaker`` are added to those in the label itself.

        A speaker's own data is distinguished only if the table has a ``_SPEAKER`` row. None for a label that
        neither table nor label rules have.
        """
        meaning = self.labels.get(label)
        if meaning is None:
            spelled = parse_tag(label)
            meaning = self.labels.get(spelled.name) if spelled else None
            if spelled is None or meaning is None:
                return None
            partial, speaker = partial or spelled.partial, speaker or spelled.speaker
        if isinstance(meaning, Unscored):
            return meaning
        speaker = (speaker or meaning.speaker) and f"{meaning.name}_SPEAKER" in self.rows
        return Tag(meaning.name, partial or meaning.partial, speaker)

    def is_direct(self, label: str) -> bool:
        """Whether a label's value, if entirely readable, is a direct identifier; not for unknown labels."""
        try:
            weight = self.weights[label, False, False]
        except RecordError:
            return False
        return isinstance(weight, Weight) and weight.direct

    @cached_property
    def weights(self) -> "Weights":
        """The weight of a label, partial or not, of a speaker or not; see :meth:`resolve`."""
        return Weights(self)

    @cached_property
    def of_speakers(self) -> frozenset[str]:
        """The labels with a different score for the speaker's own data."""
        tags = {tag.removesuffix("_SPEAKER") for tag in self.rows if tag.endswith("_SPEAKER")}
        return frozenset(
            label
            for label, meaning in self.labels.items()
            if isinstance(meaning, Tag) and meaning.name in tags
        )

    def weigh(self, tag: Tag) -> Weight:
        """The weight of a resolved tag; its score is 0 to 5."""
        row = self.rows[f"{tag.name}_SPEAKER" if tag.speaker else tag.name]
        score, whole = row.partial_score if tag.partial else row.score, not tag.partial
        return Weight(score, whole, tag.speaker, row.direct and whole, tag, row.google_tag)


class Weights(dict[tuple[str, bool, bool], Weight | Unscored]):
    """Cached weights of a table; a corpus has few labels and very many spans.

    Raises ``RecordError("UnknownTag")`` for a label without a meaning.
    """

    def __init__(self, table: ScoreTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, asked: tuple[str, bool, bool]) -> Weight | Unscored:
        meaning = self._table.resolve(*asked)
        if meaning is None:
            raise RecordError("UnknownTag")
        self[asked] = found = meaning if isinstance(meaning, Unscored) else self._table.weigh(meaning)
        return found


class _Shipped(NamedTuple):
    """The unmodified data files; ``printed``: labels that the paper prints for a tag, errors included."""

    version: str
    rows: Mapping[str, ScoreRow]
    labels: Mapping[str, Meaning]
    printed: frozenset[str]
    presets: Mapping[str, Any]


@built_once
def _shipped() -> _Shipped:
    package = "tacenda.transforms.scoring"
    # The version is in the first line of the table.
    version, *lines = resources.files(package).joinpath("score_table.csv").read_text("utf-8").splitlines()
    records: Iterable[dict[str, Any]] = csv.DictReader(line for line in lines if not line.startswith("#"))
    rows = {
        record["tag"]: ScoreRow(
            **{**record, "score": int(record["score"]), "direct": record["direct"] == "true"}
        )
        for record in records
    }
    meanings: dict[str, Meaning] = {}
    printed: set[str] = set()
    for rule in data_file(package, "labels.yaml"):
        target = None if "unscored" in rule else _tag(rule["scores_as"], rows, "labels.yaml")
        for label in rule["labels"]:
            meanings[label] = target or Unscored(label, rule["reason"])
        if target is not None and rule["provenance"] == "paper" and not target.partial:
            printed.update(rule["labels"])
    presets = data_file(package, "score_presets.yaml")
    return _Shipped(version.removeprefix("# version: "), rows, meanings, frozenset(printed), presets)


def _change(
    rows: dict[str, ScoreRow], changes: Mapping[str, Any], where: str, labels: Mapping[str, Meaning]
) -> None:
    if _EVERY_TAG in changes:
        for tag, row in rows.items():
            rows[tag] = _changed(row, changes[_EVERY_TAG], ["partial_rounding"], f"{where}.{_EVERY_TAG}")
    # A row has its tag, its infoType, and the labels that the paper prints for it.
    named = {label: meaning.name for label, meaning in labels.items() if isinstance(meaning, Tag)}
    known = {label: named[label] for label in _shipped().printed & named.keys()}
    known |= {row.google_tag: tag for tag, row in rows.items() if not tag.endswith("_SPEAKER")}
    known |= {tag: tag for tag in rows}
    changed: dict[str, str] = {}
    for label, change in changes.items():
        if label == _EVERY_TAG:
            continue
        target = known.get(label.removeprefix(MISSED)) if isinstance(label, str) else None
        if target is None:
            raise UserError(f"{where}: {no_tag(label, rows, labels)}")
        if target in changed:
            # Mappings have no order, so neither change takes precedence.
            raise UserError(f"{where}: {changed[target]} and {label} are one row; change it under one name")
        changed[target] = label
        rows[target] = _changed(rows[target], change, list(_CHANGES), f"{where}.{label}")


def _changed(row: ScoreRow, change: Any, allowed: list[str], where: str) -> ScoreRow:
    if not isinstance(change, Mapping):
        change = {"score": change}
    for column, value in change.items():
        if column not in allowed:
            raise UserError(f"{where}: {str(column)!r} cannot be changed here; change {', '.join(allowed)}")
        if not any(type(value) is type(choice) and value == choice for choice in _CHANGES[column]):
            choices = " or ".join(map(str, _CHANGES[column]))
            what = f"an integer from 0 to {_MAX_SCORE}" if column == "score" else choices
            raise UserError(f"{where}: {column} must be {what}, not {value!r}")
    return replace(row, **change, provenance="local")
