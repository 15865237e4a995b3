"""Run the swap test on a batch: detectors and passes on other names, in a sample of conversations.

It has two steps, as models that run in a stage of their own read the other names between them.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import accumulate

from tacenda.models.detection import DetectionResult
from tacenda.pipelines.chain.detecting import column_of, find
from tacenda.pipelines.chain.outcome import InSwapTest, Outcome
from tacenda.pipelines.chain.passes import Findings
from tacenda.transforms.auditing.swapping import found_again, sampled, swap
from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.writing.columns import batch_hashes


def swapped_of(
    outcome: Outcome, failed: Collection[int], rate: float, languages: Sequence[str]
) -> list[InSwapTest]:
    """The conversations of the sample, with other names.

    Args:
        outcome: the replaced batch.
        failed: conversations that are not tested.
        rate: the share of conversations that are.
        languages: that of each conversation; empty strings if unknown.
    """
    batch = outcome.batch
    hashes = batch_hashes(batch, batch.texts, batch.speakers)
    chosen = []
    for i in sampled(hashes, rate):
        if i not in failed:
            own, key = batch.own(i), bytes.fromhex(hashes[i])
            names = swap(batch.texts[own], outcome.findings[own], key, languages[i])
            chosen.append(InSwapTest(names, batch.parts[own], batch.contexts[i], languages[i]))
    return chosen


def swap_column(swapped: Sequence[InSwapTest]) -> TextColumn:
    """What detectors read of the sample."""
    texts = [text for one in swapped for text in one.swapped.texts]
    parts = [part for one in swapped for part in one.parts]
    return column_of(texts, parts, [0, *accumulate(len(one.swapped.texts) for one in swapped)])


def swap_counts(
    swapped: Sequence[InSwapTest],
    detectors: Sequence[Detector],
    passed: Callable[[Sequence[str], Sequence[str | None], Findings], Findings],
    known: Sequence[DetectionResult] = (),
) -> Counter[str]:
    """The counts of ``auditing.swapping``.

    Args:
        swapped: the sample.
        detectors: read the text with other names.
        passed: what passes leave of findings, of texts with the paths of those that are values of JSON.
        known: what models in stages of their own found in ``swap_column``.
    """
    column, counts = swap_column(swapped), Counter[str]()
    found = find(detectors, column, known=known)
    for k, one in enumerate(swapped):
        if k not in found.failed:
            again = found.sure[column.first_cell[k] : column.first_cell[k + 1]]
            again = passed(one.swapped.texts, one.parts, again)
            counts.update(found_again(one.swapped, again, one.context, one.language))
    return counts
