import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.writing.converting.chat import to_chat
from tacenda.transforms.writing.converting.dialogue import Dialogue, Message


def test_messages_have_a_role_and_a_text() -> None:
    turns = (Message("user", "[PERSON_NAME_1]", "Hello"), Message("assistant", "Agent", "Hi"))
    assert to_chat(Dialogue("c", "sales", turns)) == {
        "conversation_id": "c",
        "context": "sales",
        "messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}],
    }


def test_a_chat_without_messages_does_not_fit() -> None:
    with pytest.raises(RecordError, match="NoMessages"):
        to_chat(Dialogue("c", "", ()))
