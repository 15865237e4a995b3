"""Replace findings by ``[TYPE_n]`` tokens, conversation by conversation.

``n`` counts the entities of an infoType in the order of their first appearance in the conversation, speaker
labels included, and starts again at 1 in the next conversation (Gardiner et al., CALD-pseudo 2024, section 3
and Table 1): a number that persisted would link calls of one person.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from transforms.linking.entities import ConversationEntities
from transforms.schema.finding import Finding
from transforms.schema.token import TOKEN, token


@dataclass(frozen=True, slots=True)
class Replacement:
    """One conversation after replacement.

    ``texts`` and ``speakers`` have one entry a cell. ``entities`` has one list a cell, as long as the cell's
    findings: the number of the entity that each finding means. ``entity_counts`` maps an infoType to how many
    distinct entities of it were replaced, speaker labels included.
    """

    texts: list[str]
    speakers: list[str | None]
    entities: list[list[int]]
    entity_counts: dict[str, int]


def replace_conversation(
    texts: Sequence[str],
    speakers: Sequence[str | None],
    findings: Sequence[Sequence[Finding]],
    speaker_info_types: dict[str, str],
) -> Replacement:
    """Put tokens where the findings are.

    Args:
        texts: the cells of one conversation.
        speakers: the speaker label of each cell.
        findings: for each cell, disjoint findings sorted by start.
        speaker_info_types: the labels that are personal data, and of which infoType.
    """
    entities = ConversationEntities(taken=_tokens_in(texts, speakers))
    new_texts: list[str] = []
    new_speakers: list[str | None] = []
    mentions: list[list[int]] = []
    for text, speaker, cell in zip(texts, speakers, findings, strict=True):
        if speaker is not None and (info_type := speaker_info_types.get(speaker)) is not None:
            _, number = entities.mention(info_type, speaker)
            new_speakers.append(token(info_type, number))
        else:
            new_speakers.append(speaker)
        if not cell:
            new_texts.append(text)
            mentions.append([])
            continue
        pieces: list[str] = []
        cell_entities: list[int] = []
        position = 0
        for finding in cell:
            entity, number = entities.mention(finding.info_type, text[finding.start : finding.end])
            pieces.append(text[position : finding.start])
            pieces.append(token(finding.info_type, number))
            cell_entities.append(entity)
            position = finding.end
        pieces.append(text[position:])
        new_texts.append("".join(pieces))
        mentions.append(cell_entities)
    return Replacement(new_texts, new_speakers, mentions, entities.counts())


def _tokens_in(texts: Sequence[str], speakers: Sequence[str | None]) -> set[tuple[str, int]]:
    """Tokens that the input itself holds; ours must not take their numbers and claim an identity."""
    return {
        (match[1], int(match[2]))
        for text in (*texts, *dict.fromkeys(s for s in speakers if s is not None))
        if "[" in text
        for match in TOKEN.finditer(text)
    }
