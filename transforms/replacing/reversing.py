"""Restore the originals of reversible surrogates in records of any shape, given the key."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

from tacenda.transforms.replacing.ciphers import ReversibleCipher, annotated
from tacenda.transforms.replacing.policies import Policy
from tacenda.transforms.replacing.transformations import Mention
from tacenda.transforms.schema.errors import RecordError, UserError

_IDS = ("conversation_id", "id")
"""Usual names of a record's conversation id."""


def reversible(policies: Sequence[Policy]) -> dict[str, ReversibleCipher]:
    """The transformations that can be reversed, by the infoType that marks their values.

    Raises:
        UserError: two transformations with different settings use the same mark.
    """
    found: dict[str, ReversibleCipher] = {}
    for policy in policies:
        one = policy.transformation
        if not isinstance(one, ReversibleCipher) or one.surrogate is None:
            continue
        if found.setdefault(one.surrogate, one) != one:
            raise UserError(
                f"surrogate_info_type {one.surrogate}: two transformations share it, so their values "
                "cannot be told apart; give each its own"
            )
    return found


_BYTE = re.compile(r"%([0-9A-Fa-f]{2})")


class Surrogates:
    """Finds marked surrogates in texts.

    Args:
        info_types: the names in the marks.
    """

    def __init__(self, info_types: Iterable[str]) -> None:
        # Longer names first: one may be a suffix of another.
        names = sorted(info_types, key=len, reverse=True)
        self._named = {one: name for name in names for one in (quote(name, safe=""), name)}
        self._mark = re.compile(
            f"({'|'.join(map(re.escape, self._named))})(?:\\(|(%28))([1-9][0-9]{{0,8}})(?(2)%29%3A|\\):)"
        )

    def sub(self, reverse: Callable[[str, str], str], text: str) -> str:
        """Replace each surrogate by the result of ``reverse`` for its infoType and value.

        A mark whose value would extend beyond the end of the text is ignored.
        """
        pieces: list[str] = []
        position = 0
        while found := self._mark.search(text, position):
            escaped, length = found[2] is not None, int(found[3])
            end = _end_of_escaped(text, found.end(), length) if escaped else found.end() + length
            if end > len(text):
                pieces.append(text[position : found.end()])
                position = found.end()
                continue
            value = text[found.end() : end]
            original = reverse(self._named[found[1]], unquote(value) if escaped else value)
            pieces += text[position : found.start()], quote(original) if escaped else original
            position = end
        return "".join([*pieces, text[position:]])


def _end_of_escaped(text: str, start: int, length: int) -> int:
    """The end of ``length`` characters, escaped byte by byte or not; beyond the text if there are fewer."""
    for _ in range(length):
        if start >= len(text):
            return len(text) + 1
        byte = _BYTE.match(text, start)
        first = 0 if byte is None else int(byte[1], 16)
        start += 1 if byte is None else 3 * (1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0))
    return start


@dataclass(slots=True)
class Counts:
    """The number of values that were reversed, and of those that no key opens."""

    reversed: int = 0
    unopened: int = 0


@dataclass
class Reversal:
    """Replaces surrogates by their originals; a value that its key does not open is unchanged.

    Args:
        transformations: by the infoType that marks their values (:func:`reversible`).
        id_field: the field of a record's conversation id; None tries the usual names.
    """

    transformations: dict[str, ReversibleCipher]
    id_field: str | None = None
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        self._surrogates = Surrogates(self.transformations)
        self._back = {name: one.build_reversal() for name, one in self.transformations.items()}

    def record(self, record: Any) -> Any:
        """The record with every text in any field reversed."""
        names = _IDS if self.id_field is None else (self.id_field,)
        ids = (record.get(name) for name in names) if isinstance(record, dict) else iter(())
        conversation = next((one for one in ids if one is not None), "")
        return self._walk(record, str(conversation))

    def _walk(self, value: Any, conversation: str) -> Any:
        if isinstance(value, str):
            return self.text(value, conversation) if ":" in value else value
        if isinstance(value, list):
            return [self._walk(one, conversation) for one in value]
        if isinstance(value, dict):
            return {name: self._walk(one, conversation) for name, one in value.items()}
        return value

    def text(self, text: str, conversation: str) -> str:
        """Reverse one text of a conversation."""

        def original(info_type: str, surrogate: str) -> str:
            try:
                value = self._back[info_type](Mention(surrogate, conversation, 0))
            except RecordError:
                self.counts.unopened += 1
                return annotated(info_type, surrogate)
            self.counts.reversed += 1
            return value

        return self._surrogates.sub(original, text)
