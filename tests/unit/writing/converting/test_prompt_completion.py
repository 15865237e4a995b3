import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.writing.converting.dialogue import Dialogue, Message
from tacenda.transforms.writing.converting.prompt_completion import to_prompt_completion


def _of(*roles: str) -> Dialogue:
    return Dialogue("c", "", tuple(Message(role, None, f"{role} {i}") for i, role in enumerate(roles)))


def test_the_last_answer_is_to_be_learnt() -> None:
    record = to_prompt_completion(_of("system", "user", "assistant", "user", "assistant", "user"))
    assert [message["content"] for message in record["prompt"]] == [
        "system 0",
        "user 1",
        "assistant 2",
        "user 3",
    ]
    assert record["completion"] == [{"role": "assistant", "content": "assistant 4"}]


@pytest.mark.parametrize("roles", [(), ("user",), ("assistant",), ("assistant", "user")])
def test_a_conversation_without_answer_does_not_fit(roles: tuple[str, ...]) -> None:
    with pytest.raises(RecordError, match="NoAnswer"):
        to_prompt_completion(_of(*roles))
