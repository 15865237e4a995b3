import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _linked(text: str, *found: tuple[str, str], speaker: str | None = None) -> LinkedConversation:
    findings = sorted(
        Finding(text.index(value), text.index(value) + len(value), info_type, Likelihood.LIKELY, "test")
        for value, info_type in found
    )
    return link_conversation([text], [speaker], [findings], {speaker: "PERSON_NAME"} if speaker else {})


def test_entities_count_over_all_info_types_and_who_speaks_comes_first() -> None:
    linked = _linked(
        "This is Pam calling from Dunder Mifflin, may I speak to Jim? PAM here",
        ("Pam", "PERSON_NAME"),
        ("Dunder Mifflin", "ORGANIZATION_NAME"),
        ("Jim", "PERSON_NAME"),
        ("PAM", "PERSON_NAME"),
        speaker="Pam",
    )
    assert linked.labels == {"Pam": 1}
    assert linked.entities == [[1, 2, 3, 1]]
    assert linked.info_types == ["PERSON_NAME", "ORGANIZATION_NAME", "PERSON_NAME"]
    assert linked.entity_counts() == {"PERSON_NAME": 2, "ORGANIZATION_NAME": 1}


def test_one_value_under_two_info_types_is_two_entities() -> None:
    linked = _linked("Jordan flew to jordan", ("Jordan", "PERSON_NAME"), ("jordan", "LOCATION"))
    assert linked.entities == [[1, 2]]


def test_fewer_findings_than_cells_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry a cell"):
        link_conversation(["a", "Pam"], [None, None], [[]], {})
