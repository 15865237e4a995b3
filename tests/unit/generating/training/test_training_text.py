"""Conversations depend only on (seed, index), are complete, and have exact spans."""

import json
from collections import Counter

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import lists, names, organizations
from tacenda.transforms.generating.training.corpus import conversations
from tacenda.transforms.generating.training.finnish import inflected, noun
from tacenda.transforms.generating.training.slots import SLOTS, Setting

LABELS = {
    "PERSON_NAME",
    "LOCATION",
    "STREET_ADDRESS",
    "ORGANIZATION_NAME",
    "DATE",
    "TIME",
    "DATE_OF_BIRTH",
    "AGE",
    "USER_NAME",
    "PASSWORD",
    "GENERIC_ID",
    "PHONE_NUMBER",
    "EMAIL_ADDRESS",
    "US_SOCIAL_SECURITY_NUMBER",
    "CREDIT_CARD_NUMBER",
    "FINANCIAL_ACCOUNT_NUMBER",
    "ZIP_CODE",
    "MEDICAL_RECORD_NUMBER",
    "IBAN_CODE",
    "IP_ADDRESS",
    "URL",
    "US_DRIVERS_LICENSE_NUMBER",
    "VEHICLE_IDENTIFICATION_NUMBER",
    "MEDICAL_TERM",
    "PRODUCT",
    "NATIONALITY",
    "PROFESSION",
}


@pytest.fixture(scope="module")
def sample():
    return list(conversations(11, 0, 4000))


def test_spans_are_exact(sample):
    for one in sample:
        for turn in one["turns"]:
            end = 0
            for span in turn["spans"]:
                value = turn["text"][span["start"] : span["end"]]
                assert value
                assert value == value.strip()
                assert span["start"] >= end
                end = span["end"]


def test_every_label_occurs_and_no_other(sample):
    seen = Counter(span["label"] for one in sample for turn in one["turns"] for span in turn["spans"])
    assert set(seen) == LABELS
    assert min(seen.values()) >= 5


def test_no_slot_or_choice_is_left_unfilled(sample):
    for one in sample:
        for turn in one["turns"]:
            assert turn["text"]
            assert one["context"] == "code" or not set("{}‹›") & set(turn["text"])


def test_pure_in_seed_and_index(sample):
    assert list(conversations(11, 1500, 20)) == sample[1500:1520]
    assert next(conversations(12, 1500, 1))["turns"] != sample[1500]["turns"]


def test_shape_and_languages(sample):
    assert {one["gold"] for one in sample} == {"complete"}
    assert {one["source"] for one in sample} == {"synthetic"}
    share = Counter(one["lang"] for one in sample)
    assert 0.4 < share["en"] / len(sample) < 0.55
    assert share["es"] > share["sv"] > 0
    assert len({one["id"] for one in sample}) == len(sample)


def test_texts_differ(sample):
    texts = [turn["text"] for one in sample for turn in one["turns"] if len(turn["text"]) > 60]
    assert len(set(texts)) > 0.95 * len(texts)


def test_many_turns_hold_nothing(sample):
    turns = [turn for one in sample for turn in one["turns"]]
    assert 0.25 < sum(not turn["spans"] for turn in turns) / len(turns) < 0.6


def test_machine_text_names_nobody_and_parses():
    machine = [t for one in conversations(3, 0, 3000) if one["context"] == "code" for t in one["turns"]]
    assert len(machine) > 60
    assert not any(turn["spans"] for turn in machine)
    objects = [json.loads(turn["text"]) for turn in machine if turn["text"].startswith('{"')]
    assert any("parameters" in one for one in objects)
    assert any("arguments" in one for one in objects)


@pytest.mark.parametrize(
    ("name", "case", "form"),
    [
        ("Oulu", "inessive", "Oulussa"),
        ("Berlin", "elative", "Berlinistä"),
        ("Lahti", "illative", "Lahtiin"),
        ("Porvoo", "illative", "Porvooseen"),
        ("Korhonen", "genitive", "Korhosen"),
        ("Boston", "inessive", "Bostonissa"),
        ("Jyväskylä", "inessive", "Jyväskylässä"),
    ],
)
def test_cases(name, case, form):
    assert inflected(name, case) == form


@pytest.mark.parametrize(
    ("name", "case", "form"),
    [
        ("Kahvipuoti", "inessive", "Kahvipuodissa"),
        ("Ravintola Lyhty", "genitive", "Ravintola Lyhdyn"),
        ("Kahvileipä", "inessive", "Kahvileivässä"),
        ("Helsinki", "genitive", "Helsingin"),
        ("Tähti", "adessive", "Tähdellä"),
        ("Leipomo Omena", "ablative", "Leipomo Omenalta"),
    ],
)
def test_ordinary_nouns(name, case, form):
    assert noun(name, case) == form


def people(lang, count=6000):
    return [names.Person(Draw("people", lang, i), lang) for i in range(count)]


def test_origins_are_balanced():
    seen = Counter(person.origin for person in people("en") if person.origin)
    assert len(names.origins()) >= 45
    assert set(seen) == set(names.origins())
    assert max(seen.values()) < 3 * min(seen.values())


def test_names_often_come_from_the_country_of_the_language():
    seen = Counter(person.origin for person in people("fi", 2000))
    assert 0.2 < seen["finnish"] / 2000 < 0.6
    assert len(seen) > 40


def test_every_origin_has_enough_names():
    for name in names.origins():
        origin = names.origin(name)
        assert len(set(origin.given)) >= 15
        assert len(set(origin.family)) >= 15


def test_forms_of_a_name():
    draw = Draw("forms")
    person = names.Person(draw, "en")
    forms = {person.full(draw) for _ in range(400)}
    assert f"{person.given} {person.family}" in forms
    assert f"{person.family}, {person.given}" in forms
    assert f"{person.given[0]}. {person.family}" in forms
    assert len(forms) > 20


_LANGUAGES = ("en", "es", "sv", "nb", "da", "fi")


def _names(kind, lang, count=400):
    return [organizations.organization(Draw("names", 1, i), kind, lang) for i in range(count)]


@pytest.mark.parametrize("lang", [*_LANGUAGES, "de"])
def test_every_pattern_finds_its_words(lang):
    for kind in organizations.kinds():
        for name in _names(kind, lang):
            assert name == name.strip()
            assert "{" not in name


@pytest.mark.parametrize("lang", _LANGUAGES)
def test_businesses_are_many_and_begin_with_a_capital(lang):
    names = _names("business", lang)

    assert len(set(names)) > 300
    assert all(name[0].isupper() or not name[0].isalpha() for name in names)


def test_a_local_name_is_made_of_words_of_its_language():
    adjectives = {word.capitalize() for word in lists.listed("words.yaml", "fi", "adjective")}
    nouns = {word.capitalize() for word in lists.listed("words.yaml", "fi", "thing")}

    seen = [name.split() for name in _names("business", "fi")]

    assert any(len(words) == 2 and words[0] in adjectives and words[1] in nouns for words in seen)


@pytest.mark.parametrize("gender", ["m", "f"])
def test_spanish_adjectives_agree(gender):
    article, other = ("El", "adjective_f") if gender == "m" else ("La", "adjective_m")
    nouns = {word.capitalize() for word in lists.listed("words.yaml", "es", f"thing_{gender}")}
    own = set(lists.listed("words.yaml", "es", f"adjective_{gender}"))
    wrong = set(lists.listed("words.yaml", "es", other)) - own

    for name in _names("business", "es", 2000):
        words = name.split()
        if len(words) == 3 and words[0] == article and words[1] in nouns:
            assert words[2].lower() not in wrong


def test_no_letter_is_tripled():
    assert not [name for name in _names("business", "sv", 3000) if "sss" in name.lower()]


def rendered(template, seed=1, lang="en"):
    return [(piece.text, piece.label) for piece in Setting(Draw("test", seed), lang).filled(template)]


def templates(node):
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from templates(value)
    elif isinstance(node, list):
        for value in node:
            yield from templates(value)


def test_a_slot_gives_its_owner_the_same_value_again():
    first, _, second, _, other = rendered("{x.city} {x.city} {city}")
    assert first == second != other
    person = rendered("{a.first} {a.last} {a.last}")
    assert person[2] == person[4]


def test_articles_are_not_part_of_a_finding():
    found = {rendered("{country}", seed) and tuple(rendered("{country}", seed)) for seed in range(300)}
    assert (("the ", ""), ("United States", "LOCATION")) in found
    assert not any(piece.startswith("the ") and label for pieces in found for piece, label in pieces)


@pytest.mark.parametrize("template", ["{nobody}", "{a.person:spelled}", "{+pool}"])
def test_an_unknown_slot_is_an_error(template):
    with pytest.raises(ValueError, match="unknown gap"):
        rendered(template)


@pytest.mark.parametrize("name", lists.template_files())
def test_every_template_can_be_filled_in(name):
    lang = name.split("/")[1]
    document = lists.document(name)
    skipped = ("joints", "turns", "context", "noise", "machine", "forms")
    for template in templates({key: pool for key, pool in document.items() if key not in skipped}):
        for seed in range(3):
            text = "".join(piece for piece, _ in rendered(template, seed, lang))
            assert not set("{}") & set(text), template


def test_there_are_many_templates():
    assert sum(len(list(templates(dict(lists.document(name))))) for name in lists.template_files()) > 2000


def test_every_slot_is_used():
    used = set()
    for name in lists.template_files():
        for template in templates(dict(lists.document(name))):
            used |= {part.split("}")[0].split(".")[-1] for part in template.split("{")[1:]}
    assert set(SLOTS) - used <= {"um"}
