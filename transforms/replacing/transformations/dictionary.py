"""``replace_dictionary_config``: replace by a word from a list."""

import hashlib
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform
from tacenda.transforms.schema.errors import RecordError


@dataclass(frozen=True, slots=True)
class DictionaryWords:
    """The words to replace with.

    Google draws one at random. Here each entity of a conversation has its own, as long as they last: the
    entity's number is an index, starting from an offset derived from the conversation's id. So the choice is
    the same on every worker, does not depend on the text, and never equals the word that it replaces.
    """

    words: tuple[str, ...]

    def build(self) -> Transform:
        """Build the function."""
        words = self.words
        folded = [word.casefold() for word in words]

        def word_for(mention: Mention) -> str:
            digest = hashlib.sha256(mention.conversation.encode("utf-8", "surrogatepass")).digest()
            first = int.from_bytes(digest[:8], "big") + mention.entity
            original = mention.text.casefold()
            for place in range(len(words)):
                chosen = (first + place) % len(words)
                if folded[chosen] != original:
                    return words[chosen]
            raise RecordError("NoOtherWord")

        return word_for

    def keys(self) -> tuple[Key, ...]:
        """There are none."""
        return ()

    def telling(self) -> Telling:
        """Description for manifest and report."""
        return Telling(f"a word from a list of {len(self.words):,}")
