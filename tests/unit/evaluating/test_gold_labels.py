import pytest

from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.scoring.score_table import ScoreTable


@pytest.mark.parametrize(
    ("label", "kind", "name"),
    [
        ("PERSON_NAME", "core", "PERSON_NAME"),
        ("LAST_NAME", "core", "PERSON_NAME"),
        ("STREET_ADDRESS", "core", "LOCATION"),
        ("LICENSE_PLATE", "core", "LICENSE_PLATE"),
        ("DATE_OF_BIRTH", "core", "DATE"),
        ("TIME", "quasi", "DATE"),
        ("NATIONALITY", "dont_care", "NATIONALITY"),
        ("NOBODY_KNOWS_THIS", "core", "NOBODY_KNOWS_THIS"),
    ],
)
def test_labels_have_a_kind_and_a_class(label, kind, name):
    assert gold_labels().kind(label) == kind
    assert gold_labels().class_of(label) == name


def test_a_label_is_known_to_the_rules_or_to_the_score_table():
    table = ScoreTable.load("appendix")
    known = [
        label
        for label in ("MISC", "TIME", "CITY", "LOCATION", "IBAN_CODE", "NOBODY_KNOWS_THIS")
        if gold_labels().is_known(label, table)
    ]
    assert known == ["MISC", "TIME", "CITY", "LOCATION", "IBAN_CODE"]
