import pytest

from tacenda.transforms.schema.residual import counted


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 turns"), (1, "1 turn"), (2, "2 turns"), (12345, "12,345 turns")]
)
def test_one_is_singular_and_thousands_are_separated(number: int, words: str) -> None:
    assert counted(number, "turn") == words


def test_an_irregular_plural_is_given() -> None:
    assert [counted(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]
