"""The coverage of the built-in infoTypes, and requirements on each of them."""

import re

import pytest

from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.rules.catalogue import InfoType, catalogue, default_info_types, ranks
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.text.column import TextColumn

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
TWO_OF_A_KIND = [
    # A number that passes its check, one that does not, and what says which infoType it is.
    ("SWEDEN_NATIONAL_ID_NUMBER", "170101-2393", "170101-2394", "personnummer"),
    ("SWEDEN_COORDINATION_NUMBER", "701063-2391", "701063-2392", "samordningsnummer"),
    ("FINLAND_NATIONAL_ID_NUMBER", "131052-308T", "131052-308U", "henkilötunnus"),
    ("NORWAY_NI_NUMBER", "159086 10064", "150186 10065", "fødselsnummer"),
    ("NORWAY_D_NUMBER", "559086 10139", "550186 10138", "d-nummer"),
    ("DENMARK_CPR_NUMBER", "070761-4285", "070761-4286", "cpr-nummer"),
    ("SPAIN_DNI_NUMBER", "12345678Z", "12345678A", "DNI"),
    ("SPAIN_NIE_NUMBER", "X1234567L", "X1234567M", "NIE"),
    ("SPAIN_CIF_NUMBER", "A58818501", "A58818502", "CIF"),
    ("UK_NATIONAL_INSURANCE_NUMBER", "AB123456C", "QQ123456C", "national insurance"),
    ("FRANCE_NIR", "255081416802538", "255081416802539", "sécurité sociale"),
    ("ITALY_FISCAL_CODE", "RSSMRA85T10A562S", "RSSMRA85T10A562T", "codice fiscale"),
    ("BRAZIL_CPF_NUMBER", "111.444.777-35", "111.444.777-36", "CPF"),
    ("INDIA_PAN_INDIVIDUAL", "AAAPL1234C", "AAAXL1234C", "pan card"),
]
ONLY_DIGITS = [
    ("NETHERLANDS_BSN_NUMBER", "111222333", "BSN"),
    ("UK_NATIONAL_HEALTH_SERVICE_NUMBER", "943 476 5919", "NHS number"),
    ("AUSTRALIA_TAX_FILE_NUMBER", "123456782", "tax file number"),
    ("POLAND_PESEL_NUMBER", "02070803628", "PESEL"),
    ("GERMANY_TAXPAYER_IDENTIFICATION_NUMBER", "86095742719", "Steuer-ID"),
    ("INDIA_AADHAAR_INDIVIDUAL", "999941057058", "Aadhaar"),
    ("US_HEALTHCARE_NPI", "1234567893", "NPI"),
    ("CANADA_OHIP", "1234567897", "OHIP"),
    ("SWEDEN_NATIONAL_ID_NUMBER", "6408233234", "personnummer"),
    ("DENMARK_CPR_NUMBER", "0707614285", "CPR"),
]


def _likelihood(name: str, text: str) -> int:
    found = RulesDetector(InspectSettings((name,)), Likelihood.VERY_UNLIKELY).find(TextColumn([text]))[0]
    return max((f.likelihood for f in found), default=0)


def test_there_are_as_many_as_promised() -> None:
    assert len(catalogue()) >= 120
    assert set(NAMED) <= set(catalogue())


@pytest.mark.parametrize("info_type", catalogue().values(), ids=lambda t: t.name)
def test_entries_have_a_source_and_examples(info_type: InfoType) -> None:
    assert len(info_type.source) > 3
    assert info_type.description.endswith(".")
    assert info_type.find or not info_type.patterns
    assert info_type.ignore or not info_type.patterns
    assert all(re.fullmatch("[a-z]{2}|global|speech", region) for region in info_type.regions)


@pytest.mark.parametrize("name", catalogue())
def test_every_finding_has_a_score(name: str) -> None:
    assert ScoreTable.load().resolve(name)


@pytest.mark.parametrize(("name", "right", "wrong", "hotword"), TWO_OF_A_KIND)
def test_a_failed_check_lowers_the_likelihood_and_a_hotword_raises_it(
    name: str, right: str, wrong: str, hotword: str
) -> None:
    assert _likelihood(name, f"x {right}") > _likelihood(name, f"x {wrong}")
    assert _likelihood(name, f"x {right}") >= Likelihood.POSSIBLE
    assert _likelihood(name, f"{hotword} {wrong}") >= Likelihood.POSSIBLE
    assert _likelihood(name, f"{hotword} {right}") >= Likelihood.LIKELY


@pytest.mark.parametrize(("name", "number", "hotword"), ONLY_DIGITS)
def test_bare_digits_need_a_hotword(name: str, number: str, hotword: str) -> None:
    assert _likelihood(name, f"it is {number} then") < Likelihood.POSSIBLE
    assert _likelihood(name, f"{hotword} {number}") >= Likelihood.LIKELY


@pytest.mark.parametrize(
    "text", ["call 2125550143 or 415 555 2671", "order 123456789 of 2024", "room 12, 20 240 people, 50 kg"]
)
def test_everyday_numbers_are_not_documents(text: str) -> None:
    documents = tuple(t.name for t in NATIONAL if t.default and t.rank > ranks()["PHONE_NUMBER"])
    assert RulesDetector(InspectSettings(documents)).find(TextColumn([text])) == [[]]


def test_a_document_that_is_named_wins_over_a_telephone_number() -> None:
    text = "her NHS number is 943 476 5919"
    (found,) = merge_overlapping(
        RulesDetector(InspectSettings(default_info_types())).find(TextColumn([text]))[0], ranks()
    )
    assert found.info_type == "UK_NATIONAL_HEALTH_SERVICE_NUMBER"


def test_a_passport_belongs_to_a_country_only_if_the_text_says_so() -> None:
    both = RulesDetector(InspectSettings(("PASSPORT", "UK_PASSPORT", "US_PASSPORT")))
    for text, name in [
        ("passport number 925076473", "PASSPORT"),
        ("British passport 925076473", "UK_PASSPORT"),
        ("American passport 925076473", "US_PASSPORT"),
    ]:
        (found,) = merge_overlapping(both.find(TextColumn([text]))[0], ranks())
        assert found.info_type == name
