import pytest

from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.normalising import identity
from tacenda.transforms.linking.type_conflicts import evidence, has_cue, settle_info_types, settled
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def test_context_based_detectors_outweigh_name_lists() -> None:
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


def _settled(*said: tuple[str, str, str, str]) -> list[str]:
    """The infoTypes of mentions, given by context, mention, infoType, and detector or "label"."""
    mentions, texts = [], []
    for cell, (before, text, info_type, detector) in enumerate(said):
        finding = Finding(len(before), len(before + text), info_type, Likelihood.LIKELY, detector)
        mentions.append(Mention(cell, info_type, text, None if detector == "label" else finding))
        texts.append(before + text)
    identities = [identity(mention.info_type, mention.text) for mention in mentions]
    return settle_info_types(mentions, identities, texts)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([("Hi ", "Jordan", "PERSON_NAME", "model"), ("", "jordan", "LOCATION", "gazetteer")], ["P", "P"]),
        ([("Hi ", "Jordan", "PERSON_NAME", "gazetteer"), ("", "jordan", "LOCATION", "model")], ["L", "L"]),
        ([("", "Jordan", "PERSON_NAME", "label"), ("", "Jordan", "LOCATION", "rules")], ["P", "P"]),
        ([("", "Jordan", "LOCATION", "label"), ("", "Jordan", "LOCATION", "rules")], ["P", "P"]),
        (
            [("", "Jordan", "PERSON_NAME", "label"), ("we flew to ", "Jordan", "LOCATION", "model")],
            ["P", "L"],
        ),
        ([("", "Dr. Jordan", "PERSON_NAME", "model"), ("", "Jordan", "LOCATION", "rules")], ["P", "P"]),
        ([("calling from ", "Vastry", "LOCATION", "model"), ("", "vastry", "LOCATION", "model")], ["O", "O"]),
        ([("calling from the ", "Vastry", "PERSON_NAME", "gazetteer")], ["O"]),
        ([("calling from ", "Boston", "LOCATION", "model")], ["L"]),
        # What the user's own rules or dictionaries say is not to be called anything else.
        ([("calling from ", "Vastry", "LOCATION", "rules")], ["L"]),
    ],
)
def test_conflicts_of_names(said: list[tuple[str, str, str, str]], expected: list[str]) -> None:
    assert [info_type[0] for info_type in _settled(*said)] == expected


def test_one_number_has_one_info_type() -> None:
    said = [("", "555 010 0199", "PHONE_NUMBER", "rules"), ("", "5550100199", "NUMERIC", "rules")]
    assert _settled(*said) == ["PHONE_NUMBER", "PHONE_NUMBER"]
    short = [("", "55 12", "PHONE_NUMBER", "rules"), ("", "5512", "NUMERIC", "rules")]
    assert _settled(*short) == ["PHONE_NUMBER", "NUMERIC"]


def test_inflected_forms_of_one_name_have_one_info_type() -> None:
    said = [
        ("hän oli se, ja ", "Klotar", "PERSON_NAME", "model"),
        ("hän ei ollut ", "Klotarin", "PERSON_NAME", "model"),
        ("kun minä ", "Klotarilla", "LOCATION", "model"),
    ]
    assert _settled(*said) == ["PERSON_NAME"] * 3
    apart = [("", "Klotar", "PERSON_NAME", "model"), ("", "Helsinki", "LOCATION", "model")]
    assert _settled(*apart) == ["PERSON_NAME", "LOCATION"]


def test_a_cue_gives_no_info_type_that_nobody_asked_for() -> None:
    before, name = "calling from ", "Vastry"
    finding = Finding(len(before), len(before + name), "LOCATION", Likelihood.LIKELY, "model")
    mentions = [Mention(0, "LOCATION", name, finding)]
    assert settle_info_types(mentions, [identity("LOCATION", name)], [before + name]) == ["ORGANIZATION_NAME"]
    assert settle_info_types(mentions, [identity("LOCATION", name)], [before + name], {"LOCATION"}) == [
        "LOCATION"
    ]
    assert settle_info_types(
        mentions, [identity("LOCATION", name)], [before + name], {"LOCATION", "ORGANIZATION_NAME"}
    ) == ["ORGANIZATION_NAME"]
