"""Link the findings of one conversation to entities, numbered by first appearance.

People are clustered by their names (``people.py``), everything else by its normal form (``normalising.py``).
Text found under several infoTypes gets one of them (``info_types.py``); a finding takes the infoType of
its entity.

Halves: a given and a family name that one speaker says apart: *Gaston, last name Dubois*.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import compress
from operator import or_

from tacenda.transforms.linking.inflected import Inflections
from tacenda.transforms.linking.info_types import settled_types
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.names import Name, half_before, parse_name, title_before
from tacenda.transforms.linking.normalising import identity, is_of_people, is_spelled, more_general
from tacenda.transforms.linking.parts import wholes_of
from tacenda.transforms.linking.people import Writing, link_people
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.readable import in_one_piece

_REACH, _TURNS = 32, 6
"""Characters before a name in which it may be announced; cells before it in which the other half may be."""
_ANSWER = 12
"""Characters beside a name in a turn that is the answer to a question for it."""


def tied_halves(
    people: Sequence[tuple[Mention, int, Name]], texts: Sequence[str], speakers: Sequence[str | None]
) -> dict[int, int]:
    """The cluster of the first half, for the cluster of each second one.

    A second half is announced right before it, or asked for right before an answer that it begins. The first
    is the last single name before it of the same speaker.

    Args:
        people: mention, cluster and name of all people of a conversation, in their order.
        texts: its cells.
        speakers: who says each of them.
    """
    whole = {cluster for _, cluster, name in people if len(name.words) != 1 or name.title}
    single = [(m, cluster) for m, cluster, _ in people if cluster not in whole and m.finding is not None]
    tied: dict[int, int] = {}
    for number, (mention, cluster) in enumerate(single):
        if cluster not in tied and _is_announced(mention, texts):
            before = (
                other
                for one, other in reversed(single[:number])
                if other != cluster
                and mention.cell - one.cell <= _TURNS
                and _may_be_own(one, mention, texts, speakers)
            )
            first = next(before, cluster)
            if first != cluster and first not in tied.values() and first not in tied:
                tied[cluster] = first
    return tied


def _may_be_own(one: Mention, other: Mention, texts: Sequence[str], speakers: Sequence[str | None]) -> bool:
    """Whether who says the other name has said this one of the same person: beside it, or as an answer."""
    assert one.finding is not None
    assert other.finding is not None
    if one.cell == other.cell:
        return other.finding.start - one.finding.end <= _REACH
    return speakers[one.cell] == speakers[other.cell] and len(texts[one.cell]) - len(one.text) <= _ANSWER


def _is_announced(mention: Mention, texts: Sequence[str]) -> bool:
    assert mention.finding is not None
    before = texts[mention.cell][: mention.finding.start][-_REACH:]
    asked = texts[mention.cell - 1][-_REACH:] if mention.cell else ""
    return half_before().search(before if any(map(str.isalnum, before)) else asked) is not None


def link_conversation(
    texts: Sequence[str],
    speakers: Sequence[str | None],
    findings: Sequence[Sequence[Finding]],
    speaker_info_types: Mapping[str, str],
    conversation_id: str = "",
    asked: Collection[str] | None = None,
    language: str | None = None,
) -> LinkedConversation:
    """Decide which mentions of one conversation refer to the same entity; conversations are independent.

    Args:
        texts: the cells of one conversation.
        speakers: the speaker label of each cell.
        findings: for each cell, disjoint findings sorted by start.
        speaker_info_types: the infoType of each speaker label that is personal data.
        conversation_id: input of keyed replacements.
        asked: infoTypes that findings may be given besides those they were found under; None for any.
        language: that of the conversation; None if it was not told.
    """
    if not len(texts) == len(speakers) == len(findings):
        raise ValueError("texts, speakers and findings must have one entry a cell each")
    mentions: list[Mention] = []
    labels: dict[str, int] = {}
    named = [speaker in speaker_info_types for speaker in speakers]
    # Most cells have no replacements; in the others, the speaker label is mentioned before the text.
    touched = map(or_, named, map(bool, findings)) if any(named) else findings
    for i in compress(range(len(texts)), touched):
        speaker = speakers[i]
        if named[i] and speaker is not None and speaker not in labels:
            labels[speaker] = len(mentions)
            mentions.append(Mention(i, speaker_info_types[speaker], speaker))
        text = texts[i]
        mentions += [
            Mention(i, finding.info_type, text[finding.start : finding.end], finding)
            for finding in findings[i]
        ]
    found: list[Sequence[Finding]] = list(findings)
    mentions = [mention._replace(text=in_one_piece(mention.text)) for mention in mentions]
    inflections = Inflections(texts, language or "")
    types = settled_types(mentions, texts, inflections, asked)
    links = _links(mentions, types, texts, speakers, inflections)
    entities, hows, info_types = _numbered(types, links)
    numbers: list[list[int]] = [[]] * len(texts)
    agreements: list[list[str]] = [[]] * len(texts)
    retyped: set[int] = set()
    for mention, entity, how in zip(mentions, entities, hows, strict=True):
        i = mention.cell
        if mention.finding is None:
            continue
        if not numbers[i]:
            numbers[i], agreements[i] = [], []
        numbers[i].append(entity)
        agreements[i].append(how)
        if mention.info_type != info_types[entity - 1]:
            retyped.add(i)
    for i in retyped:
        found[i] = [
            finding._replace(info_type=info_types[entity - 1])
            for finding, entity in zip(found[i], numbers[i], strict=True)
        ]
    return LinkedConversation(
        conversation_id,
        texts,
        speakers,
        found,
        numbers,
        {label: entities[mention] for label, mention in labels.items()},
        info_types,
        agreements,
        language,
    )


def _links(
    mentions: Sequence[Mention],
    types: Sequence[str],
    texts: Sequence[str],
    speakers: Sequence[str | None],
    inflections: Inflections,
) -> list[tuple[Hashable, str]]:
    """A key for the entity of each mention, and its kind of agreement with that entity."""
    keys: list[tuple[Hashable, str]] = []
    people: list[int] = []
    names: dict[tuple[Name, bool], int] = {}
    labels: set[int] = set()
    writings: list[int] = []
    for number, ((cell, _, text, finding), info_type) in enumerate(zip(mentions, types, strict=True)):
        spelled = is_spelled(info_type)
        keys.append((identity(info_type, text), "same"))
        if spelled or is_of_people(info_type):
            # Findings end before a title, which says who of a family is meant.
            title = "" if finding is None else title_before(texts[cell], finding.start)
            writing = names.setdefault((parse_name(text).with_title(title), spelled), len(names))
            if finding is None:
                labels.add(writing)
            people.append(number)
            writings.append(writing)
    who = [Writing(name, i in labels, spelled) for (name, spelled), i in names.items()]
    named: list[tuple[Mention, int, Name]] = []
    for number, writing, link in zip(people, writings, link_people(who, writings, inflections), strict=True):
        if link is not None:
            keys[number] = link.cluster, link.how
            named.append((mentions[number], link.cluster, who[writing].name))
    tied = tied_halves(named, texts, speakers) if len(named) > 1 else {}
    if tied:
        keys = [(tied[key], "said_apart") if key in tied else (key, how) for key, how in keys]
    values = {
        key: (info_type, mention.text)
        for (key, _), mention, info_type in zip(keys, mentions, types, strict=True)
        if not isinstance(key, int)
    }
    if len(values) < 2:
        return keys
    whole = wholes_of(values)
    return [whole.get(key, (key, how)) for key, how in keys]


def _numbered(
    types: Sequence[str], links: Sequence[tuple[Hashable, str]]
) -> tuple[list[int], list[str], list[str]]:
    """The entity and agreement of each mention, and the infoType of each entity."""
    known: dict[Hashable, int] = {}
    info_types: list[str] = []
    entities: list[int] = []
    for info_type, (key, _) in zip(types, links, strict=True):
        entity = known.get(key)
        if entity is None:
            info_types.append(info_type)
            entity = known[key] = len(info_types)
        elif info_type != info_types[entity - 1]:
            info_types[entity - 1] = more_general(info_types[entity - 1], info_type)
        entities.append(entity)
    return entities, [how for _, how in links], info_types
