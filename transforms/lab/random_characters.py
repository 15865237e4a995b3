"""Random characters: the *random* mode of the virtual-agent dialogues of Mina et al.

Each run of letters or digits becomes another of about its length, in the case of the original; punctuation
and white space stay. Equal runs of a conversation become equal ones, so that mentions of one person still look
alike.
"""

import re
from collections.abc import Set

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values, changed_values
from tacenda.transforms.replacing.surrogates.context import KeyedDraws
from tacenda.transforms.replacing.surrogates.inflection import in_case_of
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.text.characters import plain_letters

_RUN = re.compile(r"\d+|[^\W\d_]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LONGER = 2
"""A run may be this many characters longer or shorter, so that its length tells little."""
_TRIES = 100


class RandomCharacters:
    """Draws the characters of each mention with a secret; a mention without letters or digits gets its token.

    No run is one that the conversation has anywhere.

    Draws depend on a secret and the id of the conversation.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._tokens = TokenReplacer()

    def values(self, conversation: LinkedConversation) -> Values:
        """One value for each finding and each label."""
        draws = KeyedDraws(self._secret, conversation.id)
        # Mentions are parts of the texts, so runs that no text has are no originals either.
        taken = {
            run
            for text in (*conversation.texts, *conversation.labels)
            for form in {text.casefold(), plain_letters(text)}
            for run in _RUN.findall(form)
        }

        def run(match: re.Match[str]) -> str:
            return _run(match[0], draws.draw("random characters", match[0].casefold()), taken)

        def value(_entity: int, _info_type: str, text: str, token: str) -> str:
            try:
                written, runs = _RUN.subn(run, text)
            except _NoneLeftError:
                return token
            return written if runs else token

        return changed_values(conversation, self._tokens.values(conversation), value)


class _NoneLeftError(Exception):
    """The conversation has every run of this length that was drawn."""


def _run(original: str, draw: Draw, taken: Set[str]) -> str:
    """Another run of digits or letters, none of those ``taken``, which are in lower case."""
    for _ in range(_TRIES):
        length = draw.between(max(1, len(original) - _LONGER), len(original) + _LONGER)
        if original.isdecimal():
            drawn = "".join(str(draw.below(10)) for _ in range(length))
        else:
            drawn = in_case_of(original, draw.letters(length, _LETTERS))
        if drawn.casefold() not in taken:
            return drawn
    raise _NoneLeftError
