from tacenda.transforms.detecting.fitting.conversation import fit_conversation
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _fit(text: str, *said: tuple[str, str], detector: str = "model") -> list[tuple[str, str]]:
    findings = [
        Finding(text.index(part), text.index(part) + len(part), info_type, Likelihood.VERY_LIKELY, detector)
        for part, info_type in said
    ]
    (fitted,) = fit_conversation([text], [findings], ranks())
    return [(text[f.start : f.end], f.info_type) for f in fitted]


def test_labels_and_greetings_stay_outside() -> None:
    text = "Patient: Anna Karlsson: MRN 77"
    assert _fit(text, ("Patient: Anna Karlsson: MRN", "PERSON_NAME")) == [("Anna Karlsson", "PERSON_NAME")]
    text = "Hello Ann, Hello Bob Ray"
    assert _fit(text, (text, "PERSON_NAME")) == [("Ann", "PERSON_NAME"), ("Bob Ray", "PERSON_NAME")]


def test_a_title_that_is_asked_for_stays_covered() -> None:
    said = ("Dr.", "TITLE"), ("Dr. Ann Lee", "PERSON_NAME")
    assert _fit("Dr. Ann Lee", *said) == [("Dr.", "TITLE"), ("Ann Lee", "PERSON_NAME")]


def test_and_separates_persons_but_belongs_to_company_names() -> None:
    persons = ("Bopha Mendoza", "PERSON_NAME"), ("and", "ORGANIZATION_NAME"), ("Kai", "PERSON_NAME")
    assert [part for part, _ in _fit("Bopha Mendoza and Kai", *persons)] == ["Bopha Mendoza", "Kai"]
    firm = ("Three Rivers", "ORGANIZATION_NAME"), ("and", "ORGANIZATION_NAME"), ("Brake", "LOCATION")
    assert len(_fit("Three Rivers and Brake", *firm)) == 3


def test_an_ordinal_is_not_a_code() -> None:
    assert _fit("on the 14th of May", ("14th", "GENERIC_ID"), detector="rules") == []


def test_a_procedure_code_is_not_a_month_and_year() -> None:
    # A failure that NorDeid printed (Ngo et al., CALD-pseudo 2024, appendix).
    assert _fit("JUG05 Rektoskopi med biopsi", ("JUG05", "DATE")) == []
    assert _fit("since JUN05", ("JUN05", "DATE")) == [("JUN05", "DATE")]


def test_only_the_digits_of_a_partial_code_are_replaced() -> None:
    assert _fit("It's B. 231 C. for A. two.", ("B. 231 C", "GENERIC_ID")) == [("231", "NUMERIC")]
    assert _fit("B. 231 C. four.", ("B. 231 C. four", "GENERIC_ID")) == [("B. 231 C. four", "GENERIC_ID")]


def test_earlier_turns_count_as_context() -> None:
    texts = ["which card do you have", "it is", "123456789012345"]
    finding = Finding(0, 15, "CREDIT_CARD_NUMBER", Likelihood.LIKELY, "model")
    assert fit_conversation(texts, [[], [], [finding]], ranks()) == [[], [], [finding]]
    assert fit_conversation(texts[2:], [[finding]], ranks())[0][0].info_type == "GENERIC_ID"


def test_cells_without_findings_are_unchanged() -> None:
    empty: list[Finding] = []
    assert fit_conversation(["a", "b"], [empty, empty], ranks()) == [[], []]
