"""Gold corpora: what their spans say of each class, and what their silence says."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from transforms.schema.errors import UserError

OUTSIDE = 0
IGNORED = -1


@dataclass(frozen=True, slots=True)
class Corpus:
    """How one corpus is drawn from and believed.

    ``silence`` (classes, bool) are the classes that one of its unlabelled tokens may belong to: O, and every
    class that it does not annotate.
    """

    name: str
    weight: float
    silence_weight: float
    silence: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LabelScheme:
    """The classes of a network and how labels of corpora become them.

    >>> scheme = LabelScheme.load()
    >>> scheme.classes[scheme.class_of({"label": "DOMAIN_NAME"})]
    'URL'
    """

    classes: tuple[str, ...]
    corpora: Mapping[str, Corpus]
    _merge: Mapping[str, str]
    _raw: Mapping[str, str]

    @classmethod
    def load(cls, text: str | None = None) -> "LabelScheme":
        """The shipped scheme, or one of the same form."""
        data = yaml.safe_load(text or files(__package__).joinpath("labels.yaml").read_text("utf-8"))
        classes = tuple(data["classes"])
        merge = {name: name for name in classes} | data["merge"]
        corpora = {name: _corpus(name, said, classes) for name, said in data["corpora"].items()}
        return cls(classes, corpora, merge, data["raw"])

    def class_of(self, span: Mapping[str, Any]) -> int:
        """The class of a gold span, IGNORED where it says nothing of any class."""
        name = self._raw.get(span.get("raw_label") or "") or self._merge.get(span["label"])
        return IGNORED if name is None else self.classes.index(name)

    def corpus(self, source: str) -> Corpus:
        """The corpus of a record's ``source``, or the one that it is a part of ("sgd/hotels" of "sgd").

        One that the scheme does not know annotates every class.
        """
        known = self.corpora.get(source) or self.corpora.get(source.partition("/")[0])
        return known or _corpus(source, {"annotates": ["*"], "weight": 1.0}, self.classes)


def _corpus(name: str, said: Mapping[str, Any], classes: Sequence[str]) -> Corpus:
    annotated = set(classes if said["annotates"] == ["*"] else said["annotates"])
    if unknown := annotated - set(classes):
        raise UserError(f"labels: corpus {name} annotates {', '.join(sorted(unknown))}: no class has this name")
    silence = np.array([c == "O" or c not in annotated for c in classes])
    return Corpus(name, float(said["weight"]), float(said.get("silence", 1.0)), silence)


def read_gold(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Gold conversations, a line each (plain or gzip).

    Raises:
        UserError: a line is not a gold conversation.
    """
    for path in paths:
        opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
        with opened as lines:
            for number, line in enumerate(lines, 1):
                try:
                    record = json.loads(line)
                    sound = all(0 <= s["start"] < s["end"] <= len(t["text"]) for t in record["turns"] for s in t["spans"])
                except (ValueError, KeyError, TypeError):
                    sound = False
                if not sound:
                    raise UserError(
                        f"{path} line {number}: not a gold conversation; write turns: [{{text, spans: [{{start, end, label}}]}}]"
                    )
                yield record
