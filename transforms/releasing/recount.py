"""Risk records added up: the scores of the conversations of a run, as it goes on and from its folder."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacenda.transforms.scoring.conversation_risk import PERSON_NAME
from tacenda.transforms.scoring.statistics import MOST, RiskSketch, ScoredConversation

COLUMNS = (
    *("conversation_id", "context", "source", "score", "tags", "direct_identifier"),
    *("combination", "links"),
)


@dataclass(slots=True)
class Recount:
    """The totals of risk records, in any order and division; all those of a conversation are in one table.

    ``missed`` counts entities by risk tag, partial ones under ``TAG_PARTIAL``. A conversation may have one
    record per source; ``conversations`` counts it once. ``wrong`` counts records whose score is not the sum
    of their tags.
    """

    sketch: RiskSketch = field(default_factory=RiskSketch)
    missed: Counter[str] = field(default_factory=Counter)
    records: int = 0
    conversations: int = 0
    wrong: int = 0

    def add_unread(self, figures: Mapping[str, Any], without: Collection[str | None] = ()) -> None:
        """Count the conversations that have no score, which no record tells, as ``statistics.json`` does."""
        for source, told in figures["sources"].items():
            for context, group in told["contexts"].items() if source not in without else ():
                self.sketch.add_unreviewed(source, context, group["unreviewed"])

    def add(self, records: pa.Table) -> None:
        """Add risk records, a table with ``COLUMNS``."""
        self.records += records.num_rows
        self.conversations += len({*records["conversation_id"].to_pylist()})
        of = records["source"].to_pylist()
        for source in (sources := dict.fromkeys(of)):
            # Arrow's kernels take as long to import as a small run's detectors.
            one = records if len(sources) == 1 else records.filter(pa.array([name == source for name in of]))
            self._add_of(source, one)

    def _add_of(self, source: str, records: pa.Table) -> None:
        context, direct, ids, combinations = (
            records[name].to_pylist()
            for name in ("context", "direct_identifier", "conversation_id", "combination")
        )
        score = records["score"].to_numpy()
        named, added = _of_tags(records["tags"].combine_chunks(), self.missed)
        self.wrong += int(np.count_nonzero(added != score))
        alike = Counter(zip(context, score.tolist(), direct, named.tolist(), strict=True))
        for (where, points, is_direct, is_named), times in alike.items():
            self.sketch.add(source, where, points, is_direct, is_named, times)
        pairs = zip(combinations, direct, strict=True)
        indirect = (one for one, is_direct in pairs if one is not None and not is_direct)
        links = records["links"].combine_chunks().flatten().to_pylist()
        self.sketch.add_left(
            source, Counter(map(bytes.fromhex, indirect)), Counter(map(bytes.fromhex, links))
        )
        worst = np.flatnonzero(score >= _least_of_worst(score)).tolist()
        self.sketch.add_worst(
            source, (ScoredConversation(int(score[i]), direct[i], context[i], ids[i]) for i in worst)
        )


def _of_tags(tags: pa.ListArray, missed: Counter[str]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Whether each record names a person, and the sum of its tags; entities are added to ``missed``."""
    of = np.repeat(np.arange(len(tags)), np.diff(tags.offsets))
    entries = tags.flatten()
    tag, partial, number = (entries.field(name).to_pylist() for name in ("tag", "partial", "entities"))
    named = np.bincount(of[[name == PERSON_NAME for name in tag]], minlength=len(tags)) > 0
    added = np.bincount(of, np.asarray(entries.field("score"), np.float64), len(tags)).astype(np.int64)
    for name, is_partial, entities in zip(tag, partial, number, strict=True):
        missed[f"{name}_PARTIAL" if is_partial else name] += entities
    return named, added


def _least_of_worst(score: npt.NDArray[np.int32]) -> int:
    """The lowest score among the worst."""
    return 1 if len(score) <= MOST else max(1, int(np.partition(score, len(score) - MOST)[len(score) - MOST]))
