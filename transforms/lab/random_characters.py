"""Random characters: the *random* mode of the virtual-agent dialogues of Mina et al.

Each run of letters or digits becomes another of about its length, in the case of the original; punctuation
and white space stay. Equal runs of a conversation become equal ones, so that mentions of one person still look
alike.
"""

import re

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values, changed_values
from tacenda.transforms.replacing.surrogates.context import KeyedDraws
from tacenda.transforms.replacing.surrogates.inflection import in_case_of
from tacenda.transforms.replacing.tokens import TokenReplacer

_RUN = re.compile(r"\d+|[^\W\d_]+")
_DIGITS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LONGER = 2
"""A run may be this many characters longer or shorter, so that its length tells little."""


class RandomCharacters:
    """Draws the characters of each mention with a secret; a mention without letters or digits gets its token.

    Draws depend on a secret and the id of the conversation.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._tokens = TokenReplacer()

    def values(self, conversation: LinkedConversation) -> Values:
        """One value for each finding and each label."""
        draws = KeyedDraws(self._secret, conversation.id)

        def run(match: re.Match[str]) -> str:
            return _other_run(match[0], draws.draw("random characters", match[0].casefold()))

        def value(_entity: int, _info_type: str, text: str, token: str) -> str:
            written, runs = _RUN.subn(run, text)
            return written if runs else token

        return changed_values(conversation, self._tokens.values(conversation), value)


def _other_run(original: str, draw: Draw) -> str:
    """Another run of digits or letters."""
    drawn = original
    while drawn.casefold() == original.casefold():
        length = draw.between(max(1, len(original) - _LONGER), len(original) + _LONGER)
        drawn = draw.letters(length, _DIGITS if original.isdecimal() else _LETTERS)
    return in_case_of(original, drawn)
