"""Run the swap test on a batch: detectors and passes on other names, in a sample of conversations."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import accumulate

from tacenda.pipelines.chain.detecting import find
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.passes import Findings
from tacenda.transforms.auditing.swapping import found_again, sampled, swap
from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.writing.columns import batch_hashes


def swap_counts(
    outcome: Outcome,
    failed: Collection[int],
    rate: float,
    languages: Sequence[str],
    detectors: Sequence[Detector],
    passed: Callable[[Sequence[str], Sequence[str | None], Findings], Findings],
) -> Counter[str]:
    """The counts of ``auditing.swapping``.

    Args:
        outcome: the replaced batch.
        failed: conversations that are not tested.
        rate: the share of conversations that are.
        languages: that of each conversation; empty strings if unknown.
        detectors: read the text with other names.
        passed: what passes leave of findings, of texts with the paths of those that are values of JSON.
    """
    batch, counts = outcome.batch, Counter[str]()
    hashes = batch_hashes(batch, batch.texts, batch.speakers)
    chosen = [i for i in sampled(hashes, rate) if i not in failed]
    swapped = [
        swap(
            batch.texts[batch.own(i)],
            outcome.findings[batch.own(i)],
            bytes.fromhex(hashes[i]),
            languages[i],
        )
        for i in chosen
    ]
    starts = [0, *accumulate(len(one.texts) for one in swapped)]
    found = find(detectors, TextColumn([text for one in swapped for text in one.texts], starts))
    for k, (i, one) in enumerate(zip(chosen, swapped, strict=True)):
        if k not in found.failed:
            again = found.sure[starts[k] : starts[k + 1]]
            again = passed(one.texts, batch.parts[batch.own(i)], again)
            counts.update(found_again(one, again, batch.contexts[i], languages[i]))
    return counts
