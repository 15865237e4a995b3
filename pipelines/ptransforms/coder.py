"""Beam coder for ``Conversations``: encoding between stages that are not fused, and size estimates.

Runners sample the sizes of elements, even within fused stages. Beam's default coder would pickle a whole work
unit for every sample.
"""

import pickle

import apache_beam as beam
import pyarrow as pa

from tacenda.pipelines.chain.conversations import Conversations

_CODEC = "zstd"
_LENGTH_BYTES = 8


class ConversationsCoder(beam.coders.Coder):  # type: ignore[misc]
    """Pickles and compresses; estimates the size by the length of the texts."""

    def encode(self, value: Conversations) -> bytes:
        data = pickle.dumps(value, protocol=5)
        packed: bytes = pa.compress(data, _CODEC, asbytes=True)
        return len(data).to_bytes(_LENGTH_BYTES, "little") + packed

    def decode(self, encoded: bytes) -> Conversations:
        length = int.from_bytes(encoded[:_LENGTH_BYTES], "little")
        data = pa.decompress(encoded[_LENGTH_BYTES:], length, _CODEC, asbytes=True)
        value: Conversations = pickle.loads(data)  # noqa: S301 - written by this very job
        return value

    def estimate_size(self, value: Conversations) -> int:
        """Number of code points of the text, without encoding anything."""
        return sum(len(text) for portion in value.portions for text in portion.outcome.texts)

    def is_deterministic(self) -> bool:
        return False

    def to_type_hint(self) -> type[Conversations]:
        return Conversations
