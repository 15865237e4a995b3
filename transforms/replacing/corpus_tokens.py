"""Tokens whose numbers are the same throughout a corpus: pseudonyms, derived from a secret.

A number is a keyed hash of the entity's identity, so workers need not communicate. Anyone with the secret can
test whether a name is in the corpus, and even without it, one person's conversations can be linked: the
corpus is pseudonymised, not anonymised.
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
