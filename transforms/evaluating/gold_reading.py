"""Gold: which labels are evaluated and share a class, and conversations with how complete their gold is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.planning import InputPlan, plan_input
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.rejection import Rejection
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.locating import locate
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

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
        known = {*self.dont_care, *self.quasi, *self.coarse, *self.coarse.values()}
        return label in known or table.resolve(label) is not None


@built_once
def gold_labels() -> GoldLabels:
    """The shipped rules."""
    data = data_file(__package__, "gold_labels.yaml")
    coarse = {label: name for name, labels in data["classes"].items() for label in labels}
    return GoldLabels(frozenset(data["dont_care"]), frozenset(data["quasi"]), coarse)


FIELDS = ("gold", "complete_for", "lang", "source")


class About(NamedTuple):
    """What is said of a gold conversation; ``lang`` and ``source`` are empty if the record does not say.

    ``complete``: missing gold means a false positive for every finding. Otherwise it does for those with a
    class in ``classes``; if empty, precision is not evaluated.
    """

    file: str = ""
    complete: bool = True
    classes: frozenset[str] = frozenset()
    lang: str = ""
    source: str = ""

    def is_complete_for(self, name: str) -> bool:
        """Whether gold has everything of a class of data."""
        return self.complete or name in self.classes


class GoldBatch(NamedTuple):
    """Some gold conversations, with what is said of each; files are URLs."""

    batch: ConversationBatch
    about: list[About]
    rejections: list[Rejection]


def plan_gold(urls: Sequence[str], part_bytes: int, keep: Sequence[str] = ()) -> InputPlan:
    """Find gold files (a conversation per record) and divide them into parts of about ``part_bytes`` of text.

    Compressed files are not divided. ``keep`` are more fields to read, besides :data:`FIELDS`.

    Raises:
        UserError: there is nothing to read, or a file cannot be read.
    """
    options = ReadOptions(
        shape="conversation",
        keep=(*FIELDS, *keep),
        opaque=dict.fromkeys((*FIELDS, *keep), "they describe the gold"),
        unit_bytes=min(part_bytes, ReadOptions().unit_bytes),
        part_bytes=part_bytes,
    )
    return plan_input(locate(urls), options)


def read_gold(part: Part, shape: Shape, *, complete_by_default: bool = False) -> Iterator[GoldBatch]:
    """Read the gold conversations of a part.

    ``complete_by_default``: treat the gold of records without the field ``gold`` as complete.

    Raises:
        UserError: ``complete_for`` is not a list of labels.
    """
    urls = {piece.file: piece.url for piece in part.ranges}
    for unit in units_of(part, shape.columns()):
        for batch, rejections in read_unit(unit, shape):
            # The fields are read from the shape's own output, since how it stores kept fields is internal.
            records = shape.write_records(batch, batch.texts, batch.speakers)
            origins = (file for file in batch.origins if file is not None)
            about = [
                _about(record, complete_by_default, urls[file])
                for record, file in zip(records, origins, strict=True)
            ]
            yield GoldBatch(batch, about, rejections)


def _about(record: dict[str, Any], complete_by_default: bool, url: str) -> About:
    named = [] if record.get("complete_for") is None else record["complete_for"]
    if not isinstance(named, list) or not all(isinstance(label, str) for label in named):
        raise UserError(f"{url}: field 'complete_for' must be a list of labels, or left out")
    gold = record.get("gold")
    complete = gold == "complete" or (gold is None and complete_by_default)
    lang, source = (one if isinstance(one, str) else "" for one in map(record.get, ("lang", "source")))
    return About(url, complete, frozenset(map(gold_labels().class_of, named)), lang, source)
