import pytest

from tacenda.transforms.detecting.fitting.conversation import fit_conversation
from tacenda.transforms.detecting.fitting.ordinary_words import is_transcribers_mark, names_nothing
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

POSSIBLE, VERY_LIKELY = Likelihood.POSSIBLE, Likelihood.VERY_LIKELY


def _finding(
    text: str, said: str, info_type: str, likelihood: Likelihood = VERY_LIKELY, detector: str = "model"
) -> Finding:
    start = text.index(said)
    return Finding(start, start + len(said), info_type, likelihood, detector)


@pytest.mark.parametrize(
    ("said", "info_type"),
    [
        ("Chai Latte", "PERSON_NAME"),
        ("two Chai Lattes", "PERSON_NAME"),
        ("Mocha's", "PERSON_NAME"),
        ("Earl Grey", "PERSON_NAME"),
        ("Cortado", "LOCATION"),
        ("tomorrow", "PERSON_NAME"),
        ("Sept", "PERSON_NAME"),
        ("French", "PERSON_NAME"),
    ],
)
def test_days_nationalities_and_drinks_are_not_names(said: str, info_type: str) -> None:
    assert names_nothing(said, _finding(said, said, info_type))


@pytest.mark.parametrize(
    ("said", "info_type"),
    [
        ("Ginger", "PERSON_NAME"),
        ("Jasmine", "PERSON_NAME"),
        ("April", "PERSON_NAME"),
        ("Jan", "PERSON_NAME"),
        ("Ann Rice", "PERSON_NAME"),
        ("Pizza Express", "ORGANIZATION_NAME"),
        ("French", "LOCATION"),
        ("Hope Baker", "PERSON_NAME"),
    ],
)
def test_names_that_are_also_words_remain(said: str, info_type: str) -> None:
    assert not names_nothing(said, _finding(said, said, info_type))


@pytest.mark.parametrize(
    ("said", "likelihood", "detector", "dropped"),
    [
        ("Hiring Manager", POSSIBLE, "rules", True),
        ("Hiring Manager", POSSIBLE, "model", True),
        ("Hiring Manager", VERY_LIKELY, "model", False),
        ("Hiring Manager", VERY_LIKELY, "rules", False),
        ("Almond", VERY_LIKELY, "rules", False),
        ("Almond", VERY_LIKELY, "gazetteer", True),
        ("Brzęczyszczykiewicz", POSSIBLE, "model", False),
        ("A. B", POSSIBLE, "model", False),
    ],
)
def test_ordinary_words_are_names_at_high_likelihood_only(
    said: str, likelihood: Likelihood, detector: str, dropped: bool
) -> None:
    assert names_nothing(said, _finding(said, said, "PERSON_NAME", likelihood, detector)) is dropped


@pytest.mark.parametrize(
    ("text", "said", "dropped"),
    [
        ("Dr. Alzheimer called", "Alzheimer", False),
        ("Mr Almond called", "Almond", False),
        ("MR Imaging was done", "Imaging", True),
        ("a dr visit", "visit", True),
        ("the Alzheimer ward", "Alzheimer", True),
    ],
)
def test_a_capital_behind_a_form_of_address_is_a_name(text: str, said: str, dropped: bool) -> None:
    assert names_nothing(text, _finding(text, said, "PERSON_NAME", POSSIBLE, "rules")) is dropped


@pytest.mark.parametrize(("said", "dropped"), [("Mr", True), ("Herr", True), ("Don", False)])
def test_a_form_of_address_alone_names_nobody(said: str, dropped: bool) -> None:
    assert names_nothing(said, _finding(said, said, "PERSON_NAME", POSSIBLE, "model")) is dropped


@pytest.mark.parametrize(
    ("text", "said", "info_type", "dropped"),
    [
        ("we meet in May", "May", "LOCATION", True),
        ("since April we wait", "April", "PERSON_NAME", True),
        ("on May 5", "May", "PERSON_NAME", True),
        ("ask May about it", "May", "PERSON_NAME", False),
        ("I talked to April", "April", "PERSON_NAME", False),
        ("between Rose and June", "June", "PERSON_NAME", False),
        ("say it in Japanese", "Japanese", "LOCATION", True),
        ("the Japanese side", "Japanese", "LOCATION", False),
        ("in Boston", "Boston", "LOCATION", False),
    ],
)
def test_months_and_languages_are_known_by_the_words_around_them(
    text: str, said: str, info_type: str, dropped: bool
) -> None:
    assert names_nothing(text, _finding(text, said, info_type)) is dropped


@pytest.mark.parametrize(
    ("text", "said", "mark"),
    [
        ("we {disfmarker} said", "disfmarker", True),
        ("we {disfmarker} said", "{disfmarker}", True),
        ("so (inaudible)", "inaudible", True),
        ("[Music] hello", "Music", True),
        ("(Ann)", "Ann", False),
        ("I like music", "music", False),
        ("(music by Ann)", "music", False),
    ],
)
def test_transcription_marks_are_not_names(text: str, said: str, mark: bool) -> None:
    assert is_transcribers_mark(text, _finding(text, said, "USER_NAME")) is mark


def test_a_conversation_keeps_its_names_only() -> None:
    text = "Two Mochas for Ann, {vocalsound} tomorrow"
    found = [
        _finding(text, "Mochas", "PERSON_NAME"),
        _finding(text, "Ann", "PERSON_NAME"),
        _finding(text, "vocalsound", "PASSWORD"),
        _finding(text, "tomorrow", "PERSON_NAME"),
    ]
    (left,) = fit_conversation([text], [found], {})
    assert [text[one.start : one.end] for one in left] == ["Ann"]


@pytest.mark.parametrize(
    ("text", "said", "dropped"),
    [
        ("the dean of students", "dean", True),
        ("a grace period of five days", "grace", True),
        ("chase the parcel please", "chase", True),
        ("och en björn kom", "björn", True),
        # Their twins, names.
        ("ask dean about it", "dean", False),
        ("chase told the others", "chase", False),
        ("the Dean family", "Dean", False),
        ("with grace and hope", "grace", False),
        ("the lee family", "lee", False),
    ],
)
def test_a_word_behind_an_article_is_no_name_in_lower_case(text: str, said: str, dropped: bool) -> None:
    finding = _finding(text, said, "PERSON_NAME", POSSIBLE, "gazetteer")
    assert names_nothing(text, finding) is dropped


@pytest.mark.parametrize(
    ("text", "said", "dropped"),
    [
        ("Words: ['Hello', 'world'].", "world", True),
        ("we are back at school", "school", True),
        ("I spoke to World", "World", False),
        ("i spoke to brown", "brown", False),
        ("i spoke to hope", "hope", False),
    ],
)
def test_an_everyday_word_in_small_letters_is_no_name(text: str, said: str, dropped: bool) -> None:
    assert names_nothing(text, _finding(text, said, "PERSON_NAME")) is dropped


@pytest.mark.parametrize(
    ("text", "said", "dropped"),
    [
        ("She was prescribed Voltaren 50 mg.", "Voltaren", True),
        ("take Voltaren 1,5 ml", "Voltaren", True),
        ("he takes Paracet tablets", "Paracet", True),
        ("the medicine Paracet helps", "Paracet", True),
        ("I met Paracet today", "Paracet", False),
        ("give Anna 50 mg", "Anna", False),
        ("Anna tablets", "Anna", False),
        ("Voltaren 50 people", "Voltaren", False),
    ],
)
def test_a_dose_or_its_form_makes_a_medicine_of_a_word_in_no_list(
    text: str, said: str, dropped: bool
) -> None:
    for info_type in ("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"):
        assert names_nothing(text, _finding(text, said, info_type)) is dropped
