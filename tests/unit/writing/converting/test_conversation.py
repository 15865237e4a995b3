from tacenda.transforms.writing.converting.conversation import to_conversation
from tacenda.transforms.writing.converting.dialogue import Dialogue, Message


def test_speakers_keep_their_labels_and_others_have_their_role() -> None:
    turns = (Message("user", "[PERSON_NAME_1]", "Hello"), Message("assistant", None, "Hi"))
    assert to_conversation(Dialogue("c", "sales", turns)) == {
        "conversation_id": "c",
        "context": "sales",
        "turns": [
            {"speaker": "[PERSON_NAME_1]", "text": "Hello"},
            {"speaker": "assistant", "text": "Hi"},
        ],
    }
