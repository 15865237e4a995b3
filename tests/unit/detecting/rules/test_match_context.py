import pytest

from tacenda.transforms.detecting.rules.match_context import EXTENDERS, at_a_pause, whole_turn
from tests.growth import takes_at_most


@pytest.mark.parametrize(
    ("text", "match", "counts"),
    [
        ("dk 99 h 9", "dk 99 h 9", True),
        ("Yes, it's ktr 999.", "ktr 999", True),
        ("and it is my number ktr 999", "ktr 999", False),
        ("see ktr 999", "ktr 999", False),
        ("ktr 999 is it", "ktr 999", False),
        ("7 ktr 999", "ktr 999", False),
    ],
)
def test_a_code_that_is_the_whole_turn(text: str, match: str, counts: bool) -> None:
    start = text.index(match)
    place = start, start + len(match)
    assert whole_turn(text, *place) == (place if counts else None)


def test_introducing_words_are_cut_off_a_code() -> None:
    assert whole_turn("sure it is 4 gnd 45", 8, 19) == (11, 19)
    assert whole_turn("it is 1298456", 3, 13) is None
    assert whole_turn("anna and 2586 lk", 9, 16) == (9, 16)
    assert whole_turn("2 men and 2586 lk", 10, 17) is None


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("come at 8", True),
        ("come at 8, please", True),
        ("come at 8 tomorrow", True),
        ("sold at 8,300 a piece", False),
        ("laughing at 8 : 41", False),
        ("after 8 weeks", False),
        ("at 8 or so", True),
        ("at 8 or 9 percent", False),
        ("at 8 or nine", True),
    ],
)
def test_an_hour_at_the_end_of_a_clause_counts(text: str, counts: bool) -> None:
    start = text.index("8")
    assert at_a_pause(text, start, start + 1) == ((start, start + 1) if counts else None)


@pytest.mark.parametrize("name", sorted(EXTENDERS))
@pytest.mark.parametrize("piece", ["A 1 ", "Apt 5 ", "Ab, ", "de ", "12 St ", "\nAb "])
def test_context_is_limited_to_the_window(name: str, piece: str) -> None:
    def looked_at(pieces: int) -> tuple[tuple[int, int] | None, int]:
        text = piece * pieces
        middle = len(text) // 2
        for _ in range(20):
            found = EXTENDERS[name](text, middle, middle + 2)
        return found, middle

    assert takes_at_most(5, lambda: looked_at(200_000), lambda: looked_at(2_000))
    found, middle = looked_at(200_000)
    assert found is None or (found[0] >= middle - 400 and found[1] <= middle + 200)
