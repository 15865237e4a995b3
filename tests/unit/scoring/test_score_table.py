"""The shipped score table, its presets and labels, and what users change of them."""

from collections import Counter
from importlib import resources
from pathlib import Path

import pytest
import yaml

from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.score_table import ScoreTable, Tag, Unscored
from tests.cases import tabled

TABLE = ScoreTable.load()
PRINTED = (Path(__file__).parents[2] / "golden" / "table6.txt").read_text("utf-8").splitlines()
"""Table 6 of the paper: tag, infoType, score, and the score of a part."""


def test_the_table_is_the_papers_row_by_row():
    ours = [f"{row.tag} {row.google_tag} {row.score} {row.partial_score}" for row in TABLE.rows.values()]
    assert ours == PRINTED
    groups = Counter(row.group for row in TABLE.rows.values())
    assert list(groups.values()) == [8, 9, 2, 4, 11, 7]
    # One row is lost in print.
    assert {row.tag: row.provenance for row in TABLE.rows.values() if row.provenance != "paper"} == {
        "SIN": "inferred"
    }


def test_direct_identifiers_are_those_that_the_paper_lists_and_three_of_our_own():
    listed = {
        "PERSON_NAME", "ADDRESS", "PHONE", "IBAN_CODE", "CREDIT_CARD_NUMBER", "CREDIT_CARD_TRACK_NUMBER",
        "PASSPORT", "SSN", "SIN",
    }  # fmt: skip
    ours = {"EMAIL", "MEDICAL_RECORD_NUMBER", "VEHICLE_IDENTIFICATION_NUMBER"}
    assert {row.tag for row in TABLE.rows.values() if row.direct} == listed | ours


@pytest.mark.parametrize(
    "label", ["AUTH_TOKEN", "AWS_CREDENTIALS", "CONNECTION_STRING", "PASSWORD", "WEBHOOK_URL"]
)
def test_a_secret_scores_as_an_identifier_that_is_not_direct(label):
    weight = TABLE.weights[label, False, False]
    assert (weight.score, weight.direct) == (TABLE.weights["GENERIC_ID", False, False].score, False)


def test_imei_is_known_as_table_6_prints_it():
    assert TABLE.resolve("MISSED_IMEL_HARDWARE_ID_PARTIAL") == Tag("IMEI_HARDWARE_ID", partial=True)
    table = ScoreTable.load(overrides={"MISSED_IMEL_HARDWARE_ID": 5})
    assert table.rows["IMEI_HARDWARE_ID"].score == 5


@pytest.mark.parametrize("tag", [line.split()[:2] for line in PRINTED])
def test_short_and_google_names_mean_the_same_tag(tag):
    short, google = tag
    speaker = short.endswith("_SPEAKER")
    suffix = "_SPEAKER" if speaker else ""
    expected = Tag(short.removesuffix("_SPEAKER"), speaker=speaker)
    assert TABLE.resolve(f"MISSED_{short}") == TABLE.resolve(f"MISSED_{google}{suffix}") == expected
    assert TABLE.resolve(f"MISSED_{google}_PARTIAL{suffix}") == expected._replace(partial=True)


@pytest.mark.parametrize(
    "label",
    [
        *("MISSED_FAX", "FAX", "", "MISSED_", "missed_email", "MISSED_EMAIL_PARTIAL_PARTIAL"),
        *("X_SPEAKER_PARTIAL_SPEAKER", "*", "EMAIL "),
    ],
)
def test_an_unknown_label_is_an_error_and_never_zero(label):
    with pytest.raises(RecordError) as error:
        TABLE.weights[label, False, False]
    assert error.value.error == "UnknownTag"


def test_presets_differ_in_the_email_or_round_every_half_up():
    table = ScoreTable.load("worked_example")
    emails = [
        (one.weigh(Tag("EMAIL")).score, one.weigh(Tag("EMAIL", partial=True)).score) for one in (TABLE, table)
    ]
    assert emails == [(4, 2), (3, 1)]
    assert {row.tag for row in table.rows.values() if row != TABLE.rows[row.tag]} == {"EMAIL"}
    assert all(row.partial_score == (row.score + 1) // 2 for row in ScoreTable.load("cautious").rows.values())


def test_overrides_change_a_score_a_rounding_or_what_is_direct():
    table = ScoreTable.load(
        overrides={
            "PHONE_NUMBER": 5,
            "SSN": {"score": 3, "partial_rounding": "ceil"},
            "ADDRESS": {"direct": False},
            "PRODUCT_SPEAKER": 1,
            "ORGANIZATION_NAME": 1,
            "*": {"partial_rounding": "ceil"},
            "US_STATE": {"partial_rounding": "floor"},
        }
    )
    assert (table.rows["PHONE"].score, table.rows["PHONE"].direct) == (5, True)
    assert (table.rows["SSN"].partial_score, table.rows["SSN"].direct) == (2, True)
    assert (table.rows["ADDRESS"].score, table.rows["ADDRESS"].direct) == (4, False)
    assert table.rows["PRODUCT_SPEAKER"].partial_score == 1
    assert (table.rows["ORGANIZATION_NAME"].score, table.rows["ORGANIZATION_NAME_SPEAKER"].score) == (1, 2)
    assert (table.rows["US_STATE"].partial_score, table.rows["SWIFT_CODE"].partial_score) == (0, 1)
    assert table.rows["PHONE"].provenance == "local"


@tabled("overrides", "message")
def test_a_broken_override_or_preset_is_reported_in_one_line(overrides, message):
    with pytest.raises(
        UserError, match="'appendx' is unknown; choose appendix or cautious or worked_example"
    ):
        ScoreTable.load("appendx")
    with pytest.raises(UserError) as error:
        ScoreTable.load(overrides=overrides)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_version_names_table_and_preset_and_changes_with_every_change():
    versions = [
        TABLE.version,
        ScoreTable.load("worked_example").version,
        ScoreTable.load(overrides={"EMAIL": 3}).version,
        ScoreTable.load(labels={"BADGE": "GENERIC_ID"}).version,
    ]
    assert TABLE.version.startswith("2/appendix/")
    assert len(set(versions)) == 4
    assert ScoreTable.load().version == TABLE.version


def test_which_labels_are_direct_identifiers():
    labels = ("US_SOCIAL_SECURITY_NUMBER", "PERSON_NAME", "AGE", "DATE", "X")
    assert [label for label in labels if TABLE.is_direct(label)] == [*labels[:2]]


RULES = yaml.safe_load(
    resources.files("tacenda.transforms.scoring").joinpath("labels.yaml").read_text("utf-8")
)

GOLD_LABELS = """
AGE CITY COUNTRY CREDIT_CARD_NUMBER DATE DATE_OF_BIRTH EMAIL_ADDRESS ETHNIC_GROUP FINANCIAL_ACCOUNT_NUMBER
FIRST_NAME GENDER GENERIC_ID IBAN_CODE IP_ADDRESS LAST_NAME LOCATION MEDICAL_RECORD_NUMBER MISC NATIONALITY
ORGANIZATION_NAME PASSWORD PERSON_NAME PHONE_NUMBER PRODUCT PROFESSION SPAIN_SOCIAL_SECURITY_NUMBER
STREET_ADDRESS TIME TITLE URL USER_NAME US_DRIVERS_LICENSE_NUMBER US_SOCIAL_SECURITY_NUMBER US_STATE
VEHICLE_IDENTIFICATION_NUMBER ZIP_CODE
"""


def test_every_gold_label_has_a_meaning():
    assert all(map(TABLE.resolve, GOLD_LABELS.split()))


@tabled("label", "tag")
def test_labels_score_as_the_tag_that_the_rules_name(label, tag):
    tag = Tag(*tag)
    assert TABLE.resolve(label) == tag
    # Flags add to what the label says, where the table tells a speaker's.
    told = TABLE.resolve(label, partial=True, speaker=True)
    assert told == tag._replace(partial=True, speaker=f"{tag.name}_SPEAKER" in TABLE.rows)


@pytest.mark.parametrize("label", ["DATE", "GENDER", "TITLE", "MISC", "NATIONALITY", "PROFESSION"])
def test_a_label_that_adds_nothing_says_why(label):
    meaning = TABLE.resolve(label)
    assert isinstance(meaning, Unscored)
    assert (meaning.label, meaning.reason[-1]) == (label, ".")


def test_every_rule_has_provenance_and_reason_and_sorted_labels_of_its_own():
    labels = [label for rule in RULES for label in rule["labels"]]
    assert all(isinstance(label, str) for label in labels)
    assert len({*labels, *TABLE.rows}) == len(labels) + len(TABLE.rows)
    for rule in RULES:
        assert ("scores_as" in rule) is not (rule.get("unscored") is True)
        assert rule["provenance"] in ("paper", "local")
        assert rule["reason"].endswith(".")
        if len(rule["labels"]) > 10:
            assert rule["labels"] == sorted(rule["labels"])


def test_the_users_labels_join_the_shipped_ones():
    labels = {"EMPLOYEE_ID": "GENERIC_ID", "BADGE": "GENERIC_ID_PARTIAL", "MOOD": "unscored", "TITLE": "AGE"}
    table = ScoreTable.load(labels=labels)
    assert table.resolve("MISSED_EMPLOYEE_ID") == Tag("GENERIC_ID")
    assert table.resolve("BADGE") == Tag("GENERIC_ID", partial=True)
    assert isinstance(table.resolve("MOOD"), Unscored)
    assert table.resolve("TITLE") == Tag("AGE")
    assert TABLE.resolve("EMPLOYEE_ID") is None


def test_the_users_labels_change_no_tag_and_name_one_that_exists():
    with pytest.raises(UserError, match=r"risk\.labels\.SSN: a tag of the score table keeps its meaning"):
        ScoreTable.load(labels={"SSN": "AGE"})
    with pytest.raises(UserError, match=r"risk\.labels\.BADGE: 'FAX' is no tag"):
        ScoreTable.load(labels={"BADGE": "FAX"})
