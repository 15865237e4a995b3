"""One infoType for one string: its mentions in a conversation vote, each with its likelihood and detector.

Strings are compared without case, accents, separators, title and possessive; an inflected form is the name that
it is a form of. Who speaks or has a title is a person; what somebody is calling from is an organisation. A few
digits may be many things, and are not compared.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from tacenda.transforms.detecting.names.lexicon import is_known_place
from tacenda.transforms.linking.inflected import Inflections, possible_stems
from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.names import parse_name, title_before
from tacenda.transforms.linking.normalising import identity, is_before_organization, is_of_people
from tacenda.transforms.linking.propagation.known import SAME_START
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.characters import plain_letters

PERSON, PLACE, ORGANIZATION = "PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"
_REACH = 40
"""Characters before a mention that may say what it is."""
_CATCH_ALLS = frozenset(("NUMERIC", "GENERIC_ID", "SPELLED_WORD"))
"""What is something else as soon as one mention says so."""
_ORDER = (PERSON, ORGANIZATION, "STREET_ADDRESS", PLACE, "PRODUCT")
"""Precedence where votes are equal."""
_WEIGHTS = {"gazetteer": 1, "model": 2}
"""Of detectors, by how much of the context they see; others, as rules and dictionaries, have the next one."""
_DECISIVE = 1 << 20
"""Votes of a label or a title: no number of other mentions outvotes them."""
_LEAST_DIGITS = 5


def settled_types(
    mentions: Sequence[Mention],
    texts: Sequence[str],
    inflections: Inflections,
    asked: Collection[str] | None = None,
) -> list[str]:
    """The infoType of each mention of a conversation.

    Args:
        mentions: in the order of the conversation.
        texts: the cells.
        inflections: those of the conversation.
        asked: infoTypes that mentions may be given besides those they were found under; None for any.
    """
    found = {mention.info_type for mention in mentions}
    types = [
        _by_itself(m, texts[m.cell]) if m.info_type in (PLACE, PERSON) else m.info_type for m in mentions
    ]
    if asked is not None:
        types = [
            one if one in found or one in asked else mention.info_type
            for one, mention in zip(types, mentions, strict=True)
        ]
    if len(set(types)) < 2:
        return types
    strings: dict[str, list[int]] = {}
    for number, mention in enumerate(mentions):
        if string := _string(mention.info_type, mention.text):
            strings.setdefault(string, []).append(number)
    disputed = [several for several in strings.values() if len({types[n] for n in several}) > 1]
    for several in disputed:
        _settle(several, mentions, texts, types)
    for several in _forms(strings, mentions, types, inflections):
        _settle(several, mentions, texts, types)
    return types


def _by_itself(mention: Mention, text: str) -> str:
    """The infoType that a label or the words before a mention say; places do not speak."""
    finding = mention.finding
    if finding is None:
        return PERSON
    before = text[max(0, finding.start - _REACH) : finding.start]
    is_doubtful = finding.detector in _WEIGHTS and before[-1:].isspace()
    if is_doubtful and is_before_organization(before) and not is_known_place(mention.text):
        return ORGANIZATION
    return mention.info_type


@remembered
def _string(info_type: str, text: str) -> str:
    """What is compared; empty if it is too short."""
    kind, value = identity(info_type, text)
    if kind == "code":
        return "".join(filter(str.isalnum, value))
    value = "".join(filter(str.isalnum, plain_letters(identity(ORGANIZATION, text)[1])))
    return value if len(value) >= _LEAST_DIGITS or not any(map(str.isdecimal, value)) else ""


def _forms(
    strings: dict[str, list[int]],
    mentions: Sequence[Mention],
    types: Sequence[str],
    inflections: Inflections,
) -> Iterator[list[int]]:
    """The mentions of names, or of people of that name, and of their inflected forms, if their types differ."""
    names = dict(strings)
    for several in strings.values():
        mention = mentions[several[0]]
        for word in parse_name(mention.text).words if types[several[0]] == PERSON else ():
            names.setdefault(word, several)
    starts: dict[str, set[str]] = {}
    for string, several in names.items():
        starts.setdefault(string[:SAME_START], set()).add(types[several[0]])
    for string, several in strings.items():
        if len(starts[string[:SAME_START]]) < 2:
            continue
        for stem in possible_stems(string):
            its = names.get(stem)
            if its and types[its[0]] != types[several[0]] and inflections.is_form(string, stem):
                yield [*its, *several]


def _settle(
    several: Iterable[int], mentions: Sequence[Mention], texts: Sequence[str], types: list[str]
) -> None:
    votes: dict[str, int] = {}
    for number in several:
        votes[types[number]] = votes.get(types[number], 0) + _votes(mentions[number], types[number], texts)
    best = min(
        votes,
        key=lambda name: (
            name in _CATCH_ALLS,
            -votes[name],
            _ORDER.index(name) if name in _ORDER else len(_ORDER),
            name,
        ),
    )
    for number in several:
        types[number] = best


def _votes(mention: Mention, info_type: str, texts: Sequence[str]) -> int:
    cell, _, text, finding = mention
    if finding is None:
        return _DECISIVE
    if info_type == ORGANIZATION != mention.info_type:
        return _DECISIVE
    if is_of_people(info_type) and (parse_name(text).title or title_before(texts[cell], finding.start)):
        return _DECISIVE
    return finding.likelihood * _WEIGHTS.get(finding.detector, max(_WEIGHTS.values()) + 1)
