import pytest

from tacenda.transforms.detecting.patterns import filtering, pattern_set
from tacenda.transforms.detecting.patterns.filtering import Filter, Matching
from tacenda.transforms.text.utf8 import Utf8Column, class_mask

DIGIT = class_mask(["digit"])
PASSPORT = r"(?i)\bpassport\b"


def _of(needs: dict[str, int], *texts: str) -> Matching:
    return Filter(needs).of(Utf8Column(texts, [0, len(texts)]))


def test_in_little_text_patterns_whose_strings_are_missing_are_skipped() -> None:
    matching = _of({PASSPORT: 0, r"\d+": 0}, "my id is 7")
    assert {pattern: cells.tolist() for pattern, cells in matching.items()} == {PASSPORT: []}
    assert PASSPORT not in _of({PASSPORT: 0}, "Passport 7")


@pytest.mark.parametrize("text", ["pa\u017fsport", "\u212aey"])
def test_letters_that_fold_to_ascii_are_considered(text: str) -> None:
    assert _of({"(?i)passport|key": 0}, text)["(?i)passport|key"].tolist() == [0]


def test_much_text_is_searched_with_sets() -> None:
    much = Filter({PASSPORT: 0, r"\d+": DIGIT, r"\d\d": DIGIT})
    for texts in (["a passport", "7", "x" * filtering.LITTLE_BYTES], ["passport", "7 passports", "éé"]):
        matching = much.of(Utf8Column(texts, [0, len(texts)]))
        assert [matching[pattern].tolist() for pattern in (PASSPORT, r"\d+", r"\d\d")] == [[0], [1], []]


def test_cells_without_the_characters_a_pattern_needs_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtering, "LITTLE_BYTES", 0)
    monkeypatch.setattr(filtering, "PatternSet", None)
    assert _of({r"x+\d": DIGIT}, "xx", "")[r"x+\d"].tolist() == []


def test_patterns_that_are_too_much_for_a_set_are_left_to_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtering, "LITTLE_BYTES", 0)
    large = r"(?i)(?:\pL{2,40}[ ]){20,40}x"
    assert len(large) * pattern_set.AT_ONCE < 4096
    assert list(_of({large: 0, r"\d+": DIGIT}, "x 7")) == [r"\d+"]
