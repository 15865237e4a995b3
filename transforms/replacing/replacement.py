"""Replace findings, and speaker labels that are personal data, by values."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.names import parse_name, titles
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.characters import plain_letters


class Values(NamedTuple):
    """The replacement of each finding, cell by cell, and of each personal speaker label."""

    findings: Sequence[Sequence[str]]
    labels: Mapping[str, str]


class Replacer(Protocol):
    """Chooses the values of a conversation: tokens, surrogates, or what a DeidentifyConfig asks for."""

    def values(self, conversation: LinkedConversation) -> Values:
        """One value for each finding and each label."""
        ...


def changed_values(
    conversation: LinkedConversation, rest: Values, change: Callable[[int, str, str, str], str]
) -> Values:
    """Values made of ``rest`` by a function of an entity, an infoType, what is replaced, and its value."""
    columns = conversation.texts, conversation.findings, conversation.entities, rest.findings
    return Values(
        [
            [
                change(entity, finding.info_type, text[finding.start : finding.end], value)
                for finding, entity, value in zip(found, entities, values, strict=True)
            ]
            if found
            else []
            for text, found, entities, values in zip(*columns, strict=True)
        ],
        {
            label: change(entity, conversation.info_types[entity - 1], label, rest.labels[label])
            for label, entity in conversation.labels.items()
        },
    )


class Replacement(NamedTuple):
    """One conversation after replacement: a text and a speaker label for each cell."""

    texts: list[str]
    speakers: list[str | None]


def replace_conversation(conversation: LinkedConversation, values: Values) -> Replacement:
    """Replace the findings of a conversation by values; all other text is unchanged."""
    texts = list(conversation.texts)
    for i, found in enumerate(conversation.findings):
        if found:
            texts[i] = replace_text(texts[i], found, values.findings[i])
    speakers = list(conversation.speakers)
    if values.labels:
        speakers = [speaker and values.labels.get(speaker, speaker) for speaker in speakers]
    return Replacement(texts, speakers)


def replace_text(text: str, findings: Sequence[Finding], values: Sequence[str]) -> str:
    """Replace the findings of a text, which are disjoint and sorted by start, by values."""
    pieces: list[str] = []
    position = 0
    for finding, value in zip(findings, values, strict=True):
        pieces += (text[position : finding.start], value)
        position = finding.end
    pieces.append(text[position:])
    return "".join(pieces)


def value_ranges(findings: Sequence[Finding], values: Sequence[str]) -> list[tuple[int, int]]:
    """Where the values of findings stand in the text that has them in place of the findings: half-open ranges.

    >>> from tacenda.transforms.schema.likelihood import Likelihood
    >>> found = Finding(3, 6, "PERSON_NAME", Likelihood.LIKELY, "rules")  # in "Hi Ann!"
    >>> value_ranges([found], ["[PERSON_NAME_1]"])  # in "Hi [PERSON_NAME_1]!"
    [(3, 18)]
    """
    ranges = []
    grown = 0
    for (start, end, *_), value in zip(findings, values, strict=True):
        ranges.append((start + grown, start + grown + len(value)))
        grown += len(value) - (end - start)
    return ranges


LISTED, UNHIDDEN = "listed", "unhidden"
"""Why such findings are readable."""

_MAYBE_WORD = re.compile(r"[^\W_]+")


def unhidden(
    conversation: LinkedConversation,
    values: Sequence[Sequence[str]],
    labels: Mapping[str, str],
    fixed: Collection[str],
    listed: Collection[str] = (),
) -> Counter[str]:
    """Count findings and speaker labels whose fixed value has words of theirs, by ``unhidden/infoType``, and
    those that are ``listed`` among the words to replace with, by ``listed/infoType``.

    Args:
        conversation: the findings, in the original texts.
        values: the value of each finding, cell by cell.
        labels: the value of each label that is personal data.
        fixed: the values that do not depend on what they replace.
        listed: words to replace with, in small letters.
    """
    counts: Counter[str] = Counter()
    for i, found in enumerate(conversation.findings):
        for finding, value in zip(found, values[i], strict=True):
            original = conversation.texts[i][finding.start : finding.end]
            if listed and original.casefold() in listed:
                counts[f"{LISTED}/{finding.info_type}"] += 1
            if value in fixed and says(value, original):
                counts[f"{UNHIDDEN}/{finding.info_type}"] += 1
    for label, entity in conversation.labels.items():
        if labels[label] in fixed and says(labels[label], label):
            counts[f"{UNHIDDEN}/{conversation.info_types[entity - 1]}"] += 1
    return counts


def says(value: str, original: str) -> bool:
    """Whether one text contains the words of the other in a row, ignoring case, spaces and punctuation."""
    ours, theirs = (_MAYBE_WORD.findall(text.casefold()) for text in (value, original))
    if not ours or not theirs:
        return False
    short, long = sorted((f" {' '.join(words)} " for words in (ours, theirs)), key=len)
    return short in long or "".join(ours) == "".join(theirs)


_WORD = re.compile(r"[^\W\d_]+")
_POSSESSIVE = re.compile(r"(?<=['’])s\b", re.IGNORECASE)


def name_words(text: str) -> Iterator[re.Match[str]]:
    """The words of a person's name.

    >>> [match[0] for match in name_words("Dr. Ann van Lee's")]
    ['Ann', 'Lee']
    """
    name = parse_name(text)
    possessive = {match.start() for match in _POSSESSIVE.finditer(text)}
    for match in _WORD.finditer(text):
        plain = plain_letters(match[0])
        kept = plain in titles() and plain not in name.words
        if not kept and plain not in name.particles and match.start() not in possessive:
            yield match
