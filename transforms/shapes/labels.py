"""Ids and contexts of conversations: checked, or replaced by neutral ones, since both may say who somebody is.

No detector knows that ``rhale1987003`` or ``Dr. Mehta's surgery`` is somebody, so what is written by default is
only what nobody makes up from what he knows (``is_plainly_random``), and contexts of ordinary words.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal
from uuid import UUID

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.storage.process_cache import built_once

OTHER_CONTEXTS = "other"  # for contexts that may say who somebody is, if there is no key

Treatment = Literal["keep", "check", "replace"]
"""Labels stay, or conversations with personal ones are rejected, or neutral ones take their place."""


@dataclass(frozen=True, slots=True)
class LabelRules:
    """What happens to ids and contexts.

    ``others`` are ids of calls and names of files, ``tools`` names and definitions of tools: whether they are
    checked. With a ``key``, what takes the place of a label is its keyed hash.
    """

    ids: Treatment = "check"
    contexts: Treatment = "check"
    key: bytes | None = field(default=None, repr=False)
    others: bool = True
    tools: bool = True


UNCHECKED = LabelRules("keep", "keep", others=False)  # for output with what the text says
TOOLS = "tools"  # the field whose being opaque says that the names and definitions of all tools are nobody's


_RANDOM = re.compile(  # UUIDs 4, 7, 8 and ULIDs; others are made from names, or machine and time
    r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[478][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}"
    r"|[0-7][0-9A-HJKMNP-TV-Z]{25}"  # ULID
)


def is_plainly_random(label: str) -> bool:
    """Whether an id has the form of a random UUID or a ULID, so that it is not derived from personal data.

    A bare digest may be that of an address, which a list of addresses undoes.

    >>> several = ("9b2f6c0e-7b1d-4c55-8c57-1f0a4e0c2d11", "call-17", "23463b99b62a72f26ed677cc556c44e8")
    >>> [is_plainly_random(one) for one in several]
    [True, False, False]
    """
    return bool(_RANDOM.fullmatch(label)) and not label.isdecimal()


def keyed_hash(key: bytes, label: str) -> str:
    """The HMAC-SHA256 of a label, as a UUID of version 8, so that an output read again keeps its ids."""
    return _as_uuid(hmac.digest(key, _bytes(label), "sha256"))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _as_uuid(digest: bytes) -> str:
    bits = int.from_bytes(digest[:16], "big")
    return str(UUID(int=bits & ~(0xF << 76) & ~(0x3 << 62) | 0x8 << 76 | 0x2 << 62))


def is_ordinary_context(context: str) -> bool:
    """Whether a context is made of words for departments, channels and subjects, and of short numbers.

    >>> [is_ordinary_context(one) for one in ("customer_support", "Queue 12", "Dr. Mehta's surgery", "kavitha")]
    [True, True, False, False]
    """
    words = _WORD.findall(_CAMEL.sub(" ", context))
    return "".join(words) == _SEPARATOR.sub("", context) and all(
        (len(word) <= _LONGEST_NUMBER and word.isdecimal()) or len(word) == 1 or word.lower() in _ordinary()
        for word in words
    )


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATOR = re.compile(r"[\s_.,:;/&+()|#–—-]+")
_WORD = re.compile(r"\d+|[^\W\d_]+")
_LONGEST_NUMBER = 3


@built_once
def _ordinary() -> frozenset[str]:
    text = files(__package__).joinpath("context_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def neutral_id(batch: ConversationBatch, conversation: int, key: bytes | None) -> str:
    """The id under which a conversation is written: its own if that is plainly random.

    Otherwise the keyed hash of its own, or without a key a digest of the whole record as it was read: whoever
    wants to undo it must know the record. A digest of the id alone would be undone with a list of ids.
    """
    name = batch.given[conversation]
    if is_plainly_random(name):
        return name
    if key is not None:
        return keyed_hash(key, name)
    own = batch.own(conversation)
    digest = hashlib.sha256()
    for said in ([name, batch.contexts[conversation]], batch.texts[own], batch.speakers[own]):
        digest.update(_bytes("\0".join([str(len(said)), *(one or "" for one in said)])))
    return _as_uuid(digest.digest())


def neutral_context(context: str, key: bytes | None) -> str:
    """The context under which a conversation is written: its own if that is made of ordinary words."""
    if is_ordinary_context(context) or is_plainly_random(context):
        return context
    return OTHER_CONTEXTS if key is None else keyed_hash(key, context)
