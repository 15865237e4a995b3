import pytest

from tacenda.transforms.replacing.surrogate_form import Surrogates, annotated


@pytest.mark.parametrize("surrogate", ["abc", "a):b(c", "ANOTHER(2):xy", "0"])
def test_what_is_annotated_is_found_again(surrogate: str) -> None:
    text = f"it is {annotated('⧝CARD', surrogate)}, you said"
    found = []

    def reverse(info_type: str, value: str) -> str:
        found.append((info_type, value))
        return "4111"

    assert Surrogates(["⧝CARD", "CARD"]).sub(reverse, text) == "it is 4111, you said"
    assert found == [("⧝CARD", surrogate)]


@pytest.mark.parametrize("text", ["CARD(30):abc", "CARD(0):", "CARD(x):abc", "CARDS(3):abc", "(3):abc"])
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert Surrogates(["CARD"]).sub(lambda *_: "!", text) == text


def test_a_bare_surrogate_has_no_mark() -> None:
    assert annotated(None, "abc") == "abc"
