"""The chain of steps from a batch of conversations to anonymised text and its risk, on plain Python data.

Nothing here depends on Beam, files or workers: runners, loops and tests call the same :class:`Chain`.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, chain, compress, pairwise
from typing import TypeVar

from tacenda.pipelines.chain.detecting import column_of, find
from tacenda.pipelines.chain.outcome import MODEL, Outcome, Work, count_gold
from tacenda.pipelines.chain.passes import PASSES, Conversation, Pass, run_passes
from tacenda.transforms.auditing.residuals import gold_residuals, second_look_residuals, still_readable
from tacenda.transforms.auditing.swapping import found_again, sampled, swap
from tacenda.transforms.detecting.correcting import marks as marking
from tacenda.transforms.detecting.detector import Detector, TwoLookDetector
from tacenda.transforms.detecting.overlaps import CATCH_ALL, apart_from, merge_overlapping, not_within
from tacenda.transforms.detecting.rule_sets import MentionRules
from tacenda.transforms.language.coverage import ERROR as LANGUAGE_NOT_COVERED
from tacenda.transforms.language.coverage import LanguageSettings, languages_of
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.linked import (
    PUBLIC_KNOWLEDGE,
    PUBLIC_ROLE,
    LinkedConversation,
    LinkingSettings,
    Reconciler,
)
from tacenda.transforms.linking.public_knowledge import public_entities
from tacenda.transforms.linking.speakers import folded_label, named_speakers
from tacenda.transforms.replacing.argument_numbers import with_numbers
from tacenda.transforms.replacing.replacement import Replacer, replace_conversation, unhidden
from tacenda.transforms.replacing.settings import KEPT
from tacenda.transforms.replacing.standing_out import SHOWN, SUSPECTED, LeakCheck
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.schema.conversation import Annotation, ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.conversation_risk import score_conversation
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.writing.columns import batch_hashes

T = TypeVar("T")

_LABELS = 1 << 16  # labels whose infoTypes are remembered at most

TOKENS = TokenReplacer()
"""The default replacer, which also makes the audit text."""


@dataclass(eq=False)
class Chain:
    """Detect, link, replace, look again, score.

    Whatever the replacements, remaining data is searched for in the *audit text*, which has tokens instead: a
    second look would take a surrogate or a masked number for personal data.

    Attributes:
        detectors: detectors for the input; their findings are merged.
        rank: infoType to rank, for overlapping findings.
        table: the score table; None to skip scoring.
        second_look: detectors at their lowest likelihood for the replaced text, for those of the chain that
            cannot determine in the first look what a second look would find.
        where_cut: those of the chain that need no second look, except for conversations in which a token
            replaced a part of a word.
        variant_clustering: whether ASR variants of one name count as one entity.
        drop_over: conversations that score at least this, by any source, are dropped; None drops none.
        swap_rate: the share of conversations in which names are swapped (``auditing.swapping``).
        replacer: chooses the replacements.
        kept: infoTypes that stay readable, and are scored.
        markings: sources of marks: where findings stay readable without being scored, and where text is
            always replaced.
        leak_check: looks for names that stand out among surrogates; None if names are not hidden.
        reconciler: decides which people stay readable; None if the config does not ask.
        fixed: replacements that are the same for everything, and so may be what they replace.
        listed: words of dictionaries to replace with, which may be those of real people.
        languages: the languages allowed in a release; None to skip the check.
        mention_rules: the config's rules for mentions found by propagation; None for no rules.
        linking: who stays readable for a public role.
        own_types: infoTypes that the config defines itself.
        passes: what happens to findings between detectors and entities.
        doubts: infoTypes without a form, whose findings by lists and rules a model must think possible.
    """

    detectors: Sequence[Detector]
    rank: Mapping[str, int]
    table: ScoreTable | None = None
    second_look: Sequence[Detector] = ()
    where_cut: Sequence[TwoLookDetector] = ()
    variant_clustering: bool = False
    drop_over: int | None = None
    swap_rate: float = 0.0
    replacer: Replacer = TOKENS
    kept: Collection[str] = ()
    markings: Sequence[marking.Marking] = ()
    leak_check: LeakCheck | None = None
    reconciler: Reconciler | None = None
    fixed: Collection[str] = ()
    listed: Collection[str] = ()
    languages: LanguageSettings | None = None
    mention_rules: MentionRules | None = None
    linking: LinkingSettings = field(default_factory=LinkingSettings)
    own_types: Collection[str] = ()
    passes: Sequence[Pass] = PASSES
    doubts: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rules, own_types = self.mention_rules, frozenset(self.own_types)
        self._of_labels: dict[str, str] = {}
        self._conversation = partial(Conversation, rank=self.rank, own_types=own_types, rules=rules)
        remembering = any(isinstance(one, TwoLookDetector) for one in self.detectors)
        self._looks_again = self.table is not None and (remembering or bool(self.second_look))

    def run(self, batch: ConversationBatch) -> Outcome:
        """Run all steps on a batch; failures reject single conversations."""
        return self._counted(self.work(batch))

    def work(self, batch: ConversationBatch) -> Work:
        """A batch after all steps, with what they made on the way, and with the conversations that failed."""
        work = self._detect(batch)
        self._mark(work)
        self._keep(work)
        outcome = work.outcome
        for i, (start, stop) in enumerate(pairwise(batch.first_cell)):
            # With a finding, or with a named speaker.
            named = not work.speaker_types.keys().isdisjoint(batch.speakers[start:stop])
            if named or any(outcome.findings[start:stop]):
                work.attempt(i, Stage.REPLACE, lambda i: self._replace(work, i))
        for cell, kept in work.kept.items():
            work.kept[cell] = not_within(kept, outcome.findings[cell])
        table = self.table
        if table is not None:
            if self._looks_again:
                work.residuals = self._look_again(work, table.of_speakers)
            for i in range(len(batch)):
                work.attempt(i, Stage.SCORE, lambda i: self._score(work, i, table))
        if self.swap_rate:
            outcome.totals.swapped = self._swap_counts(work)
        return work

    def _detect(self, batch: ConversationBatch) -> Work:
        """Find personal data, tell languages and labels, and match the config's lists."""
        outcome = Outcome.untouched(batch)
        column = column_of(batch.texts, batch.parts, batch.first_cell)
        twice = self._looks_again and not all(annotation.is_whole for annotation in batch.annotations)
        found = find(self.detectors, column, twice, outcome.totals.sampling, self.doubts)
        asked = self.languages
        languages = None if asked is None else languages_of(batch, column, asked)
        if languages is not None and asked is not None and asked.uncovered == "quarantine":
            for i in languages.uncovered:
                if not batch.annotations[i].is_whole:
                    found.failed.setdefault(i, (Stage.DETECT, LANGUAGE_NOT_COVERED))
        labels = self._speaker_types(batch)
        marks = marking.all_marks(self.markings, batch, column)
        outcome.findings = list(found.sure)
        outcome.totals.listed = marks.matched
        # With token replacement, the audit text is the output, so the list is shared.
        shared = self.replacer is TOKENS and not any(batch.numbers)
        audit = outcome.texts if shared else list(batch.texts)
        return Work(outcome, found, languages, labels, marks, audit)

    def _speaker_types(self, batch: ConversationBatch) -> dict[str, str]:
        """The infoType of each label that is personal data: of a finding over all of it, else a name.

        Those of earlier batches are remembered: a label has the same in any batch.
        """
        labels, told = named_speakers(batch.speakers), self._of_labels
        types = {label: kind for label in labels if (kind := told.get(label))}
        new = [label for label in labels if label not in types]
        found = find(self.detectors if new else (), TextColumn(new))
        for i, label in enumerate(new):
            least = len(label.strip())
            whole = () if i in found.failed else [f for f in found.sure[i] if f.end - f.start >= least]
            best = merge_overlapping(whole, self.rank)
            types[label] = best[0].info_type if best else "PERSON_NAME"
        if len(told) > _LABELS:
            told.clear()
        told.update(types)
        return {label: types[label] for label in labels}

    def _mark(self, work: Work) -> None:
        """Add findings that are always replaced, and remove protected ones."""
        found, marks = work.outcome.findings, work.marks
        for cell, suppressed in marks.suppressed.items():
            found[cell] = [*found[cell], *suppressed]
        for cell, protected in marks.protected.items():
            if found[cell]:
                here = [one for one in protected if not one.entity]
                found[cell], readable = marking.divided(work.batch.texts[cell], found[cell], here)
                marks.counts[cell] = Counter(
                    f"{why}/{finding.info_type}"
                    for why, several in readable.items()
                    for finding in merge_overlapping(several, self.rank)
                )

    def _keep(self, work: Work) -> None:
        """Set findings and speaker labels apart that are to stay readable."""
        found, types = work.outcome.findings, self.kept
        for label, info_type in list(work.speaker_types.items()):
            if folded_label(label) in self.linking.roles:
                del work.speaker_types[label]
            elif info_type in types:
                work.kept_labels[label] = work.speaker_types.pop(label)
        for cell in compress(range(len(found)), found) if types else ():
            kept = [finding for finding in found[cell] if finding.info_type in types]
            if kept:
                work.kept[cell] = kept = merge_overlapping(kept, self.rank)
                others = [finding for finding in found[cell] if finding.info_type not in types]
                # A number within what stays readable is that, and no number that nothing says what it is.
                found[cell] = [f for f in others if f.info_type not in CATCH_ALL or not_within([f], kept)]

    def _replace(self, work: Work, i: int) -> None:
        """Replace one conversation and store the result in the columns of the outcome."""
        outcome, own, replacer = work.outcome, work.batch.own(i), self.replacer
        linked = self._linked(work, i)
        values = chosen = replacer.values(linked)
        if numbers := work.batch.numbers[i]:
            values = with_numbers(linked, chosen, numbers)
        replacement = replace_conversation(linked, values)
        if work.audit is not outcome.texts:
            tokens = chosen if replacer is TOKENS else TOKENS.values(linked)
            same = tokens is values
            work.audit[own] = replacement.texts if same else replace_conversation(linked, tokens).texts
        if linked.labels:
            outcome.labels[linked.id] = linked.label_entities()
        outcome.texts[own] = replacement.texts
        outcome.speakers[own] = replacement.speakers
        outcome.findings[own] = map(list, linked.findings)
        outcome.entities[own] = map(list, linked.entities)
        outcome.values[own] = map(list, values.findings)
        work.linked[i] = linked

    def _linked(self, work: Work, i: int) -> LinkedConversation:
        """The entities of a conversation that are to be replaced, of what passes leave of the findings."""
        batch, cells, own, marks = work.batch, work.batch.cells(i), work.batch.own(i), work.marks
        texts, speakers, types = batch.texts[own], batch.speakers[own], work.speaker_types
        conversation = self._conversation(
            texts,
            batch.parts[own],
            labels={label: types[label] for label in filter(None, speakers) if label in types},
            suppressed=dict(_own(marks.suppressed, cells)),
            protected=dict(_own(marks.protected, cells)),
        )
        found = run_passes(conversation, work.outcome.findings[own], self.passes)
        language = None if work.languages is None else work.languages.main[i]
        asked = None if self.mention_rules is None else self.mention_rules.asked
        linked = link_conversation(texts, speakers, found, types, batch.ids[i], language, asked)
        public = public_entities(linked, batch.parts[own]) if self.linking.public_knowledge else ()
        linked = _unprotected(work, cells, linked, public)
        if self.reconciler is None:
            return linked
        # People with a public role stay readable, but for those whom a list says to replace.
        listed = set[int]()
        for k, suppressed in _own(marks.suppressed, cells):
            pairs = zip(linked.findings[k], linked.entities[k], strict=True)
            listed.update(entity for finding, entity in pairs if _touches(finding, suppressed))
        conservative = self.linking.reconcile == "conservative"
        reconciled = self.reconciler(linked, found, conservative, listed)
        for cell, left in zip(cells, reconciled.left, strict=True):
            if left:
                work.protect(
                    cell, [(finding, marking.Protected(0, 0, None, PUBLIC_ROLE)) for finding in left]
                )
        work.outcome.reconciled[i] = reconciled
        kept: LinkedConversation = reconciled.conversation
        return kept

    def _look_again(self, work: Work, of_speakers: frozenset[str]) -> dict[int, list[Residual]]:
        """What detectors at their lowest likelihood still find in the replaced text of a batch.

        It lists what to read first, in each conversation without complete annotations. It sees what detectors
        found before any pass, so it shares no filter with them. Conversations that fail are added to those
        of the work. InfoTypes ``of_speakers`` score more for the speaker's own data.
        """
        batch, failed, replaced, audit = work.batch, work.failed, work.outcome.findings, work.audit
        found, protected = work.found, work.marks.protected
        looked_at = [i for i, one in enumerate(batch.annotations) if i not in failed and not one.is_whole]
        seen: list[list[Finding]] = [[]] * len(batch.texts)
        for cell in chain.from_iterable(map(batch.cells, looked_at)):
            unsure = found.unsure[cell]
            if found.sure[cell]:
                # What passes dropped counts if none of it was replaced or kept.
                unsure = [*unsure, *apart_from(found.sure[cell], [*replaced[cell], *protected.get(cell, ())])]
            if unsure:
                seen[cell] = still_readable(unsure, replaced[cell], audit[cell])
        cut = [i for i in looked_at if self.where_cut and work.is_cut(i)]
        for several, conversations in ((self.second_look, looked_at), (self.where_cut, cut)):
            if not several or not conversations:
                continue
            owned = list(map(batch.cells, conversations))
            cells = list(chain.from_iterable(owned))
            texts, parts = [audit[c] for c in cells], [batch.parts[c] for c in cells]
            again = find(several, column_of(texts, parts, [0, *accumulate(map(len, owned))]), twice=True)
            for k, cell in enumerate(cells):
                if again.sure[k] or again.unsure[k]:
                    seen[cell] = [*seen[cell], *again.sure[k], *again.unsure[k]]
            failed.update((conversations[k], error) for k, error in again.failed.items())
        for cell, places in protected.items():
            if seen[cell] and batch.conversation_of(cell) not in failed:
                for one in places:
                    place = Finding(one.start, one.end, "", Likelihood.POSSIBLE, "")
                    for now in still_readable([place], replaced[cell], audit[cell]):
                        moved = one._replace(start=now.start, end=now.end)
                        seen[cell], _ = marking.divided(audit[cell], seen[cell], [moved])
        residuals: dict[int, list[Residual]] = {}
        for i in looked_at:
            own = batch.own(i)
            if i not in failed and any(seen[own]):
                left = [merge_overlapping(cell, self.rank) if cell else cell for cell in seen[own]]
                residuals[i] = second_look_residuals(audit[own], left, of_speakers)
        return residuals

    def _score(self, work: Work, i: int, table: ScoreTable) -> None:
        """Score what is left readable of one conversation: by its annotations, and by the second look."""
        outcome, annotation = work.outcome, work.batch.annotations[i]
        score = partial(score_conversation, table=table, variant_clustering=self.variant_clustering)
        said = {label for label in work.batch.speakers[work.batch.own(i)] if label}
        kept = sorted(said & work.kept_labels.keys())
        labels = [Residual(work.kept_labels[label], label, speaker=True) for label in kept]
        residuals = [*work.residuals.get(i, ()), *labels]
        if annotation is not Annotation.NONE:
            if self._looks_again and not annotation.is_whole:
                outcome.beside[i] = score(residuals)
            residuals = [*gold_residuals(*outcome.gold_cells(i), table.of_speakers), *labels]
            outcome.sources[i] = Annotation.GOLD.value if annotation.is_gold else annotation.value
        elif self._looks_again:
            outcome.sources[i] = MODEL
        outcome.risks[i] = score(residuals)
        work.residuals[i] = residuals

    def _swap_counts(self, work: Work) -> Counter[str]:
        """The counts of the swap test (``auditing.swapping``): what is found again of other names.

        What passes drop of it is missed as well. Conversations that failed are not tested.
        """
        batch, counts = work.batch, Counter[str]()
        languages = [""] * len(batch) if work.languages is None else work.languages.main
        hashes = batch_hashes(batch, batch.texts, batch.speakers)
        tested = [i for i in sampled(hashes, self.swap_rate) if i not in work.failed]
        owned = list(map(batch.own, tested))
        swapped = [
            swap(batch.texts[own], work.outcome.findings[own], bytes.fromhex(hashes[i]), languages[i])
            for i, own in zip(tested, owned, strict=True)
        ]
        texts = [text for one in swapped for text in one.texts]
        parts = [part for own in owned for part in batch.parts[own]]
        column = column_of(texts, parts, [0, *accumulate(len(one.texts) for one in swapped)])
        found = find(self.detectors, column, doubts=self.doubts)
        for k, (i, own, one) in enumerate(zip(tested, owned, swapped, strict=True)):
            if k not in found.failed:
                again = found.sure[column.first_cell[k] : column.first_cell[k + 1]]
                again = run_passes(self._conversation(one.texts, batch.parts[own]), again, self.passes)
                counts.update(found_again(one, again, batch.contexts[i], languages[i]))
        return counts

    def _counted(self, work: Work) -> Outcome:
        """The outcome of the conversations that stay, with its totals."""
        outcome, over = work.outcome, self.drop_over
        scored = [(i, risk.score) for i, _, risk in outcome.scored() if i not in work.failed]
        dropped = {i for i, score in scored if over is not None and score >= over}
        gone = {*work.failed, *dropped}
        stays = [i for i in range(len(work.batch)) if i not in gone]
        kept = {
            cell: Counter(f"{KEPT}/{finding.info_type}" for finding in findings)
            for cell, findings in work.kept.items()
        }
        for cell, counts in (*kept.items(), *work.marks.counts.items()):
            if work.batch.conversation_of(cell) not in gone:
                outcome.totals.readable.update(counts)
        for i in stays:
            if i in work.linked:
                self._count_entities(outcome, work.batch.own(i), work.linked[i])
        count_gold(outcome, stays)
        if work.languages is not None:
            outcome.totals.languages = work.languages.counts(without=gone)
        return outcome.without(work.failed, dropped)

    def _count_entities(self, outcome: Outcome, own: slice, linked: LinkedConversation) -> None:
        """Count entities, replaced labels, names that stand out, and values that replace themselves."""
        totals, values = outcome.totals, outcome.values[own]
        totals.entities.update(linked.info_types)
        totals.speakers_replaced += len(linked.labels)
        if self.leak_check is not None:
            found = self.leak_check(linked, values, outcome.texts[own])
            totals.hidden.update(found)
            if found.get(SHOWN) or found.get(SUSPECTED):
                outcome.suspected.append(linked.id)
        if self.fixed or self.listed:
            pairs = zip(linked.speakers, outcome.speakers[own], strict=True)
            labels = {label: value for label, value in pairs if label is not None and value is not None}
            totals.readable.update(unhidden(linked, values, labels, self.fixed, self.listed))


def _own(marks: Mapping[int, T], cells: range) -> Iterator[tuple[int, T]]:
    """The marks of a conversation's cells, by index within it."""
    if marks:
        yield from ((cell - cells.start, marks[cell]) for cell in cells if cell in marks)


def _touches(finding: Finding, suppressed: Sequence[Finding]) -> bool:
    return any(one.start < finding.end and finding.start < one.end for one in suppressed)


def _unprotected(
    work: Work, cells: range, linked: LinkedConversation, public: Collection[int]
) -> LinkedConversation:
    """A conversation without the entities that are protected as a whole, whose findings are marked."""
    listed = marking.of_protected_entities(
        linked.texts, linked.findings, linked.entities, _own(work.marks.protected, cells)
    )
    held = {**dict.fromkeys(public, marking.Protected(0, 0, None, PUBLIC_KNOWLEDGE)), **listed}
    gone: set[tuple[int, int]] = set()
    for i, cell in enumerate(cells if held else ()):
        suppressed = work.marks.suppressed.get(cell, ())
        for k, (finding, entity) in enumerate(zip(linked.findings[i], linked.entities[i], strict=True)):
            if entity in held and not _touches(finding, suppressed):
                gone.add((i, k))
                work.protect(cell, [(finding, held[entity])])
    return linked.without(gone) if gone else linked
