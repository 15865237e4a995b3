import pytest

from tacenda.transforms.detecting.names.known_places import is_known_place


@pytest.mark.parametrize("text", ["Boston", "boston, massachusetts", "New York", "Medicine Hat", "SWEDEN"])
def test_places_that_the_lists_know(text: str) -> None:
    assert is_known_place(text)


@pytest.mark.parametrize("text", ["Dunder Mifflin", "Boston Marrow", "Boston, Mifflin", "", "12", ", ,"])
def test_unlisted_places(text: str) -> None:
    assert not is_known_place(text)
