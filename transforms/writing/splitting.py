"""Which split a conversation belongs to, by its own content.

The split follows from a keyed hash of the words, so that it is the same in every run and however the corpus
is divided. The words are those of the turns before anything was replaced, with infoTypes in the place of
findings: two calls that differ only in names are equal for a model that is trained on tokens, and surrogates
would make equal calls differ. System prompts, and what is beside the turns, are left out: they are the same in
most conversations of a corpus.
"""

import hashlib
import re
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any

import orjson

from tacenda.transforms.replacing.replacement import replace_text
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.json_values import plain_value
from tacenda.transforms.writing.converting import OTHERS, SYSTEM, role_of


def masked(text: str, findings: Sequence[Finding]) -> str:
    """A text with the infoType in the place of each finding, whatever replaces it in the corpus.

    >>> from tacenda.transforms.schema.likelihood import Likelihood
    >>> masked("I am Ann.", [Finding(5, 8, "PERSON_NAME", Likelihood.LIKELY, "rules")])
    'I am  PERSON_NAME .'
    """
    return replace_text(text, findings, [f" {finding.info_type} " for finding in findings])


SPLIT_NAME = re.compile("[A-Za-z][A-Za-z0-9_]{0,31}")  # as loaders take them; also folders

_WHOLE = 1 << 64
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Split:
    """How a corpus is split: ``shares`` are names with their share of the conversations, 1 in all.

    ``by`` names a field: conversations with an equal value stay together, instead of those with equal words.
    ``key`` determines the split of each conversation.
    """

    shares: tuple[tuple[str, float], ...]
    by: str | None = None
    key: bytes = b""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.shares)

    def summary(self, conversations: Mapping[str, int]) -> dict[str, Any]:
        """What a manifest says of the split, with the number of conversations in each."""
        counts = {name: conversations.get(name, 0) for name in self.names}
        return {"shares": dict(self.shares), "by": self.by, "conversations": counts}

    def sides(
        self, batch: ConversationBatch, findings: Sequence[Sequence[Finding]], people: Sequence[str]
    ) -> list[int]:
        """The number of the split of each conversation of a batch with its original texts.

        ``findings`` are those of each cell, ``people`` the value (:func:`as_words`) of the field that keeps
        people together, empty without one.
        """
        bounds = list(accumulate(share for _, share in self.shares[:-1]))
        return [bisect(bounds, self._place(batch, findings, *one)) for one in enumerate(people)]

    def _place(
        self, batch: ConversationBatch, findings: Sequence[Sequence[Finding]], i: int, person: str
    ) -> float:
        """A number from 0 to 1, the same for the same person or, without one, the same words."""
        said = [
            _WORD.findall(masked(batch.texts[cell], findings[cell]).casefold())
            for cell in batch.cells(i)
            if batch.turns[cell] >= 0 and role_of(batch.speakers[cell], {OTHERS: ""}) != SYSTEM
        ]
        words = person or "\0".join(chain.from_iterable(said))
        data, of = words.encode("utf-8", "surrogatepass"), b"person" if person else b"words"
        digest = hashlib.blake2b(data, digest_size=8, key=self.key[:64], person=of).digest()
        return int.from_bytes(digest, "big") / _WHOLE


def as_words(value: Any) -> str:
    """A value of a field as text, the same for equal values; empty for none.

    >>> as_words("P-7"), as_words(7), as_words(None), as_words({"b": 1, "a": 2})
    ('P-7', '7', '', '{"a":2,"b":1}')
    """
    if value is None or isinstance(value, str):
        return value or ""
    return orjson.dumps(value, plain_value, orjson.OPT_SORT_KEYS).decode()
