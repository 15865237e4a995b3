"""A batch on its way through a chain, and its result: conversations in columns, and what is counted of them."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacenda.models.detection import error_class
from tacenda.pipelines.chain.detecting import Found
from tacenda.transforms.auditing.residuals import (
    cut_spans,
    cuts_a_word,
    joins_unlike,
    outside_gold,
    same_as_gold,
)
from tacenda.transforms.detecting.correcting.marks import Marks, Protected
from tacenda.transforms.language.coverage import Languages
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.schema.conversation import Annotation, ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.schema.residual import Residual
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
            self.batch.rejection(i, *why) for i, why in sorted(failed.items())
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


_OF_CELLS = ("texts", "speakers", "findings", "entities", "values")
_OF_CONVERSATIONS = ("risks", "sources", "beside", "reconciled")
_OF_BATCHES = ("labels", "totals", "suspected")
"""The columns of an outcome, and what stays if conversations go."""


@dataclass(slots=True)
class Work:
    """A batch between the steps of its chain; ``failed`` grows, and each step leaves out those in it.

    ``kept`` and ``kept_labels`` stay readable by request: disjoint findings by cell, and speaker labels by
    infoType. ``audit`` is the audit text, ``linked`` has the conversations with replacements, and
    ``residuals`` are the components of each risk; their positions are in the audit text, or those of
    annotations in the original.
    """

    outcome: Outcome
    found: Found
    languages: Languages | None
    speaker_types: dict[str, str]
    marks: Marks
    audit: list[str]
    kept: dict[int, list[Finding]] = field(default_factory=dict)
    kept_labels: dict[str, str] = field(default_factory=dict)
    linked: dict[int, LinkedConversation] = field(default_factory=dict)
    residuals: dict[int, list[Residual]] = field(default_factory=dict)

    @property
    def batch(self) -> ConversationBatch:
        """The conversations as they were read."""
        return self.outcome.batch

    @property
    def failed(self) -> dict[int, tuple[Stage, str]]:
        """The conversations to reject, with the stage and error class."""
        return self.found.failed

    def attempt(self, i: int, stage: Stage, step: Callable[[int], None]) -> None:
        """Take a step with a conversation, which must not get out if the step fails."""
        if i not in self.failed:
            try:
                step(i)
            except Exception as error:  # noqa: BLE001 - whatever fails, this conversation must not get out
                self.failed[i] = (stage, error_class(error))

    def is_cut(self, i: int) -> bool:
        """Whether a token replaced a part of a word anywhere in a conversation."""
        own = self.batch.own(i)
        cells = zip(self.batch.texts[own], self.outcome.findings[own], strict=True)
        return any(cuts_a_word(text, findings) for text, findings in cells if findings)

    def protect(self, cell: int, places: Sequence[tuple[Finding, Protected]]) -> None:
        """Mark findings of a cell that stay readable, each by a mark, and count them."""
        counts = self.marks.counts.setdefault(cell, Counter())
        for finding, by in places:
            place = by._replace(start=finding.start, end=finding.end)
            self.marks.protected.setdefault(cell, []).append(place)
            counts[f"{by.why}/{finding.info_type}"] += 1


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
