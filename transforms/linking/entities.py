"""Link the findings of one conversation to entities, numbered by first appearance.

People are clustered by their names (``people.py``), everything else by its normal form (``normalising.py``).
Text found under several infoTypes gets the likeliest of them; a finding takes the infoType of its entity.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from tacenda.transforms.detecting.names.lexicon import is_known_place
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.names import fuller, parse_name
from tacenda.transforms.linking.normalising import (
    identity,
    is_before_organization,
    is_of_people,
    kind_of,
    more_general,
)
from tacenda.transforms.linking.people import Writing, link_people
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.characters import plain_letters
from tacenda.transforms.text.readable import in_one_piece

_CATCH_ALLS = frozenset(("NUMERIC", "GENERIC_ID", "SPELLED_WORD"))
"""What is something else as soon as one mention says so."""
_PERSON, _PLACE, _ORGANIZATION = "PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"
_ORDER = (_PERSON, _ORGANIZATION, "STREET_ADDRESS", _PLACE, "PRODUCT")  # precedence where votes are equal
_DECISIVE = 1 << 20  # votes of a speaker's label: no number of other mentions outvotes it
_LEAST_DIGITS = 5
_LEAST_CHARACTERS = 6  # of a code that is the same in every conversation
_DOUBTFUL = frozenset(("gazetteer", "model"))
"""Detectors that may take the organisation that somebody calls from for a place or a person."""
_REACH = 40  # characters before a mention that may say that it is an organisation


class Mention(NamedTuple):
    """A finding in a cell, or the label of its speaker, whose ``finding`` is None; ``text`` is as written."""

    cell: int
    info_type: str
    text: str
    finding: Finding | None = None


def link_conversation(
    texts: Sequence[str],
    speakers: Sequence[str | None],
    findings: Sequence[Sequence[Finding]],
    speaker_info_types: Mapping[str, str],
    conversation_id: str = "",
    language: str | None = None,
    asked: Collection[str] | None = None,
) -> LinkedConversation:
    """Decide which mentions of one conversation refer to the same entity; conversations are independent.

    Args:
        texts: the cells of one conversation.
        speakers: the speaker label of each cell.
        findings: for each cell, disjoint findings sorted by start.
        speaker_info_types: the infoType of each speaker label that is personal data.
        conversation_id: input of keyed replacements.
        language: that of the conversation; None if it was not told.
        asked: infoTypes that a config asks for; None for any.
    """
    mentions: list[Mention] = []
    labels: dict[str, int] = {}
    for i, (text, speaker, own) in enumerate(zip(texts, speakers, findings, strict=True)):
        # A cell's speaker is mentioned before its text.
        if speaker is not None and speaker in speaker_info_types and speaker not in labels:
            labels[speaker] = len(mentions)
            mentions.append(Mention(i, speaker_info_types[speaker], in_one_piece(speaker)))
        for one in own:
            mentions.append(Mention(i, one.info_type, in_one_piece(text[one.start : one.end]), one))
    types = settled_types(mentions, texts, asked)
    links = _links(mentions, types, language or "")
    entities, info_types = _numbered(types, links)
    found: list[list[Finding]] = [[] for _ in texts]
    numbers: list[list[int]] = [[] for _ in texts]
    agreements: list[list[str]] = [[] for _ in texts]
    for mention, entity, (_, how) in zip(mentions, entities, links, strict=True):
        if mention.finding is not None:
            info_type, one = info_types[entity - 1], mention.finding
            found[mention.cell].append(
                one if one.info_type == info_type else one._replace(info_type=info_type)
            )
            numbers[mention.cell].append(entity)
            agreements[mention.cell].append(how)
    by_label = {label: entities[mention] for label, mention in labels.items()}
    columns = texts, speakers, found, numbers, by_label, info_types, agreements
    return LinkedConversation(conversation_id, *columns, language)


def settled_types(
    mentions: Sequence[Mention], texts: Sequence[str], asked: Collection[str] | None = None
) -> list[str]:
    """The infoType of each mention: those of one string vote, each with its likelihood, and all get one.

    Strings are compared without case, accents, separators, title and possessive. A few digits may be many
    things, and are not compared. What somebody is *calling from*, if it is no listed place, is an organisation
    (Gardiner et al., CALD-pseudo 2024, Table 1).
    """
    may_be_called = asked is None or _ORGANIZATION in asked
    called = [may_be_called and _is_called_from(mention, texts) for mention in mentions]
    types = [
        _ORGANIZATION if is_called else one.info_type for one, is_called in zip(mentions, called, strict=True)
    ]
    if len(set(types)) < 2:
        return types
    strings = [_string(mention.info_type, mention.text) for mention in mentions]
    if len(set(zip(strings, types, strict=True))) == len(set(strings)):
        return types
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for string, info_type, (*_, finding), is_called in zip(strings, types, mentions, called, strict=True):
        votes[string][info_type] += _DECISIVE if finding is None or is_called else finding.likelihood
    best = {
        string: min(own, key=lambda name: (name in _CATCH_ALLS, -own[name], _rank(name), name))
        for string, own in votes.items()
    }
    return [best[string] if string else own for string, own in zip(strings, types, strict=True)]


def _is_called_from(mention: Mention, texts: Sequence[str]) -> bool:
    """Whether the words right before a doubtful place or person say that it is an organisation."""
    finding = mention.finding
    if finding is None or finding.detector not in _DOUBTFUL or finding.info_type not in (_PERSON, _PLACE):
        return False
    before = texts[mention.cell][max(0, finding.start - _REACH) : finding.start]
    return is_before_organization(before) and not is_known_place(mention.text)


def _rank(info_type: str) -> int:
    return _ORDER.index(info_type) if info_type in _ORDER else len(_ORDER)


@remembered
def _string(info_type: str, text: str) -> str:
    """What is compared; empty if it is too short."""
    if kind_of(info_type) == "code" and (known := identity(info_type, text))[0] == "code":
        return "".join(filter(str.isalnum, known[1]))
    value = "".join(filter(str.isalnum, plain_letters(identity(_ORGANIZATION, text)[1])))
    return value if len(value) >= _LEAST_DIGITS or not any(map(str.isdecimal, value)) else ""


def _links(mentions: Sequence[Mention], types: Sequence[str], language: str) -> list[tuple[Hashable, str]]:
    """A key for the entity of each mention, and its kind of agreement with that entity."""
    spelled = [kind_of(info_type) == "spelled" for info_type in types]
    people = [i for i, info_type in enumerate(types) if spelled[i] or is_of_people(info_type)]
    names = [parse_name(mentions[i].text) for i in people]
    labels = {name for i, name in zip(people, names, strict=True) if mentions[i].finding is None}
    writings = [
        Writing(name, name in labels and not spelled[i], spelled[i])
        for i, name in zip(people, names, strict=True)
    ]
    persons = dict(zip(people, link_people(writings, language), strict=True))
    return [
        persons.get(i) or (identity(info_type, mention.text), "same")
        for i, (mention, info_type) in enumerate(zip(mentions, types, strict=True))
    ]


def _numbered(types: Sequence[str], links: Sequence[tuple[Hashable, str]]) -> tuple[list[int], list[str]]:
    """The entity of each mention, and the infoType of each entity."""
    known: dict[Hashable, int] = {}
    info_types: list[str] = []
    entities: list[int] = []
    for info_type, (key, _) in zip(types, links, strict=True):
        entity = known.setdefault(key, len(info_types) + 1)
        if entity > len(info_types):
            info_types.append(info_type)
        elif info_type != info_types[entity - 1]:
            info_types[entity - 1] = more_general(info_types[entity - 1], info_type)
        entities.append(entity)
    return entities, info_types


def corpus_identities(conversation: LinkedConversation) -> list[str | None]:
    """The corpus-wide identity of each entity, at its number minus one; None if it has none.

    Only entities that identify themselves have one: a person's full name, the name of an organisation or place,
    a code or address of at least six letters and digits. Nobody can tell whether an Ann or a number 231 in two
    conversations are the same, and merging two people is the worse mistake.
    """
    written: list[dict[str, None]] = [{} for _ in conversation.info_types]
    for text, entity, _, start, end in conversation.mentions():
        written[entity - 1][text[start:end]] = None
    return list(map(_corpus_identity, conversation.info_types, written))


def _corpus_identity(info_type: str, written: Collection[str]) -> str | None:
    if is_of_people(info_type):
        name = reduce(fuller, map(parse_name, written))
        if not name.is_full or min(len(name.given), len(name.family)) == 1:
            return None
        return " ".join((*name.words[:-1], *name.particles, name.words[-1], name.suffix)).strip()
    value = max((identity(info_type, one)[1] for one in written), key=lambda value: (len(value), value))
    return (
        value if kind_of(info_type) == "name" or sum(map(str.isalnum, value)) >= _LEAST_CHARACTERS else None
    )
