"""The job as Beam transforms: thin wrappers of code that also runs without Beam."""

import pickle

import apache_beam as beam
import zstandard
from apache_beam.coders import registry

from tacenda.pipelines.chain.conversations import Conversations


class ConversationsCoder(beam.coders.Coder):  # type: ignore[misc]
    """Pickles and compresses; estimates the size by the length of the texts.

    Runners sample the sizes of elements, even within fused stages, where Beam's default coder would pickle a
    whole work unit for every sample.
    """

    def encode(self, value: Conversations) -> bytes:
        return zstandard.compress(pickle.dumps(value, protocol=5))

    def decode(self, encoded: bytes) -> Conversations:
        value: Conversations = pickle.loads(zstandard.decompress(encoded))  # noqa: S301 - written by this very job
        return value

    def estimate_size(self, value: Conversations) -> int:
        """Number of code points of the text, without encoding anything."""
        return sum(len(text) for portion in value.portions for text in portion.texts)

    def to_type_hint(self) -> type[Conversations]:
        return Conversations


registry.register_coder(Conversations, ConversationsCoder)
