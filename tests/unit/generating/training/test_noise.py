"""Noise changes a text and keeps each span on its value."""

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece
from tacenda.transforms.generating.training.noise import Noise, noisy
from tacenda.transforms.generating.training.texts import turn

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
    for span in said["spans"]:
        value = said["text"][span["start"] : span["end"]]
        assert value == value.strip() != ""
    return said["text"], {span["label"]: said["text"][span["start"] : span["end"]] for span in said["spans"]}


def test_no_noise_changes_nothing():
    text, found = values(Noise())
    assert text == "".join(piece.text for piece in TEXT)
    assert found == {piece.label: piece.text for piece in TEXT if piece.label}


def test_small_letters_without_signs():
    text, found = values(Noise(lower=True, bare=True))
    assert (
        text
        == "hi im kavya ramaswamy from gothenburg call 072303 84 53 or kavyargmailcom i waited 15 minutes"
    )
    assert found["EMAIL_ADDRESS"] == "kavyargmailcom"
    assert found["PHONE_NUMBER"] == "072303 84 53"


def test_signs_at_ends_of_words_go_and_those_inside_stay():
    text, found = values(Noise(unpunctuated=True))
    assert text.startswith("Hi I'm Kavya Ramaswamy from Gothenburg call 072-303")
    assert found["EMAIL_ADDRESS"] == "kavya.r@gmail.com"


def test_numbers_and_addresses_read_out():
    text, found = values(Noise(read_out=1.0))
    assert not any(c.isdigit() for c in text)
    assert found["EMAIL_ADDRESS"] == "kavya dot r at gmail dot com"
    spoken = set(found["PHONE_NUMBER"].replace("-", " ").split())
    assert spoken <= {
        "zero",
        "oh",
        "two",
        "three",
        "four",
        "five",
        "seven",
        "eight",
        "double",
        "thirty",
        "fifty",
        "eighty",
    }
    assert "waited fifteen minutes" in text


def test_numbers_in_the_words_of_the_language():
    _, found = values(Noise(read_out=1.0), lang="sv")
    assert found["PHONE_NUMBER"].split()[:3] == ["noll", "sju", "två"]
    assert found["EMAIL_ADDRESS"] == "kavya punkt r snabel-a gmail punkt com"


def test_names_letter_by_letter():
    forms = {values(Noise(spelled=1.0), seed)[1]["PERSON_NAME"] for seed in range(40)}
    assert {"R-A-M-A-S-W-A-M-Y", "r a m a s w a m y"} & forms
    assert any("as in" in form for form in forms)
    assert all("gothenburg" in values(Noise(spelled=1.0), seed)[0].lower() for seed in range(5))


def test_joined_values_keep_their_spans():
    texts = [values(Noise(glued=1.0), seed) for seed in range(30)]
    assert all(found["LOCATION"] == "Gothenburg" for _, found in texts)
    assert any("call:072-303 84 53" in text for text, _ in texts)


def test_tokens_are_separated_by_spaces():
    text, found = values(Noise(tokenised=True))
    assert text.startswith("Hi , I 'm Kavya Ramaswamy from Gothenburg , call")
    assert found["EMAIL_ADDRESS"] == "kavya.r@gmail.com"


def test_headlines():
    text, _ = values(Noise(titled=True))
    assert "Waited 15 Minutes" in text


@pytest.mark.parametrize("field", ["typos", "misheard", "trailing", "tight"])
def test_other_noise_alters_and_is_pure(field):
    noise = Noise(**{field: 1.0})
    assert values(noise, 3) == values(noise, 3)
    assert values(noise, 3)[0] != values(Noise(), 3)[0]
    assert len(values(noise, 3)[1]) == 4


def test_dates_and_times_as_they_are_said():
    noise = Noise(read_out=1.0)
    said = {noisy([Piece("July 22nd, 2019", "DATE")], noise, Draw("d", i))[0].text for i in range(20)}
    assert said == {"July twenty second twenty nineteen"}
    assert noisy([Piece("10:30 pm", "TIME")], noise, Draw("t"))[0].text == "ten thirty pm"
    assert noisy([Piece("2021-03-04", "DATE")], noise, Draw("t"))[0].text == "2021-03-04"
