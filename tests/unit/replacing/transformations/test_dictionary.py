from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.dictionary import DictionaryWords
from tacenda.transforms.schema.errors import RecordError

WORDS = DictionaryWords(("Kim", "Lou", "Max", "Noa"))


def test_the_entities_of_a_conversation_have_words_of_their_own(said: Any) -> None:
    chosen = [said(WORDS, "Ann", entity=number) for number in range(1, 5)]
    assert {*chosen} == {*WORDS.words}
    assert chosen == [said(WORDS, "Bo", entity=number) for number in range(1, 5)], "nothing of what was said"


def test_another_conversation_begins_elsewhere(said: Any) -> None:
    assert len({said(WORDS, "Ann", f"c{number}") for number in range(50)}) == 4


def test_a_word_never_replaces_itself(said: Any) -> None:
    assert all(said(WORDS, "KIM", f"c{number}") != "Kim" for number in range(50))
    with pytest.raises(RecordError, match="NoOtherWord"):
        said(DictionaryWords(("Kim",)), "kim")
