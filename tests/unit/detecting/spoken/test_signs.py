from tacenda.transforms.detecting.spoken.lexicon import lexicon
from tacenda.transforms.detecting.spoken.signs import signs
from tacenda.transforms.detecting.spoken.tokens import tokens


def values(text):
    words = lexicon("en")
    return [(sign.value, sign.said) for sign in signs(tokens(text), words).values()]


def test_signs_by_name_and_in_writing():
    assert values("jo at sign a dot b forward slash c") == [("@", True), (".", True), ("/", True)]
    assert values("jo.doe@ a-b") == [(".", False), ("@", False), ("-", False)]


def test_sentence_punctuation_is_not_a_symbol():
    assert values("Yes. No - never.") == []
