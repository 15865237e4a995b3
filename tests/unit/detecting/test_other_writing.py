from itertools import pairwise

import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.other_writing import written_otherwise
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.column import TextColumn

TURNS = ["hello", "電話は？", "０９０－１２３４－５６７８です", "thanks", "رقمي ٠٥٠-١٢٣-٤٥٦٧"]
FIRST = [0, 1, 4, 5]


def _phones(texts: list[str], first_cell: list[int]) -> list[list[str]]:
    detector = RulesDetector(parse_inspect_config({"infoTypes": [{"name": "PHONE_NUMBER"}]}))
    found = detector.find(TextColumn(texts, first_cell))
    return [
        sorted({t[f.start : f.end] for f in cell}, key=len)[-1:] for t, cell in zip(texts, found, strict=True)
    ]


def test_offsets_are_those_of_the_original_text() -> None:
    assert _phones(TURNS, FIRST) == [[], [], ["０９０－１２３４－５６７８"], [], ["٠٥٠-١٢٣-٤٥٦٧"]]


def test_a_conversation_has_the_same_findings_alone() -> None:
    alone = [_phones(TURNS[a:b], [0, b - a]) for a, b in pairwise(FIRST)]
    assert [cell for some in alone for cell in some] == _phones(TURNS, FIRST)


def test_only_conversations_written_otherwise_are_searched_again() -> None:
    assert written_otherwise(TextColumn(["call 415", "Москва"])) is None
    plain = written_otherwise(TextColumn(TURNS, FIRST))
    assert plain is not None
    assert plain.cells == [1, 2, 3, 4]
    assert plain.asked == [1, 3]
    assert list(plain.column.first_cell) == [0, 3, 4]
    asked = written_otherwise(TextColumn(TURNS, FIRST), [0, 4])
    assert asked is not None
    assert asked.cells == [4]
    assert written_otherwise(TextColumn(TURNS, FIRST), [0, 3]) is None


def test_findings_are_added_once_and_sorted() -> None:
    plain = written_otherwise(TextColumn(["１２"]))
    assert plain is not None
    one, other = Finding(1, 2, "A", 3, "rules"), Finding(0, 2, "B", 3, "rules")  # type: ignore[arg-type]
    found = [[one]]
    plain.add(found, [[one, other]])
    assert found == [[other, one]]


def test_a_pattern_of_the_user_may_name_full_width_characters() -> None:
    own = {"infoType": {"name": "TICKET"}, "regex": {"pattern": "Ｔ[０-９]+"}}
    detector = RulesDetector(parse_inspect_config({"infoTypes": [{"name": "URL"}], "customInfoTypes": [own]}))
    [found] = detector.find(TextColumn(["番号 Ｔ１２３"]))
    assert [(f.start, f.end, f.info_type) for f in found] == [(3, 7, "TICKET")]


@pytest.mark.parametrize("bracket", ["［", "["])
def test_a_replacement_token_stays_whole(bracket: str) -> None:
    detector = RulesDetector(parse_inspect_config({}))
    text = f"{bracket}PHONE_NUMBER_1] ０９０"
    assert all(f.start >= len(text) - 3 for f in detector.find(TextColumn([text]))[0])


@pytest.mark.parametrize(
    ("before", "value", "info_type"),
    [
        ("call 1 or ", "555-867-\n5309", "PHONE_NUMBER"),
        ("call ", "070-123\n45 67", "PHONE_NUMBER"),
        ("my card ", "4111 1111\n1111 1111", "CREDIT_CARD_NUMBER"),
        ("> my card ", "4111-1111-\n> 1111-1111", "CREDIT_CARD_NUMBER"),
        ("it is ", "GB29 NWBK 6016\n1331 9268 19", "IBAN_CODE"),
        ("my ssn is ", "078-05-\n1120", "US_SOCIAL_SECURITY_NUMBER"),
        ("personnummer ", "19811218-\n9876", "SWEDEN_NATIONAL_ID_NUMBER"),
        ("write to ", "ann.lee@\nexample.com", "EMAIL_ADDRESS"),
        ("write to ", "an\u00adn@exam\u200bple.com", "EMAIL_ADDRESS"),
        ("call ", "555\u200b-867-5309", "PHONE_NUMBER"),
    ],
)
def test_a_broken_value_is_one_finding_of_the_original(before: str, value: str, info_type: str) -> None:
    text = f"{before}{value}, please"
    detector = RulesDetector(parse_inspect_config({"infoTypes": [{"name": info_type}]}))
    place = (len(before), len(before) + len(value))
    [found], [unsure] = detector.find_twice(TextColumn([text]))
    assert place in {(f.start, f.end) for f in found}
    assert place not in {(f.start, f.end) for f in unsure}
    assert detector.find(TextColumn([text])) == [found]


def test_a_broken_name_is_found_in_the_lists() -> None:
    detector = GazetteerDetector(parse_inspect_config({"infoTypes": [{"name": "PERSON_NAME"}]}))
    text = "yesterday I asked John Wil-\nliamson about it"
    [found] = detector.find(TextColumn([text]))
    assert any(text[f.start : f.end].endswith("Wil-\nliamson") for f in found)


def test_numbers_on_two_lines_are_no_number() -> None:
    detector = RulesDetector(parse_inspect_config({"infoTypes": [{"name": "NUMERIC"}]}))
    text = "there were 12\n34 came"
    assert all("\n" not in text[f.start : f.end] for f in detector.find(TextColumn([text]))[0])
