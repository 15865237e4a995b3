"""Match the gold spans of conversations with what was found there.

Coverage counts letters and digits: punctuation or a space at the edge of a span identifies nobody. A type is
right if span and finding belong to the same class of data. The four kinds of match of SemEval-2013 task 9
(Segura-Bedmar et al.) are overlap, type, exact and strict; each is yes or no.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tacenda.transforms.auditing.residuals import Letters
from tacenda.transforms.evaluating.gold_reading import About, GoldLabels, Kind
from tacenda.transforms.linking.normalising import normalised_value, without_title
from tacenda.transforms.linking.propagation.inflections import possible_stems
from tacenda.transforms.linking.speakers import is_role
from tacenda.transforms.schema.conversation import AnnotatedSpan, ConversationBatch
from tacenda.transforms.schema.finding import Finding

MATCHES = ("overlapped", "typed", "exact", "strict")  # with some letter, of one class, all edges, both
UNSAID = "(none)"  # the value of a field that a record lacks
NAMED_SPEAKER = "(a name)"  # replaces every speaker label that is not a role: it may be a person's name
_NUMBER = re.compile(r"[\s_.\-]*[0-9]*[\s:]*$")  # speaker numbers from diarisation; they are not roles
_TITLED = frozenset({"PERSON_NAME"})  # the classes whose values may have titles

_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class SpanMatch:
    """A gold span, its ``chars`` letters and digits, and what was found there.

    ``found``: infoType of the first finding that touches it. ``how``: its matches, and ``fitted`` if a finding
    has its limits apart from punctuation, white space and titles. ``excess_chars``: letters and digits outside
    of any gold in findings of which this is the first counted span. ``gold_entity`` is what the gold means,
    ``certain`` or not, and ``entity`` what the finding of this mention was linked to: that with most of its
    letters and digits; no finding is two mentions.
    """

    turn: int
    start: int
    end: int
    label: str
    kind: Kind
    speaker: str
    chars: int
    covered_chars: int = 0
    found: str | None = None
    how: set[str] = field(default_factory=set)
    excess_chars: int = 0
    gold_entity: int = 0
    certain: bool = False
    entity: int | None = None


@dataclass(slots=True)
class FindingMatch:
    """A finding; gold covers ``right_chars`` of its letters and digits.

    ``judged``: the gold is complete for its class. ``how``: its matches with spans that count, and ``touched``
    if it touches any gold span, even one with a don't-care label.
    """

    turn: int
    start: int
    end: int
    info_type: str
    speaker: str
    chars: int
    judged: bool
    right_chars: int = 0
    how: set[str] = field(default_factory=set)


class Conversation(NamedTuple):
    """The matches of a conversation, and what is said of it; ``chars`` are counted if its gold is complete."""

    id: str
    file: str
    context: str
    lang: str
    source: str
    gold: str
    judged: bool
    rejected: bool
    chars: int
    spans: list[SpanMatch]
    findings: list[FindingMatch]


def match_conversation(
    batch: ConversationBatch,
    i: int,
    about: About,
    labels: GoldLabels,
    findings: Sequence[Sequence[Finding]] | None,
    entities: Sequence[Sequence[int]] = (),
) -> Conversation:
    """Match conversation ``i`` of a batch; the last two arguments have one entry per cell.

    ``findings`` is None if the chain rejected the conversation; its spans then count as missed. ``entities``
    has the entity number of each finding; without it, linking is not evaluated.
    """
    own = batch.own(i)
    texts, spans = batch.texts[own], batch.spans[own]
    found = [()] * len(texts) if findings is None else findings
    linked = entities or [()] * len(texts)
    gold = "complete" if about.complete else "by class" if about.classes else "recall only"
    told = (batch.contexts[i] or UNSAID, about.lang or UNSAID, about.source or UNSAID, gold)
    judged = gold != "recall only"
    chars = sum(map(str.isalnum, "".join(texts))) if about.complete else 0
    matched = Conversation(batch.ids[i], about.file, *told, judged, findings is None, chars, [], [])
    meant = gold_entities(texts, spans, labels)
    of_cells = zip(texts, batch.speakers[own], batch.turns[own], spans, found, linked, meant, strict=True)
    for text, speaker, turn, of_gold, of_chain, numbers, meanings in of_cells:
        if of_gold or of_chain:
            place = turn, _role(speaker)
            several, of_findings = match_cell(text, of_gold, of_chain, labels, about, place, numbers)
            for span, meaning in zip(several, meanings, strict=True):
                span.gold_entity, span.certain = meaning
            matched.spans.extend(several)
            matched.findings.extend(of_findings)
    return matched


def match_cell(
    text: str,
    spans: Sequence[AnnotatedSpan],
    findings: Sequence[Finding],
    labels: GoldLabels,
    about: About,
    place: tuple[int, str] = (0, UNSAID),
    entities: Sequence[int] = (),
) -> tuple[list[SpanMatch], list[FindingMatch]]:
    """Match the gold spans of a cell with its findings; one entry per span and one per finding, in order.

    Spans may overlap and include don't-care ones; findings are disjoint and sorted. ``place`` is turn and
    role of the cell, ``entities`` those of the findings, if they are linked.
    """
    turn, role = place
    starts, ends = [finding.start for finding in findings], [finding.end for finding in findings]
    classes = [labels.class_of(finding.info_type) for finding in findings]
    letters, gold = Letters(text), Letters(text, _merged(spans))
    of_findings = [
        FindingMatch(
            turn, *finding[:3], role, letters.count(finding.start, finding.end), about.is_complete_for(name)
        )
        for finding, name in zip(findings, classes, strict=True)
    ]  # fmt: skip
    of_spans: list[SpanMatch] = []
    pairs: list[tuple[int, int, int]] = []
    for i, span in enumerate(spans):
        limits = span.start, span.end
        one = SpanMatch(turn, *span[:3], labels.kind(span.label), role, letters.count(*limits))
        of_spans.append(one)
        wanted = labels.class_of(span.label)
        is_titled = wanted in _TITLED
        for k in range(bisect_right(ends, span.start), bisect_left(starts, span.end)):
            finding = of_findings[k]
            how = {"overlapped"}
            if classes[k] == wanted:
                how.add("typed")
            if (starts[k], ends[k]) == limits:
                how |= {"exact", "strict"} if "typed" in how else {"exact"}
            inner = inner_limits(text, starts[k], ends[k], is_titled)
            if "exact" in how or inner == inner_limits(text, *limits, is_titled):
                one.how.add("fitted")
            one.how |= how
            one.found = one.found or finding.info_type
            common = letters.count(max(starts[k], span.start), min(ends[k], span.end))
            one.covered_chars += common
            if one.kind != "dont_care":
                if "overlapped" not in finding.how:
                    one.excess_chars += letters.count(*inner) - gold.count(*inner)
                if common:
                    pairs.append((-common, i, k))
                finding.how |= how
            finding.how.add("touched")
    taken: tuple[set[int], set[int]] = set(), set()
    # Those with the largest overlap first.
    for _, i, k in sorted(pairs):
        if entities and i not in taken[0] and k not in taken[1]:
            taken[0].add(i)
            taken[1].add(k)
            of_spans[i].entity = entities[k]
    for finding in of_findings:
        finding.right_chars = gold.count(finding.start, finding.end) if finding.how else 0
    return of_spans, of_findings


def inner_limits(text: str, start: int, end: int, titled: bool) -> tuple[int, int]:
    """The limits of a range of text without punctuation and white space at its edges.

    ``titled``: titles before a name are excluded as well; a title on its own is kept.

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


def _merged(spans: Iterable[AnnotatedSpan]) -> list[tuple[int, int]]:
    """The ranges covered by any span, disjoint and sorted."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if merged and start <= merged[-1][1]:
            start, end = merged[-1][0], max(end, merged.pop()[1])
        merged.append((start, end))
    return merged


def gold_entities(
    texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]], labels: GoldLabels
) -> list[list[tuple[int, bool]]]:
    """The entity of each gold span of one conversation, cell by cell: its number, from 0, and if it is certain.

    The annotator's ``entity`` is certain. Without one, spans of one class with equal normalised values are
    one entity. That leaves open whether Ann is Ann Lee, and Virtasen is Virtanen: a value whose words all occur
    in another value of the class, or may be inflected forms of words there, is uncertain.
    """
    known: dict[tuple[str, str], int] = {}

    def number_of(text: str, span: AnnotatedSpan) -> int:
        value = normalised_value(span.label, text[span.start : span.end])
        key = (labels.class_of(span.label), value) if span.entity is None else ("", span.entity)
        return known.setdefault(key, len(known))

    numbers = [[number_of(text, span) for span in cell] for text, cell in zip(texts, spans, strict=True)]
    doubtful = _doubtful(known)
    return [[(number, number not in doubtful) for number in cell] for cell in numbers]


def _doubtful(known: dict[tuple[str, str], int]) -> set[int]:
    """The entities whose words all occur in another one of their class, or may be forms of words there."""
    of_word: dict[tuple[str, str], set[int]] = {}
    words: dict[int, list[list[tuple[str, str]]]] = {}
    for (name, value), number in known.items():
        for word in set(_WORD.findall(value)) if name else ():
            forms = [(name, form) for form in (word, *possible_stems(word))]
            words.setdefault(number, []).append(forms)
            for form in forms:
                of_word.setdefault(form, set()).add(number)
    found = set()
    for number, own in words.items():
        # Rarest word first: the search stays short if many values share a word.
        holders = sorted((set[int]().union(*(of_word[form] for form in forms)) for forms in own), key=len)
        if any(all(other in rest for rest in holders[1:]) for other in holders[0] - {number}):
            found.add(number)
    return found


def _role(speaker: str | None) -> str:
    if speaker and speaker.strip() and not is_role(speaker):
        return NAMED_SPEAKER
    return _NUMBER.sub("", (speaker or "").strip().casefold()) or UNSAID
