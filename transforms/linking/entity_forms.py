"""The written forms of each entity of a conversation, used to search for further mentions."""

from functools import reduce
from typing import NamedTuple

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.names import Name, fuller, parse_name
from tacenda.transforms.linking.normalising import is_of_people


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
