import pytest

from tacenda.transforms.evaluating.gold_labels import gold_labels
from tacenda.transforms.evaluating.summary import Settings, errors, summarise
from tacenda.transforms.scoring.score_table import ScoreTable

TABLE = ScoreTable.load("appendix")


@pytest.fixture
def matches(corpus):
    return corpus(
        ("a:CITY b:DATE", "a:CITY", {"file": "one", "lang": "en", "speaker": "agent"}),
        ("a:CITY", "b:CITY", {"file": "two", "lang": "sv", "speaker": "customer"}),
        (
            "a:PERSON_NAME c:MISC d:STRANGE",
            "a:CITY c:CITY",
            {"file": "two", "lang": "en", "speaker": "agent"},
        ),
    )


def summary(matches, *slices):
    return summarise(matches, gold_labels(), TABLE, Settings(resamples=50), slices)


def test_total_files_and_labels(matches):
    told = summary(matches)
    assert told["total"]["gold_spans"] == 4
    assert (told["total"]["recall"]["hits"], told["total"]["conversations_with_pii"]) == (2, 3)
    assert {name: group["recall"]["hits"] for name, group in told["files"].items()} == {"one": 1, "two": 1}
    assert told["labels"] == {
        "core": {"CITY": 2, "PERSON_NAME": 1, "STRANGE": 1},
        "quasi": {"DATE": 1},
        "dont_care": {"MISC": 1},
    }
    assert told["unknown_labels"] == ["STRANGE"]


def test_labels_have_support_and_recall_and_quasi_is_separate(matches):
    rows = summary(matches)["total"]["per_label"]
    assert list(rows) == ["CITY", "DATE", "PERSON_NAME", "STRANGE"]
    assert (rows["CITY"]["gold"], rows["CITY"]["recall"]["hits"], rows["CITY"]["conversations"]) == (2, 1, 2)
    assert rows["CITY"]["conversation_leak_rate"]["value"] == 0.5
    assert (rows["DATE"]["apart"], rows["DATE"]["recall"]["value"]) == (True, 0)
    assert (rows["PERSON_NAME"]["recall"]["value"], rows["PERSON_NAME"]["typed_recall"]["value"]) == (1, 0)


def test_info_types_have_precision(matches):
    row = summary(matches)["total"]["per_info_type"]["CITY"]
    # One right, one wrong, one of the wrong type, one on a don't-care span.
    assert (row["findings"], row["judged"], row["false_positives"]) == (4, 3, 1)
    assert row["char_precision"] == 0.75


def test_slices_by_field_of_the_conversation_and_by_role(matches):
    told = summary(matches, "lang", "speaker")["slices"]
    assert {value: group["gold_spans"] for value, group in told["lang"].items()} == {"en": 3, "sv": 1}
    assert {value: group["gold_spans"] for value, group in told["speaker"].items()} == {
        "agent": 3,
        "customer": 1,
    }
    assert told["speaker"]["customer"]["conversation_leak_rate"]["value"] == 1


def test_errors_are_reported_as_positions_with_labels(matches):
    rows = [(row["error"], row["conversation_id"], row["label"], row["info_type"]) for row in errors(matches)]
    assert rows == [
        ("missed", "c0", "DATE", None),
        ("missed", "c1", "CITY", None),
        ("wrong_type", "c2", "PERSON_NAME", "CITY"),
        ("missed", "c2", "STRANGE", None),
        ("false_positive", "c1", None, "CITY"),
    ]
    assert next(errors(matches))["start"] == 5
