"""Training text: pure in (seed, index), complete, with exact spans under any noise."""

from collections import Counter
from hashlib import sha256

import orjson
import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.finnish import inflected
from tacenda.transforms.generating.templates import Piece
from tacenda.transforms.generating.training.corpus import conversations, template_files, turn
from tacenda.transforms.generating.training.grammar import DATA, SLOTS, Setting, noun, words
from tacenda.transforms.generating.training.noise import Noise, noisy
from tests.cases import tabled


@pytest.fixture(scope="module")
def sample():
    return list(conversations(11, 0, 4000))


def test_spans_are_exact_and_every_gap_filled(sample):
    for one in sample:
        for said in one["turns"]:
            end = 0
            assert said["text"]
            assert not set("{}‹›") & set(said["text"])
            for span in said["spans"]:
                value = said["text"][span["start"] : span["end"]]
                assert value == value.strip() != ""
                assert span["start"] >= end
                end = span["end"]


def test_every_label_occurs_and_no_other(sample):
    seen = Counter(span["label"] for one in sample for said in one["turns"] for span in said["spans"])
    assert set(seen) == set(filter(None, SLOTS.values()))
    assert min(seen.values()) >= 5


def test_pure_in_seed_and_index(sample):
    assert sha256(orjson.dumps(sample)).hexdigest()[:16] == "6b5b83f69e7229c0"
    assert list(conversations(11, 1500, 20)) == sample[1500:1520]
    assert next(conversations(12, 1500, 1))["turns"] != sample[1500]["turns"]


@tabled("inflect", "name", "case", "form")
def test_finnish_cases(inflect, name, case, form):
    assert {"inflected": inflected, "noun": noun}[inflect](name, case) == form


def test_forms_of_a_name():
    setting = Setting(Draw("forms"), "en")
    person = setting.person("a")
    forms = {setting.filled("{a.person}")[0].text for _ in range(400)}
    for form in ("{0.given} {0.family}", "{0.family}, {0.given}", "{0.given[0]}. {0.family}"):
        assert form.format(person) in forms
    assert len(forms) > 20


LANGUAGES = ("en", "es", "sv", "nb", "da", "fi", "de", "pl")


def said(slot, lang, count):
    settings = (Setting(Draw("names", slot, i), lang) for i in range(count))
    return ["".join(piece.text for piece in setting.filled(f"{{{slot}}}")) for setting in settings]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_slot_finds_its_words(lang):
    for slot in SLOTS:
        texts = said(slot, lang, 60)
        assert all(text == text.strip() != "" for text in texts), slot
        assert not any(set("{}") & set(text) for text in texts), slot


@pytest.mark.parametrize(("gender", "article", "other"), [("m", "El", "f"), ("f", "La", "m")])
def test_spanish_adjectives_agree(gender, article, other):
    nouns = {word.capitalize() for word in words("es", f"thing_{gender}")}
    wrong = {*words("es", f"adjective_{other}")} - {*words("es", f"adjective_{gender}")}
    for name in map(str.split, said("business", "es", 2000)):
        if len(name) == 3 and name[0] == article and name[1] in nouns:
            assert name[2].lower() not in wrong


def rendered(template, seed=1, lang="en"):
    return [(piece.text, piece.label) for piece in Setting(Draw("test", seed), lang).filled(template)]


def templates(node):
    if isinstance(node, str):
        yield node
    elif isinstance(node, (dict, list)):
        for value in node.values() if isinstance(node, dict) else node:
            yield from templates(value)


def test_a_slot_gives_its_owner_the_same_value_again():
    first, _, second, _, other = rendered("{x.city} {x.city} {city}")
    assert first == second != other
    person = rendered("{a.first} {a.last} {a.last}")
    assert person[2] == person[4]


def test_articles_are_not_part_of_a_finding():
    found = {tuple(rendered("{country}", seed)) for seed in range(300)}
    assert (("the ", ""), ("United States", "LOCATION")) in found
    assert not any(piece.startswith("the ") and label for pieces in found for piece, label in pieces)


@pytest.mark.parametrize("name", template_files())
def test_every_template_can_be_filled_in(name):
    skipped = ("joints", "turns", "context", "noise", "machine", "forms")
    for template in templates({key: pool for key, pool in DATA.document(name).items() if key not in skipped}):
        for seed in range(3):
            text = "".join(piece for piece, _ in rendered(template, seed, name.split("/")[1]))
            assert not set("{}") & set(text), template


def test_there_are_many_templates_and_every_slot_is_used():
    every = [template for name in template_files() for template in templates(dict(DATA.document(name)))]
    assert len(every) > 2000
    used = {part.split("}")[0].split(".")[-1] for template in every for part in template.split("{")[1:]}
    assert set(SLOTS) - used <= {"um"}


TEXT = [
    Piece("Hi, I'm "),
    Piece("Kavya Ramaswamy", "PERSON_NAME"),
    Piece(" from "),
    Piece("Gothenburg", "LOCATION"),
    Piece(", call "),
    Piece("072-303 84 53", "PHONE_NUMBER"),
    Piece(" or "),
    Piece("kavya.r@gmail.com", "EMAIL_ADDRESS"),
    Piece(". I waited 15 minutes."),
]


def values(noise, seed=1, lang="en"):
    said = turn("", noisy(TEXT, noise, Draw("test", seed), lang))
    found = {span["label"]: said["text"][span["start"] : span["end"]] for span in said["spans"]}
    assert all(value == value.strip() != "" for value in found.values())
    return said["text"], found


@tabled("noise", "begins", "email", "phone")
def test_noise_of_signs_and_case(noise, begins, email, phone):
    text, found = values(Noise(**noise))
    assert text.startswith(begins)
    assert (found["EMAIL_ADDRESS"], found["PHONE_NUMBER"]) == (email, phone)
    assert noise or text == "".join(piece.text for piece in TEXT)


def test_numbers_and_addresses_read_out():
    text, found = values(Noise(read_out=1.0))
    assert not any(c.isdigit() for c in text)
    assert found["EMAIL_ADDRESS"] == "kavya dot r at gmail dot com"
    spoken = "zero oh two three four five seven eight double thirty fifty eighty"
    assert all(word in spoken for word in found["PHONE_NUMBER"].replace("-", " ").split())
    assert "waited fifteen minutes" in text
    _, found = values(Noise(read_out=1.0), lang="sv")
    assert found["PHONE_NUMBER"].split()[:3] == ["noll", "sju", "två"]
    assert found["EMAIL_ADDRESS"] == "kavya punkt r snabel-a gmail punkt com"


@tabled("value", "label", "spoken")
def test_dates_and_times_as_they_are_said(value, label, spoken):
    said = {noisy([Piece(value, label)], Noise(read_out=1.0), Draw("d", i))[0].text for i in range(20)}
    assert spoken in said


@pytest.mark.parametrize("field", ["typos", "misheard"])
def test_other_noise_alters_and_is_pure(field):
    noise = Noise(**{field: 1.0})
    assert values(noise, 3) == values(noise, 3)
    assert values(noise, 3)[0] != values(Noise(), 3)[0]
    assert len(values(noise, 3)[1]) == 4
