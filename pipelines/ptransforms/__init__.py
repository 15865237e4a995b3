"""The job as Beam transforms: thin wrappers of code that also runs without Beam."""

from apache_beam.coders import registry

from tacenda.pipelines.chain.conversations import Conversations
from tacenda.pipelines.ptransforms.coder import ConversationsCoder

registry.register_coder(Conversations, ConversationsCoder)
