"""Restore the originals of reversible surrogates in records of any shape, given the key."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tacenda.transforms.replacing.ciphers import annotated, decrypted, encrypted
from tacenda.transforms.replacing.policies import Policy, transformations
from tacenda.transforms.replacing.transformations import Transformation
from tacenda.transforms.schema.errors import RecordError, UserError


def reversible(policies: Sequence[Policy]) -> dict[str, Transformation]:
    """The transformations that can be reversed, by the infoType that marks their values.

    Raises:
        UserError: two transformations with different settings use the same mark.
    """
    found: dict[str, Transformation] = {}
    for one in transformations(policies):
        if one.function is not encrypted or (mark := one.settings[1]) is None:
            continue
        if found.setdefault(mark, one) != one:
            raise UserError(
                f"surrogate_info_type {mark}: two transformations share it, so their values "
                "cannot be told apart; give each its own"
            )
    return found


@dataclass
class Reversal:
    """Replaces surrogates by their originals; a value that its key does not open is unchanged.

    Args:
        transformations: by the infoType that marks their values (:func:`reversible`).

    Attributes:
        reversed: the number of values that were reversed.
        unopened: the number of those that no key opens.
    """

    transformations: dict[str, Transformation]
    reversed: int = 0
    unopened: int = 0

    def __post_init__(self) -> None:
        names = "|".join(map(re.escape, self.transformations))
        self._mark = re.compile(rf"({names})\(([1-9][0-9]{{0,8}})\):")
        self._back = {name: one.build(decrypted) for name, one in self.transformations.items()}

    def record(self, value: Any) -> Any:
        """A record with every text in any field reversed."""
        if isinstance(value, str):
            return self.text(value) if ":" in value else value
        if isinstance(value, list):
            return [self.record(one) for one in value]
        if isinstance(value, dict):
            return {name: self.record(one) for name, one in value.items()}
        return value

    def text(self, text: str) -> str:
        """Reverse one text.

        A mark whose value would extend beyond the end of the text is ignored.
        """
        pieces: list[str] = []
        position = 0
        while mark := self._mark.search(text, position):
            end = mark.end() + int(mark[2])
            pieces.append(text[position : mark.start()])
            if end > len(text):
                pieces.append(mark[0])
                position = mark.end()
            else:
                pieces.append(self._original(mark[1], text[mark.end() : end]))
                position = end
        return "".join([*pieces, text[position:]])

    def _original(self, info_type: str, surrogate: str) -> str:
        try:
            value: str = self._back[info_type](surrogate)
        except RecordError:
            self.unopened += 1
            return annotated(info_type, surrogate)
        self.reversed += 1
        return value
