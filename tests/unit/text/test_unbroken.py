import pytest

from tacenda.transforms.text.readable import in_one_piece, line_ends_within, may_be_broken, unbroken
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("call 070-123\n45 67", "call 070-123 45 67"),
        ("call 555-867-\r\n5309", "call 555-867-5309"),
        ("> call 555-867-\n> 5309", "> call 555-867-5309"),
        ("the number is (555)\n867-5309", "the number is (555) 867-5309"),
        ("IBAN GB29\nNWBK 6016 1331", "IBAN GB29 NWBK 6016 1331"),
        ("my IP is 192.168.12.\n44", "my IP is 192.168.12.44"),
        ("DNI 12345678-\nZ", "DNI 12345678-Z"),
        ("ask Mr Wil-\nliamson", "ask Mr Williamson"),
        ("ask Ms Lind-\nBerg", "ask Ms Lind-Berg"),
        ("ann.lee@\nexample.com", "ann.lee@example.com"),
        ("ann.\nlee@example.com", "ann.lee@example.com"),
        ("ann.lee\n@example.com", "ann.lee@example.com"),
        ("ann.lee@example\n.com", "ann.lee@example.com"),
        ("ann.lee@example.\ncom", "ann.lee@example.com"),
        ("an\u00adn@exam\u200bple.com", "ann@example.com"),
        ("Wil\u00ad\nliamson", "Williamson"),
        (
            "I spoke at length with your colleague Anna\nXyzzyski about it",
            "I spoke at length with your colleague Anna Xyzzyski about it",
        ),
    ],
)
def test_values_and_names_are_read_in_one_piece(text: str, whole: str) -> None:
    found = unbroken(text)
    assert found is not None
    assert found.text == whole
    places = found.places
    assert len(places) == len(whole) + 1
    assert all(text[p] == c or text[p].isspace() for p, c in zip(places, whole, strict=False))


@pytest.mark.parametrize(
    "text",
    [
        "call 070-123 45 67",
        "5551234\n5559876",
        "Ann,1,5551234\nBob,2,5559876",
        "port=80\n443",
        "room 12\n3. the next item",
        "my room is 12\n\n555 0199 is no part of it",
        "please ask\n@ann.lee about it",
        "it took 12\n2024-01-02 next",
        "Springfield 62704\n0319 3649187",
        "Best wishes Anna\nTelephone by day",
        "write to ann@example.com.\nthen call",
        "Ends here 12.\nMore",
        "می\u200cخواهم",
    ],
)
def test_lines_of_their_own_are_left_alone(text: str) -> None:
    assert unbroken(text) is None


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        ("ann.lee@\n> example.com", "ann.lee@example.com"),
        ("an\u00adn@exam\u200bple.com", "ann@example.com"),
        ("Ann\n> Wil-\n> liamson", "Ann Williamson"),
        ("1 Elm St.\nparis", "1 Elm St. paris"),
    ],
)
def test_a_broken_value_is_written_as_a_whole_one(value: str, whole: str) -> None:
    assert in_one_piece(value) == whole


def test_a_range_over_a_break_has_its_place_in_the_original() -> None:
    text = "on 1 May call 555-867-\n5309"
    whole = unbroken(text)
    assert whole is not None
    assert whole.crossed(14, 26) == (14, len(text))
    assert whole.crossed(3, 8) is None


def test_ordinary_text_may_not_be_broken() -> None:
    assert not may_be_broken("Ödön called 555-867-5309")
    assert may_be_broken("a\u200bb")


def test_time_is_linear() -> None:
    assert grows_linearly(lambda n: unbroken("a 1" * n + "\n1@a.\nb-\n" * n), 2_000)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("ask Ann Wil-\nliamson", [12]),
        ("ask Ann Williamson", []),
        ("Present:\nAnna Berg\nPeter Holm", []),
        ("Please note that the meeting was moved by Anna\nBerg who is late", [46]),
    ],
)
def test_line_ends_that_only_break_what_stands_there(text: str, places: list[int]) -> None:
    assert sorted(line_ends_within(text, 0, len(text))) == places
    assert not line_ends_within(text, 0, 4)
