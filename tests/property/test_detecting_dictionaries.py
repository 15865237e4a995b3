"""Dictionary tables find the same as a literal implementation of their rules, in any mixture of spellings."""

import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.dictionaries.compiling import compile_terms
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.matching import FoldedCells
from tacenda.transforms.text.column import TextColumn

APOSTROPHES = "'’ʼ"
LETTERS = {"ø": "o", "Ø": "o", "æ": "ae"}

PIECES = st.sampled_from(
    [
        *("n", "N", "ñ", "n't", "T"),
        *("a", "A", "b", "é", "É", "e", "e\u0301", "ß", "ss", "SS", "ø", "Ø", "o", "æ", "ae", "t", "ŝ"),
        *("\u0301", "\u0323", "1", "2", "١", "'", "’", "ʼ", " ", "  ", "-", ".", "_", "😀", "\n", "\u00ad"),
        *("王", "伟", "が", "か\u3099", "か", "กุ", "ก", "и", "й", "и\u0306", "ﬁ", "fi", "İ", "i", "\ud800"),
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)
TERMS = st.lists(st.lists(PIECES, min_size=1, max_size=5).map("".join), max_size=8)


def _fold(word: str, folding: Folding) -> str:
    word = "".join(LETTERS.get(c, c) for c in word) if folding is Folding.LOOSE else word
    word = unicodedata.normalize("NFKD", word.casefold().replace("i\u0307", "i")).replace("\u00ad", "")
    if folding is Folding.STRICT:
        return word
    return "".join(c for c in word if unicodedata.combining(c) < 200)


def _words(text: str) -> list[tuple[int, int, str]]:
    """Start, end and separator before each word: a space, or nothing between a letter and a digit."""
    words: list[tuple[int, int, str]] = []
    last = ""
    for i, c in enumerate(text):
        if _is_mark(c) or c == "\u00ad":
            kind = last
        elif c in APOSTROPHES or not c.isalnum():
            kind = ""
        elif not c.isalpha():
            kind = "digit"
        else:
            kind = f"alone {i}" if c > "\u0e00" and c != "ﬁ" else "letter"
        if kind and kind == last:
            words[-1] = (words[-1][0], i + 1, words[-1][2])
        elif kind:
            touches = last and not last.startswith("alone") and not kind.startswith("alone")
            words.append((i, i + 1, "" if touches else " "))
        last = kind
    return words


def _phrase(text: str, words: list[tuple[int, int, str]], folding: Folding) -> tuple[str, ...]:
    return tuple(
        (between if i else " ") + _fold(text[start:end], folding)
        for i, (start, end, between) in enumerate(words)
    )


def _variants(term: str, folding: Folding) -> list[str]:
    if folding is Folding.STRICT:
        return [term]
    joined = [
        c
        for i, c in enumerate(term)
        if not (c in APOSTROPHES and term[i - 1 : i].isalpha() and term[i + 1 : i + 2].isalpha())
    ]
    return [term, "".join(joined)]


def _negated(text: str, word: tuple[int, int, str], folding: Folding) -> bool:
    """Whether n't ends here, as in "don't"."""
    start, end, _ = word
    after = text[end : end + 3]
    goes_on = any((c.isalnum() and c not in APOSTROPHES) or c == "\u00ad" or _is_mark(c) for c in after[2:])
    return (
        _fold(text[start:end], folding).endswith("n")
        and after[:1] in set(APOSTROPHES)
        and after[1:2] in set("tT")
        and not goes_on
    )


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _naive(terms: list[str], text: str, folding: Folding) -> list[tuple[int, int]]:
    known = {_phrase(v, _words(v), folding) for term in terms for v in _variants(term, folding)} - {()}
    words = _words(text)
    found = []
    for i in range(len(words)):
        for j in range(len(words), i, -1):
            if _phrase(text, words[i:j], folding) in known and not _negated(text, words[j - 1], folding):
                found.append((words[i][0], words[j - 1][1]))
                break
    return found


@settings(deadline=None, max_examples=400)
@given(TERMS, st.lists(TEXTS, max_size=3), st.sampled_from(Folding))
@example(["a'b", "a b c"], ["ab a’b a-b-c aʼb"], Folding.LOOSE)
@example(["a", "a t"], ["a't a’t a t"], Folding.LOOSE)
@example(["n", "a n", "a"], ["n't a n't n'ta N’T n't\u0301 a't"], Folding.LOOSE)
@example(["e", "a1"], ["é1 a1 a 1 \u0301e"], Folding.STRICT)
def test_matches_equal_those_of_a_plain_search(terms: list[str], texts: list[str], folding: Folding) -> None:
    # Terms within the texts, so that something is found.
    terms = [*terms, *(text[len(text) // 3 : len(text) // 2] for text in texts)]
    table = compile_terms([terms[:3], [], terms[3:]], folding)
    places = FoldedCells(TextColumn(texts), folding).find(table)
    assert list(zip(*(place.tolist() for place in places), strict=True)) == [
        (cell, start, end) for cell, text in enumerate(texts) for start, end in _naive(terms, text, folding)
    ]
