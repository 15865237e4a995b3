"""Replace words by what a masked language model expects in their place (Myntti 2025, section 5.3.6).

Every finding of a conversation is masked before the model reads it, so that a substitute tells about its
context only. From left to right, a word gets one of the model's nearest guesses, which then stands in the place
of all its copies. There, "nearest" is by the similarity of embeddings to the original; here, by probability,
since similarity would tell about the original.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from tacenda.models.lab.masked_lm import MaskedLm, load, word_groups
from tacenda.models.token_classifier.loading import checked
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values, changed_values, name_words
from tacenda.transforms.replacing.settings import FillMaskSettings
from tacenda.transforms.replacing.surrogates.context import KeyedDraws, Taken, kind_of
from tacenda.transforms.replacing.surrogates.inflection import with_words
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.text.characters import plain_letters
from tacenda.transforms.text.column import TextColumn

_OF_WORDS = frozenset({"person", "organization", "place"})
"""Kinds of values that are words; a model cannot guess the digits of a number."""
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_SHORTEST = 3
"""Fewest letters of a substitute; most shorter words are no names."""


class MaskedLmReplacer:
    """Substitutes for the names of people, places and organisations; tokens for everything else.

    An entity gets its token, too, if the model has no word for one of its words, if one has endings (its
    substitute would not have them), or if a speaker's name is in no text.

    Draws depend on a secret and the id of the conversation; ``info_types`` None asks for all.

    Raises:
        UserError: the model cannot be loaded, or has changed since the run was planned.
    """

    def __init__(
        self, secret: bytes, settings: FillMaskSettings, info_types: Collection[str] | None = None
    ) -> None:
        self._secret = secret
        self._nearest = settings.nearest
        self._info_types = info_types
        self._model = load(checked(settings.path, settings.fingerprint), 1)
        self._tokens = TokenReplacer()

    def values(self, conversation: LinkedConversation) -> Values:
        """One value for each finding and each label."""
        tokens = self._tokens.values(conversation)
        types = conversation.info_types
        asked = [
            (entity, text[start:end])
            for text, entity, _, start, end in conversation.mentions()
            if self._is_asked(types[entity - 1])
        ]
        if not asked:
            return tokens
        taken = Taken([text for _, text in asked], conversation.texts)
        of_word = self._substitutes(conversation, taken)
        written = {(entity, text): _written(types[entity - 1], text, of_word) for entity, text in asked}
        left = {entity for (entity, _), new in written.items() if new is None or taken.is_original(new)}

        def value(entity: int, _: str, text: str, token: str) -> str:
            return (None if entity in left else written.get((entity, text))) or token

        return changed_values(conversation, tokens, value)

    def _is_asked(self, info_type: str) -> bool:
        return kind_of(info_type) in _OF_WORDS and (self._info_types is None or info_type in self._info_types)

    def _substitutes(self, conversation: LinkedConversation, taken: Taken) -> Mapping[str, str]:
        """The substitute of each word, in plain letters; words without one are left out."""
        read = _masked(conversation, self._model, self._is_asked)
        draws = KeyedDraws(self._secret, conversation.id)
        inflected = _inflected(conversation, read.places)
        chosen: dict[str, str] = {}
        for plain, places in read.places.items():
            if plain in inflected:
                continue
            near = self._near(read.written[plain], self._model.guesses(read.ids, places[0]), taken)
            if near:
                guess = draws.draw("fill", plain).pick(near)
                chosen[plain] = self._words[guess] or ""
                taken.take(chosen[plain])
                for place in places:
                    read.ids[place] = guess
        return chosen

    def _near(self, original: str, guesses: Sequence[int], taken: Taken) -> list[int]:
        """The nearest tokens that may stand for a word."""
        words = ((guess, self._words[guess]) for guess in guesses)
        near = (
            guess
            for guess, word in words
            if word and self._fits(original, word) and not taken.is_word(word) and not taken.is_taken(word)
        )
        return list(islice(near, self._nearest))

    def _fits(self, original: str, word: str) -> bool:
        if len(word) < _SHORTEST or (self._has_capitals and original[0].isupper() and not word[0].isupper()):
            return False
        return len(original) > 1 or plain_letters(word)[:1] != plain_letters(original)

    @cached_property
    def _words(self) -> list[str | None]:
        return self._model.encoder.whole_words()

    @cached_property
    def _has_capitals(self) -> bool:
        return any(word is not None and word[0].isupper() for word in self._words)


class _Masked(NamedTuple):
    """The tokens of a conversation with every finding masked.

    ``places`` has those of each word to substitute, which is in plain letters, and ``written`` its first form.
    """

    ids: list[int]
    places: dict[str, list[int]]
    written: dict[str, str]


def _masked(conversation: LinkedConversation, model: MaskedLm, is_asked: Callable[[str], bool]) -> _Masked:
    read = _Masked([], {}, {})
    encoded = model.encoder.encode(TextColumn(list(conversation.texts)))
    ids, mask = encoded.ids.tolist(), model.specials.mask
    for cell, text in enumerate(conversation.texts):
        at, end = int(encoded.first_token[cell]), int(encoded.first_token[cell + 1])
        for finding, entity in zip(conversation.findings[cell], conversation.entities[cell], strict=True):
            while at < end and encoded.ends[at] <= finding.start:
                read.ids.append(ids[at])
                at += 1
            while at < end and encoded.starts[at] < finding.end:
                at += 1
            info_type = conversation.info_types[entity - 1]
            words = _words_of(info_type, text[finding.start : finding.end]) if is_asked(info_type) else []
            for match in words:
                plain = plain_letters(match[0])
                read.written.setdefault(plain, match[0])
                read.places.setdefault(plain, []).append(len(read.ids))
                read.ids.append(mask)
            if not words:
                read.ids.append(mask)
        read.ids.extend([*ids[at:end], model.specials.separating])
    return read


def _words_of(info_type: str, text: str) -> list[re.Match[str]]:
    """The words of a mention to substitute; none if it has digits."""
    if _DIGIT.search(text):
        return []
    return list(name_words(text) if kind_of(info_type) == "person" else _WORD.finditer(text))


def _written(info_type: str, text: str, of_word: Mapping[str, str]) -> str | None:
    """A mention with substitutes in the place of its words; None if one has none."""
    matches = _words_of(info_type, text)
    return with_words(text, matches, (of_word.get(plain_letters(match[0])) for match in matches))


def _inflected(conversation: LinkedConversation, names: Collection[str]) -> set[str]:
    """The names of which the conversation has several forms."""
    written = [match[0].lower() for text in conversation.texts for match in _WORD.finditer(text)]
    of_group: dict[int, set[str]] = {}
    for word, group in zip(written, word_groups(written, conversation.language or ""), strict=True):
        if plain_letters(word) in names:
            of_group.setdefault(group, set()).add(plain_letters(word))
    return {name for forms in of_group.values() if len(forms) > 1 for name in forms}
