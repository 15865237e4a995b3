"""Identities of entities that hold across a whole corpus, not only within one conversation.

Only entities that identify themselves have one: a person's full name, the name of an organisation or place, a
code or address of at least six letters and digits. Nobody can tell whether an Ann or a number 231 in two
conversations are the same, and merging two people is the worse mistake.
"""

from tacenda.transforms.linking.entity_forms import EntityForms, entity_forms
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.normalising import identity, is_name, is_of_people

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
