import pytest

from tacenda.transforms.detecting.rules.addresses.crossings import crossing, numbered_crossing


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("corner of Castro and Market Street is", "corner of Castro and Market Street"),
        ("corner of Utca 15 and van Bokhorst Street", "corner of Utca 15 and van Bokhorst Street"),
        ("corner of mill road and oak street now", "corner of mill road and oak street"),
        ("corner of Fifth and Jupiter please", "corner of Fifth and Jupiter"),
        ("corner of the room and left it", None),
        ("corner of his mouth and the eye", None),
    ],
)
def test_intersections_of_streets(text: str, kept: str | None) -> None:
    found = crossing(text)
    assert (None if found is None else text[slice(*found)]) == kept


@pytest.mark.parametrize(
    ("text", "counts"),
    [("5th and pine", True), ("5th and last", False), ("3rd and march", False), ("5th and the", False)],
)
def test_a_numbered_street_and_another(text: str, counts: bool) -> None:
    assert numbered_crossing(text) == ((0, len(text)) if counts else None)
