import pytest

from tacenda.transforms.linking.type_conflicts import evidence, has_cue, settled
from tacenda.transforms.schema.likelihood import Likelihood


def test_lists_of_names_say_less_than_who_read_the_sentence() -> None:
    assert evidence(Likelihood.LIKELY, "gazetteer") < evidence(Likelihood.LIKELY, "model")
    assert evidence(Likelihood.LIKELY, "model") < evidence(Likelihood.LIKELY, "dictionary")
    assert evidence(Likelihood.POSSIBLE, "model") < evidence(Likelihood.LIKELY, "model")


@pytest.mark.parametrize(
    ("info_type", "before", "expected"),
    [
        ("LOCATION", "We flew to ", True),
        ("LOCATION", "It is in the ", True),
        ("LOCATION", "I spoke to ", False),
        ("LOCATION", "begin ", False),
        ("ORGANIZATION_NAME", "This is Pam calling from ", True),
        ("PERSON_NAME", "We flew to ", False),
    ],
)
def test_words_before_a_mention_may_say_what_it_is(info_type: str, before: str, expected: bool) -> None:
    assert has_cue(info_type, f"{before}Jordan", len(before)) is expected


def test_the_most_evidence_wins_then_the_order_of_the_list() -> None:
    assert settled({"LOCATION": 9, "PERSON_NAME": 8}) == "LOCATION"
    assert settled({"LOCATION": 8, "PERSON_NAME": 8}) == "PERSON_NAME"
    assert settled({"NUMERIC": 90, "PHONE_NUMBER": 1}) == "PHONE_NUMBER"
    assert settled({"IMEI_HARDWARE_ID": 4, "ICCID_NUMBER": 4}) == "ICCID_NUMBER"
