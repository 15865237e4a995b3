import pytest

from tacenda.transforms.linking.propagation.guards import Place, Vocabulary, facts, is_mention

ENGLISH = frozenset(["the", "and", "you", "what", "have", "with", "for", "will", "this", "is"])


def judged(text: str, word: str, *, sure: bool = True) -> bool:
    start = text.index(word)
    place = Place(text, start, start + len(word))
    return is_mention(place, word.lower(), Vocabulary(ENGLISH), sure=sure)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("I asked Will.", "Will"),
        ("Will is here.", "Will"),
        ("Hi Will", "Will"),
        ("this is will", "will"),
        ("ask dr. will", "will"),
        ("Jamal it is", "Jamal"),
        ("thanks jamal", "jamal"),
        ("JAMAL", "JAMAL"),
    ],
)
def test_mentions(text: str, word: str) -> None:
    assert judged(text, word)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Will you?", "Will"),
        ("I will.", "will"),
        ("What Will It Take This Year", "Will"),
        ("this is will you know", "will"),
        ("WILL THEY COME", "WILL"),
        ("so mark it", "mark"),
    ],
)
def test_words(text: str, word: str) -> None:
    assert not judged(text, word)


def test_uncertain_forms_need_a_capital_in_cased_text() -> None:
    assert judged("I asked Jamaal.", "Jamaal", sure=False)
    assert judged("i asked jamaal", "jamaal", sure=False)
    assert not judged("I asked jamaal.", "jamaal", sure=False)


def test_a_cell_ends_where_the_next_begins() -> None:
    text = "thanks\0will do"
    assert not is_mention(Place(text, 7, 11), "will", Vocabulary(ENGLISH), sure=True)
    assert Place(text, 7, 11).opens_sentence


def test_words_that_are_also_names() -> None:
    vocabulary = Vocabulary(ENGLISH)
    assert vocabulary.may_be_name("will")
    assert vocabulary.may_be_name("jamal")
    assert not vocabulary.may_be_name("hello")
    assert vocabulary.level("mark") > vocabulary.listed_level("mark")


def test_words_of_other_languages_are_not_ordinary_words() -> None:
    spanish = Vocabulary(frozenset(["que", "los", "una", "con", "para", "está", "como", "muy"]))
    assert spanish.level("will") == 3  # a word that is also a name in any language
    assert spanish.level("what") == 0 < Vocabulary(ENGLISH).level("what")
    assert max(facts("jamal").given, facts("jamal").family) > 0
