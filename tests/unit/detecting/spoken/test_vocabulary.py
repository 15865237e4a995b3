from tacenda.transforms.detecting.spoken.folded_column import FoldedColumn
from tacenda.transforms.detecting.spoken.lexicon import LANGUAGES, lexicon
from tacenda.transforms.detecting.spoken.vocabulary import (
    ALPHABET,
    JOINER,
    LETTER_ALONE,
    MISHEARD,
    MONTH,
    NATIVE,
    NUMBER,
    STRONG,
    WEAK,
    vocabulary,
)
from tacenda.transforms.text.column import TextColumn


def roles(text, language, languages=LANGUAGES):
    known = vocabulary(tuple(languages))
    return known.roles[languages.index(language)][known.numbers(FoldedColumn(TextColumn([text])))].tolist()


def test_words_have_the_roles_of_each_language():
    assert [bool(role & STRONG) for role in roles("Four oh for fire", "en")] == [True, False, False, False]
    assert [bool(role & WEAK) for role in roles("Four oh for fire", "en")] == [False, True, False, False]
    assert [bool(role & MISHEARD) for role in roles("Four oh for fire", "en")] == [False, False, True, False]
    assert [bool(role & NUMBER) for role in roles("Four oh for fire", "no")] == [False, False, False, True]


def test_every_number_word_is_known():
    for language in LANGUAGES:
        words = [word for word in lexicon(language).numbers if len(word) > 1]
        assert all(role & (NUMBER | JOINER) for role in roles(" ".join(words), language))


def test_long_words_are_distinguished_by_all_that_counts():
    ours, other = roles("kahdeskymmenesneljäs kahdeskymmenesneljxs", "fi")
    assert ours
    assert not roles("kahdeskymmen kahdeksantoista1", "fi")[0]
    assert not other or other == ours  # they differ beyond the letters that are compared


def test_single_letters_and_unknown_words():
    (letter, greek, word, mark) = roles("q ω qqq .", "en")
    assert letter == greek == LETTER_ALONE
    assert word == mark == 0


def test_words_of_the_first_language_do_not_indicate_another():
    (both, own) = roles("november noviembre", "es", ("en", "es"))
    assert own & NATIVE
    assert own & MONTH
    assert not both
    assert roles("bravo", "en")[0] & ALPHABET
