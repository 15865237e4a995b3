"""Replace findings by ``[TYPE_n]`` tokens, conversation by conversation.

``n`` counts the entities of an infoType in the order of their first appearance in the conversation, speaker
labels included, and starts again at 1 in the next conversation (Gardiner et al., CALD-pseudo 2024, section 3
and Table 1): a number that persisted would link calls of one person.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import or_

from tacenda.transforms.linking.entities import ConversationEntities
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.token import TOKEN, token

_MOST_DIGITS = 18
"""Of a number that we might give, too; Python refuses to read thousands of them."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """One conversation after replacement.

    ``texts`` and ``speakers`` have one entry a cell. ``entities`` has one list a cell, as long as the cell's
    findings: the number of the entity that each finding means. ``entity_counts`` maps an infoType to how many
    distinct entities of it were replaced, speaker labels included; ``speakers_replaced`` labels were.
    """

    texts: list[str]
    speakers: list[str | None]
    entities: list[list[int]]
    entity_counts: dict[str, int]
    speakers_replaced: int


def replace_conversation(
    texts: Sequence[str],
    speakers: Sequence[str | None],
    findings: Sequence[Sequence[Finding]],
    speaker_info_types: Mapping[str, str],
) -> Replacement:
    """Put tokens where the findings are.

    Args:
        texts: the cells of one conversation.
        speakers: the speaker label of each cell.
        findings: for each cell, disjoint findings sorted by start.
        speaker_info_types: the labels that are personal data, and of which infoType.
    """
    if not len(texts) == len(speakers) == len(findings):
        raise ValueError("texts, speakers and findings must have one entry a cell each")
    entities = ConversationEntities(taken=_tokens_in(texts, speakers))
    new_texts = list(texts)
    mentions: list[list[int]] = [[]] * len(texts)
    named = [speaker in speaker_info_types for speaker in speakers]
    speaks = any(named)
    labels: dict[str | None, str] = {}
    # In most cells nothing is replaced; in the others, who speaks is mentioned before what is said.
    touched = map(or_, named, map(bool, findings)) if speaks else findings
    for i in compress(range(len(new_texts)), touched):
        speaker = speakers[i]
        if named[i] and speaker is not None and speaker not in labels:
            info_type = speaker_info_types[speaker]
            labels[speaker] = token(info_type, entities.mention(info_type, speaker)[1])
        if findings[i]:
            new_texts[i], mentions[i] = _replaced(texts[i], findings[i], entities)
    new_speakers = [labels.get(speaker, speaker) for speaker in speakers] if speaks else list(speakers)
    return Replacement(new_texts, new_speakers, mentions, entities.counts(), len(labels))


def _replaced(
    text: str, findings: Sequence[Finding], entities: ConversationEntities
) -> tuple[str, list[int]]:
    """The text of a cell with tokens, and the entity of each finding."""
    pieces: list[str] = []
    mentioned: list[int] = []
    position = 0
    for start, end, info_type, _, _ in findings:
        entity, number = entities.mention(info_type, text[start:end])
        pieces += (text[position:start], token(info_type, number))
        mentioned.append(entity)
        position = end
    pieces.append(text[position:])
    return "".join(pieces), mentioned


def _tokens_in(texts: Sequence[str], speakers: Sequence[str | None]) -> set[tuple[str, int]]:
    """Tokens that the input itself holds; ours must not take their numbers and claim an identity."""
    bracketed = [text for text in texts if "[" in text]
    bracketed += [label for label in set(speakers) if label is not None and "[" in label]
    found = (match for text in bracketed for match in TOKEN.finditer(text))
    return {(match[1], int(match[2])) for match in found if len(match[2]) <= _MOST_DIGITS}
