"""Match the gold spans of one cell with its findings.

Coverage counts letters and digits: punctuation or a space at the edge of a span identifies nobody. A type is
right if span and finding belong to the same class of data. The four kinds of match of SemEval-2013 task 9
(Segura-Bedmar et al.) are overlap, type, exact and strict; each is yes or no. Whether a finding fits a span
is judged less strictly than by exact limits: see ``boundaries``.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacenda.transforms.evaluating.gold_labels import GoldLabels
from tacenda.transforms.evaluating.gold_reading import Coverage
from tacenda.transforms.linking.normalising import without_title
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding


def inner_limits(text: str, start: int, end: int, titled: bool) -> tuple[int, int]:
    """The limits of a range of text without punctuation and white space at its edges.

    Args:
        text: the text of the range.
        start: its first code point.
        end: the code point after its last.
        titled: whether titles before a name are excluded as well; a title on its own is kept.

    >>> inner_limits("ask (Dr. Green), please", 4, 16, True)
    (9, 14)
    """
    start, end = _stripped(text, start, end)
    if titled:
        words = text[start:end].lower()
        title = len(words) - len(without_title(words))
        if title and len(words) == end - start:
            start, end = _stripped(text, start + title, end)
    return start, end


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end


_TITLED = frozenset({"PERSON_NAME"})
"""The classes whose values may have titles."""


class SpanMatch(NamedTuple):
    """The match of a gold span.

    ``chars`` is its number of letters and digits, ``covered_chars`` of those covered by findings.
    ``overlapped``: some finding touches it; ``typed``: one of its class does. ``exact``: a finding has
    exactly its limits; ``strict``: and its class. ``found`` is the infoType of the first finding that touches
    it. ``fitted``: a finding has its limits apart from punctuation, white space and titles; ``excess_chars``:
    letters and digits outside of any gold in those findings of which this is the first counted span.
    ``mention``: the index of the finding that is this mention, if any: the one with most of its letters and
    digits; no finding is two mentions.
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
    """The match of a finding.

    ``judged``: the gold is complete for its class. ``right_chars`` of its ``chars`` letters and digits are
    covered by gold. ``touched``: it touches any gold span, even one with a don't-care label. ``overlapped``,
    ``typed``, ``exact`` and ``strict`` are as in :class:`SpanMatch`, for gold spans that count.
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
    """Match the gold spans of a cell with its findings; one entry per span and one per finding, in order.

    Args:
        text: the cell.
        spans: its gold spans, including don't-care ones; they may overlap.
        findings: its findings, disjoint and sorted by start.
        labels: classes and kinds of labels.
        coverage: the findings for which the gold is complete.
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
    """Pairs of span and finding, those with the largest overlap first."""
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
    """Letters and digits of a finding outside of any gold, without a title at its start."""
    start, end = inner_limits(text, finding.start, finding.end, titled)
    inner = finding._replace(start=start, end=end)
    return _alphanumeric(text[start:end]) - _chars_under(text, inner, gold)


def _alphanumeric(text: str) -> int:
    return len(text) if text.isalnum() else sum(map(str.isalnum, text))


def _merged(spans: Sequence[AnnotatedSpan]) -> list[tuple[int, int]]:
    """The ranges covered by any span, disjoint and sorted."""
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
