"""The chain of steps from a batch of conversations to anonymised text and its risk, on plain Python data.

Nothing here depends on Beam, files or workers: runners, loops and tests call the same :class:`Chain`.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, compress, pairwise
from typing import NamedTuple, TypeVar

from tacenda.models.detection import (
    DetectedBefore,
    DetectionRequest,
    DetectionResult,
    detect_all,
    error_class,
)
from tacenda.pipelines.chain.passes import PASSES, Conversation, Findings, Pass, propagate, run_passes
from tacenda.transforms.auditing.cut_words import cuts_a_word
from tacenda.transforms.auditing.gold import (
    cut_spans,
    gold_residuals,
    joins_unlike,
    outside_gold,
    same_as_gold,
)
from tacenda.transforms.auditing.second_look import second_look_residuals
from tacenda.transforms.auditing.still_readable import still_readable
from tacenda.transforms.auditing.swapping import found_again, sampled, swap
from tacenda.transforms.detecting.correcting.marks import (
    Marking,
    Marks,
    Protected,
    all_marks,
    divided,
    of_protected_entities,
)
from tacenda.transforms.detecting.detector import Detector, TwoLookDetector
from tacenda.transforms.detecting.faint import not_faint
from tacenda.transforms.detecting.mention_rules import MentionRules
from tacenda.transforms.detecting.overlaps import apart_from, merge_overlapping, not_within
from tacenda.transforms.language.coverage import ERROR as LANGUAGE_NOT_COVERED
from tacenda.transforms.language.coverage import Languages, LanguageSettings, languages_of
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.linked import LabelEntity, LinkedConversation
from tacenda.transforms.linking.reconciled import Reconciled, Reconciler
from tacenda.transforms.linking.settings import PUBLIC_ROLE, LinkingSettings
from tacenda.transforms.linking.speakers import named_speakers
from tacenda.transforms.replacing.replacement import Replacer, replace_conversation, unhidden
from tacenda.transforms.replacing.settings import KEPT
from tacenda.transforms.replacing.standing_out import HIDDEN, SHOWN, SUSPECTED, LeakCheck
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.schema.conversation import Annotation, ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.conversation_risk import ConversationRisk, score_conversation
from tacenda.transforms.scoring.population import Marginals
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.shapes.json_cells import GoldCells, gold_cells
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.writing.columns import batch_hashes

T = TypeVar("T")

MODEL = "model"
"""The source of a risk score without annotations."""


_LINKED = LinkingSettings()


class ModelRequests(NamedTuple):
    """The requests to a model for a batch, before its chain runs: texts, and labels that may name speakers."""

    texts: DetectionRequest
    labels: DetectionRequest


class ModelResults(NamedTuple):
    """One model's findings, in response to the requests of a batch."""

    texts: DetectionResult
    labels: DetectionResult


def model_requests(batch: ConversationBatch, scored: bool) -> ModelRequests:
    """The requests of a chain to each model; ``scored``: the chain scores the remaining risk."""
    labels = named_speakers(batch.speakers)
    twice = scored and Annotation.NONE in batch.annotations
    return ModelRequests(
        DetectionRequest("", TextColumn(batch.texts, batch.first_cell), twice),
        DetectionRequest("", TextColumn(labels)),
    )


@dataclass(slots=True)
class Outcome:
    """The result of a batch: the processed conversations, column by column, and the rejected ones.

    ``texts``, ``speakers``, ``findings``, ``entities`` and ``values`` have one entry per cell of ``batch``;
    texts and speakers are those of the output, and ``values`` the replacements of the findings. ``risks`` and
    ``sources`` have one entry per conversation, None if it was not scored; ``beside`` has the risk by a
    second look if gold is partial or empty and does not decide alone. ``reconciled`` has one entry per
    conversation, None without findings, or is empty without reconciliation. ``labels`` has the replaced speaker
    labels by conversation id. ``entity_counts`` counts distinct entities by infoType, including speaker
    labels; ``readable``, findings left readable by request, by ``why/infoType``; ``listed``, the matches of
    each list entry in everything that was read. ``sampling`` has the counts of detectors
    (``SamplingDetector``), and ``languages`` turns and conversations by language (``language.coverage``).
    ``of_gold`` counts the findings in conversations with complete gold, those of them that touch no gold
    span, those that are one, and texts beside the turns, which have none. ``readers`` counts conversations by
    the name of the person who read them, empty if unnamed, and ``unsigned`` those of the unnamed that have no
    mark. ``dropped`` are conversations that were processed but left out for their scores.
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
    reconciled: list[Reconciled | None] = field(default_factory=list)
    labels: dict[str, dict[str, LabelEntity]] = field(default_factory=dict)
    entity_counts: dict[str, int] = field(default_factory=dict)
    speakers_replaced: int = 0
    readable: Counter[str] = field(default_factory=Counter)
    listed: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    suspected: list[str] = field(default_factory=list)
    sampling: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    of_gold: Counter[str] = field(default_factory=Counter)
    swapped: Counter[str] = field(default_factory=Counter)
    readers: Counter[str] = field(default_factory=Counter)
    unsigned: int = 0
    rejections: list[Rejection] = field(default_factory=list)
    dropped: "Outcome | None" = None

    def scored(self) -> Iterator[tuple[int, str, ConversationRisk]]:
        """The scores, including those of a second look beside gold: conversation, source, risk."""
        for i, (source, risk, beside) in enumerate(zip(self.sources, self.risks, self.beside, strict=True)):
            if source is not None and risk is not None:
                yield i, source, risk
            if beside is not None:
                yield i, MODEL, beside

    def gold_cells(self, i: int) -> GoldCells:
        """The cells of a conversation, with their findings, as its annotated spans refer to them."""
        return gold_cells(
            self.batch, i, self.findings[self.batch.first_cell[i] : self.batch.first_cell[i + 1]]
        )

    def without(self, failed: Mapping[int, tuple[Stage, str]], dropped: Collection[int] = ()) -> "Outcome":
        """The outcome without some conversations: failed ones are rejected, dropped ones kept apart."""
        if not failed and not dropped:
            return self
        left = self._less({*failed, *dropped})
        left.entity_counts, left.speakers_replaced = self.entity_counts, self.speakers_replaced
        left.readable, left.sampling, left.languages = self.readable, self.sampling, self.languages
        left.of_gold, left.listed, left.labels = self.of_gold, self.listed, self.labels
        left.swapped = self.swapped
        left.hidden, left.suspected = self.hidden, self.suspected
        left.rejections = [
            Rejection(self.batch.positions[i], stage, error, self.batch.rows[i], self.batch.origins[i])
            for i, (stage, error) in sorted(failed.items())
        ]
        if dropped:
            left.dropped = self._less(set(range(len(self.batch))) - set(dropped))
        return left

    def _less(self, others: set[int]) -> "Outcome":
        cells = [i not in others for i in range(len(self.batch)) for _ in self.batch.cells(i)]
        conversations = [i not in others for i in range(len(self.batch))]
        return Outcome(
            self.batch.without(others),
            list(compress(self.texts, cells)),
            list(compress(self.speakers, cells)),
            list(compress(self.findings, cells)),
            list(compress(self.entities, cells)),
            list(compress(self.values, cells)),
            list(compress(self.risks, conversations)),
            list(compress(self.sources, conversations)),
            list(compress(self.beside, conversations)),
            list(compress(self.reconciled, conversations)),
        )


@dataclass(slots=True)
class Traces:
    """Intermediate results by conversation number in the batch, for explanations.

    ``linked`` has the conversations with replacements. ``residuals`` are the components of each risk; their
    positions are in the audit text, or those of annotations in the original. ``marks`` are those of all cells.
    """

    linked: dict[int, LinkedConversation] = field(default_factory=dict)
    passes: dict[int, list[tuple[str, Findings]]] = field(default_factory=dict)
    residuals: dict[int, list[Residual]] = field(default_factory=dict)
    marks: Marks = field(default_factory=Marks)


@dataclass(frozen=True, slots=True)
class Replacing:
    """What is replaced, and by what.

    Attributes:
        replacer: chooses the replacements; None for tokens.
        kept: infoTypes that stay readable, and are scored.
        markings: sources of marks: where findings stay readable without being scored, and where text is
            always replaced.
        leak_check: looks for names that stand out among surrogates; None if names are not hidden.
        reconciler: decides which people stay readable; None if the config does not ask.
        fixed: replacements that are the same for everything, and so may be what they replace.
    """

    replacer: Replacer | None = None
    kept: Collection[str] = ()
    markings: Sequence[Marking] = ()
    leak_check: LeakCheck | None = None
    reconciler: Reconciler | None = None
    fixed: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Scoring:
    """How remaining data is found and scored.

    Attributes:
        table: the score table; None to skip scoring.
        second_look: detectors at their lowest likelihood for the replaced text, for those of the chain that
            cannot determine in the first look what a second look would find.
        where_cut: those of the chain that need no second look, except for conversations in which a token
            replaced a part of a word.
        variant_clustering: whether ASR variants of one name count as one entity.
        population: shares of values among the people that conversations may be of; None if they are not known.
        drop_over: conversations that score at least this, by any source, are dropped; None drops none.
        swap_rate: the share of conversations in which names are swapped (``auditing.swapping``).
    """

    table: ScoreTable | None = None
    second_look: Sequence[Detector] = ()
    where_cut: Sequence[TwoLookDetector] = ()
    variant_clustering: bool = False
    population: Marginals | None = None
    drop_over: int | None = None
    swap_rate: float = 0.0


_BY_TOKENS = Replacing()
_UNSCORED = Scoring()


class Chain:
    """Detect, link, replace, look again, score.

    Whatever the replacements, remaining data is searched for in the *audit text*, which has tokens instead: a
    second look would take a surrogate or a masked number for personal data.

    Args:
        detectors: detectors for the input; their findings are merged.
        rank: infoType to rank, for overlapping findings.
        scoring: how remaining data is found and scored; not at all by default.
        replacing: what is replaced, and by what.
        languages: the languages allowed in a release; None to skip the check.
        mention_rules: the config's rules for mentions found by propagation; None for no rules.
        linking: whether mentions are propagated, and who stays readable for a public role.
        own_types: infoTypes that the config defines itself.
        passes: what happens to findings between detectors and entities.
    """

    def __init__(
        self,
        detectors: Sequence[Detector],
        rank: Mapping[str, int],
        scoring: Scoring = _UNSCORED,
        replacing: Replacing = _BY_TOKENS,
        languages: LanguageSettings | None = None,
        mention_rules: MentionRules | None = None,
        linking: LinkingSettings = _LINKED,
        own_types: Collection[str] = (),
        passes: Sequence[Pass] = PASSES,
    ) -> None:
        self._detectors = detectors
        self._rank = rank
        self._scoring = scoring
        self._table = scoring.table
        self._of_speakers = scoring.table.of_speakers if scoring.table is not None else frozenset()
        self._tokens = TokenReplacer()
        self._replacer = self._tokens if replacing.replacer is None else replacing.replacer
        self._kept = frozenset(replacing.kept)
        self._markings = replacing.markings
        self._leak_check = replacing.leak_check
        self._reconciler = replacing.reconciler
        self._fixed = frozenset(replacing.fixed)
        self._languages = languages
        self._mention_rules = mention_rules
        self._asked = None if mention_rules is None else mention_rules.asked
        self._linking = linking
        self._own_types = frozenset(own_types)
        self._passes = [one for one in passes if linking.propagate or one is not propagate]
        remembering = scoring.table is not None and any(isinstance(d, TwoLookDetector) for d in detectors)
        self._looks_again = remembering or bool(scoring.second_look)

    def run(
        self,
        batch: ConversationBatch,
        known: Sequence[ModelResults] = (),
        traces: "Traces | None" = None,
    ) -> Outcome:
        """Run all steps on a batch; failures reject single conversations.

        ``known`` are results of detectors that ran earlier (``DetectedBefore``), by their numbers. ``traces``
        collects intermediate results of each conversation for explanations.
        """
        twice = self._looks_again and not all(annotation.is_whole for annotation in batch.annotations)
        sampling: Counter[str] = Counter()
        column = TextColumn(batch.texts, batch.first_cell)
        found, unsure, failed = self._find(self._detectors, column, twice, sampling, [k.texts for k in known])
        before_passes = list(found)
        languages = self._tell_languages(batch, column, failed)
        speaker_types = self._speaker_info_types(batch, [k.labels for k in known])
        marks = all_marks(self._markings, batch, column)
        self._mark(batch, marks, found)
        readable = self._keep(found, speaker_types)
        # Copy whole columns; most cells are unchanged.
        cells = len(batch.texts)
        outcome = Outcome(batch, list(batch.texts), list(batch.speakers), found, [[]] * cells, [[]] * cells)
        outcome.sampling, outcome.listed = sampling, marks.matched
        if self._reconciler is not None:
            outcome.reconciled = [None] * len(batch)
        # With token replacement, the audit text is the output, so the list is shared.
        audit = outcome.texts if self._replacer is self._tokens else list(batch.texts)
        linked: dict[int, LinkedConversation] = {}
        for i in _with_something(batch, found, speaker_types):
            if i not in failed:
                try:
                    language = None if languages is None else languages.main[i]
                    steps = None if traces is None else traces.passes.setdefault(i, [])
                    linked[i] = self._replace(outcome, audit, i, speaker_types, marks, language, steps)
                except Exception as error:  # noqa: BLE001 - whatever fails, this conversation must not get out
                    failed[i] = (Stage.REPLACE, error_class(error))
        if traces is not None:
            traces.linked.update(linked)
            traces.marks = marks
        annotated = self._annotated(outcome, failed)
        for cell, kept in readable.findings.items():
            readable.findings[cell] = not_within(kept, outcome.findings[cell])
        # The second look reads what detectors found before any pass, if none of it was replaced or kept.
        for cell in compress(range(len(found)), before_passes) if twice else ():
            decided = [*outcome.findings[cell], *marks.protected.get(cell, ())]
            passed_over = apart_from(before_passes[cell], decided)
            unsure[cell] = [*unsure[cell], *passed_over] if passed_over else unsure[cell]
        seen = self._seen_again(outcome, audit, unsure, failed, marks)
        for i, annotation in enumerate(batch.annotations):
            risk = beside = None
            if i not in failed:
                try:
                    labels = self._readable_labels(batch, i, readable.labels)
                    second = self._score([*seen.get(i, ()), *labels]) if not annotation.is_whole else None
                    first = self._score([*annotated[i], *labels]) if i in annotated else None
                    risk, beside = (second, None) if annotation is Annotation.NONE else (first, second)
                    if traces is not None:
                        traces.residuals[i] = [*annotated.get(i, seen.get(i, ())), *labels]
                except Exception as error:  # noqa: BLE001 - a risk nobody could compute is not a risk of zero
                    failed[i] = (Stage.SCORE, error_class(error))
            outcome.risks.append(risk)
            outcome.beside.append(beside if self._looks_again else None)
        outcome.sources = [self._source(annotation) for annotation in batch.annotations]
        if self._scoring.swap_rate and not known:
            outcome.swapped = self._swapped(outcome, failed, languages)
        dropped = {i for i, _, risk in outcome.scored() if i not in failed and self._is_over(risk)}
        for cell, kept in readable.findings.items():
            i = batch.conversation_of(cell)
            if i not in failed and i not in dropped:
                outcome.readable.update(f"{KEPT}/{finding.info_type}" for finding in kept)
        for cell, why in marks.counts.items():
            i = batch.conversation_of(cell)
            if i not in failed and i not in dropped:
                outcome.readable.update(why)
        for i, conversation in linked.items():
            if i not in failed and i not in dropped:
                for info_type, count in conversation.entity_counts().items():
                    outcome.entity_counts[info_type] = outcome.entity_counts.get(info_type, 0) + count
                outcome.speakers_replaced += len(conversation.labels)
                if self._leak_check is not None:
                    _look_for_leaks(self._leak_check, outcome, i, conversation)
                if self._fixed:
                    outcome.readable.update(_unhidden(outcome, i, conversation, self._fixed))
        for i, annotation in enumerate(batch.annotations):
            if annotation is Annotation.GOLD and i not in failed and i not in dropped:
                gold = outcome.gold_cells(i)
                outcome.of_gold["joined"] += joins_unlike(gold[0], gold[1])
                parts = batch.parts[batch.first_cell[i] : batch.first_cell[i + 1]]
                for text, spans, own, part in zip(*gold, parts, strict=True):
                    outcome.of_gold["cut"] += cut_spans(text, spans)
                    outcome.of_gold["spans"] += len(spans)
                    outcome.of_gold["findings"] += len(own)
                    outcome.of_gold["outside"] += outside_gold(own, spans)
                    outcome.of_gold["same"] += same_as_gold(own, spans)
                    if part is not None and not spans:
                        outcome.of_gold["beside"] += any(map(str.isalnum, text))
        if languages is not None:
            outcome.languages = languages.counts(without={*failed, *dropped})
        return outcome.without(failed, dropped)

    def _swapped(
        self, outcome: Outcome, failed: Mapping[int, object], languages: Languages | None
    ) -> Counter[str]:
        """The counts of the swap test, of a sample of the conversations."""
        batch, counts = outcome.batch, Counter[str]()
        hashes = batch_hashes(batch, batch.texts, batch.speakers)
        chosen = [i for i in sampled(hashes, self._scoring.swap_rate) if i not in failed]
        main = ["" if languages is None else languages.main[i] for i in chosen]
        swapped = []
        for i, language in zip(chosen, main, strict=True):
            own = slice(batch.first_cell[i], batch.first_cell[i + 1])
            swapped.append(swap(batch.texts[own], outcome.findings[own], bytes.fromhex(hashes[i]), language))
        texts = [text for one in swapped for text in one.texts]
        starts = [0, *accumulate(len(one.texts) for one in swapped)]
        found, _, lost = self._find(self._detectors, TextColumn(texts, starts))
        for k, (i, one) in enumerate(zip(chosen, swapped, strict=True)):
            if k not in lost:
                again = found[starts[k] : starts[k + 1]]
                parts = batch.parts[batch.first_cell[i] : batch.first_cell[i + 1]]
                said = Conversation(
                    one.texts, parts, {}, self._rank, self._own_types, rules=self._mention_rules
                )
                # What passes drop is missed as well.
                for _, again in run_passes(said, again, self._passes):  # noqa: B007, B020 - the last are used
                    pass
                counts.update(found_again(one, again, batch.contexts[i], main[k]))
        return counts

    def _is_over(self, risk: ConversationRisk) -> bool:
        return self._scoring.drop_over is not None and risk.score >= self._scoring.drop_over

    def _tell_languages(
        self, batch: ConversationBatch, column: TextColumn, failed: dict[int, tuple[Stage, str]]
    ) -> Languages | None:
        """Identify the languages of a batch; reject uncovered ones if the settings say so."""
        if self._languages is None:
            return None
        found = languages_of(batch, column, self._languages)
        if self._languages.uncovered == "quarantine":
            failed.update(
                (i, (Stage.DETECT, LANGUAGE_NOT_COVERED))
                for i in found.uncovered
                if i not in failed and not batch.annotations[i].is_whole
            )
        return found

    def _mark(self, batch: ConversationBatch, marks: Marks, found: list[list[Finding]]) -> None:
        """Add findings that are always replaced, and remove protected ones."""
        for cell, suppressed in marks.suppressed.items():
            found[cell] = [*found[cell], *suppressed]
        for cell, protected in marks.protected.items():
            if found[cell]:
                here = [one for one in protected if not one.entity]
                found[cell], readable = divided(batch.texts[cell], found[cell], here)
                marks.counts[cell] = Counter(
                    f"{why}/{finding.info_type}"
                    for why, several in readable.items()
                    for finding in merge_overlapping(several, self._rank)
                )

    def _keep(self, found: list[list[Finding]], speaker_types: dict[str, str]) -> "_Readable":
        """Remove cells' findings and speaker labels that are to stay readable."""
        findings: dict[int, list[Finding]] = {}
        labels: dict[str, str] = {}
        for cell in compress(range(len(found)), found) if self._kept else ():
            kept = [finding for finding in found[cell] if finding.info_type in self._kept]
            if kept:
                findings[cell] = merge_overlapping(kept, self._rank)
                found[cell] = [finding for finding in found[cell] if finding.info_type not in self._kept]
        for label in [label for label, info_type in speaker_types.items() if info_type in self._kept]:
            labels[label] = speaker_types.pop(label)
        return _Readable(findings, labels)

    def _readable_labels(
        self, batch: ConversationBatch, i: int, info_types: Mapping[str, str]
    ) -> list[Residual]:
        """The speaker labels of a conversation that stay readable by request, as residuals."""
        if not info_types:
            return []
        own = {label for label in batch.speakers[batch.first_cell[i] : batch.first_cell[i + 1]] if label}
        return [Residual(info_types[label], label, speaker=True) for label in sorted(own & info_types.keys())]

    def _replace(
        self,
        outcome: Outcome,
        audit: list[str],
        i: int,
        speaker_types: Mapping[str, str],
        marks: Marks,
        language: str | None,
        steps: list[tuple[str, Findings]] | None = None,
    ) -> LinkedConversation:
        """Replace one conversation and store the result in the columns of the outcome."""
        cells = outcome.batch.cells(i)
        own = slice(cells.start, cells.stop)
        texts, speakers = outcome.batch.texts[own], outcome.batch.speakers[own]
        conversation = Conversation(
            texts,
            outcome.batch.parts[own],
            {label: speaker_types[label] for label in filter(None, speakers) if label in speaker_types},
            self._rank,
            self._own_types,
            dict(_own(marks.suppressed, cells)),
            dict(_own(marks.protected, cells)),
            self._mention_rules,
        )
        found = outcome.findings[own]
        if steps is not None:
            steps.append(("detectors", found))
        for one, found in run_passes(conversation, found, self._passes):  # noqa: B020 - the last are used
            if steps is not None:
                steps.append((one.__name__, found))
        linked = link_conversation(
            texts, speakers, found, speaker_types, outcome.batch.ids[i], self._asked, language
        )
        protected_entities = _protected_entities(linked, cells, marks)
        if protected_entities:
            linked = linked.without(protected_entities)
        if self._reconciler is not None:
            reconciled = self._reconcile(self._reconciler, linked, found, marks, cells)
            outcome.reconciled[i] = reconciled
            linked = reconciled.conversation
        values = self._replacer.values(linked)
        replacement = replace_conversation(linked, values)
        if audit is not outcome.texts:
            audit[own] = replace_conversation(linked, self._tokens.values(linked)).texts
        outcome.values[own] = map(list, values.findings)
        if linked.labels:
            outcome.labels[linked.id] = linked.label_entities()
        outcome.texts[own] = replacement.texts
        outcome.speakers[own] = replacement.speakers
        outcome.findings[own] = map(list, linked.findings)
        outcome.entities[own] = map(list, linked.entities)
        return linked

    def _reconcile(
        self,
        reconcile: Reconciler,
        linked: LinkedConversation,
        found: Sequence[Sequence[Finding]],
        marks: Marks,
        cells: range,
    ) -> Reconciled:
        """Let people with a public role stay readable, but for those whom a list says to replace."""
        listed = {
            entity
            for k, suppressed in _own(marks.suppressed, cells)
            for finding, entity in zip(linked.findings[k], linked.entities[k], strict=True)
            if any(finding.start < one.end and one.start < finding.end for one in suppressed)
        }
        reconciled = reconcile(linked, found, self._linking.reconcile == "conservative", listed)
        for cell, left in zip(cells, reconciled.left, strict=True):
            if left:
                places = [Protected(finding.start, finding.end, None, PUBLIC_ROLE) for finding in left]
                marks.protected[cell] = [*marks.protected.get(cell, ()), *places]
                counts = Counter(f"{PUBLIC_ROLE}/{finding.info_type}" for finding in left)
                marks.counts[cell] = marks.counts.get(cell, Counter()) + counts
        return reconciled

    def _find(
        self,
        detectors: Sequence[Detector],
        column: TextColumn,
        twice: bool = False,
        counts: Counter[str] | None = None,
        known: Sequence[DetectionResult] = (),
    ) -> tuple[list[list[Finding]], list[list[Finding]], dict[int, tuple[Stage, str]]]:
        """Run all detectors on a batch; one that fails is retried conversation by conversation.

        A detector that cannot be called at all stops the run: no conversation is at fault. ``twice`` also
        returns findings for the second look; ``counts`` is added to; ``known`` are results of detectors that
        ran earlier. The returned lists must not be modified: several cells, or a detector, may share one
        list.
        """
        found: list[list[Finding]] = [[]] * len(column)
        unsure: list[list[Finding]] = [[]] * len(column)
        failed: dict[int, tuple[Stage, str]] = {}
        waiting = [d for d in detectors if not (known and isinstance(d, DetectedBefore))]
        asked = iter(detect_all(waiting, DetectionRequest("", column, twice)))
        for detector in detectors:
            result = known[detector.number] if known and isinstance(detector, DetectedBefore) else next(asked)
            if counts is not None:
                counts.update(result.counts)
            for whole, part in ((found, result.findings), (unsure, result.unsure)):
                for cell in compress(range(len(part)), part):
                    whole[cell] = whole[cell] + part[cell]
            failed.update((i, (Stage.DETECT, error)) for i, error in result.failed.items())
        return found, unsure, failed

    def _speaker_info_types(
        self, batch: ConversationBatch, known: Sequence[DetectionResult]
    ) -> dict[str, str]:
        """The infoType of each label that is personal data: of a finding over all of it, else a name."""
        labels = named_speakers(batch.speakers)
        found, _, failed = self._find(self._detectors, TextColumn(labels), known=known)
        info_types: dict[str, str] = {}
        for i, label in enumerate(labels):
            whole = () if i in failed else [f for f in found[i] if f.end - f.start >= len(label.strip())]
            best = merge_overlapping(whole, self._rank)
            info_types[label] = best[0].info_type if best else "PERSON_NAME"
        return info_types

    def _annotated(
        self, outcome: Outcome, failed: Mapping[int, tuple[Stage, str]]
    ) -> dict[int, list[Residual]]:
        """For each annotated conversation, the annotated data that is still readable."""
        batch = outcome.batch
        residuals: dict[int, list[Residual]] = {}
        for i, annotation in enumerate(batch.annotations):
            if i not in failed and annotation is not Annotation.NONE:
                residuals[i] = gold_residuals(*outcome.gold_cells(i), self._of_speakers)
        return residuals

    def _seen_again(
        self,
        outcome: Outcome,
        audit: Sequence[str],
        unsure: Sequence[list[Finding]],
        failed: dict[int, tuple[Stage, str]],
        marks: Marks,
    ) -> dict[int, list[Residual]]:
        """The findings of a second look for each conversation without complete annotations."""
        batch = outcome.batch
        residuals: dict[int, list[Residual]] = {}
        unannotated = [
            i for i, annotation in enumerate(batch.annotations) if i not in failed and not annotation.is_whole
        ]
        if self._table is None or not self._looks_again or not unannotated:
            return residuals
        found = list(unsure)
        for i in unannotated:
            for cell in compress(batch.cells(i), unsure[batch.first_cell[i] : batch.first_cell[i + 1]]):
                found[cell] = still_readable(unsure[cell], outcome.findings[cell], audit[cell])
        self._read_again(outcome.batch, audit, unannotated, self._scoring.second_look, found, failed)
        cut = [i for i in unannotated if _is_cut(outcome, i)]
        self._read_again(outcome.batch, audit, cut, self._scoring.where_cut, found, failed)
        for cell, protected in marks.protected.items():
            if found[cell] and batch.conversation_of(cell) not in failed:
                found[cell] = _not_protected(found[cell], protected, outcome.findings[cell], audit[cell])
        for i in unannotated:
            own = slice(batch.first_cell[i], batch.first_cell[i + 1])
            if i not in failed and any(found[own]):
                seen = [
                    merge_overlapping(not_faint(several), self._rank) if several else several
                    for several in found[own]
                ]
                residuals[i] = second_look_residuals(audit[own], seen, self._of_speakers)
        return residuals

    def _read_again(
        self,
        batch: ConversationBatch,
        audit: Sequence[str],
        conversations: Sequence[int],
        detectors: Sequence[Detector],
        found: list[list[Finding]],
        failed: dict[int, tuple[Stage, str]],
    ) -> None:
        """Add to ``found`` all findings, however unlikely, in the replaced text of some conversations."""
        if not detectors or not conversations:
            return
        owned = list(map(batch.cells, conversations))
        cells = list(chain.from_iterable(owned))
        replaced = TextColumn([audit[cell] for cell in cells], [0, *accumulate(map(len, owned))])
        sure, unsure, unseen = self._find(detectors, replaced, twice=True)
        for k, cell in enumerate(cells):
            if sure[k] or unsure[k]:
                found[cell] = [*found[cell], *sure[k], *unsure[k]]
        failed.update((conversations[k], error) for k, error in unseen.items())

    def _score(self, residuals: Sequence[Residual]) -> ConversationRisk | None:
        if self._table is None:
            return None
        scoring = self._scoring
        return score_conversation(residuals, self._table, scoring.variant_clustering, scoring.population)

    def _source(self, annotation: Annotation) -> str | None:
        if self._table is None:
            return None
        if annotation is Annotation.NONE:
            return MODEL if self._looks_again else None
        return Annotation.GOLD.value if annotation.is_gold else annotation.value


def _look_for_leaks(check: LeakCheck, outcome: Outcome, i: int, conversation: LinkedConversation) -> None:
    cells = outcome.batch.cells(i)
    own = slice(cells.start, cells.stop)
    found = check.check(conversation, outcome.values[own], outcome.texts[own])
    if found is not None:
        outcome.hidden.update({HIDDEN: 1, SHOWN: int(found.shown), SUSPECTED: int(found.suspected)})
        if found.shown or found.suspected:
            outcome.suspected.append(conversation.id)


def _unhidden(
    outcome: Outcome, i: int, conversation: LinkedConversation, fixed: Collection[str]
) -> Counter[str]:
    cells = outcome.batch.cells(i)
    own = slice(cells.start, cells.stop)
    pairs = zip(conversation.speakers, outcome.speakers[own], strict=True)
    labels = {label: value for label, value in pairs if label is not None and value is not None}
    return unhidden(conversation, outcome.values[own], labels, fixed)


class _Readable(NamedTuple):
    """Data that stays readable by request: disjoint findings of cells, and speaker labels by infoType."""

    findings: dict[int, list[Finding]]
    labels: dict[str, str]


def _own(marks: Mapping[int, T], cells: range) -> Iterator[tuple[int, T]]:
    """The marks of a conversation's cells, by index within it."""
    if marks:
        yield from ((cell - cells.start, marks[cell]) for cell in cells if cell in marks)


def _protected_entities(conversation: LinkedConversation, cells: range, marks: Marks) -> set[tuple[int, int]]:
    """The findings of entities that are protected as a whole, by cell and place in it, which are marked."""
    texts, findings = conversation.texts, conversation.findings
    held = of_protected_entities(texts, findings, conversation.entities, _own(marks.protected, cells))
    gone: set[tuple[int, int]] = set()
    for i in range(len(texts)) if held else ():
        suppressed = marks.suppressed.get(cells[i], ())
        for k, (finding, entity) in enumerate(zip(findings[i], conversation.entities[i], strict=True)):
            by = held.get(entity)
            if by is not None and not any(
                s.start < finding.end and finding.start < s.end for s in suppressed
            ):
                gone.add((i, k))
                place = by._replace(start=finding.start, end=finding.end)
                marks.protected.setdefault(cells[i], []).append(place)
                marks.counts.setdefault(cells[i], Counter())[f"{by.why}/{finding.info_type}"] += 1
    return gone


def _not_protected(
    found: Sequence[Finding], protected: Sequence[Protected], replaced: Sequence[Finding], text: str
) -> list[Finding]:
    """Findings of a second look that are outside of protected ranges, at their new positions."""
    for one in protected:
        place = Finding(one.start, one.end, "", Likelihood.POSSIBLE, "")
        for now in still_readable([place], replaced, text):
            found, _ = divided(text, found, [one._replace(start=now.start, end=now.end)])
    return list(found)


def _is_cut(outcome: Outcome, i: int) -> bool:
    """Whether a token replaced a part of a word anywhere in a conversation."""
    cells = outcome.batch.cells(i)
    texts, findings = outcome.batch.texts, outcome.findings
    return any(cuts_a_word(texts[cell], findings[cell]) for cell in cells if findings[cell])


def _with_something(
    batch: ConversationBatch, found: Sequence[list[Finding]], speaker_types: Mapping[str, str]
) -> Iterator[int]:
    """The conversations with a finding, or with a named speaker."""
    for i, (start, stop) in enumerate(pairwise(batch.first_cell)):
        if any(found[start:stop]) or not speaker_types.keys().isdisjoint(batch.speakers[start:stop]):
            yield i
