import pytest

from tacenda.transforms.linking.propagation.inflections import inflecting, stems

SOME = {
    "sv": {"och", "jag"},
    "fi": {"ja", "on"},
    "es": {"que", "con"},
    "de": {"und", "ich"},
    "en": {"the", "you"},
}


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("sv", "karlssons", "karlsson"),
        ("sv", "åsas", "asa"),
        ("fi", "virtasen", "virtanen"),
        ("fi", "mikolle", "mikko"),
        ("fi", "lahdessa", "lahti"),
        ("fi", "pekan", "pekka"),
        ("es", "garcías", "garcia"),
        ("es", "pedrito", "pedro"),
        ("de", "müllers", "muller"),
        ("en", "smiths", "smith"),
    ],
)
def test_stems(language: str, word: str, stem: str) -> None:
    assert stem in stems(word, inflecting(SOME[language]))


def test_other_languages_inflect_otherwise() -> None:
    assert "virtanen" not in stems("virtasen", inflecting(SOME["sv"]))
    assert stems("karlssons", ()) == []


def test_one_word_is_too_few_to_tell_a_language() -> None:
    assert inflecting({"och", "the"}) == ()
    assert inflecting(set()) == ()


@pytest.mark.parametrize("word", ["as", "s" * 100, ""])
def test_too_short_or_long_words_are_not_inflections(word: str) -> None:
    assert stems(word, inflecting(SOME["sv"])) == []
