"""Replace findings, and speaker labels that are personal data, by values."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.schema.finding import Finding


class Values(NamedTuple):
    """The replacement of each finding, cell by cell, and of each personal speaker label."""

    findings: Sequence[Sequence[str]]
    labels: Mapping[str, str]


class Replacer(Protocol):
    """Chooses the values of a conversation: tokens, surrogates, or what a DeidentifyConfig asks for."""

    def values(self, conversation: LinkedConversation) -> Values:
        """One value for each finding and each label."""
        ...


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
