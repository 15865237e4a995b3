from tacenda.transforms.replacing.surrogates.context import Taken


def test_originals_are_taken_whatever_their_case() -> None:
    taken = Taken(["Ann Lee", "STRASSE"], [])
    assert taken.is_original("ann lee")
    assert taken.is_original("Straße")
    assert not taken.take("ANN LEE")


def test_a_value_is_given_once() -> None:
    taken = Taken([], [])
    assert taken.take("Eva")
    assert not taken.take("eva")


def test_words_of_the_text_are_known() -> None:
    taken = Taken(["Ann"], ["Ask Karlsson-Berg for it"])
    assert taken.is_word("berg")
    assert taken.is_word("Anna Ann")
    assert not taken.is_word("Bergman")
