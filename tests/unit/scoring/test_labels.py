from importlib import resources

import pytest
import yaml

from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.labels import add_labels, read_labels
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.tag import Tag, Unscored

TABLE = ScoreTable.load()
RULES = yaml.safe_load(
    resources.files("tacenda.transforms.scoring").joinpath("labels.yaml").read_text("utf-8")
)

GOLD_LABELS = [
    "AGE",
    "CITY",
    "COUNTRY",
    "CREDIT_CARD_NUMBER",
    "DATE",
    "DATE_OF_BIRTH",
    "EMAIL_ADDRESS",
    "ETHNIC_GROUP",
    "FINANCIAL_ACCOUNT_NUMBER",
    "FIRST_NAME",
    "GENDER",
    "GENERIC_ID",
    "IBAN_CODE",
    "IP_ADDRESS",
    "LAST_NAME",
    "LOCATION",
    "MEDICAL_RECORD_NUMBER",
    "MISC",
    "NATIONALITY",
    "ORGANIZATION_NAME",
    "PASSWORD",
    "PERSON_NAME",
    "PHONE_NUMBER",
    "PRODUCT",
    "PROFESSION",
    "SPAIN_SOCIAL_SECURITY_NUMBER",
    "STREET_ADDRESS",
    "TIME",
    "TITLE",
    "URL",
    "USER_NAME",
    "US_DRIVERS_LICENSE_NUMBER",
    "US_SOCIAL_SECURITY_NUMBER",
    "US_STATE",
    "VEHICLE_IDENTIFICATION_NUMBER",
    "ZIP_CODE",
]


@pytest.mark.parametrize("label", GOLD_LABELS)
def test_every_gold_label_has_a_meaning(label):
    assert TABLE.resolve(label)


@pytest.mark.parametrize(
    ("label", "tag"),
    [
        ("US_SOCIAL_SECURITY_NUMBER", Tag("SSN")),
        ("CANADA_SOCIAL_INSURANCE_NUMBER", Tag("SIN")),
        ("US_BANK_ROUTING_MICR", Tag("ROUTING_NUMBER")),
        ("SWEDEN_NATIONAL_ID_NUMBER", Tag("SSN")),
        ("SWEDEN_PASSPORT", Tag("PASSPORT")),
        ("UK_DRIVERS_LICENSE_NUMBER", Tag("PASSPORT")),
        ("CANADA_BANK_ACCOUNT", Tag("IBAN_CODE")),
        ("CITY", Tag("LOCATION")),
        ("FIRST_NAME", Tag("PERSON_NAME", partial=True)),
        ("MISSED_LAST_NAME", Tag("PERSON_NAME", partial=True)),
        ("MISSED_FIRST_NAME_PARTIAL", Tag("PERSON_NAME", partial=True)),
        ("SPELLED_WORD", Tag("PERSON_NAME", partial=True)),
        ("NUMERIC", Tag("GENERIC_ID", partial=True)),
        ("MISSED_ORG_NAME_SPEAKER", Tag("ORGANIZATION_NAME", speaker=True)),
    ],
)
def test_labels_score_as_the_tag_that_the_rules_name(label, tag):
    assert TABLE.resolve(label) == tag


@pytest.mark.parametrize(
    "label", ["DATE", "TIME", "GENDER", "ETHNIC_GROUP", "TITLE", "MISC", "NATIONALITY", "PROFESSION"]
)
def test_a_label_that_adds_nothing_says_why(label):
    meaning = TABLE.resolve(label)
    assert isinstance(meaning, Unscored)
    assert meaning.label == label
    assert meaning.reason.endswith(".")


def test_every_rule_has_provenance_and_reason_and_sorted_labels():
    for rule in RULES:
        assert rule["provenance"] in ("paper", "local")
        assert rule["reason"].endswith(".")
        if len(rule["labels"]) > 10:
            assert rule["labels"] == sorted(rule["labels"])


RULE = '- {scores_as: "EMAIL", provenance: "local", reason: "R.", labels: ["A"]}\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RULE.replace("EMAIL", "FAX"), "rules rule 1: 'FAX' is no tag of the score table"),
        (RULE.replace('"EMAIL"', "7"), "rules rule 1: 7 is no tag of the score table"),
        (
            RULE.replace("EMAIL", "EMAIL_SPEAKER"),
            "rules rule 1: 'EMAIL_SPEAKER' is no tag of the score table",
        ),
        (RULE.replace("EMAIL", "EMAIL_PARTIAL_PARTIAL"), "is no tag of the score table"),
        (RULE + RULE, "rules rule 2: 'A' already has a meaning"),
        (RULE.replace('"A"', '"EMAIL"'), "rules rule 1: 'EMAIL' already has a meaning"),
        (RULE.replace('"A"', "NO"), "rules rule 1: labels must be a list of strings"),
        (RULE.replace("local", "hearsay"), "rules rule 1: provenance must be paper or local"),
        (RULE.replace('"R."', '""'), "rules rule 1: the reason must be told"),
        (RULE.replace('scores_as: "EMAIL"', "unscored: false"), "rules rule 1: a rule has labels"),
        (RULE.replace('scores_as: "EMAIL", ', ""), "rules rule 1: a rule has labels"),
    ],
)
def test_a_broken_rule_is_reported_in_one_line(text, message):
    with pytest.raises(UserError) as error:
        read_labels(text, "rules", {"EMAIL"})
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_users_labels_join_the_shipped_ones():
    table = ScoreTable.load(
        labels={
            "EMPLOYEE_ID": "GENERIC_ID",
            "BADGE": "GENERIC_ID_PARTIAL",
            "MOOD": "unscored",
            "TITLE": "AGE",
        }
    )
    assert table.resolve("MISSED_EMPLOYEE_ID") == Tag("GENERIC_ID")
    assert table.resolve("BADGE") == Tag("GENERIC_ID", partial=True)
    assert isinstance(table.resolve("MOOD"), Unscored)
    assert table.resolve("TITLE") == Tag("AGE")
    with pytest.raises(RecordError):
        TABLE.resolve("EMPLOYEE_ID")


def test_the_users_labels_change_no_tag_and_name_one_that_exists():
    with pytest.raises(UserError, match=r"risk\.labels\.SSN: a tag of the score table keeps its meaning"):
        add_labels({}, {"SSN": "AGE"}, {"SSN", "AGE"})
    with pytest.raises(UserError, match=r"risk\.labels\.BADGE: 'FAX' is no tag"):
        ScoreTable.load(labels={"BADGE": "FAX"})
