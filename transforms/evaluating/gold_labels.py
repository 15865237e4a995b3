"""Gold labels: which are evaluated, and which share a class."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Literal

import yaml

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.storage.process_cache import built_once

Kind = Literal["core", "quasi", "dont_care"]


@dataclass(frozen=True)
class GoldLabels:
    """The rules of ``gold_labels.yaml``; a label without a rule is core and its own class."""

    dont_care: frozenset[str]
    quasi: frozenset[str]
    coarse: Mapping[str, str]

    def kind(self, label: str) -> Kind:
        """Whether spans of a label count (core), are counted separately (quasi), or do not count."""
        if label in self.dont_care:
            return "dont_care"
        return "quasi" if label in self.quasi else "core"

    def class_of(self, label: str) -> str:
        """The class of data of a label or an infoType.

        >>> gold_labels().class_of("ZIP_CODE"), gold_labels().class_of("PASSWORD")
        ('LOCATION', 'PASSWORD')
        """
        return self.coarse.get(label, label)

    def counting(self, labels: Iterable[str]) -> "GoldLabels":
        """These rules with some labels counted that otherwise do not count, as TITLE.

        >>> gold_labels().counting(["TITLE"]).kind("TITLE")
        'core'
        """
        return replace(self, dont_care=self.dont_care.difference(labels))

    def is_known(self, label: str, table: ScoreTable) -> bool:
        """Whether these rules or the score table have a label; unknown labels are counted as well."""
        if label in self.dont_care or label in self.quasi:
            return True
        if label in self.coarse or label in self.coarse.values():
            return True
        try:
            table.resolve(label)
        except RecordError:
            return False
        return True


@built_once
def gold_labels() -> GoldLabels:
    """The shipped rules."""
    data = yaml.safe_load(
        files("tacenda.transforms.evaluating").joinpath("gold_labels.yaml").read_text(encoding="utf-8")
    )
    coarse = {label: name for name, labels in data["classes"].items() for label in labels}
    return GoldLabels(frozenset(data["dont_care"]), frozenset(data["quasi"]), coarse)
