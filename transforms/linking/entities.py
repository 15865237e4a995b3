"""Link the findings of one conversation to entities, in the order in which these first appear."""

from collections.abc import Mapping, Sequence
from itertools import compress
from operator import or_

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.normalising import normalised_value
from tacenda.transforms.schema.finding import Finding


def link_conversation(
    texts: Sequence[str],
    speakers: Sequence[str | None],
    findings: Sequence[Sequence[Finding]],
    speaker_info_types: Mapping[str, str],
    conversation_id: str = "",
) -> LinkedConversation:
    """Find out which mentions of one conversation mean the same entity; nothing crosses conversations.

    Args:
        texts: the cells of one conversation.
        speakers: the speaker label of each cell.
        findings: for each cell, disjoint findings sorted by start.
        speaker_info_types: the labels that are personal data, and of which infoType.
        conversation_id: what keyed replacements depend on.
    """
    if not len(texts) == len(speakers) == len(findings):
        raise ValueError("texts, speakers and findings must have one entry a cell each")
    known: dict[tuple[str, str], int] = {}
    info_types: list[str] = []

    def mention(info_type: str, text: str) -> int:
        key = info_type, normalised_value(info_type, text)
        entity = known.get(key)
        if entity is None:
            info_types.append(info_type)
            entity = known[key] = len(info_types)
        return entity

    entities: list[list[int]] = [[]] * len(texts)
    labels: dict[str, int] = {}
    named = [speaker in speaker_info_types for speaker in speakers]
    # In most cells nothing is replaced; in the others, who speaks is mentioned before what is said.
    touched = map(or_, named, map(bool, findings)) if any(named) else findings
    for i in compress(range(len(texts)), touched):
        speaker = speakers[i]
        if named[i] and speaker is not None and speaker not in labels:
            labels[speaker] = mention(speaker_info_types[speaker], speaker)
        if findings[i]:
            text = texts[i]
            entities[i] = [mention(info_type, text[start:end]) for start, end, info_type, _, _ in findings[i]]
    return LinkedConversation(conversation_id, texts, speakers, findings, entities, labels, info_types)
