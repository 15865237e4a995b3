import pytest

from tacenda.transforms.detecting.candidates import Candidates
from tacenda.transforms.detecting.rules.catalogue import Boundary, Pattern
from tacenda.transforms.detecting.rules.pattern_matching import pattern_candidates
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.utf8 import Utf8Column


def _found(texts: list[str], pattern: Pattern) -> list[tuple[int, str, int]]:
    column = Utf8Column(texts, [0, len(texts)])
    found: Candidates = pattern_candidates(column, column.everything, pattern)
    columns = (found.cells, found.starts, found.ends, found.likelihoods)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(cell, texts[cell][start:end], likelihood) for cell, start, end, likelihood in rows]


@pytest.mark.parametrize(
    ("boundary", "kept"),
    [
        ("word", ["12", "45", "55", "67", "89"]),
        ("digit", ["12", "34", "45", "55", "67", "89", "77"]),
        ("none", ["12", "34", "45", "55", "67", "89", "77"]),
    ],
)
def test_characters_allowed_next_to_a_match(boundary: Boundary, kept: list[str]) -> None:
    texts = ["12", "é34", "45 é", "55日", "é-67", "😀89", "_77"]
    pattern = Pattern(r"\d\d", Likelihood.LIKELY, boundary=boundary)
    assert [text for _, text, _ in _found(texts, pattern)] == kept


@pytest.mark.parametrize("text", ["是12谢", "은12입", "ל12", "رقم12", "เบอร์12ครับ"])
def test_letters_of_scripts_without_capitals_do_not_touch_a_number(text: str) -> None:
    assert [found for _, found, _ in _found([text], Pattern(r"\d\d", Likelihood.LIKELY))] == ["12"]


@pytest.mark.parametrize("text", ["ж12", "12ª", "λ12", "是ab"])
def test_other_letters_do(text: str) -> None:
    pattern = Pattern(r"\d\d|是[a-z]", Likelihood.LIKELY)
    assert _found([text], pattern) == []


@pytest.mark.parametrize("neighbour", ["3", "٣", "𝟗", "３"])
def test_digits_of_any_script_are_adjacent_digits(neighbour: str) -> None:
    pattern = Pattern(r"x1", Likelihood.LIKELY, boundary="digit")
    assert _found([f"x1{neighbour}", f"{neighbour}x1", "x1"], pattern) == [(2, "x1", 4)]


def test_matches_that_fail_validation_are_dropped_or_less_likely() -> None:
    texts = ["4111 1111 1111 1111", "4111 1111 1111 1112", "4111 1111 1111 1111"]
    pattern = Pattern(r"\d{4}(?: \d{4}){3}", Likelihood.LIKELY, validators=("luhn",))
    assert [cell for cell, _, _ in _found(texts, pattern)] == [0, 2]
    lenient = Pattern(pattern.regex, Likelihood.LIKELY, validators=("luhn",), invalid=Likelihood.UNLIKELY)
    assert [likelihood for _, _, likelihood in _found(texts, lenient)] == [4, 2, 4]


def test_trimming_counts_code_points() -> None:
    pattern = Pattern(r"(?i)é name is (.+)", Likelihood.LIKELY, group=1, boundary="none", trim="person_name")
    assert _found(["é name is Zoë Ünal and so on"], pattern) == [(0, "Zoë Ünal", 4)]
