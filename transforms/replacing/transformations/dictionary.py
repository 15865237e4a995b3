"""``replace_dictionary_config``: a word of a list."""

import hashlib
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform
from tacenda.transforms.schema.errors import RecordError


@dataclass(frozen=True, slots=True)
class DictionaryWords:
    """The words.

    Google draws one at random. Here each entity of a conversation has one of its own, as long as they last:
    that of its number, from a place on that the conversation's id gives. So the draw is the same on every
    worker and depends on nothing that was said; and it never is the very word that it replaces.
    """

    words: tuple[str, ...]

    def build(self) -> Transform:
        """The function."""
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
        """None."""
        return ()

    def telling(self) -> Telling:
        """What it means."""
        return Telling(f"a word of a list of {len(self.words):,}")
