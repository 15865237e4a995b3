import pickle
from itertools import accumulate
from typing import Any

import pytest

from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.settings import (
    CustomInfoType,
    Exclusion,
    Hotword,
    InspectSettings,
    Matching,
    Regex,
    RuleSet,
    WordDictionary,
)
from tacenda.transforms.generating.sample.corpus import conversations
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text import column
from tacenda.transforms.text.column import TextColumn
from tests.growth import grows_linearly

_ALL = ("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")


def _found(
    text: str | list[str], first_cell: list[int] | None = None, **settings: Any
) -> list[tuple[str, str]]:
    texts = [text] if isinstance(text, str) else text
    override = settings.pop("override", None)
    detector: Detector = GazetteerDetector(InspectSettings(**{"info_types": _ALL, **settings}), override)
    found = detector.find(TextColumn(texts, first_cell or [0, len(texts)]))
    return [(t[f.start : f.end], f.info_type) for t, fs in zip(texts, found, strict=True) for f in fs]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Please ask Maria Gonzalez about the bill.", "Maria Gonzalez"),
        ("Please ask Khadija Xylophrast about the bill.", "Khadija Xylophrast"),
        ("Please call Ji-woo Kim tomorrow.", "Ji-woo Kim"),
        ("Good work, Ah-reum, and thanks to all.", "Ah-reum"),
        ("Please ask Hae-won Namgung about it.", "Hae-won Namgung"),
        ("let us ask sang-woo about it then", "sang-woo"),
        ("let us ask sun-hee moon about it then", "sun-hee moon"),
        ("then eunbi will call you back", "eunbi"),
        ("then bongani will call you back", "bongani"),
        ("It was Dr. Whitaker who answered.", "Whitaker"),
        ("Send it to Robert Downey, Jr before noon.", "Robert Downey, Jr"),
        ("can you ask maria gonzalez about the bill", "maria gonzalez"),
        ("hi my name is grace", "grace"),
        ("suzanne green 8266", "suzanne green"),
        ("Jag talade med Åsa Lindqvists mamma i går.", "Åsa Lindqvists"),
        ("Puhuin eilen Mikko Virtasen kanssa siitä.", "Mikko Virtasen"),
        ("Ayer hablé con Lucía Fernández de la cuenta.", "Lucía Fernández"),
    ],
)
def test_names_of_people(text: str, name: str) -> None:
    assert (name, "PERSON_NAME") in _found(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("We moved here from Portland, OR last year.", "Portland, OR"),
        ("The United States stands by that.", "United States"),
        ("i need a flight from seattle to new york", "seattle"),
        ("i need a flight from seattle to new york", "new york"),
        ("Vi bor i Göteborg nu.", "Göteborg"),
        ("Hän asuu Helsingissä nykyään.", "Helsingissä"),
    ],
)
def test_places(text: str, place: str) -> None:
    assert (place, "LOCATION") in _found(text)


@pytest.mark.parametrize(
    ("text", "organization"),
    [
        ("She works at Northwind Systems these days.", "Northwind Systems"),
        ("He studied at the University of Michigan before.", "University of Michigan"),
    ],
)
def test_organisations(text: str, organization: str) -> None:
    assert (organization, "ORGANIZATION_NAME") in _found(text)


@pytest.mark.parametrize(
    "text",
    [
        "I hope that you will grant me a long day in may.",
        "OK, thanks. The bill is on my bank card as before.",
        "we would like to see a rose in the garden",
        "No se puede pagar por la tarde, gracias.",
        "Det är inte så bra att vänta på en ny räkning.",
        "don't do that",
        "it was so-so and a no-no",
        "we looked at the numbers in both states again",
        "",
        " \n\t ",
        "12345 67890",
    ],
)
def test_ordinary_words_are_not_names(text: str) -> None:
    assert _found(text) == []


def test_findings_are_the_same_alone_and_in_a_batch() -> None:
    texts = ["Hello, I am Fatima Haddad.", "how can i help you fatima", "Moi, olen Pekka Virtanen.", "kiitos"]
    detector = GazetteerDetector(InspectSettings(_ALL))
    together = detector.find(TextColumn(texts, [0, 2, 4]))
    assert together == detector.find(TextColumn(texts[:2], [0, 2])) + detector.find(
        TextColumn(texts[2:], [0, 2])
    )
    assert together[0]


def test_offsets_are_code_points() -> None:
    text = "😀😀 Please ask Åsa Lindqvist, 😀 thank you."
    (finding,) = GazetteerDetector(InspectSettings(_ALL)).find(TextColumn([text]))[0]
    assert text[finding.start : finding.end] == "Åsa Lindqvist"


def test_findings_do_not_include_tokens() -> None:
    found = _found("Please ask [PERSON_NAME_1] and Maria Gonzalez about [LOCATION_2].")
    assert found == [("Maria Gonzalez", "PERSON_NAME")]


def test_lone_surrogates_are_accepted() -> None:
    assert ("Maria Gonzalez", "PERSON_NAME") in _found("Please ask \ud83d Maria Gonzalez about it.")


# Settings


def test_only_the_info_types_asked_for_are_found() -> None:
    text = "Maria Gonzalez moved here from Portland last year."
    assert _found(text, info_types=("LOCATION",)) == [("Portland", "LOCATION")]
    assert _found(text, info_types=("EMAIL_ADDRESS",)) == []


def test_a_threshold_is_honoured_by_info_type_and_can_be_overridden() -> None:
    text = "Please ask Maria about the bill."
    assert ("Maria", "PERSON_NAME") in _found(text)
    strict = (("PERSON_NAME", Likelihood.VERY_LIKELY),)
    assert _found(text, min_likelihood_by_info_type=strict) == []
    override = Likelihood.VERY_UNLIKELY
    assert ("Maria", "PERSON_NAME") in _found(text, min_likelihood_by_info_type=strict, override=override)


def test_an_exclusion_removes_a_name() -> None:
    rule = Exclusion(Matching.FULL, dictionary=WordDictionary(("portland",)))
    rules = (RuleSet(("LOCATION",), (rule,)),)
    assert _found("We moved here from Portland last year.", rule_sets=rules) == []
    assert _found("We moved here from Seattle last year.", rule_sets=rules) == [("Seattle", "LOCATION")]


def test_a_hotword_changes_a_likelihood() -> None:
    rule = Hotword("bill", window_after=40, fixed=Likelihood.UNLIKELY)
    rules = (RuleSet(("PERSON_NAME",), (rule,)),)
    assert _found("Please ask Maria about the bill.", rule_sets=rules) == []
    assert _found("Please ask Maria about the rent.", rule_sets=rules) == [("Maria", "PERSON_NAME")]


@pytest.mark.parametrize(
    ("matching", "left"),
    [
        (Matching.FULL, ["John Miller"]),
        (Matching.PARTIAL, ["John Miller"]),
        (Matching.INVERSE, ["Emily Watson"]),
    ],
)
def test_findings_of_rules_can_exclude_names(matching: Matching, left: list[str]) -> None:
    staff = CustomInfoType(
        "CASE_STAFF", Likelihood.VERY_LIKELY, Regex(r"Dr\. [A-Z]\w+ [A-Z]\w+"), excluding=True
    )
    rules = (RuleSet(("PERSON_NAME",), (Exclusion(matching, info_types=("CASE_STAFF",)),)),)
    text = "Please ask Dr. Emily Watson about it, and call John Miller."
    found = _found(text, custom=(staff,), rule_sets=rules)
    assert [name.removeprefix("Dr. ") for name, _ in found] == left


def test_the_pickle_is_small() -> None:
    detector = GazetteerDetector(InspectSettings(_ALL))
    data = pickle.dumps(detector)
    assert len(data) < 2000
    text = ["Please ask Maria Gonzalez about it."]
    assert pickle.loads(data).find(TextColumn(text, [0, 1])) == detector.find(TextColumn(text, [0, 1]))


@pytest.mark.parametrize("piece", ["Maria ", "a ", "Maria-", "new york ", "de la ", "University of ", "inc "])
def test_time_is_linear_in_the_text(piece: str) -> None:
    detector = GazetteerDetector(InspectSettings(_ALL))
    assert grows_linearly(lambda times: detector.find(TextColumn([piece * times])), 2_000)


def test_what_is_found_in_a_conversation_depends_on_no_other() -> None:
    apart = [["Call Dr."], ["rossi"], ["We moved to"], ["Nowy Port Street"], ["i am in"], ["san marino"]]
    for conversation in conversations(3, 0, 40):
        texts = [turn["text"] for turn in conversation["turns"]]
        apart += [texts[: len(texts) // 2], texts[len(texts) // 2 :]]
    together = [text for texts in apart for text in texts]
    first_cell = [0, *accumulate(map(len, apart))]
    alone = [found for texts in apart for found in _found(texts)]
    assert _found(together, first_cell) == alone


def test_findings_do_not_depend_on_block_size(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [[turn["text"] for turn in c["turns"]] for c in conversations(3, 0, 60)]
    texts = [text for several in turns for text in several]
    first_cell = [0, *accumulate(map(len, turns))]
    find = GazetteerDetector(InspectSettings(_ALL), Likelihood.VERY_UNLIKELY).find
    found = find(TextColumn(texts, first_cell))
    assert sum(map(len, found)) > 300
    monkeypatch.setattr(column, "_BLOCK", 2000)
    assert len(TextColumn(texts, first_cell).blocks) > 10
    assert find(TextColumn(texts, first_cell)) == found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        # Nouns of German that are family names or words of other languages as well.
        ("Die Linie wurde nach einem Jahr aus diesem Grund wieder eingestellt, und die Stadt zahlt.", []),
        ("Wenn die Person nicht kommt, ist das auch ein Grund für die Stadt.", []),
        # Their twins: a given name, a full name, and the same word among words of other languages.
        ("Wenn Anna nicht kommt, ist das auch für die anderen nicht gut.", ["Anna"]),
        ("Wenn Peter Grund nicht kommt, ist das auch für die anderen nicht gut.", ["Peter Grund"]),
    ],
)
def test_a_german_noun_alone_needs_more_than_its_capital(text: str, names: list[str]) -> None:
    assert [said for said, info_type in _found(text) if info_type == "PERSON_NAME"] == names
