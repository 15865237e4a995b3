"""The chain of ``tacenda score``: compute residual risk from reviews or gold."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tacenda.pipelines.chain.outcome import Outcome
from tacenda.transforms.auditing.residuals import gold_residuals
from tacenda.transforms.reviewing.markup import parse
from tacenda.transforms.reviewing.spans_files import ReviewedSpan, Reviews
from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation, ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.token import TOKEN, may_have_tokens
from tacenda.transforms.scoring.conversation_risk import score_conversation
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.shapes.json_cells import gold_cells
from tacenda.transforms.writing.columns import text_hash

_REVIEWER = "MISSED_"


@dataclass(frozen=True, slots=True)
class ScoreChain:
    """Scores what annotators marked; the text itself is not searched.

    The marks of a conversation are its spans, the paper's markup in its text and speaker labels, or ``reviews``
    (by conversation id). A conversation without marks scores 0 if its record names a reader, or with
    ``all_reviewed``, unless its record has an empty field for the reader; otherwise it was not reviewed and has
    no score. ``hashes`` are the hashes of unmarked conversations by id (``writing.columns.text_hash``): in a
    conversation that still has its hash, nothing is markup. The outcome has texts and speakers without marks.
    """

    table: ScoreTable
    reviews: Reviews
    all_reviewed: bool = False
    variant_clustering: bool = False
    hashes: Mapping[str, Collection[str]] = field(default_factory=dict)

    def run(self, batch: ConversationBatch) -> Outcome:
        """Score a batch; conversations with marks that cannot be scored are rejected."""
        outcome = Outcome.untouched(batch)
        outcome.totals.reviews_matched = sum(i in self.reviews for i in batch.ids)
        failed: dict[int, tuple[Stage, str]] = {}
        for i in range(len(batch)):
            try:
                self._score(outcome, i)
            except RecordError as error:
                failed[i] = (Stage.SCORE, error.error)
        return outcome.without(failed)

    def _score(self, outcome: Outcome, i: int) -> None:
        """Tell source and risk of a conversation, and its texts and speakers without marks."""
        batch, cells, own = outcome.batch, outcome.batch.cells(i), outcome.batch.own(i)
        written = self.hashes.get(batch.ids[i], ())
        unmarked = bool(written) and text_hash(batch.speakers[own], batch.texts[own]) in written
        texts: list[str] = []
        said: list[str] = []
        spans: list[Sequence[AnnotatedSpan]] = []
        marked_up = False
        annotated = gold_cells(batch, i, [[] for _ in cells])
        for cell, text, cell_spans in zip(cells, annotated.texts, annotated.spans, strict=True):
            plain, marks = (text, []) if unmarked else parse(text)
            if marks and cell_spans:
                # It is unknown whether the offsets of the spans include the markup.
                raise RecordError("MixedAnnotations")
            marked_up |= bool(marks)
            texts.append(plain if marks else text)
            said.append(plain if marks else batch.texts[cell])
            spans.append(marks or cell_spans)
        plain_labels: dict[str | None, str | None] = {}
        for label in dict.fromkeys(batch.speakers[own]):
            plain, marks = (label or "", []) if unmarked else parse(label or "")
            plain_labels[label] = plain if marks else label
            if marks:
                texts.append(plain)
                spans.append(marks)
                marked_up = True
        review = self.reviews.get(batch.ids[i])
        if review is not None:
            if marked_up or any(spans):
                raise RecordError("MixedAnnotations")
            spans = _placed(review, texts, [(batch.turns[cell], batch.parts[cell]) for cell in cells])
        annotation = batch.annotations[i]
        labels = {span.label.startswith(_REVIEWER) for cell_spans in spans for span in cell_spans}
        if len(labels) > 1:
            raise RecordError("MixedAnnotations")
        # Somebody may say that it was read, whatever was marked; annotators of gold may be named, too.
        reader = batch.readers[i]
        of_gold = annotation not in (Annotation.NONE, Annotation.EMPTY_GOLD)
        is_read = reader != "" if self.all_reviewed else bool(reader) and not of_gold
        if marked_up or labels == {True} or review is not None or is_read:
            # Including unmarked ones: without its zeros, a reviewed sample would score too high.
            annotation = Annotation.HUMAN
        if annotation is not Annotation.NONE:
            residuals = gold_residuals(
                texts, spans, [_tokens(text) for text in texts], self.table.of_speakers
            )
            outcome.risks[i] = score_conversation(residuals, self.table, self.variant_clustering)
            outcome.sources[i] = (Annotation.GOLD if annotation.is_gold else annotation).value
        if annotation is Annotation.HUMAN:
            outcome.totals.readers[reader or ""] += 1
            outcome.totals.unsigned += not reader and not labels
        outcome.texts[own] = said
        outcome.speakers[own] = [plain_labels[label] for label in batch.speakers[own]]


def _placed(
    review: Sequence[ReviewedSpan], texts: Sequence[str], places: Sequence[tuple[int, str | None]]
) -> list[Sequence[AnnotatedSpan]]:
    """Assign the spans of a spans file to cells.

    For a turn with several cells, spans need the ``part`` that findings have, since offsets are per cell.
    """
    placed: list[list[AnnotatedSpan]] = [[] for _ in texts]
    cell_of = {place: cell for cell, place in enumerate(places)}
    cells_of_turn = Counter(turn for turn, _ in places)
    only = {turn: cell for cell, (turn, _) in enumerate(places) if cells_of_turn[turn] == 1}
    for turn, part, span in review:
        cell = cell_of.get((turn, part))
        if cell is None and part is None:
            cell = only.get(turn)
        if cell is None or span.end > len(texts[cell]):
            raise RecordError("BadSpan")
        placed[cell].append(span)
    return [sorted(cell, key=lambda span: (span.start, -span.end, span.label)) for cell in placed]


def _tokens(text: str) -> list[Finding]:
    """The ranges of replacement tokens: a mark on ``[PERSON_NAME_1]`` marks nothing readable."""
    if not may_have_tokens(text):
        return []
    return [Finding(m.start(), m.end(), m[1], Likelihood.VERY_LIKELY, "token") for m in TOKEN.finditer(text)]
