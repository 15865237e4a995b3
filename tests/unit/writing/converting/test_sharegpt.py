import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.writing.converting.dialogue import Dialogue, Message
from tacenda.transforms.writing.converting.sharegpt import to_sharegpt


def test_roles_have_their_names_there() -> None:
    turns = (Message("system", None, "S"), Message("user", "a", "Hello"), Message("assistant", "b", "Hi"))
    assert to_sharegpt(Dialogue("c", "", turns)) == {
        "conversation_id": "c",
        "context": None,
        "conversations": [
            {"from": "system", "value": "S"},
            {"from": "human", "value": "Hello"},
            {"from": "gpt", "value": "Hi"},
        ],
    }


def test_a_chat_without_messages_does_not_fit() -> None:
    with pytest.raises(RecordError, match="NoMessages"):
        to_sharegpt(Dialogue("c", "", ()))
