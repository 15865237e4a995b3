"""Count letters of gold that detectors cover and that are readable in the end, by what uncovers them."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding


class Step(NamedTuple):
    """A pass, and the findings of each cell after it."""

    name: str
    findings: Sequence[Sequence[Finding]]


def uncovered_letters(
    texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]], steps: Sequence[Step]
) -> Counter[str]:
    """Count letters and digits of gold that the first step covers and the last does not.

    Args:
        texts: the cells of one conversation.
        spans: the gold spans of each cell that count.
        steps: what detectors found, then the findings after each pass.

    Returns:
        The count by the name of the step that uncovered a letter last.
    """
    counts: Counter[str] = Counter()
    for cell, (text, of_cell) in enumerate(zip(texts, spans, strict=True)):
        letters = {k for span in of_cell for k in range(span.start, span.end) if text[k].isalnum()}
        lost = _covered(letters, steps[0].findings[cell]) if letters else letters
        lost -= _covered(lost, steps[-1].findings[cell])
        for before, step in zip(reversed(steps[:-1]), reversed(steps[1:]), strict=True):
            if lost:
                still = _covered(lost, before.findings[cell])
                counts[step.name] += len(still)
                lost -= still
    return counts


def _covered(letters: set[int], findings: Sequence[Finding]) -> set[int]:
    return {k for finding in findings for k in range(finding.start, finding.end) if k in letters}
