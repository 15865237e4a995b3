import re
from pathlib import Path

import pytest
import yaml

from tacenda.transforms.detecting.candidates import Candidates
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.catalogue import Pattern
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.rules.evidence import evidence
from tacenda.transforms.detecting.rules.fitting import FITS
from tacenda.transforms.detecting.rules.pattern_matching import pattern_candidates
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.detecting.settings import (
    CustomInfoType,
    Hotword,
    InspectSettings,
    Regex,
    WordDictionary,
)
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import Utf8Column
from tests.cases import cases, tabled
from tests.growth import grows_linearly, takes_at_most


@pytest.mark.parametrize(
    ("name", "text", "match", "kept"),
    [(name, *case) for name, several in cases(__file__, "FITTED").items() for case in several],
)
def test_a_match_is_fitted_to_the_value(name, text, match, kept):
    start = text.index(match)
    place = FITS[name](text, start, start + len(match))
    assert (place and text[slice(*place)]) == kept


@pytest.mark.parametrize("name", sorted(FITS))
@pytest.mark.parametrize("piece", ["A 1 ", "Apt 5 ", "Ab, ", "de ", "12 St ", "\nAb "])
def test_what_is_looked_at_is_limited_to_the_window(name, piece):
    def looked_at(pieces):
        text = piece * pieces
        middle = len(text) // 2
        for _ in range(20):
            found = FITS[name](text, middle, middle + 2)
        return found, middle

    assert takes_at_most(5, lambda: looked_at(200_000), lambda: looked_at(2_000))
    found, middle = looked_at(200_000)
    assert found is None or (found[0] >= middle - 400 and found[1] <= middle + 200)


def _found(texts, pattern):
    column = Utf8Column(texts, [0, len(texts)])
    found: Candidates = pattern_candidates(column, column.everything, pattern)
    columns = (found.cells, found.starts, found.ends, found.likelihoods)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(cell, texts[cell][start:end], likelihood) for cell, start, end, likelihood in rows]


@tabled("boundary", "kept")
def test_characters_allowed_next_to_a_match(boundary, kept):
    texts = ["12", "é34", "45 é", "55日", "é-67", "😀89", "_77"]
    pattern = Pattern(r"\d\d", Likelihood.LIKELY, boundary=boundary)
    assert [text for _, text, _ in _found(texts, pattern)] == kept


@pytest.mark.parametrize("text", ["是12谢", "은12입", "ל12", "رقم12", "เบอร์12ครับ"])
def test_letters_of_scripts_without_capitals_do_not_touch_a_number(text):
    assert [found for _, found, _ in _found([text], Pattern(r"\d\d", Likelihood.LIKELY))] == ["12"]


@pytest.mark.parametrize("text", ["ж12", "12ª", "λ12", "是ab"])
def test_other_letters_do(text):
    pattern = Pattern(r"\d\d|是[a-z]", Likelihood.LIKELY)
    assert _found([text], pattern) == []


@pytest.mark.parametrize("neighbour", ["3", "٣", "𝟗", "３"])
def test_digits_of_any_script_are_adjacent_digits(neighbour):
    pattern = Pattern(r"x1", Likelihood.LIKELY, boundary="digit")
    assert _found([f"x1{neighbour}", f"{neighbour}x1", "x1"], pattern) == [(2, "x1", 4)]


def test_matches_that_fail_validation_are_dropped_or_less_likely():
    texts = ["4111 1111 1111 1111", "4111 1111 1111 1112", "4111 1111 1111 1111"]
    pattern = Pattern(r"\d{4}(?: \d{4}){3}", Likelihood.LIKELY, validators=("luhn",))
    assert [cell for cell, _, _ in _found(texts, pattern)] == [0, 2]
    lenient = Pattern(pattern.regex, Likelihood.LIKELY, validators=("luhn",), invalid=Likelihood.UNLIKELY)
    assert [likelihood for _, _, likelihood in _found(texts, lenient)] == [4, 2, 4]


def explained(settings, *texts):
    """The evidence of a conversation's only finding."""
    column = TextColumn(texts, [0, len(texts)])
    cells = RulesDetector(settings).find(column)
    [(cell, finding)] = [(i, finding) for i, cell in enumerate(cells) for finding in cell]
    return list(evidence(column, cell, finding, settings))


def test_a_built_in_pattern_is_reported_by_its_number():
    said = explained(InspectSettings(("EMAIL_ADDRESS",)), "write to ann@example.com")
    assert said
    assert all(re.fullmatch(r"pattern \d of \d, (?:VERY_)?(?:UN)?(?:LIKELY|POSSIBLE)", one) for one in said)


@pytest.mark.parametrize("texts", [("my ssn is 078-05-1120",), ("what is your ssn", "078-05-1120")])
def test_hotwords_are_reported_as_they_are_written_in_whatever_turn(texts):
    assert 'hotword "ssn"' in explained(InspectSettings(("US_SOCIAL_SECURITY_NUMBER",)), *texts)


def custom(source, **more):
    return InspectSettings((), custom=(CustomInfoType("BADGE", Likelihood.LIKELY, source, **more),))


def test_the_users_own_patterns_and_lists_are_reported():
    near = Hotword("badge", window_before=20, relative=1)
    said = explained(custom(Regex("B-[0-9]+", (0,)), hotwords=(near,)), "badge é B-77")
    assert said == ["pattern of the config, LIKELY", 'hotword "badge"']
    said = explained(custom(WordDictionary(words=("quokka",))), "the Quokka went")
    assert said == ["'Quokka' in a word list of the config, LIKELY"]


def _detector(name):
    return RulesDetector(parse_inspect_config({"info_types": [{"name": name}]}))


@pytest.mark.parametrize(
    ("name", "cue", "number"),
    cases(__file__, "test_neighbouring_numbers_do_not_change_a_number/name,cue,number"),
)
@pytest.mark.parametrize("before", ["", "2 ", "12 ", "A ", "12-"])
@pytest.mark.parametrize("after", ["", " 2", " 12 of", " 100 kr", " A", " - 3 of", ", 12"])
def test_neighbouring_numbers_do_not_change_a_number(name, cue, number, before, after):
    text = f"{cue} {before}{number}{after}"
    start = text.index(number)
    (found,) = _detector(name).find(TextColumn([text]))
    assert any(f.start <= start and start + len(number) <= f.end for f in found)


def test_two_numbers_and_a_count_are_separated():
    (found,) = _detector("DENMARK_CVR_NUMBER").find(TextColumn(["CVR 12 13 58 56 28 10 15 08 17 er"]))
    assert [(f.start, f.end) for f in found] == [(7, 18), (19, 30)]


def test_ranges_stay_within_their_cell():
    texts = ["NHS number 12 943 476", "5919 and"]
    assert _detector("UK_NATIONAL_HEALTH_SERVICE_NUMBER").find(TextColumn(texts, [0, 2])) == [[], []]


def test_time_grows_with_the_text():
    detector = _detector("CREDIT_CARD_NUMBER")
    assert grows_linearly(lambda n: detector.find(TextColumn(["card 4111 1111 1111 1112 " * n])), 100)


@pytest.mark.parametrize("iban", cases(__file__, "test_an_iban_may_be_followed_by_words/iban"))
@pytest.mark.parametrize("after", ["", " and", " is it", " ok", " 2", " a b c", ", or"])
def test_an_iban_may_be_followed_by_words(iban, after):
    detector = RulesDetector(parse_inspect_config({"info_types": [{"name": "IBAN_CODE"}]}))
    for said in (iban, iban.lower(), iban.replace(" ", "")):
        (found,) = detector.find(TextColumn([f"pay to {said}{after}"]))
        assert [(f.start, f.end) for f in found] == [(7, 7 + len(said))]


GOOD_AND_BAD = cases(__file__, "GOOD_AND_BAD")


@pytest.mark.parametrize("name", sorted(GOOD_AND_BAD))
def test_validator_accepts_and_refuses(name):
    good, *bad = GOOD_AND_BAD[name]
    assert VALIDATORS[name](good)
    assert not any(map(VALIDATORS[name], bad))


def test_every_validator_has_an_example_here_or_a_conformance_vector():
    vectors = Path(__file__).parents[3] / "golden" / "vectors"
    conforming = {v["check"] for f in vectors.glob("*.yaml") for v in yaml.safe_load(f.read_text("utf-8"))}
    assert set(VALIDATORS) == set(GOOD_AND_BAD) | conforming


@pytest.mark.parametrize(
    ("name", "text", "right"),
    [(name, *case) for name, several in cases(__file__, "RIGHT").items() for case in several],
)
def test_validators_of_words(name, text, right):
    assert VALIDATORS[name](text) is right
