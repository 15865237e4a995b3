"""By what an entity is known all over a corpus, and not in its conversation alone.

Only what says by itself who or what it is: a person's whole name, a name of an organisation or place, a code or
address of six letters and digits and more. Of an Ann or a number 231 in two conversations nobody can tell
whether they are one, and to take two people for one is the worse mistake.
"""

from tacenda.transforms.linking.entity_forms import EntityForms, entity_forms
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.normalising import identity, is_name, is_of_people

_LEAST_CHARACTERS = 6


def corpus_identities(conversation: LinkedConversation) -> list[str | None]:
    """What tells each entity in any conversation, by number less one; None where it tells in this one alone."""
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
