"""The result of a chain for a batch: conversations in columns, and what is counted of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacenda.transforms.auditing.residuals import cut_spans, joins_unlike, outside_gold, same_as_gold
from tacenda.transforms.schema.conversation import Annotation, ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.scoring.conversation_risk import ConversationRisk
from tacenda.transforms.shapes.json_cells import GoldCells, gold_cells

MODEL = "model"
"""The source of a risk score without annotations."""


@dataclass(slots=True)
class Outcome:
    """The result of a batch: the processed conversations, column by column, and the rejected ones.

    ``texts``, ``speakers``, ``findings``, ``entities`` and ``values`` have one entry per cell of ``batch``;
    texts and speakers are those of the output, and ``values`` the replacements of the findings. ``risks`` and
    ``sources`` have one entry per conversation, None if it was not scored; ``beside`` has the risk by a
    second look if gold is partial or empty and does not decide alone. ``reconciled`` has one entry per
    conversation, None without findings or without reconciliation. ``labels`` has the replaced speaker
    labels by conversation id. ``dropped`` are conversations that were processed but left out for their scores.
    ``rejections`` are those of all steps so far. ``totals`` is what is counted of the conversations that stay,
    but for what the columns tell; ``rows_in`` in it is counted on reading, apart from the output, so that lost
    rows show up in the balance. ``suspected`` are ids of conversations in which a name may stand out among
    surrogates.
    """

    batch: ConversationBatch = field(default_factory=ConversationBatch)
    texts: list[str] = field(default_factory=list)
    speakers: list[str | None] = field(default_factory=list)
    findings: list[list[Finding]] = field(default_factory=list)
    entities: list[list[int]] = field(default_factory=list)
    values: list[list[str]] = field(default_factory=list)
    risks: list[ConversationRisk | None] = field(default_factory=list)
    sources: list[str | None] = field(default_factory=list)
    beside: list[ConversationRisk | None] = field(default_factory=list)
    reconciled: list[Any] = field(default_factory=list)
    labels: dict[str, dict[str, tuple[int, str]]] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    suspected: list[str] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    dropped: "Outcome | None" = None

    @classmethod
    def untouched(cls, batch: ConversationBatch) -> "Outcome":
        """The outcome of a batch before any chain."""
        empty: list[Any] = [[]] * len(batch.texts)
        none: list[Any] = [None] * len(batch)
        columns = empty, [*empty], [*empty], none, [*none], [*none], [*none]
        return cls(batch, list(batch.texts), list(batch.speakers), *columns)

    def scored(self) -> Iterator[tuple[int, str, ConversationRisk]]:
        """The scores, including those of a second look beside gold: conversation, source, risk."""
        for i, (source, risk, beside) in enumerate(zip(self.sources, self.risks, self.beside, strict=True)):
            if source is not None and risk is not None:
                yield i, source, risk
            if beside is not None:
                yield i, MODEL, beside

    def gold_cells(self, i: int) -> GoldCells:
        """The cells of a conversation, with their findings, as its annotated spans refer to them."""
        return gold_cells(self.batch, i, self.findings[self.batch.own(i)])

    def without(self, failed: Mapping[int, tuple[Stage, str]], dropped: Collection[int] = ()) -> "Outcome":
        """The outcome without some conversations: failed ones are rejected, dropped ones kept apart."""
        if not failed and not dropped:
            return self
        stays = [i for i in range(len(self.batch)) if i not in failed and i not in dropped]
        left = self.take(stays)
        for name in _OF_BATCHES:
            setattr(left, name, getattr(self, name))
        left.rejections = self.rejections + [
            Rejection(self.batch.positions[i], stage, error, self.batch.rows[i], self.batch.origins[i])
            for i, (stage, error) in sorted(failed.items())
        ]
        left.dropped = self.take(sorted(dropped)) if dropped else self.dropped
        return left

    def take(self, conversations: Sequence[int]) -> "Outcome":
        """The columns of some conversations, in the given order."""
        cells = [cell for i in conversations for cell in self.batch.cells(i)]
        taken = Outcome(self.batch.take(conversations))
        for names, chosen in ((_OF_CELLS, cells), (_OF_CONVERSATIONS, conversations)):
            for name in names:
                column = getattr(self, name)
                setattr(taken, name, [column[k] for k in chosen])
        return taken

    def extend(self, other: "Outcome") -> None:
        """Add the columns of another outcome."""
        self.batch.extend(other.batch)
        for name in (*_OF_CELLS, *_OF_CONVERSATIONS):
            getattr(self, name).extend(getattr(other, name))


_OF_CELLS = ("texts", "speakers", "findings", "entities", "values")
_OF_CONVERSATIONS = ("risks", "sources", "beside", "reconciled")
_OF_BATCHES = ("labels", "totals", "suspected")
"""The columns of an outcome, and what stays if conversations go."""


def count_gold(outcome: Outcome, stays: Collection[int]) -> None:
    """Compare findings with complete gold, which proves little if it has what was found and nothing else."""
    batch, counts = outcome.batch, outcome.totals.of_gold
    for i in stays:
        if batch.annotations[i] is not Annotation.GOLD:
            continue
        gold = outcome.gold_cells(i)
        counts["joined"] += joins_unlike(gold[0], gold[1])
        for text, spans, own, part in zip(*gold, batch.parts[batch.own(i)], strict=True):
            counts["cut"] += cut_spans(text, spans)
            counts["spans"] += len(spans)
            counts["findings"] += len(own)
            counts["outside"] += outside_gold(own, spans)
            counts["same"] += same_as_gold(own, spans)
            if part is not None and not spans:
                counts["beside"] += any(map(str.isalnum, text))
