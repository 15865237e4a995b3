import pytest

from tacenda.transforms.detecting.structures.markup import markup
from tests.growth import grows_linearly


def found(text: str) -> list[tuple[str, list[str]]]:
    return [
        (text[one.start : one.end], [text[value.start : value.end] for value in one.values])
        for one in markup(text)
    ]


def test_elements_among_text_are_found_whole() -> None:
    text = 'I sent <a id="1"><b>Ann</b> Lee</a> and <c d="e"/>, but a < b > c.'
    assert found(text) == [('<a id="1"><b>Ann</b> Lee</a>', ["1", "Ann", " Lee"]), ('<c d="e"/>', ["e"])]


@pytest.mark.parametrize("text", ["<a>Ann", "</a> <b>", "a List<b/c>", "<a><b></a></b>", "<a>R&D</a>"])
def test_what_does_not_parse_is_none(text: str) -> None:
    assert found(text) == []


def test_time_is_linear() -> None:
    def run(size: int) -> None:
        list(markup("<a>" * size + "</a>" * size + "<b c='d'>e</b>" * size + "<f" * size))

    run(1)
    assert grows_linearly(run, 500)
