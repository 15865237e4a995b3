"""Sets of infoTypes to add to the default ones."""

from typing import Any

import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.presets import presets
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.text.column import TextColumn


def found(name: str, text: str) -> list[tuple[str, str]]:
    preset = presets()[name]
    section: dict[str, Any] = {
        "info_types": [{"name": one} for one in preset.info_types],
        "custom_info_types": list(preset.custom),
    }
    detector = RulesDetector(parse_inspect_config(section))
    return [(text[f.start : f.end], f.info_type) for f in detector.find(TextColumn([text]))[0]]


@pytest.mark.parametrize("name", sorted(presets()))
def test_a_preset_names_infotypes_that_are_built_in_and_not_default(name: str) -> None:
    for info_type in presets()[name].info_types:
        assert not catalogue()[info_type].default, info_type


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("She has type 2 diabetes and asthma.", ["diabetes", "asthma"]),
        ("operated for appendicitis, by laparoscopy", ["appendicitis", "laparoscopy"]),
        ("on pembrolizumab and rivaroxaban", ["pembrolizumab", "rivaroxaban"]),
        ("diagnosticado de neumonía y colecistitis", ["neumonía", "colecistitis"]),
        ("hon fick lunginflammation", ["lunginflammation"]),
        ("hänellä on keuhkokuume", ["keuhkokuume"]),
        ("He sits at the table with a statement on emphasis.", []),
        ("They moved house and planted a rose.", []),
    ],
)
def test_clinical_terms_are_found_by_lists_and_endings(text: str, terms: list[str]) -> None:
    assert [value for value, name in found("clinical", text) if name == "MEDICAL_TERM"] == terms


def test_roles_beside_a_party_are_found_in_judgments() -> None:
    assert found("legal", "The applicant, Mr Kaya, a Turkish baker") == [
        ("applicant", "COURT_ROLE"),
        ("Mr", "TITLE"),
        ("Turkish", "NATIONALITY"),
    ]
