"""Shape 1: a conversation a record, ``{conversation_id, context, turns: [{speaker, text, spans}]}``."""

from tacenda.transforms.shapes.turn_list import TurnListShape


class ConversationShape(TurnListShape):
    """The shape of corpora, gold conversations and reviewed conversations."""

    name = "conversation"
    declared = frozenset(
        {"conversation_id", "context", "turns", "turns.text", "turns.speaker", "turns.spans"}
    )
    entries_field = "turns"
    text_field = "turns.text"
    speaker_field = "turns.speaker"
    needs_id = True
