import pytest

from tacenda.transforms.detecting.fitting.measurements import is_measurement
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.growth import grows_linearly


def _is(text: str, said: str, info_type: str, detector: str = "model") -> bool:
    start = text.index(said)
    return is_measurement(text, Finding(start, start + len(said), info_type, Likelihood.LIKELY, detector))


@pytest.mark.parametrize(
    ("text", "said", "info_type"),
    [
        ("140/90", "140/90", "DATE_OF_BIRTH"),
        ("TA 130/85 igår", "85", "DATE_OF_BIRTH"),
        ("Blodtryck 140/90", "Blodtryck", "PERSON_NAME"),
        ("RR 140/90", "RR 140/90", "GENERIC_ID"),
        ("24/7", "24/7", "DATE_OF_BIRTH"),
        ("it was 50/50", "50/50", "DATE"),
        ("Na 135", "Na 135", "GENERIC_ID"),
        ("Na 135, K 4.2, Cl 101", "Cl 101", "GENERIC_ID"),
        ("Na 135 K 4.0 Cl 101", "Na 135 K 4", "GENERIC_ID"),
        ("P-glukos 6,7", "P-glukos 6", "LOCATION"),
        ("SpO2 97%", "SpO2 97", "GENERIC_ID"),
        ("Contact: 2024-03-18 phone", "2024-03-18", "PHONE_NUMBER"),
    ],
)
def test_a_measurement_is_nobodys(text: str, said: str, info_type: str) -> None:
    assert _is(text, said, info_type)


@pytest.mark.parametrize(
    ("text", "said", "info_type"),
    [
        ("born 24/7", "24/7", "DATE_OF_BIRTH"),
        ("on 12/10", "12/10", "DATE_OF_BIRTH"),
        ("case 90/140", "90/140", "GENERIC_ID"),
        ("file 140/90/2", "140/90", "GENERIC_ID"),
        ("na 135 please", "na 135", "GENERIC_ID"),
        ("Na 135-4471", "135-4471", "PHONE_NUMBER"),
        ("Na 4471", "4471", "GENERIC_ID"),
        ("Nadia 135", "Nadia", "PERSON_NAME"),
        ("Contact: 2024-93-18", "2024-93-18", "PHONE_NUMBER"),
        ("Na 135", "Na 135", "LICENSE_PLATE"),
        ("Ann has 140/90", "Ann", "PERSON_NAME"),
    ],
)
def test_other_numbers_and_names_stay_found(text: str, said: str, info_type: str) -> None:
    assert not _is(text, said, info_type)


def test_a_rule_that_is_sure_has_read_a_cue() -> None:
    assert not _is("MRN: Na 135", "Na 135", "GENERIC_ID", "rules")
    assert _is("BUN 14 Cr 0.9", "14 Cr 0", "STREET_ADDRESS", "rules")


def test_a_birth_far_away_is_of_something_else() -> None:
    between = "We spoke about the weather. " * 3
    assert _is(f"Ann was born in May. {between}Open 24/7.", "24/7", "DATE_OF_BIRTH")


def test_findings_of_a_long_turn_take_linear_time() -> None:
    sentence = "we are open 24/7 all week long "
    first = sentence.index("24/7")

    def judge(count: int) -> None:
        text = sentence * count
        for start in range(first, len(text), len(sentence)):
            is_measurement(text, Finding(start, start + 4, "DATE_OF_BIRTH", Likelihood.LIKELY, "model"))

    assert grows_linearly(judge, 200)
