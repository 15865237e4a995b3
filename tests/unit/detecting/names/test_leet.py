import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.names.leet import in_letters
from tacenda.transforms.text.column import TextColumn


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("thanks m4rk", "thanks mark"),
        ("J0hn Sm1th", "John Smith"),
        ("m4r1a, $arah", "maria, sarah"),
        ("4nna", "anna"),
    ],
)
def test_names_are_spelled_in_letters(text: str, read: str) -> None:
    assert in_letters(text) == read


@pytest.mark.parametrize(
    "text",
    ["num1", "at 57am", "a4b7", "mp3 b2b w1nd0w", "sha1('x')", "j0hn@example.com", "/j0hn/", "1234 4711"],
)
def test_codes_times_and_addresses_stay(text: str) -> None:
    assert in_letters(text) == text


def test_such_a_name_is_found_where_it_stands() -> None:
    detector = GazetteerDetector(parse_inspect_config({"infoTypes": [{"name": "PERSON_NAME"}]}))
    for text, place in (("my name is j0hn sm1th", (11, 21)), ("call 5\n6 for m4r1a, please", (13, 18))):
        [found] = detector.find(TextColumn([text]))
        assert place in {(f.start, f.end) for f in found}
