"""Match the gold spans of one cell with its findings.

Coverage counts letters and digits: a comma or a space at the edge of a span identifies nobody. A type is right
when span and finding name the same class of data. Of the four matches of SemEval-2013 task 9 (Segura-Bedmar et
al.), overlap, type, exact and strict are here; all are yes or no. Whether a finding fits a span is judged more
kindly than by exact limits: see ``boundaries``.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacenda.transforms.evaluating.boundaries import inner_limits
from tacenda.transforms.evaluating.gold_labels import GoldLabels
from tacenda.transforms.evaluating.gold_reading import Coverage
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding

_TITLED = frozenset({"PERSON_NAME"})
"""The classes whose values have titles."""


class SpanMatch(NamedTuple):
    """What became of a gold span.

    ``chars`` are its letters and digits, ``covered_chars`` those under findings. ``overlapped``: some finding
    touches it; ``typed``: one of its class does. ``exact``: a finding has its very limits; ``strict``: and its
    class. ``found`` is the infoType of the first finding that touches it. ``fitted``: a finding has its limits
    but for signs, white space and titles; ``excess_chars``: letters and digits outside of any gold in the
    findings of which this is the first span that counts. ``mention``: which of the findings is this mention, if
    any is; that with most of its letters and digits, and none is two.
    """

    span: AnnotatedSpan
    chars: int
    covered_chars: int
    overlapped: bool
    typed: bool
    exact: bool
    strict: bool
    found: str | None
    fitted: bool
    excess_chars: int
    mention: int | None


class FindingMatch(NamedTuple):
    """What a finding was worth.

    ``judged``: the gold is complete for its class. ``right_chars`` of its ``chars`` letters and digits lie
    under gold. ``touched``: it touches any gold span at all, if only one of a don't-care label. ``overlapped``,
    ``typed``, ``exact`` and ``strict`` are as in :class:`SpanMatch`, of gold spans that count.
    """

    finding: Finding
    judged: bool
    chars: int
    right_chars: int
    touched: bool
    overlapped: bool
    typed: bool
    exact: bool
    strict: bool


def match_cell(
    text: str,
    spans: Sequence[AnnotatedSpan],
    findings: Sequence[Finding],
    labels: GoldLabels,
    coverage: Coverage,
) -> tuple[list[SpanMatch], list[FindingMatch]]:
    """Match the gold spans of a cell with its findings; one entry a span and one a finding, in their orders.

    Args:
        text: the cell.
        spans: its gold spans, don't-care ones too; they may overlap each other.
        findings: its findings, disjoint and sorted by start.
        labels: classes and kinds of labels.
        coverage: for which findings the gold is complete.
    """
    starts = [finding.start for finding in findings]
    ends = [finding.end for finding in findings]
    classes = [labels.class_of(finding.info_type) for finding in findings]
    touched, overlapped, typed, exact, strict = ([False] * len(findings) for _ in range(5))
    gold = _merged(spans)
    span_matches: list[SpanMatch] = []
    pairs: list[tuple[int, int, int]] = []
    for span in spans:
        first, last = bisect_right(ends, span.start), bisect_left(starts, span.end)
        cares = labels.kind(span.label) != "dont_care"
        wanted = labels.class_of(span.label)
        chars = _alphanumeric(text[span.start : span.end])
        covered = excess = 0
        is_typed = is_exact = is_strict = False
        for k in range(first, last):
            start, end = max(starts[k], span.start), min(ends[k], span.end)
            common = chars if end - start == span.end - span.start else _alphanumeric(text[start:end])
            covered += common
            same_class = classes[k] == wanted
            same_limits = starts[k] == span.start and ends[k] == span.end
            is_typed |= same_class
            is_exact |= same_limits
            is_strict |= same_class and same_limits
            touched[k] = True
            if cares:
                if not overlapped[k]:
                    excess += _excess(text, findings[k], gold, wanted in _TITLED)
                if common:
                    pairs.append((-common, len(span_matches), k))
                overlapped[k] = True
                typed[k] |= same_class
                exact[k] |= same_limits
                strict[k] |= same_class and same_limits
        found = findings[first].info_type if first < last else None
        fitted = is_exact or _fits(text, span, findings[first:last], wanted in _TITLED)
        span_matches.append(
            SpanMatch(
                span, chars, covered, first < last, is_typed, is_exact, is_strict, found, fitted, excess, None
            )
        )
    for i, k in _one_to_one(pairs):
        span_matches[i] = span_matches[i]._replace(mention=k)
    finding_matches = []
    for k, finding in enumerate(findings):
        chars = _alphanumeric(text[finding.start : finding.end])
        right = _chars_under(text, finding, gold) if touched[k] else 0
        judged = coverage.complete or classes[k] in coverage.classes
        finding_matches.append(
            FindingMatch(
                finding, judged, chars, right, touched[k], overlapped[k], typed[k], exact[k], strict[k]
            )
        )
    return span_matches, finding_matches


def _one_to_one(pairs: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """Spans and findings that belong together, those that share most first."""
    spans, findings = set(), set()
    for _, span, finding in sorted(pairs):
        if span not in spans and finding not in findings:
            spans.add(span)
            findings.add(finding)
            yield span, finding


def _fits(text: str, span: AnnotatedSpan, findings: Sequence[Finding], titled: bool) -> bool:
    if not findings:
        return False
    limits = inner_limits(text, span.start, span.end, titled)
    return any(inner_limits(text, f.start, f.end, titled) == limits for f in findings)


def _excess(text: str, finding: Finding, gold: Sequence[tuple[int, int]], titled: bool) -> int:
    """Letters and digits of a finding, without a title at its start, that lie outside of any gold."""
    start, end = inner_limits(text, finding.start, finding.end, titled)
    inner = finding._replace(start=start, end=end)
    return _alphanumeric(text[start:end]) - _chars_under(text, inner, gold)


def _alphanumeric(text: str) -> int:
    return len(text) if text.isalnum() else sum(map(str.isalnum, text))


def _merged(spans: Sequence[AnnotatedSpan]) -> list[tuple[int, int]]:
    """The ranges under any span, disjoint and sorted."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _chars_under(text: str, finding: Finding, gold: Sequence[tuple[int, int]]) -> int:
    first = bisect_right(gold, finding.start, key=lambda limits: limits[1])
    count = 0
    for start, end in gold[first:]:
        if start >= finding.end:
            break
        count += _alphanumeric(text[max(start, finding.start) : min(end, finding.end)])
    return count
