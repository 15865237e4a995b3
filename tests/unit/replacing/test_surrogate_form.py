from urllib.parse import quote

import pytest

from tacenda.transforms.replacing.transformations.reversible_cipher import Surrogates, annotated


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


@pytest.mark.parametrize("surrogate", ["abc", "a):b(c/+=", "åäö ⧝"])
def test_what_a_url_escapes_is_found_again(surrogate: str) -> None:
    written = quote(annotated("⧝CARD", surrogate), safe="")
    found = []

    def reverse(info_type: str, value: str) -> str:
        found.append((info_type, value))
        return "Ann & Bo"

    assert Surrogates(["⧝CARD", "CARD"]).sub(reverse, f"/?a={written}&b=c") == "/?a=Ann%20%26%20Bo&b=c"
    assert found == [("⧝CARD", surrogate)]


@pytest.mark.parametrize("text", ["CARD%2830%29%3Aabc", "CARD%283%29:abc"])
def test_what_is_cut_off_in_a_url_stays(text: str) -> None:
    assert Surrogates(["CARD"]).sub(lambda *_: "!", text) == text
