"""catalogue"""

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.patterns.scanning import compiled
from tacenda.transforms.detecting.rules.catalogue import (
    catalogue,
    default_info_types,
    ranks,
    read_addition,
    read_info_type,
)
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.identifiers import credentials, national
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import CLASSES
from tests.cases import cases

_DETECTING = Path(str(files("tacenda.transforms.detecting")))
INFO_TYPES = _DETECTING / "rules" / "info_types"
ADDITIONS = _DETECTING / "languages" / "other_european"

RISK_TABLE = tuple(cases(__file__, "RISK_TABLE"))

NOT_DEFAULT = cases(__file__, "NOT_DEFAULT")

ENTRY = dedent(
    """
    name: "BADGE"
    description: "A badge."
    source: "None"
    regions: ["global"]
    rank: 5
    patterns:
      - regex: 'B\\d{4}'
        likelihood: "LIKELY"
    examples:
      find: [{text: "B1234", match: "B1234"}]
      ignore: []
    """
)


def _found(name, text):
    detector = RulesDetector(InspectSettings((name,)))
    return [text[f.start : f.end] for f in merge_overlapping(detector.find(TextColumn([text]))[0], ranks())]


@pytest.mark.parametrize(("name", "text", "match"), [(n, *e) for n, t in catalogue().items() for e in t.find])
def test_example_is_found(name, text, match):
    assert _found(name, text) == [match]


@pytest.mark.parametrize(("name", "text"), [(n, e) for n, t in catalogue().items() for e in t.ignore])
def test_example_is_ignored(name, text):
    assert _found(name, text) == []


@pytest.mark.parametrize("name", RISK_TABLE)
def test_the_risk_table_is_covered_with_examples(name):
    info_type = catalogue()[name]
    assert info_type.patterns
    assert info_type.find
    assert info_type.ignore
    assert info_type.default


def test_the_default_set_leaves_out_what_the_paper_leaves_out():
    assert not set(NOT_DEFAULT) & set(default_info_types())
    assert set(NOT_DEFAULT) <= set(catalogue())
    assert "DATE_OF_BIRTH" in default_info_types()


def test_catch_alls_have_the_lowest_ranks():
    lowest = sorted(ranks(), key=lambda name: ranks()[name])[:2]
    assert lowest == ["NUMERIC", "SPELLED_WORD"]


def test_every_pattern_of_the_shipped_files_can_be_compiled():
    info_types, additions = (sorted(folder.rglob("*.yaml")) for folder in (INFO_TYPES, ADDITIONS))
    read = [read_info_type(path.read_text(encoding="utf-8"), path.name) for path in info_types]
    whole = {info_type.name: info_type for info_type in read}
    for path in additions:
        name, added = read_addition(path.read_text(encoding="utf-8"), path.name)
        whole[name] = replace(whole[name], **{key: getattr(whole[name], key) + added[key] for key in added})
    assert whole == dict(catalogue())


def test_an_addition_names_an_info_type_and_only_adds():
    head, rest = ENTRY.split("regions:")
    rest = rest[rest.index("patterns:") :]
    addition = head.replace("name:", "adds_to:").replace('description: "A badge."\n', "") + rest
    name, added = read_addition(addition, "badge_of_two.yaml")
    assert name == "BADGE"
    assert [pattern.regex for pattern in added["patterns"]] == [r"B\d{4}"]
    with pytest.raises(UserError, match=r"badge_of_two\.yaml: it must not contain {'rank'} properties"):
        read_addition(f"{addition}rank: 3\n", "badge_of_two.yaml")


@pytest.mark.parametrize("path", sorted(ADDITIONS.glob("*.yaml")))
def test_an_addition_finds_nothing_in_latin_text(path):
    """Text of the covered languages is found by what it was measured with, unchanged."""
    latin = (
        "Dear Anna Björk, call 415-555-0199 or write to 12 Oak Street; señor Núñez and Łukasz agreed. " * 3
    )
    for pattern in read_addition(path.read_text(encoding="utf-8"), path.name)[1]["patterns"]:
        assert not compiled(pattern.regex).search(latin), pattern.regex


def test_a_correct_entry_is_read():
    assert read_info_type(ENTRY, "badge.yaml").find == (("B1234", "B1234"),)


def test_fragments_are_inserted_by_name():
    head, patterns = ENTRY.split("patterns:")
    fragments = """fragments:
  four: '\\d{4}'
  badge: 'B(?&four)|C(?&four)'
  top: {word_list: "top_level_domains"}
"""
    called = patterns.replace("'B\\d{4}'", "'x(?&badge)y(?&top)'")
    entry = read_info_type(f"{head}{fragments}patterns:{called}", "badge.yaml")
    assert entry.patterns[0].regex.startswith(r"x(?:B(?:\d{4})|C(?:\d{4}))y(?:")
    assert "|com|" in entry.patterns[0].regex


@pytest.mark.parametrize(
    ("old", "new", "message"), cases(__file__, "test_an_invalid_entry_is_reported_with_its_position")
)
def test_an_invalid_entry_is_reported_with_its_position(old, new, message):
    assert old in ENTRY
    with pytest.raises(UserError) as caught:
        read_info_type(ENTRY.replace(old, new), "badge.yaml")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_character_classes_are_at_most_sixteen():
    assert len(CLASSES) <= 16


NAMED = """
US_SOCIAL_SECURITY_NUMBER US_INDIVIDUAL_TAXPAYER_IDENTIFICATION_NUMBER US_EMPLOYER_IDENTIFICATION_NUMBER
US_ADOPTION_TAXPAYER_IDENTIFICATION_NUMBER US_PREPARER_TAXPAYER_IDENTIFICATION_NUMBER US_PASSPORT
US_DRIVERS_LICENSE_NUMBER US_DEA_NUMBER US_HEALTHCARE_NPI US_MEDICARE_BENEFICIARY_ID_NUMBER US_STATE
US_BANK_ROUTING_MICR US_TOLLFREE_PHONE_NUMBER US_VEHICLE_IDENTIFICATION_NUMBER
AMERICAN_BANKERS_CUSIP_ID FDA_CODE
CANADA_SOCIAL_INSURANCE_NUMBER CANADA_BANK_ACCOUNT CANADA_BC_PHN CANADA_DRIVERS_LICENSE_NUMBER CANADA_OHIP
CANADA_PASSPORT CANADA_QUEBEC_HIN
SWEDEN_NATIONAL_ID_NUMBER SWEDEN_COORDINATION_NUMBER SWEDEN_PASSPORT FINLAND_NATIONAL_ID_NUMBER NORWAY_NI_NUMBER
NORWAY_D_NUMBER DENMARK_CPR_NUMBER
SPAIN_DNI_NUMBER SPAIN_NIE_NUMBER SPAIN_NIF_NUMBER SPAIN_CIF_NUMBER SPAIN_SOCIAL_SECURITY_NUMBER SPAIN_PASSPORT
SPAIN_DRIVERS_LICENSE_NUMBER
UK_NATIONAL_INSURANCE_NUMBER UK_NATIONAL_HEALTH_SERVICE_NUMBER UK_DRIVERS_LICENSE_NUMBER UK_PASSPORT
UK_TAXPAYER_REFERENCE UK_ELECTORAL_ROLL_NUMBER SCOTLAND_COMMUNITY_HEALTH_INDEX_NUMBER
GERMANY_IDENTITY_CARD_NUMBER GERMANY_PASSPORT GERMANY_TAXPAYER_IDENTIFICATION_NUMBER
GERMANY_DRIVERS_LICENSE_NUMBER GERMANY_SCHUFA_ID
FRANCE_NIR FRANCE_CNI FRANCE_PASSPORT FRANCE_TAX_IDENTIFICATION_NUMBER FRANCE_DRIVERS_LICENSE_NUMBER
ITALY_FISCAL_CODE ITALY_PASSPORT NETHERLANDS_BSN_NUMBER NETHERLANDS_PASSPORT
POLAND_PESEL_NUMBER POLAND_NATIONAL_ID_NUMBER POLAND_PASSPORT
INDIA_AADHAAR_INDIVIDUAL INDIA_PAN_INDIVIDUAL INDIA_GST_INDIVIDUAL INDIA_PASSPORT
AUSTRALIA_TAX_FILE_NUMBER AUSTRALIA_MEDICARE_NUMBER AUSTRALIA_PASSPORT AUSTRALIA_DRIVERS_LICENSE_NUMBER
BRAZIL_CPF_NUMBER
AWS_CREDENTIALS GCP_API_KEY GCP_CREDENTIALS AZURE_AUTH_TOKEN AUTH_TOKEN BASIC_AUTH_HEADER ENCRYPTION_KEY
JSON_WEB_TOKEN OAUTH_CLIENT_SECRET SSL_CERTIFICATE XSRF_TOKEN WEAK_PASSWORD_HASH
""".split()  # noqa: SIM905 - a list a reader can compare with the documentation

NATIONAL = [t for t in catalogue().values() if not {"global", "speech"} & set(t.regions)]


def _likelihood(name, text):
    found = RulesDetector(InspectSettings((name,)), Likelihood.VERY_UNLIKELY).find(TextColumn([text]))[0]
    return max((f.likelihood for f in found), default=0)


def test_there_are_as_many_as_promised():
    assert len(catalogue()) >= 120
    assert set(NAMED) <= set(catalogue())


@pytest.mark.parametrize("info_type", catalogue().values(), ids=lambda t: t.name)
def test_entries_have_a_source_and_examples(info_type):
    assert len(info_type.source) > 3
    assert info_type.description.endswith(".")
    assert info_type.find or not info_type.patterns
    assert info_type.ignore or not info_type.patterns
    assert all(re.fullmatch("[a-z]{2}|global|speech", region) for region in info_type.regions)


@pytest.mark.parametrize("name", catalogue())
def test_every_finding_has_a_score(name):
    assert ScoreTable.load().resolve(name)


@pytest.mark.parametrize(
    ("name", "right", "wrong", "hotword"),
    cases(__file__, "test_a_failed_check_lowers_the_likelihood_and_a_hotword_raises_it"),
)
def test_a_failed_check_lowers_the_likelihood_and_a_hotword_raises_it(name, right, wrong, hotword):
    assert _likelihood(name, f"x {right}") > _likelihood(name, f"x {wrong}")
    assert _likelihood(name, f"x {right}") >= Likelihood.POSSIBLE
    assert _likelihood(name, f"{hotword} {wrong}") >= Likelihood.POSSIBLE
    assert _likelihood(name, f"{hotword} {right}") >= Likelihood.LIKELY


@pytest.mark.parametrize(("name", "number", "hotword"), cases(__file__, "test_bare_digits_need_a_hotword"))
def test_bare_digits_need_a_hotword(name, number, hotword):
    assert _likelihood(name, f"it is {number} then") < Likelihood.POSSIBLE
    assert _likelihood(name, f"{hotword} {number}") >= Likelihood.LIKELY


@pytest.mark.parametrize(
    "text", ["call 2125550143 or 415 555 2671", "order 123456789 of 2024", "room 12, 20 240 people, 50 kg"]
)
def test_everyday_numbers_are_not_documents(text):
    documents = tuple(t.name for t in NATIONAL if t.default and t.rank > ranks()["PHONE_NUMBER"])
    assert RulesDetector(InspectSettings(documents)).find(TextColumn([text])) == [[]]


def test_a_document_that_is_named_wins_over_a_telephone_number():
    text = "her NHS number is 943 476 5919"
    (found,) = merge_overlapping(
        RulesDetector(InspectSettings(default_info_types())).find(TextColumn([text]))[0], ranks()
    )
    assert found.info_type == "UK_NATIONAL_HEALTH_SERVICE_NUMBER"


def test_a_passport_belongs_to_a_country_only_if_the_text_says_so():
    both = RulesDetector(InspectSettings(("PASSPORT", "UK_PASSPORT", "US_PASSPORT")))
    for text, name in [
        ("passport number 925076473", "PASSPORT"),
        ("British passport 925076473", "UK_PASSPORT"),
        ("American passport 925076473", "US_PASSPORT"),
    ]:
        (found,) = merge_overlapping(both.find(TextColumn([text]))[0], ranks())
        assert found.info_type == name


FOLDER = Path(__file__).parents[3] / "golden" / "vectors"

REGIONS = ("nordic", "europe", "americas", "asia_pacific", "credentials")

CHECKS = {**national.CHECKS, **credentials.CHECKS}

VECTORS: list[dict[str, Any]] = [
    vector for name in REGIONS for vector in yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
]

VALID = [(v["check"], number) for v in VECTORS for number in v["valid"]]

INVALID = [(v["check"], number) for v in VECTORS for number in v["invalid"]]


@pytest.mark.parametrize(("check", "number"), VALID)
def test_a_valid_number_conforms(check, number):
    assert VALIDATORS[check](number)


@pytest.mark.parametrize(("check", "number"), INVALID)
def test_an_invalid_number_does_not(check, number):
    assert not VALIDATORS[check](number)


def test_every_check_has_vectors_with_source():
    assert all(v["origin"] in ("issuer", "rule") and v["source"] for v in VECTORS)
    assert {v["check"] for v in VECTORS} == set(CHECKS)


def test_every_check_serves_an_info_type():
    used = {v for t in catalogue().values() for p in t.patterns for v in p.validators}
    assert not CHECKS.keys() - used
