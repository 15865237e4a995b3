"""Catch trials: leaks planted in conversations that are read, to measure how many of such leaks readers mark.

In a conversation beyond the sample one token is replaced, wherever it stands, by a value that could have been
missed there. Readers do not see which conversations these are; their scores count for nothing.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tacenda.transforms.auditing.unlisted import Draws
from tacenda.transforms.reviewing.marks import Mark, Talk
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.writing.columns import text_hash


class Planted(NamedTuple):
    """A talk with a leak, and where it is: turn and range of code points of each place."""

    talk: Talk
    places: tuple[tuple[int, int, int], ...]

    def to_json(self) -> dict[str, Any]:
        """The record by which marks are compared with the leak; without the value."""
        return {
            "conversation_id": self.talk.conversation_id,
            "text_hash": self.talk.text_hash,
            "places": [list(place) for place in self.places],
        }


def plant(talk: Talk, seed: str) -> Planted | None:
    """Plant a leak in a conversation, the same for the same seed; None if it has no token to replace."""
    draws = Draws(hashlib.blake2b(f"{seed}\n{talk.text_hash}".encode(), digest_size=16).digest())
    tokens = sorted(
        {match[0] for _, text in talk.turns for match in TOKEN.finditer(text) if match[1] in Draws.KINDS}
    )
    if not tokens:
        return None
    token = tokens[draws.number(len(tokens))]
    match = TOKEN.match(token)
    assert match is not None
    value = draws.value(match[1])
    places, turns = [], []
    for number, (speaker, text) in enumerate(talk.turns):
        pieces = text.split(token)
        at = 0
        for piece in pieces[:-1]:
            at += len(piece)
            places.append((number, at, at + len(value)))
            at += len(value)
        turns.append((speaker, value.join(pieces)))
    speakers, texts = [speaker for speaker, _ in turns], [text for _, text in turns]
    return Planted(talk._replace(turns=tuple(turns), text_hash=text_hash(speakers, texts)), tuple(places))


def is_caught(record: Mapping[str, Any], marks: Sequence[Mark]) -> bool:
    """Whether any mark touches the planted leak."""
    return any(
        not mark.on_label and mark.turn == turn and mark.start < end and start < mark.end
        for turn, start, end in record["places"]
        for mark in marks
    )
