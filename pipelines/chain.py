"""The chain of steps from a batch of conversations to anonymised text and its risk, on plain Python data.

Nothing here knows Beam, files or workers: a runner, a loop and a test call the same :class:`Chain`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from models.answering import Question, answered, error_class
from transforms.auditing.gold import gold_residuals
from transforms.auditing.second_look import second_look_residuals
from transforms.auditing.still_readable import still_readable
from transforms.detecting.detector import Detector, TwoLookDetector
from transforms.detecting.union import resolve
from transforms.linking.speakers import find_speaker_names, named_speakers
from transforms.replacing.tokens import replace_conversation
from transforms.schema.conversation import Annotation, ConversationBatch
from transforms.schema.finding import Finding
from transforms.schema.rejection import Rejection, Stage
from transforms.schema.residual import Residual
from transforms.scoring.conversation_risk import ConversationRisk, score_conversation
from transforms.scoring.score_table import ScoreTable

MODEL = "model"
"""The source of a risk score that no annotator stands behind."""


@dataclass(slots=True)
class Outcome:
    """What became of a batch: the conversations that came through, column by column, and the rejected ones.

    ``texts``, ``speakers``, ``findings`` and ``entities`` have one entry a cell of ``batch``; ``risks`` and
    ``sources`` one a conversation, None where nothing was scored. ``entity_counts`` counts distinct entities
    by infoType, speaker labels included.
    """

    batch: ConversationBatch = field(default_factory=ConversationBatch)
    texts: list[str] = field(default_factory=list)
    speakers: list[str | None] = field(default_factory=list)
    findings: list[list[Finding]] = field(default_factory=list)
    entities: list[list[int]] = field(default_factory=list)
    risks: list[ConversationRisk | None] = field(default_factory=list)
    sources: list[str | None] = field(default_factory=list)
    entity_counts: dict[str, int] = field(default_factory=dict)
    speakers_replaced: int = 0
    rejections: list[Rejection] = field(default_factory=list)


class Chain:
    """Detect, link, replace, look again, score.

    Args:
        detectors: what finds personal data in the input; their findings are united.
        second_look: the same at their lowest likelihood, over replaced text, less those of ``detectors`` that
            know from their first look what a second one is to hear; empty where nothing is scored without
            annotation.
        rank: infoType to rank, for findings that overlap.
        table: the score table; None where nothing is scored.
        variant_clustering: whether ASR variants of one name count as one entity.
    """

    def __init__(
        self,
        detectors: Sequence[Detector],
        second_look: Sequence[Detector],
        rank: Mapping[str, int],
        table: ScoreTable | None,
        variant_clustering: bool = False,
    ) -> None:
        self._detectors = detectors
        self._second_look = second_look
        self._rank = rank
        self._table = table
        self._variant_clustering = variant_clustering
        remembering = table is not None and any(isinstance(d, TwoLookDetector) for d in detectors)
        self._looks_again = remembering or bool(second_look)

    def run(self, batch: ConversationBatch) -> Outcome:
        """Take a batch through all steps; what fails is rejected conversation by conversation."""
        outcome = Outcome()
        unsure: list[list[Finding]] = [[] for _ in batch.texts]
        again = unsure if self._looks_again else None
        found, failed = self._find(self._detectors, batch.texts, batch.first_cell, again)
        speaker_types = self._speaker_info_types(batch)
        replaced: dict[int, tuple[list[list[Finding]], Any]] = {}
        for i in range(len(batch)):
            if i in failed:
                continue
            cells = batch.cells(i)
            texts, speakers = batch.texts[cells.start : cells.stop], batch.speakers[cells.start : cells.stop]
            names = named_speakers(speakers)
            named = find_speaker_names(texts, names) if names else [[]] * len(texts)
            try:
                findings = [
                    resolve([*found[c], *extra], self._rank) if extra or found[c] else []
                    for c, extra in zip(cells, named, strict=True)
                ]
                replaced[i] = (findings, replace_conversation(texts, speakers, findings, speaker_types))
            except Exception as error:  # noqa: BLE001 - whatever fails, this conversation must not get out
                failed[i] = (Stage.REPLACE, error_class(error))
        residuals = self._residuals(batch, replaced, unsure, failed)
        for i, conversation_residuals in residuals.items():
            try:
                risk = self._score(conversation_residuals)
            except Exception as error:  # noqa: BLE001 - a risk nobody could compute is not a risk of zero
                failed[i] = (Stage.SCORE, error_class(error))
                continue
            findings, replacement = replaced[i]
            outcome.texts.extend(replacement.texts)
            outcome.speakers.extend(replacement.speakers)
            outcome.findings.extend(findings)
            outcome.entities.extend(replacement.entities)
            outcome.risks.append(risk)
            outcome.sources.append(self._source(batch, i))
            for info_type, count in replacement.entity_counts.items():
                outcome.entity_counts[info_type] = outcome.entity_counts.get(info_type, 0) + count
            cells = batch.cells(i)
            outcome.speakers_replaced += len(speaker_types.keys() & batch.speakers[cells.start : cells.stop])
        outcome.batch = batch.without(set(failed))
        outcome.rejections = [
            Rejection(batch.positions[i], stage, error, batch.rows[i], batch.origins[i])
            for i, (stage, error) in sorted(failed.items())
        ]
        return outcome

    def _find(
        self,
        detectors: Sequence[Detector],
        texts: Sequence[str],
        first_cell: Sequence[int],
        unsure: list[list[Finding]] | None = None,
    ) -> tuple[list[list[Finding]], dict[int, tuple[Stage, str]]]:
        """All detectors over a batch; one that fails is tried again conversation by conversation.

        One that cannot be asked at all stops the run: no conversation is at fault. ``unsure`` gets, cell by
        cell, what detectors with two looks keep for the second.
        """
        found: list[list[Finding]] = [[] for _ in texts]
        failed: dict[int, tuple[Stage, str]] = {}
        for detector in detectors:
            answer = answered(detector, Question("", texts, first_cell), twice=unsure is not None)
            for whole, part in ((found, answer.findings), (unsure, answer.unsure)):
                for cell, findings in enumerate(part):
                    if findings and whole is not None:
                        whole[cell].extend(findings)
            failed.update((i, (Stage.DETECT, error)) for i, error in answer.failed.items())
        return found, failed

    def _speaker_info_types(self, batch: ConversationBatch) -> dict[str, str]:
        """Which labels are personal data: what the detectors call the whole label, else a name."""
        labels = named_speakers(batch.speakers)
        found, failed = self._find(self._detectors, labels, range(len(labels) + 1))
        info_types: dict[str, str] = {}
        for i, label in enumerate(labels):
            whole = () if i in failed else [f for f in found[i] if f.end - f.start >= len(label.strip())]
            best = resolve(whole, self._rank)
            info_types[label] = best[0].info_type if best else "PERSON_NAME"
        return info_types

    def _residuals(
        self,
        batch: ConversationBatch,
        replaced: Mapping[int, tuple[list[list[Finding]], Any]],
        unsure: Sequence[list[Finding]],
        failed: dict[int, tuple[Stage, str]],
    ) -> dict[int, list[Residual]]:
        """What is still readable in each conversation, in the batch's order."""
        residuals: dict[int, list[Residual]] = {}
        unannotated: list[int] = []
        for i, (findings, _) in replaced.items():
            residuals[i] = []
            if batch.annotations[i] is Annotation.NONE:
                unannotated.append(i)
            else:
                cells = slice(batch.first_cell[i], batch.first_cell[i + 1])
                residuals[i] = gold_residuals(batch.texts[cells], batch.spans[cells], findings)
        if self._table is None or not self._looks_again or not unannotated:
            return residuals
        texts: list[str] = []
        first_cell = [0]
        for i in unannotated:
            texts.extend(replaced[i][1].texts)
            first_cell.append(len(texts))
        found, unseen = self._find(self._second_look, texts, first_cell)
        for k, i in enumerate(unannotated):
            if k in unseen:
                failed[i] = unseen[k]
                del residuals[i]
                continue
            start, stop = first_cell[k], first_cell[k + 1]
            for cell, original, gone in zip(range(start, stop), batch.cells(i), replaced[i][0], strict=True):
                if unsure[original]:
                    found[cell] += still_readable(unsure[original], gone, texts[cell])
            if any(found[start:stop]):
                seen = [resolve(several, self._rank) for several in found[start:stop]]
                residuals[i] = second_look_residuals(texts[start:stop], seen)
        return residuals

    def _score(self, residuals: Sequence[Residual]) -> ConversationRisk | None:
        if self._table is None:
            return None
        return score_conversation(residuals, self._table, self._variant_clustering)

    def _source(self, batch: ConversationBatch, conversation: int) -> str | None:
        if self._table is None:
            return None
        if batch.annotations[conversation] is Annotation.NONE:
            return MODEL if self._looks_again else None
        return Annotation.GOLD.value
