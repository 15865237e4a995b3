from tacenda.transforms.replacing.surrogates.context import KeyedDraws


def _numbers(secret: bytes, conversation: str, *purpose: str) -> list[int]:
    draw = KeyedDraws(secret, conversation).draw(*purpose)
    return [draw.below(1_000_000) for _ in range(4)]


def test_the_same_key_draws_the_same() -> None:
    assert _numbers(b"secret", "1", "age") == _numbers(b"secret", "1", "age")


def test_secret_conversation_and_purpose_all_change_it() -> None:
    drawn = [
        _numbers(b"secret", "1", "age"),
        _numbers(b"other", "1", "age"),
        _numbers(b"secret", "2", "age"),
        _numbers(b"secret", "1", "date"),
        _numbers(b"secret", "1", "a", "ge"),
    ]
    assert len({tuple(numbers) for numbers in drawn}) == len(drawn)


def test_lone_surrogates_can_be_keyed() -> None:
    assert _numbers(b"secret", "\ud800", "\udfff")
