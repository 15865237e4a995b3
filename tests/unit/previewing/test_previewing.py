import re
from html.parser import HTMLParser

import pytest

from tacenda.transforms.previewing.conversation import (
    SPEAKER,
    Entity,
    Mention,
    display_width,
    place_name,
    previewed,
    side_by_side,
)
from tacenda.transforms.previewing.page import render
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

ANN, BO = (1, "[PERSON_NAME_1]"), (2, "[PERSON_NAME_2]")


@pytest.fixture
def talk():
    """``talk(("Pam", "Hi Ann!", {"Ann": (1, "[PERSON_NAME_1]")}), …)``: entity and value by what is replaced.

    ``labels`` has them of the speakers.
    """

    def make(*turns, labels=None, name="c1", risk="risk 3, by model"):
        replaced = labels or {}
        findings: list[list[Finding]] = []
        written = []
        for _, text, found in turns:
            places = sorted((text.index(word), word) for word in found)
            findings.append(
                [Finding(at, at + len(w), "PERSON_NAME", Likelihood.LIKELY, "rules") for at, w in places]
            )
            for _, word in places:
                text = text.replace(word, found[word][1], 1)
            written.append(text)
        of_cells = [
            sorted(found.items(), key=lambda pair, text=text: text.index(pair[0])) for _, text, found in turns
        ]
        columns = (
            list(range(len(turns))),
            [None] * len(turns),
            [speaker for speaker, _, _ in turns],
            [text for _, text, _ in turns],
            [replaced[s][1] if s in replaced else s for s, _, _ in turns],
            written,
            findings,
            [[entity for _, (entity, _) in cell] for cell in of_cells],
            [[value for _, (_, value) in cell] for cell in of_cells],
        )
        mentions = {s: Mention(entity, "PERSON_NAME", "", SPEAKER) for s, (entity, _) in replaced.items()}
        return previewed(name, "sales", risk, zip(*columns, strict=True), mentions)

    return make


def test_before_and_after_are_shown_side_by_side(talk):
    told = talk(("Pam", "Hello Ann", {"Ann": ANN}))
    assert list(side_by_side(told, 60)) == [
        "c1 · sales · risk 3, by model",
        "before                       │ after",
        "─" * 28 + "─┼─" + "─" * 28,
        "Pam: Hello «Ann»             │ Pam: Hello [PERSON_NAME_1]",
        "",
    ]


@pytest.mark.parametrize("width", [10, 40, 73, 200])
def test_lines_are_wrapped_without_losing_characters(talk, width):
    text = "Ann " + "中文字" * 30 + " e\u0301" * 40 + " word" * 20 + "\nnext\tline " + "x" * 150
    told = talk(("Pam Beesly", text, {"Ann": ANN}))
    lines = list(side_by_side(told, width))
    assert max(map(display_width, lines)) <= max(width, 40)
    left = "".join(line.partition("│")[0] for line in lines[3:])
    said = re.sub(r"[\s«»]", "", left)
    assert re.sub(r"\s", "", f"PamBeesly:{text}") == said
    assert len({display_width(line.partition("│")[0]) for line in lines[3:] if line}) == 1


def test_control_characters_are_not_sent_to_the_terminal(talk):
    told = talk(("\x1b[2J", "a\x1b]0;x\x07b\u202ec", {}), name="\x1b[31mid")
    shown = "\n".join(side_by_side(told, 80))
    assert not set("\x1b\x07\u202e") & set(shown)
    assert "\\u001b[2J" in shown


def test_pieces_say_what_was_replaced_by_what(talk):
    told = talk(("Pam", "Ann, ask Bo.", {"Ann": ANN, "Bo": (2, "")}), (None, "", {}))
    first, second = told.cells
    assert [(piece.text, piece.mention and piece.mention.entity) for piece in first.before] == [
        ("Ann", 1),
        (", ask ", None),
        ("Bo", 2),
        (".", None),
    ]
    assert [piece.text for piece in first.after] == ["[PERSON_NAME_1]", ", ask ", "", "."]
    assert (second.before, second.after, second.speaker_before.text) == ((), (), "")
    assert told.entities == [Entity(1, "PERSON_NAME", "[PERSON_NAME_1]", 1), Entity(2, "PERSON_NAME", "", 1)]


@pytest.mark.parametrize(
    ("turn", "part", "name"),
    [(3, None, "3"), (3, "tool_calls.0.arguments.to", "3 tool_calls.0.arguments.to"), (-1, "title", "title")],
)
def test_cells_are_called_by_turn_and_part(turn, part, name):
    assert place_name(turn, part) == name


HOSTILE = "</style><script>alert(1)</script>\"'><img src=//x onerror=y>&\u202e\x00{{ 7*7 }}"


class Reader(HTMLParser):
    """The elements of a page with their attributes, and the text within each mark."""

    def __init__(self, page):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.marks: list[tuple[str, str]] = []
        self._open: str | None = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "mark":
            self._open = dict(attrs)["class"] or ""
            self.marks.append((self._open, ""))

    def handle_data(self, data):
        if self._open is not None:
            self.marks[-1] = (self._open, self.marks[-1][1] + data)

    def handle_endtag(self, tag):
        if tag == "mark":
            self._open = None


def test_all_mentions_of_an_entity_have_its_class(talk):
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


def test_a_mention_tells_what_it_is_and_takes_colours_by_four_things(talk):
    page = render([talk((None, "Ann", {"Ann": ANN}))], [])
    mark = next(attributes for tag, attributes in Reader(page).elements if tag == "mark")
    assert mark["data-told"] == "PERSON_NAME · LIKELY · rules · entity 1"
    assert re.fullmatch(r"--e:\d+;--t:\d+;--l:\d+;--d:\d+", mark["style"] or "")
    assert mark["tabindex"] == "0"
    names = [attributes["id"] for tag, attributes in Reader(page).elements if tag == "input"]
    assert names == ["by-entity", "by-infotype", "by-likelihood", "by-detector"]


def test_the_page_needs_no_script_and_fetches_nothing(talk):
    page = render([talk(("Pam", "Ann", {"Ann": ANN})), talk(("Pam", "x", {}), name="c2")], [("config", "x")])
    elements = Reader(page).elements
    assert not {"script", "link", "img", "iframe", "form"} & {tag for tag, _ in elements}
    links = [attributes.get("href") for tag, attributes in elements if tag == "a"]
    assert links == ["#talk-1", "#talk-2"]
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page
    assert "ontains personal data – for restricted eyes" in page


def test_hostile_text_is_shown_as_what_it_is(talk):
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


@pytest.mark.parametrize(
    ("text", "direction"), [("مرحبا Ann", "rtl"), ("«Ann», שלום", "ltr"), ("12 …", "auto")]
)
def test_both_sides_read_in_the_direction_of_the_text_before(talk, text, direction):
    page = render([talk((None, text, {"Ann": ANN} if "Ann" in text else {}))], [])
    said = [attributes["dir"] for _, attributes in Reader(page).elements if attributes.get("class") == "said"]
    assert said == [direction] * 2
