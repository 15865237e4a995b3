from tacenda.transforms.detecting.fitting.conversation import fit_conversation
from tacenda.transforms.detecting.fitting.requested_types import as_requested
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _finding(text: str, part: str, info_type: str, detector: str = "model") -> Finding:
    start = text.index(part)
    return Finding(start, start + len(part), info_type, Likelihood.VERY_LIKELY, detector)


def _fitted(text: str, part: str, info_type: str, asked: set[str] | None) -> list[tuple[str, str]]:
    (cell,) = fit_conversation([text], [[_finding(text, part, info_type)]], ranks(), asked)
    return [(text[f.start : f.end], f.info_type) for f in cell]


def test_a_form_gives_only_requested_info_types() -> None:
    date = "it was 05302018"
    assert _fitted(date, "05302018", "PHONE_NUMBER", None) == [("05302018", "DATE")]
    assert _fitted(date, "05302018", "PHONE_NUMBER", {"PHONE_NUMBER", "DATE"}) == [("05302018", "DATE")]
    assert _fitted(date, "05302018", "PHONE_NUMBER", {"PHONE_NUMBER", "NUMERIC"}) == [("05302018", "NUMERIC")]
    assert _fitted(date, "05302018", "PHONE_NUMBER", {"PHONE_NUMBER"}) == [("05302018", "PHONE_NUMBER")]


def test_a_cue_gives_only_requested_info_types() -> None:
    account = "my ac number is 4561"
    ssn = "US_SOCIAL_SECURITY_NUMBER"
    assert _fitted(account, "4561", ssn, {ssn}) == [("4561", ssn)]
    assert _fitted(account, "4561", ssn, {ssn, "FINANCIAL_ACCOUNT_NUMBER"}) == [
        ("4561", "FINANCIAL_ACCOUNT_NUMBER")
    ]


def test_findings_of_custom_detectors_keep_their_info_type() -> None:
    own = Finding(0, 3, "PROJECT", Likelihood.LIKELY, "rules")
    assert as_requested([own], [own], {}, set()) == [own]
