import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.writing.converting.alpaca import to_alpaca
from tacenda.transforms.writing.converting.dialogue import Dialogue, Message


def _of(*roles: str) -> Dialogue:
    return Dialogue("c", "", tuple(Message(role, None, f"{role} {i}") for i, role in enumerate(roles)))


def test_one_question_and_its_answer() -> None:
    record = to_alpaca(_of("system", "user", "assistant"))
    assert (record["system"], record["instruction"], record["output"]) == (
        "system 0",
        "user 1",
        "assistant 2",
    )
    assert to_alpaca(_of("user", "assistant"))["system"] is None


@pytest.mark.parametrize("roles", [(), ("user",), ("assistant", "user"), ("user", "assistant", "user")])
def test_other_conversations_do_not_fit(roles: tuple[str, ...]) -> None:
    with pytest.raises(RecordError, match="NotOneExchange"):
        to_alpaca(_of(*roles))
