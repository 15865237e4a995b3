"""``character_mask_config``: replace all or some characters by a mask character."""

import string
from collections.abc import Mapping
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform

COMMON_CHARACTERS: Mapping[str, str] = {
    "NUMERIC": string.digits,
    "ALPHA_UPPER_CASE": string.ascii_uppercase,
    "ALPHA_LOWER_CASE": string.ascii_lowercase,
    "PUNCTUATION": string.punctuation,
    "WHITESPACE": string.whitespace,
}
"""``CommonCharsToIgnore``."""


@dataclass(frozen=True, slots=True)
class CharacterMask:
    """Which characters are masked, and by what.

    ``number`` characters are masked from the left, or from the right with ``reverse``; 0 means all, and a
    negative number leaves that many unmasked at the far end. Characters in ``ignored`` are kept and not
    counted.
    """

    sign: str = "*"
    number: int = 0
    reverse: bool = False
    ignored: str = ""

    def build(self) -> Transform:
        """Build the function."""
        return self._masked

    def keys(self) -> tuple[Key, ...]:
        """There are none."""
        return ()

    def telling(self) -> Telling:
        """Description for manifest and report."""
        weak = []
        if self.number:
            weak.append(f"all but {-self.number}" if self.number < 0 else f"only {self.number}")
        if any(map(str.isalnum, self.ignored)):
            weak.append("not the letters and digits to be ignored")
        masked = f"{' and '.join(weak)} of its characters are masked" if weak else None
        return Telling(
            masked or f"each character replaced by {self.sign}", masked or "its length stays readable"
        )

    def _masked(self, mention: Mention) -> str:
        ignored = self.ignored
        text = mention.text
        places = [i for i, character in enumerate(text) if character not in ignored]
        if self.reverse:
            places.reverse()
        number = self.number or len(places)
        masked = list(text)
        for place in places[: number if number > 0 else max(0, len(places) + number)]:
            masked[place] = self.sign
        return "".join(masked)
