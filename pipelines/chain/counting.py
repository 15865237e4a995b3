"""What is counted of the conversations of a batch that stay in the output."""

from collections import Counter
from collections.abc import Collection, Mapping

from tacenda.pipelines.chain.outcome import Outcome
from tacenda.transforms.auditing.residuals import cut_spans, joins_unlike, outside_gold, same_as_gold
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import unhidden
from tacenda.transforms.replacing.standing_out import HIDDEN, SHOWN, SUSPECTED, LeakCheck
from tacenda.transforms.schema.conversation import Annotation


def count_entities(
    outcome: Outcome,
    linked: Mapping[int, LinkedConversation],
    leak_check: LeakCheck | None,
    fixed: Collection[str],
    listed: Collection[str] = (),
) -> None:
    """Count entities, replaced labels, names that stand out, and values that replace themselves.

    Args:
        outcome: whose tally is added to.
        linked: the conversations that stay, by number.
        leak_check: looks for names that stand out among surrogates; None if names are not hidden.
        fixed: replacements that are the same for everything, and so may be what they replace.
        listed: words of dictionaries to replace with, in small letters.
    """
    tally = outcome.tally
    for i, conversation in linked.items():
        own = outcome.batch.own(i)
        tally.entities.update(conversation.entity_counts())
        tally.speakers_replaced += len(conversation.labels)
        if leak_check is not None:
            found = leak_check.check(conversation, outcome.values[own], outcome.texts[own])
            if found is not None:
                tally.hidden.update({HIDDEN: 1, SHOWN: int(found.shown), SUSPECTED: int(found.suspected)})
                if found.shown or found.suspected:
                    tally.suspected.append(conversation.id)
        if fixed or listed:
            pairs = zip(conversation.speakers, outcome.speakers[own], strict=True)
            labels = {label: value for label, value in pairs if label is not None and value is not None}
            tally.readable.update(unhidden(conversation, outcome.values[own], labels, fixed, listed))


def count_readable(outcome: Outcome, readable: Mapping[int, Counter[str]], stays: Collection[int]) -> None:
    """Count what stays readable by request: ``why/infoType``, by cell, of the conversations that stay."""
    for cell, counts in readable.items():
        if outcome.batch.conversation_of(cell) in stays:
            outcome.tally.readable.update(counts)


def count_gold(outcome: Outcome, stays: Collection[int]) -> None:
    """Compare findings with complete gold, which proves little if it has what was found and nothing else."""
    batch, counts = outcome.batch, outcome.tally.of_gold
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
