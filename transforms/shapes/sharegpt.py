"""Shape 4: ShareGPT, ``{conversations: [{from, value}]}``."""

from tacenda.transforms.shapes.turn_list import TurnListShape


class ShareGptShape(TurnListShape):
    """Fine-tuning data in the format of ShareGPT exports; the id is optional."""

    name = "sharegpt"
    declared = frozenset(
        {"conversation_id", "context", "conversations", "conversations.value", "conversations.from"}
    )
    entries_field = "conversations"
    text_field = "conversations.value"
    speaker_field = "conversations.from"
    needs_id = False
    definitions = ("tools",)
    texts_beside = ("system",)
