import pytest

from tacenda.transforms.linking.spoken_digits import spoken_digits


@pytest.mark.parametrize(
    ("said", "digits"),
    [
        ("eight double oh triple five zero one double seven", "8005550177"),
        ("928 nine", "9289"),
        ("t one a two s two", "t1a2s2"),
        ("four one nine five five five oh one nine five", "4195550195"),
        ("åtta sju noll", "870"),
        ("9289", None),
        ("t 1 a 2", None),
        ("nine queen court", None),
        ("", None),
    ],
)
def test_codes_in_words(said: str, digits: str | None) -> None:
    assert spoken_digits(said) == digits
