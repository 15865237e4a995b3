"""Tokens ``[TYPE_n]``, the default replacement: readable, and consistent within a conversation.

``n`` counts the entities of an infoType by first appearance in the conversation, including speaker labels,
and starts again at 1 in each conversation (Gardiner et al., CALD-pseudo 2024, section 3 and Table 1):
persistent numbers would link a person's calls.
"""

from collections import Counter
from collections.abc import Sequence

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.schema.token import TOKEN, may_have_tokens, token

_MOST_DIGITS = 18
"""Most digits of a number that could also be one of ours; Python refuses to parse thousands of digits."""


class TokenReplacer:
    """Gives each entity the token of its infoType and number."""

    def values(self, conversation: LinkedConversation) -> Values:
        """The tokens; numbers already used by a token in the input are skipped."""
        return values_of_entities(conversation, _tokens(conversation))


def values_of_entities(conversation: LinkedConversation, of_entity: Sequence[str]) -> Values:
    """Give all mentions of an entity its value: the entry of ``of_entity`` at the entity's number minus one."""
    return Values(
        [[of_entity[entity - 1] for entity in cell] for cell in conversation.entities],
        {label: of_entity[entity - 1] for label, entity in conversation.labels.items()},
    )


def tokens_in(conversation: LinkedConversation) -> set[tuple[str, int]]:
    """Tokens already in the input; ours must not take their numbers and so claim to be the same entity."""
    bracketed = list(filter(may_have_tokens, conversation.texts))
    bracketed += [
        label for label in set(conversation.speakers) if label is not None and may_have_tokens(label)
    ]
    found = (match for text in bracketed for match in TOKEN.finditer(text))
    return {(match[1], int(match[2])) for match in found if len(match[2]) <= _MOST_DIGITS}


def _tokens(conversation: LinkedConversation) -> list[str]:
    """The token of each entity."""
    taken = tokens_in(conversation)
    last: Counter[str] = Counter()
    tokens: list[str] = []
    for info_type in conversation.info_types:
        last[info_type] += 1
        while (info_type, last[info_type]) in taken:
            last[info_type] += 1
        tokens.append(token(info_type, last[info_type]))
    return tokens
