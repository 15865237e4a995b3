"""The matches of a corpus as three tables: conversations, gold spans, findings.

Match the gold spans of one cell with its findings.

Coverage counts letters and digits: punctuation or a space at the edge of a span identifies nobody. A type is
right if span and finding belong to the same class of data. The four kinds of match of SemEval-2013 task 9
(Segura-Bedmar et al.) are overlap, type, exact and strict; each is yes or no. Whether a finding fits a span
is judged less strictly than by exact limits: see ``boundaries``.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacenda.transforms.evaluating.gold_reading import Coverage, GoldLabels, Origin
from tacenda.transforms.linking.normalising import normalised_value, without_title
from tacenda.transforms.linking.propagation.inflections import possible_stems
from tacenda.transforms.linking.speakers import is_role
from tacenda.transforms.schema.conversation import AnnotatedSpan, ConversationBatch
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
    found: str | None
    chars: int
    covered_chars: int
    overlapped: bool
    typed: bool
    exact: bool
    strict: bool
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
    chars: int
    right_chars: int
    judged: bool
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
        flags = first < last, is_typed, is_exact, is_strict, fitted
        span_matches.append(SpanMatch(span, found, chars, covered, *flags, excess, None))
    for i, k in _one_to_one(pairs):
        span_matches[i] = span_matches[i]._replace(mention=k)
    finding_matches = []
    for k, finding in enumerate(findings):
        chars = _alphanumeric(text[finding.start : finding.end])
        right = _chars_under(text, finding, gold) if touched[k] else 0
        judged = coverage.complete or classes[k] in coverage.classes
        flags = touched[k], overlapped[k], typed[k], exact[k], strict[k]
        finding_matches.append(FindingMatch(finding, chars, right, judged, *flags))
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


_WORD = re.compile(r"\w+")


class GoldEntities(NamedTuple):
    """One entry for each cell and span: its entity number, from 0, and whether it is certain.

    The annotator's ``entity`` is certain. Without one, spans of one class with equal normalised values are
    one entity. That leaves open whether Ann is Ann Lee, and Virtasen is Virtanen: a value whose words all occur
    in another value of the class, or may be inflected forms of words there, is uncertain.
    """

    numbers: list[list[int]]
    certain: list[list[bool]]


def gold_entities(
    texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]], labels: GoldLabels
) -> GoldEntities:
    """Cluster the gold spans of one conversation; ``texts`` and ``spans`` have one entry per cell."""
    known: dict[tuple[str, str], int] = {}
    numbers = [
        [known.setdefault(_key(text[span.start : span.end], span, labels), len(known)) for span in cell]
        for text, cell in zip(texts, spans, strict=True)
    ]
    doubtful = _doubtful(known)
    return GoldEntities(numbers, [[number not in doubtful for number in cell] for cell in numbers])


def _key(text: str, span: AnnotatedSpan, labels: GoldLabels) -> tuple[str, str]:
    if span.entity is not None:
        return "", span.entity
    return labels.class_of(span.label), normalised_value(span.label, text)


def _doubtful(known: dict[tuple[str, str], int]) -> set[int]:
    """The entities whose words all occur in another one of their class, or may be forms of words there."""
    of_word: dict[tuple[str, str], set[int]] = {}
    words: dict[int, list[list[tuple[str, str]]]] = {
        number: [
            [(name, form) for form in (word, *possible_stems(word))] for word in set(_WORD.findall(value))
        ]
        for (name, value), number in known.items()
        if name
    }
    for number, own in words.items():
        for form in chain.from_iterable(own):
            of_word.setdefault(form, set()).add(number)
    found = set()
    for number, own in words.items():
        # Rarest word first: the search stays short if many values share a word.
        holders = sorted((set[int]().union(*(of_word[form] for form in forms)) for forms in own), key=len)
        if holders and any(all(other in rest for rest in holders[1:]) for other in holders[0] - {number}):
            found.add(number)
    return found


UNSAID = "(none)"
"""The value of a field that a record lacks."""

_NUMBER = re.compile(r"[\s_.\-]*[0-9]*[\s:]*$")
"""Speaker numbers from diarisation; they are not roles."""

NAMED_SPEAKER = "(a name)"
"""Replaces every speaker label that is not a role: it may be a person's name."""

CONVERSATIONS = pa.schema(
    [
        *((name, pa.string()) for name in ("id", "file", "context", "lang", "source", "gold")),
        *((name, pa.bool_()) for name in ("judged", "rejected")),
    ]
)
_PLACE = [("conversation", pa.int64()), ("turn", pa.int32()), ("start", pa.int32()), ("end", pa.int32())]
SPANS = pa.schema(
    [
        *_PLACE,
        *((name, pa.string()) for name in ("label", "kind", "speaker", "found")),
        *((name, pa.int32()) for name in ("chars", "covered_chars")),
        *((name, pa.bool_()) for name in ("overlapped", "typed", "exact", "strict", "fitted")),
        ("excess_chars", pa.int32()),
        # Numbers within the conversation: of the entity that the gold means, whether that is certain, and of
        # the entity that the finding of this mention was linked to.
        ("gold_entity", pa.int32()),
        ("certain", pa.bool_()),
        ("entity", pa.int32()),
    ]
)
FINDINGS = pa.schema(
    [
        *_PLACE,
        *((name, pa.string()) for name in ("info_type", "speaker")),
        *((name, pa.int32()) for name in ("chars", "right_chars")),
        *((name, pa.bool_()) for name in ("judged", "touched", "overlapped", "typed", "exact", "strict")),
    ]
)


@dataclass(frozen=True)
class Matches:
    """Three tables with the schemas above; ``conversation`` is a row number of the first table."""

    conversations: pa.Table
    spans: pa.Table
    findings: pa.Table

    def of(self, field: str, value: str) -> "Matches":
        """Spans and findings with one ``speaker``, ``label`` or ``info_type``, and their conversations.

        There are no findings of a label, and no spans of an infoType.
        """
        chosen = np.zeros(self.conversations.num_rows, np.bool_)
        tables = []
        for table in (self.spans, self.findings):
            own = table.filter(pc.equal(table[field], value)) if field in table.column_names else table[:0]
            chosen[own["conversation"].to_numpy()] = True
            tables.append(own)
        return Matches(self.conversations, *tables).of_conversations(chosen)

    def of_conversations(self, chosen: Any) -> "Matches":
        """Selected conversations; ``chosen`` is a boolean array."""
        number = np.cumsum(chosen) - 1
        tables = []
        for table in (self.spans, self.findings):
            kept = table.filter(pa.array(chosen[table["conversation"].to_numpy()]))
            numbers = pa.array(number[kept["conversation"].to_numpy()], pa.int64())
            tables.append(kept.set_column(0, "conversation", numbers))
        return Matches(self.conversations.filter(pa.array(chosen)), *tables)


@dataclass
class MatchRows:
    """Collects matches conversation by conversation."""

    labels: GoldLabels
    _conversations: list[tuple[Any, ...]] = field(default_factory=list)
    _spans: list[tuple[Any, ...]] = field(default_factory=list)
    _findings: list[tuple[Any, ...]] = field(default_factory=list)

    def add(
        self,
        batch: ConversationBatch,
        i: int,
        file: str,
        origin: Origin,
        coverage: Coverage,
        findings: Sequence[Sequence[Finding]] | None,
        entities: Sequence[Sequence[int]] = (),
    ) -> None:
        """Match conversation ``i`` of a batch; the last two arguments have one entry per cell.

        ``findings`` is None if the chain rejected the conversation; its spans then count as missed.
        ``entities`` has the entity number of each finding; without it, linking is not evaluated.
        """
        number = len(self._conversations)
        gold = "complete" if coverage.complete else "by class" if coverage.classes else "recall only"
        told = (batch.contexts[i] or UNSAID, origin.lang or UNSAID, origin.source or UNSAID, gold)
        self._conversations.append((batch.ids[i], file, *told, coverage.judged, findings is None))
        own = batch.own(i)
        texts, spans = batch.texts[own], batch.spans[own]
        found = [()] * len(texts) if findings is None else findings
        linked = entities or [()] * len(texts)
        meant = gold_entities(texts, spans, self.labels)
        for text, speaker, turn, cell_spans, cell_findings, cell_entities, numbers, certain in zip(
            texts, batch.speakers[own], batch.turns[own], spans, found, linked, *meant, strict=True
        ):
            if not cell_spans and not cell_findings:
                continue
            role = _role(speaker)
            of_spans, of_findings = match_cell(text, cell_spans, cell_findings, self.labels, coverage)
            self._spans.extend(
                (
                    *(number, turn, *m.span[:3], self.labels.kind(m.span.label), role, *m[1:-1], *meant),
                    None if m.mention is None or not cell_entities else cell_entities[m.mention],
                )
                for m, *meant in zip(of_spans, numbers, certain, strict=True)
            )
            self._findings.extend((number, turn, *m.finding[:3], role, *m[1:]) for m in of_findings)

    def tables(self) -> Matches:
        """The collected matches."""
        return Matches(
            _table(self._conversations, CONVERSATIONS),
            _table(self._spans, SPANS),
            _table(self._findings, FINDINGS),
        )


def concatenated(parts: Sequence[Matches]) -> Matches:
    """The matches of several work units, in order, as one."""
    tables = [[schema.empty_table()] for schema in (CONVERSATIONS, SPANS, FINDINGS)]
    before = 0
    for part in parts:
        tables[0].append(part.conversations)
        for several, table in zip(tables[1:], (part.spans, part.findings), strict=True):
            moved = pc.add(table["conversation"], pa.scalar(before, pa.int64()))
            several.append(table.set_column(0, "conversation", moved))
        before += part.conversations.num_rows
    return Matches(*map(pa.concat_tables, tables))


def _role(speaker: str | None) -> str:
    if not speaker or not speaker.strip():
        return UNSAID
    if not is_role(speaker):
        return NAMED_SPEAKER
    return _NUMBER.sub("", speaker.strip().casefold()) or UNSAID


def _table(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
