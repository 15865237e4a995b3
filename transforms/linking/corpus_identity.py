"""Identities of entities that hold across a whole corpus, not only within one conversation.

Only entities that identify themselves have one: a person's full name, the name of an organisation or place, a
code or address of at least six letters and digits. Nobody can tell whether an Ann or a number 231 in two
conversations are the same, and merging two people is the worse mistake.

The written forms of each entity of a conversation, used to search for further mentions.
"""

from functools import reduce
from typing import NamedTuple

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.names import Name, fuller, parse_name
from tacenda.transforms.linking.normalising import identity, is_name, is_of_people


class EntityForms(NamedTuple):
    """``values`` are the distinct written forms, speaker labels first.

    ``name`` is the fullest name that they give together, None if the entity is not a person.
    """

    info_type: str
    values: tuple[str, ...]
    name: Name | None


def entity_forms(conversation: LinkedConversation) -> list[EntityForms]:
    """The forms of each entity, at its number minus one."""
    values: list[dict[str, None]] = [{} for _ in conversation.info_types]
    for label, entity in conversation.labels.items():
        values[entity - 1][label] = None
    for text, found, entities in zip(
        conversation.texts, conversation.findings, conversation.entities, strict=True
    ):
        for finding, entity in zip(found, entities, strict=True):
            values[entity - 1][text[finding.start : finding.end]] = None
    return [
        EntityForms(info_type, tuple(written), _name(written) if is_of_people(info_type) else None)
        for info_type, written in zip(conversation.info_types, values, strict=True)
    ]


def _name(written: dict[str, None]) -> Name:
    return reduce(fuller, map(parse_name, written))


_LEAST_CHARACTERS = 6


def corpus_identities(conversation: LinkedConversation) -> list[str | None]:
    """The corpus-wide identity of each entity, at its number minus one; None if it has none."""
    return [_identity(entity) for entity in entity_forms(conversation)]


def _identity(entity: EntityForms) -> str | None:
    if entity.name is not None:
        name = entity.name
        if not name.is_full or min(len(name.given), len(name.family)) == 1:
            return None
        return " ".join((*name.words[:-1], *name.particles, name.words[-1], name.suffix)).strip()
    values = [identity(entity.info_type, value)[1] for value in entity.values]
    value = max(values, key=lambda value: (len(value), value))
    known = is_name(entity.info_type) or sum(map(str.isalnum, value)) >= _LEAST_CHARACTERS
    return value if known and not is_of_people(entity.info_type) else None
