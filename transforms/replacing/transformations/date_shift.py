"""``date_shift_config``: shift all dates of a conversation by the same number of days."""

import hashlib
import hmac
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform
from tacenda.transforms.text.written_date import WrittenDate


@dataclass(frozen=True, slots=True)
class DateShift:
    """Shifts by ``lower`` to ``upper`` days, inclusive, determined by key and conversation.

    Google's context can be any field; here it is always the conversation.
    """

    lower: int
    upper: int
    key: Key

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for text that is not a date."""
        key = self.key.read()

        def shifted(mention: Mention) -> str:
            return WrittenDate.read(mention.text).shifted(self.days(key, mention.conversation))

        return shifted

    def days(self, key: bytes, conversation: str) -> int:
        """The shift of a conversation, in days."""
        digest = hmac.new(key, conversation.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        return self.lower + int.from_bytes(digest, "big") % (self.upper - self.lower + 1)

    def keys(self) -> tuple[Key, ...]:
        """The key of the shift."""
        return (self.key,)

    def telling(self) -> Telling:
        """Description for manifest and report."""
        what = f"dates moved by {self.lower} to {self.upper} days, alike within a conversation"
        return Telling(what, "intervals between dates, and times of day, stay readable")
