import unicodedata

import numpy as np
import pytest

from tacenda.transforms.detecting.dictionaries.folding import (
    DIGIT,
    GAP,
    LETTER,
    Folding,
    FoldTable,
    fold_table,
)
from tacenda.transforms.schema.errors import RecordError


def _folded(text: str, folding: Folding) -> str:
    codes = np.array([ord(c) for c in text])
    table = fold_table(folding)
    table.kinds(codes)
    return "".join(map(chr, table.fold(codes)[0].tolist()))


@pytest.mark.parametrize("folding", Folding)
def test_case_and_composition_are_ignored(folding: Folding) -> None:
    cased = [*range(0x3000), *range(0xA640, 0xAC00), *range(0xFB00, 0xFFFF), *range(0x10400, 0x10600)]
    for character in map(chr, cased):
        # Of the few letters without a simple lower case, İ has a dot of its own.
        if character.isalpha() and character != "İ":
            folded = _folded(character, folding)
            assert folded == _folded(unicodedata.normalize("NFD", character), folding)
            lower = character.lower()
            assert folded == _folded(lower, folding) or len(lower) > 1 or not lower.isalpha()


def test_accents_are_a_difference_only_where_they_have_to_be() -> None:
    assert _folded("ÀéñøŁßй", Folding.LOOSE) == "aenolssи"
    assert _folded("ÀéñøŁßй", Folding.STRICT) == unicodedata.normalize("NFD", "àéñøłssй")


def test_characters_are_letters_digits_or_gaps() -> None:
    codes = np.array([ord(c) for c in "a٣½_ʼ'\u200b"])
    assert fold_table(Folding.LOOSE).kinds(codes).tolist() == [LETTER, DIGIT, DIGIT, GAP, GAP, GAP, GAP]


def test_an_unclassified_character_is_an_error() -> None:
    table = FoldTable(Folding.LOOSE)
    codes = np.array([ord(c) for c in "Łukasz"])
    with pytest.raises(RecordError, match="CharacterNotFolded"):
        table.fold(codes)
    table.kinds(codes)
    assert "".join(map(chr, table.fold(codes)[0].tolist())) == "lukasz"
