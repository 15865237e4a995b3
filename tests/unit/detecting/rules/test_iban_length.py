"""An IBAN ends at its country's length, whatever word follows."""

import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.rules.iban_length import own_length
from tacenda.transforms.text.column import TextColumn

VALID = [
    "ES91 2100 0418 4502 0005 1332",
    "SE45 5000 0000 0583 9825 7466",
    "NO93 8601 1117 947",
    "GB29 NWBK 6016 1331 9268 19",
    "FR14 2004 1010 0505 0001 3M02 606",
    "BE68 5390 0754 7034",
]
"""Of the IBAN registry's own examples: some fill their last group, some do not."""


@pytest.mark.parametrize("iban", VALID)
@pytest.mark.parametrize("after", ["", " and", " is it", " ok", " 2", " a b c", ", or"])
def test_an_iban_may_be_followed_by_words(iban: str, after: str) -> None:
    detector = RulesDetector(parse_inspect_config({"info_types": [{"name": "IBAN_CODE"}]}))
    for said in (iban, iban.lower(), iban.replace(" ", "")):
        (found,) = detector.find(TextColumn([f"pay to {said}{after}"]))
        assert [(f.start, f.end) for f in found] == [(7, 7 + len(said))]


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("BE68 5390 0754 7034 and", 19),
        ("BE68 5390 0754 70341", 20),
        ("BE68 5390 0754", 14),
        ("XX68 5390 0754 7034 and", 23),
    ],
)
def test_each_country_has_its_iban_length(text: str, length: int) -> None:
    assert own_length(text) == (0, length)
