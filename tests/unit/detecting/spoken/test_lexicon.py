import pytest

from tacenda.transforms.detecting.spoken.lexicon import JOINERS, LANGUAGES, Part, lexicon
from tacenda.transforms.schema.errors import UserError


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_can_count_to_nine_and_name_its_signs(language):
    words = lexicon(language)
    assert {said.value for said in words.numbers.values() if said.part is Part.UNIT} == set("0123456789")
    assert {".", "@", "/", "_", "-"} <= set(words.signs.values()) | {
        sign for phrases in words.long_signs.values() for _, sign in phrases
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_lower_case_and_values_decimal(language):
    words = lexicon(language)
    for word, (part, value) in words.numbers.items():
        assert word == word.lower()
        assert value.isdecimal() or part in JOINERS
    assert words.weak <= set(words.numbers)


@pytest.mark.parametrize(
    ("code", "language"), [("en-GB", "en"), ("sv_SE", "sv"), ("nb", "no"), ("nn-NO", "no")]
)
def test_regions_make_no_difference(code, language):
    assert lexicon(code).language == language


def test_an_unknown_language_is_the_users_mistake():
    with pytest.raises(UserError, match=r"language .xx.: no spoken words known; use some of en, es, .*, da"):
        lexicon("xx")
