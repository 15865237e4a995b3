"""``date_shift_config``: all dates of a conversation moved by the same number of days."""

import hashlib
import hmac
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform
from tacenda.transforms.replacing.written_date import WrittenDate


@dataclass(frozen=True, slots=True)
class DateShift:
    """Between ``lower`` and ``upper`` days, both included; which number, key and conversation say.

    Google lets a field be the context; in a conversation it is the conversation.
    """

    lower: int
    upper: int
    key: Key

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for what is no date."""
        key = self.key.read()

        def shifted(mention: Mention) -> str:
            return WrittenDate.read(mention.text).shifted(self.days(key, mention.conversation))

        return shifted

    def days(self, key: bytes, conversation: str) -> int:
        """By how many days a conversation is moved."""
        digest = hmac.new(key, conversation.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        return self.lower + int.from_bytes(digest, "big") % (self.upper - self.lower + 1)

    def keys(self) -> tuple[Key, ...]:
        """That of the shift."""
        return (self.key,)

    def telling(self) -> Telling:
        """What it means."""
        what = f"dates moved by {self.lower} to {self.upper} days, alike within a conversation"
        return Telling(what, "how far apart dates are, and times of the day, stay readable")
