"""Residual findings against gold spans: what the annotator marked and the findings did not cover."""

from bisect import bisect_right
from collections.abc import Sequence

from transforms.schema.conversation import AnnotatedSpan
from transforms.schema.finding import Finding
from transforms.schema.residual import Residual


def gold_residuals(
    texts: Sequence[str],
    spans: Sequence[Sequence[AnnotatedSpan]],
    findings: Sequence[Sequence[Finding]],
) -> list[Residual]:
    """What of the gold spans of one conversation stays readable.

    A span whose letters and digits are all under findings is covered and leaves nothing; one of which none are
    is missed; one of which some are is missed in part. Punctuation and white space at the edge of a span
    identify nobody and do not count.

    Args:
        texts: the cells of one conversation.
        spans: the gold spans of each cell.
        findings: the disjoint findings of each cell, sorted by start.
    """
    residuals: list[Residual] = []
    for text, cell_spans, cell_findings in zip(texts, spans, findings, strict=True):
        if not cell_spans:
            continue
        if not cell_findings:
            for start, end, label, entity in cell_spans:
                value = text[start:end]
                if value[:1].isalnum() or any(map(str.isalnum, value)):
                    residuals.append(Residual(label, value, False, False, entity))
            continue
        ends = [finding.end for finding in cell_findings]
        for span in cell_spans:
            readable = _readable(text, span, cell_findings, ends)
            if readable is None:
                continue
            value, partial = readable
            residuals.append(Residual(span.label, value, partial=partial, entity=span.entity))
    return residuals


def _readable(
    text: str, span: AnnotatedSpan, findings: Sequence[Finding], ends: Sequence[int]
) -> tuple[str, bool] | None:
    """The span's own text and whether it is readable only in part; None if nothing of it is."""
    whole = text[span.start : span.end]
    pieces: list[str] = []
    position = span.start
    for i in range(bisect_right(ends, span.start), len(findings)):
        finding = findings[i]
        if finding.start >= span.end:
            break
        if finding.start <= span.start and finding.end >= span.end:
            return None
        pieces.append(text[position : max(position, finding.start)])
        position = max(position, min(finding.end, span.end))
    if not pieces:
        return (whole, False) if any(map(str.isalnum, whole)) else None
    pieces.append(text[position : span.end])
    left = sum(map(str.isalnum, "".join(pieces)))
    return (whole, left < sum(map(str.isalnum, whole))) if left else None
