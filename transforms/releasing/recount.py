"""Risk records added up: the scores of the conversations of a run, from the records in its folder."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacenda.transforms.scoring.conversation_risk import PERSON_NAME
from tacenda.transforms.scoring.identifiability import Remains
from tacenda.transforms.scoring.statistics import MOST, RiskSketch, ScoredConversation

COLUMNS = (
    *("conversation_id", "context", "source", "score", "tags", "direct_identifier"),
    *("combination", "links"),
)


@dataclass(slots=True)
class Recount:
    """The totals of risk records.

    ``missed`` counts entities by risk tag, partial ones under ``TAG_PARTIAL``. A conversation may have one
    record per source; ``conversations`` counts it once. ``wrong`` counts records whose score is not the sum
    of their tags.
    """

    sketch: RiskSketch = field(default_factory=RiskSketch)
    missed: dict[str, int] = field(default_factory=dict)
    records: int = 0
    conversations: int = 0
    wrong: int = 0

    def add_unread(self, figures: Mapping[str, Any], without: Collection[str | None] = ()) -> None:
        """Count the conversations that have no score, which no record tells, as ``statistics.json`` does."""
        for source, told in figures["sources"].items():
            for context, group in told["contexts"].items() if source not in without else ():
                self.sketch.add_unreviewed(source, context, group["unreviewed"])


def recount(tables: Iterable[pa.Table]) -> Recount:
    """Add up risk records; the tables have ``COLUMNS``, in any order and division.

    All records of a conversation must be in one table.
    """
    found = Recount()
    missed: Counter[str] = Counter()
    for table in tables:
        found.records += table.num_rows
        if not table.num_rows:
            continue
        score, source = table["score"].to_numpy(), table["source"].to_pylist()
        context, direct = table["context"].to_pylist(), table["direct_identifier"].to_pylist()
        named, added = _of_tags(table["tags"].combine_chunks(), missed)
        found.wrong += int(np.count_nonzero(added != score))
        alike = Counter(zip(source, context, score.tolist(), direct, named.tolist(), strict=True))
        for (who, where, points, is_direct, is_named), times in alike.items():
            found.sketch.add(who, where, points, is_direct, is_named, times)
        left = (table[name].to_pylist() for name in ("combination", "links"))
        for who, is_direct, *remains in zip(source, direct, *left, strict=True):
            found.sketch.add_left(who, is_direct, Remains.from_text(*remains))
        ids = table["conversation_id"]
        found.conversations += pc.count_distinct(ids).as_py()
        for who in set(source):
            of = np.flatnonzero(np.asarray(table["source"]) == who)
            found.sketch.add_worst(
                (who, ScoredConversation(int(score[i]), direct[i], context[i], ids[i].as_py()))
                for i in of[score[of] >= _least_of_worst(score[of])].tolist()
            )
    found.missed = dict(sorted(missed.items()))
    return found


def _of_tags(tags: pa.ListArray, missed: Counter[str]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Whether each record names a person, and the sum of its tags; entities are added to ``missed``."""
    of = np.asarray(pc.list_parent_indices(tags))
    entries = tags.flatten()
    tag, partial = entries.field("tag"), entries.field("partial")
    named = np.bincount(of[np.asarray(pc.equal(tag, PERSON_NAME))], minlength=len(tags)) > 0
    added = np.bincount(of, np.asarray(entries.field("score"), np.float64), len(tags)).astype(np.int64)
    keys = zip(tag.to_pylist(), partial.to_pylist(), entries.field("entities").to_pylist(), strict=True)
    for name, is_partial, entities in keys:
        missed[f"{name}_PARTIAL" if is_partial else name] += entities
    return named, added


def _least_of_worst(score: npt.NDArray[np.int32]) -> int:
    """The lowest score among the worst."""
    return 1 if len(score) <= MOST else max(1, int(np.partition(score, len(score) - MOST)[len(score) - MOST]))
