import pytest

from tacenda.transforms.detecting.fitting.segments import disjoint
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

Said = tuple[str, str, str, int]
"""Text, infoType, detector, likelihood."""


def _found(text: str, *said: Said) -> list[tuple[str, str]]:
    findings = [
        Finding(text.index(part), text.index(part) + len(part), info_type, Likelihood(likelihood), detector)
        for part, info_type, detector, likelihood in said
    ]
    fitted = disjoint(text, findings, ranks())
    assert fitted == disjoint(text, findings[::-1], ranks())
    return [(text[f.start : f.end], f.info_type) for f in fitted]


def test_an_address_ends_where_a_model_sees_town_and_code() -> None:
    text = "Plaza de la Encarnación, 32 41003 Sevilla"
    assert _found(
        text,
        (text, "STREET_ADDRESS", "rules", 4),
        ("41003", "NUMERIC", "rules", 3),
        ("41003", "GENERIC_ID", "rules", 3),
        ("Plaza de la Encarnación", "STREET_ADDRESS", "model", 5),
        ("32", "STREET_ADDRESS", "model", 5),
        ("41003", "ZIP_CODE", "model", 5),
        ("Sevilla", "LOCATION", "model", 5),
    ) == [
        ("Plaza de la Encarnación, 32", "STREET_ADDRESS"),
        ("41003", "ZIP_CODE"),
        ("Sevilla", "LOCATION"),
    ]


def test_a_telephone_number_behind_an_address_is_no_part_of_it() -> None:
    text = "60 cedar ave floor 9 five five five one two three four"
    assert _found(
        text,
        (text[:20], "STREET_ADDRESS", "model", 5),
        (text[21:], "PHONE_NUMBER", "model", 5),
        (text, "STREET_ADDRESS", "spoken", 4),
    ) == [(text[:20], "STREET_ADDRESS"), (text[21:], "PHONE_NUMBER")]


def test_without_a_model_an_address_stays_whole() -> None:
    text = "12 High Street, Leeds"
    assert _found(text, (text, "STREET_ADDRESS", "rules", 4), ("Leeds", "LOCATION", "gazetteer", 3)) == [
        (text, "STREET_ADDRESS")
    ]


def test_a_person_before_an_address_is_no_part_of_it() -> None:
    text = "Rafael Flores Av. Kansas City 92"
    assert _found(
        text,
        ("Flores Av. Kansas City 92", "STREET_ADDRESS", "rules", 4),
        ("Rafael Flores", "PERSON_NAME", "model", 5),
        ("Av. Kansas City 92", "STREET_ADDRESS", "model", 5),
    ) == [("Rafael Flores", "PERSON_NAME"), ("Av. Kansas City 92", "STREET_ADDRESS")]


def test_an_intersection_stays_one_finding() -> None:
    text = "the corner of Auenweg 85 and Kesä Street"
    assert _found(
        text,
        (text, "STREET_ADDRESS", "rules", 4),
        ("Auenweg", "LOCATION", "model", 5),
        ("85 and Kesä Street", "STREET_ADDRESS", "model", 5),
    ) == [(text, "STREET_ADDRESS")]


def test_a_person_before_an_email_address_is_separate() -> None:
    text = "tim decker tim 54 gmailcom"
    assert _found(
        text,
        (text, "EMAIL_ADDRESS", "model", 5),
        ("tim 54 gmailcom", "EMAIL_ADDRESS", "spoken", 5),
        ("tim decker", "PERSON_NAME", "gazetteer", 4),
    ) == [("tim decker", "PERSON_NAME"), ("tim 54 gmailcom", "EMAIL_ADDRESS")]


def test_lines_of_an_address_are_apart_where_a_model_says_so() -> None:
    text = "36 Folkestone Road\nsuite 482"
    streets = (
        ("36 Folkestone Road", "STREET_ADDRESS", "model", 5),
        ("suite 482", "STREET_ADDRESS", "model", 5),
    )
    assert _found(text, (text, "STREET_ADDRESS", "rules", 4), *streets) == [
        ("36 Folkestone Road", "STREET_ADDRESS"),
        ("suite 482", "STREET_ADDRESS"),
    ]


def test_parts_of_a_number_are_joined() -> None:
    text = "ate nine nine two three five"
    assert _found(
        text,
        (text, "ICCID_NUMBER", "spoken", 4),
        ("nine nine", "PHONE_NUMBER", "model", 5),
        ("two three five", "CREDIT_CARD_NUMBER", "model", 5),
    ) == [(text, "ICCID_NUMBER")]


def test_a_spelled_value_is_one_finding() -> None:
    assert _found(
        "D E S R O S I E R S",
        ("D E S R O S I E R S", "SPELLED_WORD", "rules", 3),
        ("D E S R O S I E R", "PERSON_NAME", "model", 5),
    ) == [("D E S R O S I E R S", "PERSON_NAME")]
    assert _found(
        "g-t-7-4",
        ("g-t-7-4", "NUMERIC", "spoken", 3),
        ("g", "PERSON_NAME", "model", 4),
        ("t-7-4", "GENERIC_ID", "model", 5),
    ) == [("g-t-7-4", "GENERIC_ID")]


def test_a_list_of_names_does_not_take_a_part_of_a_code() -> None:
    text = "mah 589652145"
    assert _found(text, (text, "GENERIC_ID", "model", 5), ("mah", "PERSON_NAME", "gazetteer", 3)) == [
        (text, "GENERIC_ID")
    ]


def test_a_person_behind_a_firm_in_speech_is_apart() -> None:
    text = "prairie wind hospital oluwaseun"
    assert _found(
        text, (text, "ORGANIZATION_NAME", "model", 5), ("oluwaseun", "PERSON_NAME", "gazetteer", 3)
    ) == [("prairie wind hospital", "ORGANIZATION_NAME"), ("oluwaseun", "PERSON_NAME")]


def test_a_town_and_its_state_are_one_place() -> None:
    assert _found(
        "Fresno, CA",
        ("Fresno, CA", "PERSON_NAME", "gazetteer", 3),
        ("Fresno", "LOCATION", "model", 5),
        ("CA", "LOCATION", "model", 5),
    ) == [("Fresno, CA", "LOCATION")]


def test_the_users_own_infotype_wins_unless_it_is_less_likely() -> None:
    card = ("4111 1111", "CREDIT_CARD_NUMBER", "model", 4)
    assert _found("4111 1111", ("4111 1111", "MEMBER", "rules", 4), card) == [("4111 1111", "MEMBER")]
    assert _found("4111 1111", ("4111 1111", "MEMBER", "rules", 3), card) == [
        ("4111 1111", "CREDIT_CARD_NUMBER")
    ]
    whole = ("no M-77 it", "PERSON_NAME", "model", 5)
    assert ("M-77", "MEMBER") in _found("no M-77 it is", ("M-77", "MEMBER", "rules", 5), whole)


def test_a_name_keeps_what_only_another_detector_saw_of_it() -> None:
    assert _found(
        "Maria Holmner",
        ("Maria", "PERSON_NAME", "model", 5),
        ("Maria Holmner", "PERSON_NAME", "gazetteer", 3),
    ) == [("Maria Holmner", "PERSON_NAME")]


def test_many_overlapping_findings_are_merged() -> None:
    text = "ab" * 400
    findings = [Finding(i, i + 4, "GENERIC_ID", Likelihood.LIKELY, "rules") for i in range(700)]
    assert [(f.start, f.end) for f in disjoint(text, findings, ranks())] == [(0, 703)]


@pytest.mark.parametrize("findings", [[], [Finding(3, 3, "NUMERIC", Likelihood.LIKELY, "rules")]])
def test_no_findings_stay_no_findings(findings: list[Finding]) -> None:
    assert disjoint("abcdef", findings, ranks()) == []


def test_a_model_overrides_a_weak_cue() -> None:
    text = "company name ameriprise"
    said = ("ameriprise", "PERSON_NAME", "rules", 3), ("ameriprise", "ORGANIZATION_NAME", "model", 5)
    assert _found(text, *said) == [("ameriprise", "ORGANIZATION_NAME")]
    titled = "Ms ameriprise"
    assert _found(titled, *said) == [("ameriprise", "PERSON_NAME")]


def test_a_person_ends_where_a_hospital_begins() -> None:
    text = "Victoria Ramos Medina Instituto de Medicina Legal"
    assert _found(
        text,
        ("Victoria Ramos Medina Instituto", "PERSON_NAME", "rules", 3),
        ("Instituto de Medicina Legal", "ORGANIZATION_NAME", "model", 5),
    ) == [("Victoria Ramos Medina", "PERSON_NAME"), ("Instituto de Medicina Legal", "ORGANIZATION_NAME")]


def test_a_resident_is_not_part_of_the_address() -> None:
    text = "daniel 3 park avenue"
    assert _found(text, ("daniel", "PERSON_NAME", "gazetteer", 3), (text, "STREET_ADDRESS", "model", 5)) == [
        ("daniel", "PERSON_NAME"),
        ("3 park avenue", "STREET_ADDRESS"),
    ]


def test_an_answer_to_another_question_is_no_social_security_number() -> None:
    text = "2367"
    assert _found(
        text,
        (text, "US_SOCIAL_SECURITY_NUMBER", "rules", 5),
        (text, "NUMERIC", "rules", 3),
        (text, "FINANCIAL_ACCOUNT_NUMBER", "model", 5),
    ) == [(text, "FINANCIAL_ACCOUNT_NUMBER")]


def test_a_hotel_with_a_number_is_not_an_address() -> None:
    text = "1 Hotel Brooklyn Bridge"
    assert _found(text, (text, "STREET_ADDRESS", "rules", 3), (text, "ORGANIZATION_NAME", "model", 5)) == [
        (text, "ORGANIZATION_NAME")
    ]


def test_halves_of_a_name_that_a_line_breaks_are_one() -> None:
    text = "you may ask Peter Wil-\nliamson"
    assert _found(
        text,
        (text[12:], "PERSON_NAME", "gazetteer", 3),
        ("Peter Wil", "PERSON_NAME", "model", 5),
        ("liamson", "PERSON_NAME", "model", 5),
    ) == [(text[12:], "PERSON_NAME")]
