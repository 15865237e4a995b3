"""``replace_dictionary_config``: replace by a word from a list."""

from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform


@dataclass(frozen=True, slots=True)
class DictionaryWords:
    """The words to replace with.

    Google draws one at random for each mention. Here each entity of a conversation has one of its own, which
    does not occur in the conversation; those for which no word is left get tokens.
    """

    words: tuple[str, ...]

    def build(self) -> Transform:
        """Build the function."""
        words = self.words

        def word_for(mention: Mention) -> str | None:
            return mention.choices.word(mention.entity, words) if mention.choices else None

        return word_for

    def keys(self) -> tuple[Key, ...]:
        """There are none."""
        return ()

    def telling(self) -> Telling:
        """Description for manifest and report."""
        return Telling(f"a word from a list of {len(self.words):,}")
