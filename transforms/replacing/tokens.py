"""Tokens ``[TYPE_n]``, the default replacement: readable, and consistent within a conversation.

``n`` counts the entities of an infoType by first appearance in the conversation, including speaker labels,
and starts again at 1 in each conversation (Gardiner et al., CALD-pseudo 2024, section 3 and Table 1):
persistent numbers would link a person's calls.
"""

import hmac
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256

from tacenda.transforms.linking.entities import corpus_identities
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.keys import derive
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.schema.token import TOKEN, may_have_tokens, token

_MOST_DIGITS = 18
"""Most digits of a number that could also be one of ours; Python refuses to parse thousands of digits."""


class TokenReplacer:
    """Gives each entity the token of its infoType and number."""

    def values(self, conversation: LinkedConversation) -> Values:
        """The tokens; numbers already used by a token in the input are skipped."""
        taken = tokens_in(conversation)
        last: Counter[str] = Counter()
        tokens: list[str] = []
        for info_type in conversation.info_types:
            last[info_type] += 1
            while (info_type, last[info_type]) in taken:
                last[info_type] += 1
            tokens.append(token(info_type, last[info_type]))
        return values_of_entities(conversation, tokens)


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


_LEAST = 10**14
"""Numbers have 15 digits: among a million people of one infoType, the chance of a collision is 1 in 1,800."""


class CorpusTokenReplacer:
    """Gives each entity a token of its infoType and a number derived from the secret."""

    def __init__(self, secret: bytes) -> None:
        self._key = derive(secret, "entities", 32)

    def values(self, conversation: LinkedConversation) -> Values:
        """The tokens; numbers already used by a token in the input are skipped."""
        taken = tokens_in(conversation)
        tokens: list[str] = []
        for number, (info_type, known) in enumerate(
            zip(conversation.info_types, corpus_identities(conversation), strict=True)
        ):
            # An entity without a corpus-wide identity gets a number specific to its conversation.
            said = ("corpus", known) if known is not None else ("conversation", conversation.id, str(number))
            given = next(n for n in self._numbers(info_type, *said) if (info_type, n) not in taken)
            taken.add((info_type, given))
            tokens.append(token(info_type, given))
        return values_of_entities(conversation, tokens)

    def _numbers(self, *said: str) -> Iterator[int]:
        """The number, then alternatives in case it is taken."""
        message = "\0".join(said).encode("utf-8", "surrogatepass")
        while True:
            message = hmac.digest(self._key, message, sha256)
            yield _LEAST + int.from_bytes(message[:8], "big") % (9 * _LEAST)
