import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from tacenda.transforms.previewing.conversation import Previewed
from tacenda.transforms.previewing.page import hue_of, render

ANN, BO = (1, "[PERSON_NAME_1]"), (2, "[PERSON_NAME_2]")
HOSTILE = "</style><script>alert(1)</script>\"'><img src=//x onerror=y>&\u202e\x00{{ 7*7 }}"


class Reader(HTMLParser):
    """The elements of a page with their attributes, and the text within each mark."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.marks: list[tuple[str, str]] = []
        self._open: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "mark":
            self._open = dict(attrs)["class"] or ""
            self.marks.append((self._open, ""))

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self.marks[-1] = (self._open, self.marks[-1][1] + data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "mark":
            self._open = None


def test_all_mentions_of_an_entity_have_its_class(talk: Callable[..., Previewed]) -> None:
    page = render([talk(("Ann", "Ann and Bo", {"Ann": ANN, "Bo": BO}), labels={"Ann": ANN})], [])
    assert Reader(page).marks == [
        ("e1", "Ann"),
        ("e1", "Ann"),
        ("e2", "Bo"),
        ("e1 new", "[PERSON_NAME_1]"),
        ("e1 new", "[PERSON_NAME_1]"),
        ("e2 new", "[PERSON_NAME_2]"),
    ]
    for number in (1, 2):
        assert f".talk:has(.e{number}:is(:hover, :focus)) .e{number}" in page


def test_a_mention_tells_what_it_is_and_takes_colours_by_four_things(talk: Callable[..., Previewed]) -> None:
    page = render([talk((None, "Ann", {"Ann": ANN}))], [])
    mark = next(attributes for tag, attributes in Reader(page).elements if tag == "mark")
    assert mark["data-told"] == "PERSON_NAME · LIKELY · rules · entity 1"
    assert re.fullmatch(r"--e:\d+;--t:\d+;--l:\d+;--d:\d+", mark["style"] or "")
    assert mark["tabindex"] == "0"
    names = [attributes["id"] for tag, attributes in Reader(page).elements if tag == "input"]
    assert names == ["by-entity", "by-infotype", "by-likelihood", "by-detector"]


def test_the_page_needs_no_script_and_fetches_nothing(talk: Callable[..., Previewed]) -> None:
    page = render([talk(("Pam", "Ann", {"Ann": ANN})), talk(("Pam", "x", {}), name="c2")], [("config", "x")])
    elements = Reader(page).elements
    assert not {"script", "link", "img", "iframe", "form"} & {tag for tag, _ in elements}
    links = [attributes.get("href") for tag, attributes in elements if tag == "a"]
    assert links == ["#talk-1", "#talk-2"]
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page
    assert "ontains personal data – for restricted eyes" in page


def test_hostile_text_is_shown_as_what_it_is(talk: Callable[..., Previewed]) -> None:
    told = talk(
        (HOSTILE, f"{HOSTILE} Ann", {"Ann": (1, HOSTILE)}),
        labels={HOSTILE: (2, HOSTILE)},
        name=HOSTILE,
        risk=HOSTILE,
    )
    told = told._replace(context=HOSTILE)
    page = render([told, told], [("input", HOSTILE)])
    tags = {tag for tag, _ in Reader(page).elements}
    assert not tags & {"script", "img"}
    assert page.count("<style>") == page.count("</style>") == 1
    assert not [c for c in "\u202e\x00" if c in page]
    assert "49" not in re.sub(r"--\w+:\d+|--h:\d+", "", page.partition("<body>")[2])
    assert "{{ 7*7 }}" in page


def test_what_was_removed_can_be_seen(talk: Callable[..., Previewed]) -> None:
    page = render([talk((None, "Ann!", {"Ann": (1, "")}))], [])
    assert ("e1 new empty", "") in Reader(page).marks
    assert ">removed<" in page


def test_the_same_input_gives_the_same_page(talk: Callable[..., Previewed]) -> None:
    one = talk(("Pam", "Ann", {"Ann": ANN}))
    assert render([one], []) == render([one], [])


@pytest.mark.parametrize("number", range(1, 40))
def test_colours_of_neighbours_are_far_apart(number: int) -> None:
    apart = abs(hue_of(number) - hue_of(number + 1))
    assert min(apart, 360 - apart) > 100


@pytest.mark.parametrize(
    ("text", "direction"), [("مرحبا Ann", "rtl"), ("«Ann», שלום", "ltr"), ("12 …", "auto")]
)
def test_both_sides_read_in_the_direction_of_the_text_before(
    talk: Callable[..., Previewed], text: str, direction: str
) -> None:
    page = render([talk((None, text, {"Ann": ANN} if "Ann" in text else {}))], [])
    said = [attributes["dir"] for _, attributes in Reader(page).elements if attributes.get("class") == "said"]
    assert said == [direction] * 2
