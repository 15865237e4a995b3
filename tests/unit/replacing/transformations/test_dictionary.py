import pytest

from tacenda.transforms.replacing.transformations.transformation import Choices, DictionaryWords, Mention

WORDS = DictionaryWords(("Kim", "Lou", "Max", "Noa"))


def test_the_entities_of_a_conversation_have_words_of_their_own() -> None:
    choices = Choices("c1", ["Ann"], ["Ann said"])
    chosen = [WORDS.build()(Mention("Ann", "c1", number, choices)) for number in range(1, 5)]
    assert {*chosen} == {*WORDS.words}


@pytest.mark.parametrize("choices", [None, Choices("c1", ["Kim", "Lou", "Max", "Noa"], [])])
def test_without_a_word_left_a_token_is_asked_for(choices: Choices | None) -> None:
    assert WORDS.build()(Mention("Ann", "c1", 1, choices)) is None
