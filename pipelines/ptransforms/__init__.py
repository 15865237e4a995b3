"""The job as Beam transforms: thin wrappers of code that also runs without Beam."""

import pickle

import apache_beam as beam
import pyarrow as pa
from apache_beam.coders import registry

from tacenda.pipelines.chain.conversations import Conversations

_LENGTH_BYTES = 8


def compressed(data: bytes) -> bytes:
    """Data for a shuffle, behind its length."""
    packed: bytes = pa.compress(data, "zstd", asbytes=True)
    return len(data).to_bytes(_LENGTH_BYTES, "little") + packed


def decompressed(packed: bytes) -> bytes:
    """The inverse of :func:`compressed`."""
    length = int.from_bytes(packed[:_LENGTH_BYTES], "little")
    data: bytes = pa.decompress(packed[_LENGTH_BYTES:], length, "zstd", asbytes=True)
    return data


class ConversationsCoder(beam.coders.Coder):  # type: ignore[misc]
    """Pickles and compresses; estimates the size by the length of the texts.

    Runners sample the sizes of elements, even within fused stages, where Beam's default coder would pickle a
    whole work unit for every sample.
    """

    def encode(self, value: Conversations) -> bytes:
        return compressed(pickle.dumps(value, protocol=5))

    def decode(self, encoded: bytes) -> Conversations:
        value: Conversations = pickle.loads(decompressed(encoded))  # noqa: S301 - written by this very job
        return value

    def estimate_size(self, value: Conversations) -> int:
        """Number of code points of the text, without encoding anything."""
        return sum(len(text) for portion in value.portions for text in portion.texts)

    def is_deterministic(self) -> bool:
        return False

    def to_type_hint(self) -> type[Conversations]:
        return Conversations


registry.register_coder(Conversations, ConversationsCoder)
