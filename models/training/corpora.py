"""Gold corpora, what their labelled and unlabelled tokens mean for each class, and their training part."""

import gzip
import hashlib
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import yaml

from tacenda.transforms.schema.errors import UserError, made_whole

OUTSIDE = 0
IGNORED = -1
PROPER = -2
"""Target of a proper noun."""
TAG = "PROPN"
"""Label of proper nouns, a part of speech and no class."""

_NAME = re.compile("[A-Za-z0-9_.:/-]{1,64}")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Weights of one corpus and what its unlabelled tokens mean.

    ``silence`` (classes, bool) marks the classes that an unlabelled token may belong to: O, and every class
    that the corpus does not annotate. ``taught``: a teacher's output counts for it. ``tags``: it tells proper
    nouns from all other words, for a second task, and has no gold.
    """

    name: str
    weight: float
    silence_weight: float
    silence: npt.NDArray[np.bool_]
    taught: bool = True
    tags: bool = False


@dataclass(frozen=True, slots=True)
class LabelScheme:
    """The classes of a network and the mapping of corpus labels to them.

    Tokens with ``ignored`` labels have no loss; ``unreported`` classes are learnt although they are not
    infoTypes. ``sha256`` is that of the text it was read from.

    >>> scheme = LabelScheme.load()
    >>> scheme.classes[scheme.class_of({"label": "DOMAIN_NAME"})]
    'URL'
    """

    sha256: str
    classes: tuple[str, ...]
    corpora: Mapping[str, Corpus]
    _merge: Mapping[str, str]
    _raw: Mapping[str, str]
    ignored: frozenset[str] = frozenset()
    unreported: frozenset[str] = frozenset()

    @classmethod
    def load(cls, text: str | None = None) -> "LabelScheme":
        """Parse a scheme (YAML); None for the shipped one.

        Raises:
            UserError: it is invalid.
        """
        if text is None:
            text = files(__package__).joinpath("labels.yaml").read_text("utf-8")
        try:
            data = yaml.safe_load(text)
            classes = tuple(map(str, data["classes"]))
            merge = {name: name for name in classes} | dict(data.get("merge") or {})
            raw = dict(data.get("raw") or {})
            sections = dict(data.get("corpora") or {})
            corpora = {str(name): _corpus(str(name), one, classes) for name, one in sections.items()}
            ignored = frozenset((TAG, *map(str, data.get("ignore") or ())))
            unreported = frozenset(map(str, data.get("unreported") or ()))
        except (yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise UserError(
                f"labels: not a label scheme ({type(error).__name__}); it needs 'classes' and may have "
                "'merge', 'raw', 'ignore', 'unreported' and 'corpora'"
            ) from None
        if len(classes) < 2 or classes[0] != "O" or len(set(classes)) != len(classes):
            raise UserError("labels: 'classes' must begin with \"O\" and name each class once")
        if unknown := {*merge.values(), *raw.values()} - set(classes):
            raise UserError(f"labels: 'merge' or 'raw' leads to {min(unknown)}, which is not a class")
        if not_classes := unreported - set(classes[1:]):
            raise UserError(f"labels: 'unreported' names {min(not_classes)}, which is not a class")
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        return cls(sha256, classes, corpora, merge, raw, ignored, unreported)

    def refuse_unknown(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Reject gold with labels that are neither mapped to a class nor ignored on purpose.

        Raises:
            UserError: there are such labels; it names them.
        """
        spans = (span for record in records for turn in record["turns"] for span in turn["spans"])
        unknown = Counter(
            str(s["label"]) for s in spans if self.class_of(s) == IGNORED and s["label"] not in self.ignored
        )
        if unknown:
            named = ", ".join(f"{n} ({c})" for n, c in unknown.most_common(5) if _NAME.fullmatch(n))
            raise UserError(
                f"gold has {len(unknown)} labels without a class: {named or 'not names'}; "
                "give --labels with them as classes, or under 'merge' or 'ignore'"
            )

    def refuse_unknown_corpora(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Reject training gold of corpora whose annotation is not described, if that of any corpus is.

        Raises:
            UserError: there is such gold; it names the corpus.
        """
        if not self.corpora or "*" in self.corpora:
            return
        unknown = Counter(str(r["source"]) for r in records if self._described(r["source"]) is None)
        if unknown:
            (name, count), *_ = unknown.most_common(1)
            corpus = name if _NAME.fullmatch(name) else "(not a name)"
            raise UserError(
                f"gold: {count} conversations are of the corpus {corpus}, and the labels do not say what it "
                "annotates; add it, or '*' for all others, under 'corpora' in --labels"
            )

    def class_of(self, span: Mapping[str, Any]) -> int:
        """The class of a gold span, or IGNORED."""
        name = self._raw.get(span.get("raw_label") or "") or self._merge.get(span["label"])
        return IGNORED if name is None else self.classes.index(name)

    def corpus(self, source: str) -> Corpus:
        """The corpus of a record's ``source`` or of its parent ("sgd/hotels" is part of "sgd"), else "*".

        A corpus that is not described is assumed to annotate every class.
        """
        known = self._described(source) or self.corpora.get("*")
        return known or _corpus(source, {"annotates": ["*"], "weight": 1.0}, self.classes)

    def _described(self, source: str) -> Corpus | None:
        return self.corpora.get(source) or self.corpora.get(source.partition("/")[0])


def _corpus(name: str, section: Mapping[str, Any], classes: Sequence[str]) -> Corpus:
    annotated = set(classes if section["annotates"] == ["*"] else section["annotates"])
    if unknown := annotated - set(classes):
        raise UserError(
            f"labels: corpus {name} annotates {', '.join(sorted(unknown))}: no class has this name"
        )
    weights = float(section["weight"]), float(section.get("silence", 1.0))
    if not all(0 <= weight < math.inf for weight in weights):
        raise UserError(f"labels: corpus {name}: 'weight' and 'silence' must be numbers of at least 0")
    silence = np.array([c == "O" or c not in annotated for c in classes])
    return Corpus(name, *weights, silence, section.get("taught", True) is True, section.get("tags") is True)


def silences(corpora: Sequence[Corpus]) -> npt.NDArray[np.bool_]:
    """The ``silence`` of all corpora of a training run (corpora, classes).

    A class that none of them annotates is excluded everywhere: otherwise there would be no negative examples,
    and every token could belong to it.
    """
    silence = np.stack([corpus.silence for corpus in corpora])
    unannotated = np.flatnonzero(silence.all(axis=0))
    silence[:, unannotated[unannotated != OUTSIDE]] = False
    return silence


def read_gold(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Read gold conversations from JSON lines (plain or gzip), adding ``id`` and ``source`` where missing.

    The default source is the file's name. Unpaired surrogates, which tokenizers reject, are replaced.

    Raises:
        UserError: a file cannot be read, or a line is not a gold conversation.
    """
    for path in paths:
        try:
            opened = gzip.open if path.suffix == ".gz" else open
            with opened(path, "rt", encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield _conversation(line, path, number)
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise UserError(
                f"{path}: cannot be read ({type(error).__name__}); give JSON lines, or .gz"
            ) from None


def _conversation(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads(line)
        for turn in record["turns"]:
            turn["text"] = made_whole(turn["text"])
        kinds = {"start": int, "end": int, "label": str}
        sound = all(
            0 <= span["start"] < span["end"] <= len(turn["text"])
            and all(isinstance(span[name], kind) for name, kind in kinds.items())
            for turn in record["turns"]
            for span in turn["spans"]
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        sound = False
    if not sound:
        form = "{turns: [{text, spans: [{start, end, label}]}]}"
        raise UserError(f"{path} line {number}: not a gold conversation; write {form}")
    record["id"] = str(record.get("conversation_id") or record.get("id") or f"{path.name}/{number}")
    if not isinstance(record.get("source"), str) or not record["source"]:
        record["source"] = path.name.partition(".")[0]
    return record


Records = list[dict[str, Any]]


class Sides(NamedTuple):
    """Both parts, and the number of training conversations dropped because development has the same group."""

    train: Records
    dev: Records
    left_out: int = 0


def split(records: Sequence[dict[str, Any]], share: float, field: str | None = None) -> Sides:
    """Training and development part by a hash; the latter has about ``share`` of the groups, at least one.

    Groups are conversations with the same text, or with the same value of a field, such as a person, so that
    nobody is in both parts.

    Raises:
        UserError: there are fewer than two groups, or a record lacks the field.
    """
    groups = [group_of(record, field) for record in records]
    ranks = {group: _rank(group) for group in groups}
    if len(ranks) < 2:
        what = "conversations" if field is None else f"values of '{field}'"
        raise UserError(f"gold has {len(ranks)} {what}; two are needed to split it, or give --dev")
    first, *others, _ = sorted(ranks, key=lambda group: (ranks[group], group))
    held_out = {first, *(group for group in others if ranks[group] < share)}
    sides = Sides([], [])
    for record, group in zip(records, groups, strict=True):
        (sides.dev if group in held_out else sides.train).append(record)
    return sides


def words_of(record: Mapping[str, Any]) -> str:
    """A hash of a conversation's text; the same for copies with other ids or sources."""
    return hashlib.sha256(json.dumps([turn["text"] for turn in record["turns"]]).encode()).hexdigest()


def group_of(record: Mapping[str, Any], field: str | None) -> str:
    """The group of a record: its text, or the value of a field of the record or its metadata.

    Raises:
        UserError: it has no such field.
    """
    if field is None:
        return words_of(record)
    metadata = record.get("metadata")
    value = record.get(field, metadata.get(field) if isinstance(metadata, dict) else None)
    if not isinstance(value, (str, int)) or value == "":
        raise UserError(f"--split-by {field}: a gold conversation has no such field; name one that all have")
    return str(value)


def _rank(group: str) -> float:
    digest = hashlib.sha256(f"dev\n{group}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / float(1 << 64)
