"""Link the findings of one conversation to entities, numbered by first appearance.

People are clustered by their names (``people.py``), everything else by its normal form (``normalising.py``).
Text found under several infoTypes gets one of them (``type_conflicts.py``); a finding takes the infoType of
its entity.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import compress
from operator import or_

from tacenda.transforms.linking.dates import date_identities, without_joined_dates
from tacenda.transforms.linking.halves import tied_halves
from tacenda.transforms.linking.inflected import Inflections
from tacenda.transforms.linking.introductions import Person
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.names import Name, parse_name, title_before
from tacenda.transforms.linking.normalising import (
    identity,
    is_date,
    is_of_people,
    is_spelled,
    more_general,
    people_types,
)
from tacenda.transforms.linking.people import Writing, link_people
from tacenda.transforms.linking.propagation.mentions import DETECTOR
from tacenda.transforms.linking.run_ons import without_run_ons
from tacenda.transforms.linking.titled_people import titled_people
from tacenda.transforms.linking.type_conflicts import settle_info_types
from tacenda.transforms.linking.wholes import Value, parts
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.readable import in_one_piece


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
        language: that of the conversation, for replacers; None if it was not told.
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
    apart = without_joined_dates(without_run_ons(mentions, texts, people_types()) or mentions)
    if len(apart) > len(mentions):
        for i in {mention.cell for mention in apart}:
            found[i] = []
        for mention in apart:
            if mention.finding is not None:
                found[mention.cell] = [*found[mention.cell], mention.finding]
        mentions = list(apart)
        labels = {m.text: number for number, m in enumerate(mentions) if m.finding is None}
    mentions = [mention._replace(text=in_one_piece(mention.text)) for mention in mentions]
    identities = [identity(mention.info_type, mention.text) for mention in mentions]
    if any(is_date(mention.info_type) for mention in mentions):
        identities = date_identities(mentions, identities, language)
    types = settle_info_types(mentions, identities, texts, asked)
    links = _links(mentions, identities, types, texts, speakers)
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
    identities: Sequence[tuple[str, str]],
    types: list[str],
    texts: Sequence[str],
    speakers: Sequence[str | None],
) -> list[tuple[Hashable, str]]:
    """A key for the entity of each mention, and its kind of agreement with that entity.

    ``types`` are those of the mentions; a piece of a number gets that of the number.
    """
    keys: list[tuple[Hashable, str]] = []
    people: list[int] = []
    names: dict[tuple[Name, bool], int] = {}
    texts_of_names: dict[tuple[str, str, bool], int] = {}
    labels: set[int] = set()
    writings: list[int] = []
    each = zip(mentions, identities, types, strict=True)
    for number, ((cell, found_as, text, finding), known, info_type) in enumerate(each):
        spelled = is_spelled(info_type)
        keys.append((known if info_type == found_as else identity(info_type, text), "same"))
        if spelled or is_of_people(info_type):
            # Findings end before a title, which says who of a family is meant.
            title = "" if finding is None else title_before(texts[cell], finding.start)
            writing = texts_of_names.get((title, text, spelled), -1)
            if writing < 0:
                name = parse_name(text).with_title(title)
                writing = names.setdefault((name, spelled), len(names))
                texts_of_names[title, text, spelled] = writing
            if finding is None:
                labels.add(writing)
            people.append(number)
            writings.append(writing)
    who = [Writing(name, i in labels, spelled) for (name, spelled), i in names.items()]
    inflections = Inflections(texts)
    linked = [
        (number, link, Person(mentions[number], link.cluster, who[writing].name))
        for number, link, writing in zip(
            people, link_people(who, writings, inflections), writings, strict=True
        )
        if link is not None
    ]
    named = [person for _, _, person in linked]
    for place, cluster in titled_people(named, [link.how for _, link, _ in linked], texts, speakers).items():
        named[place] = named[place]._replace(cluster=cluster)
    tied = {tie.other: tie for tie in tied_halves(named, texts, speakers)}
    for (number, link, _), person in zip(linked, named, strict=True):
        tie = tied.get(person.cluster)
        keys[number] = (tie.cluster, tie.how) if tie else (person.cluster, link.how)
    wholes = _wholes(keys, mentions, types, inflections)
    if wholes:
        of_keys = {key: info_type for (key, _), info_type in zip(keys, types, strict=True)}
        types[:] = [
            of_keys[wholes[key][0]] if key in wholes else info_type
            for (key, _), info_type in zip(keys, types, strict=True)
        ]
        keys = [wholes.get(key, (key, how)) for key, how in keys]
    return keys


def _wholes(
    keys: Sequence[tuple[Hashable, str]],
    mentions: Sequence[Mention],
    types: Sequence[str],
    inflections: Inflections,
) -> dict[Hashable, tuple[Hashable, str]]:
    """The key of the whole of what is a part, and how it agrees; people are clustered by now."""
    values: dict[Hashable, Value] = {}
    for (key, _), (_, _, text, finding), info_type in zip(keys, mentions, types, strict=True):
        if key not in values and finding is not None and not isinstance(key, int):
            values[key] = Value(info_type, text, finding.detector == DETECTOR)
    if len(values) < 2:
        return {}
    found = {part.part: part for part in parts(values, inflections)}
    wholes: dict[Hashable, tuple[Hashable, str]] = {}
    for key, part in found.items():
        whole = part.whole
        # A part of a part; each is shorter than what it is of, or a form of what is none, so that this ends.
        while whole in found:
            whole = found[whole].whole
        wholes[key] = whole, part.how
    return wholes


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
