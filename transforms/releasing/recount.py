"""Risk records added up: the scores of the conversations of a run, as it goes on and from its folder."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import chain
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
        context, direct, ids, combinations, tags, links = (
            records[name].to_pylist()
            for name in ("context", "direct_identifier", "conversation_id", "combination", "tags", "links")
        )
        score = records["score"].to_numpy()
        self.wrong += sum(
            points != sum(one["score"] for one in own)
            for points, own in zip(score.tolist(), tags, strict=True)
        )
        for one in chain.from_iterable(tags):
            self.missed[f"{one['tag']}_PARTIAL" if one["partial"] else one["tag"]] += one["entities"]
        named = [any(one["tag"] == PERSON_NAME for one in own) for own in tags]
        alike = Counter(zip(context, score.tolist(), direct, named, strict=True))
        for (where, points, is_direct, is_named), times in alike.items():
            self.sketch.add(source, where, points, is_direct, is_named, times)
        pairs = zip(combinations, direct, strict=True)
        indirect = (one for one, is_direct in pairs if one is not None and not is_direct)
        linking = map(bytes.fromhex, chain.from_iterable(links))
        self.sketch.add_left(source, Counter(map(bytes.fromhex, indirect)), Counter(linking))
        worst = np.flatnonzero(score >= _least_of_worst(score)).tolist()
        self.sketch.add_worst(
            source, (ScoredConversation(int(score[i]), direct[i], context[i], ids[i]) for i in worst)
        )


def _least_of_worst(score: npt.NDArray[np.int32]) -> int:
    """The lowest score among the worst."""
    return 1 if len(score) <= MOST else max(1, int(np.partition(score, len(score) - MOST)[len(score) - MOST]))
