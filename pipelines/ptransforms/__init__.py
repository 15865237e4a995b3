"""The job as Beam transforms: thin, since everything they call runs without a runner as well."""

from apache_beam.coders import registry

from tacenda.pipelines.conversations import Conversations
from tacenda.pipelines.ptransforms.coder import ConversationsCoder

registry.register_coder(Conversations, ConversationsCoder)
