"""Tokens with numbers that are the same all over a corpus: pseudonyms, by a secret.

A number is a keyed hash of what the entity is known by, so that no worker has to know what another one saw. Who
has the secret can try names and find theirs, and without it two conversations of one person still stand
together: the corpus is pseudonymised and not anonymised.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256

from tacenda.transforms.linking.corpus_identity import corpus_identities
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.keys import derive
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.replacing.tokens import tokens_in, values_of_entities
from tacenda.transforms.schema.token import token

_LEAST = 10**14
"""Numbers have 15 digits: of a million people of one infoType, the chance that two share one is 1 in 1,800."""


class CorpusTokenReplacer:
    """Gives each entity the token of its infoType and of a number by the secret."""

    def __init__(self, secret: bytes) -> None:
        self._key = derive(secret, "entities", 32)

    def values(self, conversation: LinkedConversation) -> Values:
        """The tokens; numbers that a token of the input already says are skipped."""
        taken = tokens_in(conversation)
        tokens: list[str] = []
        for number, (info_type, known) in enumerate(
            zip(conversation.info_types, corpus_identities(conversation), strict=True)
        ):
            # What is known in its conversation alone is a number within it, as without a secret.
            said = ("corpus", known) if known is not None else ("conversation", conversation.id, str(number))
            given = next(n for n in self._numbers(info_type, *said) if (info_type, n) not in taken)
            taken.add((info_type, given))
            tokens.append(token(info_type, given))
        return values_of_entities(conversation, tokens)

    def _numbers(self, *said: str) -> Iterator[int]:
        """The number, and others should it be taken."""
        message = "\0".join(said).encode("utf-8", "surrogatepass")
        while True:
            message = hmac.digest(self._key, message, sha256)
            yield _LEAST + int.from_bytes(message[:8], "big") % (9 * _LEAST)
