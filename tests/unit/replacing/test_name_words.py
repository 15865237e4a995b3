import pytest

from tacenda.transforms.replacing.replacement import name_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dr. Ann Lee", ["Ann", "Lee"]),
        ("Björn af Kleen", ["Björn", "Kleen"]),
        ("Ann's", ["Ann"]),
        ("J. Lee-Moss 2", ["J", "Lee", "Moss"]),
    ],
)
def test_titles_particles_and_endings_are_no_name(text: str, words: list[str]) -> None:
    assert [match[0] for match in name_words(text)] == words
