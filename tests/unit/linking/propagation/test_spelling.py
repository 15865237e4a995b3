import pytest

from tacenda.transforms.linking.propagation.spelling import spelled_words
from tests.growth import grows_linearly

WORDS = {"lee", "ann", "annlee", "jo"}


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("l e e", ["l e e"]),
        ("L-E-E, A-N-N", ["L-E-E", "A-N-N"]),
        ("L.E.E.", ["L.E.E"]),
        ("it is a l e e", ["l e e"]),
        ("a n n l e e", ["a n n l e e"]),
        ("j o", ["j o"]),
        ("j o b", []),
        ("le e", []),
        ("l e ez", []),
        ("I a m", []),
        ("", []),
    ],
)
def test_spelled_words(text: str, spelled: list[str]) -> None:
    assert [text[one.start : one.end] for one in spelled_words(text, WORDS)] == spelled


def test_time_grows_with_letters() -> None:
    assert grows_linearly(lambda size: list(spelled_words("a " * size, WORDS)), 2_000)
    assert grows_linearly(lambda size: list(spelled_words("l e e " * size, {"l" * size})), 1_000)
