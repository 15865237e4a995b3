"""Dictionaries, infoTypes alone and together, sets of patterns: each finds what a plain search finds."""

import unicodedata
from functools import cache, lru_cache
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.dictionaries.folding import FoldedWords, Folding
from tacenda.transforms.detecting.dictionaries.loading import compile_terms
from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.patterns import pattern_set as filtering
from tacenda.transforms.detecting.patterns.scanning import compiled, scan
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import Utf8Column

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


def _fold(word, folding):
    word = "".join(LETTERS.get(c, c) for c in word) if folding is Folding.LOOSE else word
    word = unicodedata.normalize("NFKD", word.casefold().replace("i\u0307", "i")).replace("\u00ad", "")
    if folding is Folding.STRICT:
        return word
    return "".join(c for c in word if unicodedata.combining(c) < 200)


def _words(text):
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


def _phrase(text, words, folding):
    return tuple(
        (between if i else " ") + _fold(text[start:end], folding)
        for i, (start, end, between) in enumerate(words)
    )


def _variants(term, folding):
    if folding is Folding.STRICT:
        return [term]
    joined = [
        c
        for i, c in enumerate(term)
        if not (c in APOSTROPHES and term[i - 1 : i].isalpha() and term[i + 1 : i + 2].isalpha())
    ]
    return [term, "".join(joined)]


def _negated(text, word, folding):
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


def _is_mark(character):
    return unicodedata.category(character)[0] == "M"


def _naive(terms, text, folding):
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
def test_matches_equal_those_of_a_plain_search(terms, texts, folding):
    # Terms within the texts, so that something is found.
    terms = [*terms, *(text[len(text) // 3 : len(text) // 2] for text in texts)]
    table = compile_terms([terms[:3], [], terms[3:]], folding)
    places = FoldedWords(TextColumn(texts), folding).find(table)[:3]
    assert list(zip(*(place.tolist() for place in places), strict=True)) == [
        (cell, start, end) for cell, text in enumerate(texts) for start, end in _naive(terms, text, folding)
    ]


RANK = {"A": 90, "B": 50, "NUMERIC": 1}

FINDINGS = st.lists(
    st.builds(
        lambda start, length, name, likelihood, detector: Finding(
            start, start + length, name, likelihood, detector
        ),
        st.integers(0, 30),
        st.integers(0, 10),
        st.sampled_from(["A", "B", "NUMERIC", "OTHER"]),
        st.sampled_from(list(Likelihood)),
        st.sampled_from(["rules", "model"]),
    ),
    max_size=12,
)


def _covered(findings):
    return {i for f in findings for i in range(f.start, f.end)}


@given(FINDINGS, st.randoms())
def test_merged_findings_are_disjoint_and_cover_the_same_in_any_order(findings, random):
    merged = merge_overlapping(findings, RANK)
    assert _covered(merged) == _covered(findings)
    assert all(a.end <= b.start for a, b in pairwise(merged))
    shuffled = random.sample(findings, len(findings))
    assert merge_overlapping(shuffled, RANK) == merged
    for whole in merged:
        parts = [f for f in findings if whole.start <= f.start < f.end <= whole.end]
        assert RANK.get(whole.info_type, 50) == max(RANK.get(f.info_type, 50) for f in parts)


EXAMPLES = [text for info_type in catalogue().values() for text, _ in info_type.find]

# Letters that fold to ASCII, digits of other scripts, marks, controls, half a surrogate pair.
HOSTILE = "Kſİß٣९１\u0301\u200b\ud800\x00 \n-–./()[]_+09azAZ"
ALL = tuple(catalogue())


@cache
def _detector(names=ALL, likelihood=Likelihood.VERY_UNLIKELY):
    return RulesDetector(InspectSettings(names), likelihood)


@st.composite
def spoiled(draw):
    """An example of some infoType with characters removed, inserted or changed."""
    text = draw(st.sampled_from(EXAMPLES))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, max(len(text) - 1, 0)))
        width = draw(st.integers(0, 3))
        text = text[:place] + draw(st.text(HOSTILE, max_size=2)) + text[place + width :]
    return text


SPOILED = st.lists(spoiled(), min_size=1, max_size=5)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(sorted(catalogue())), SPOILED)
def test_an_info_type_finds_the_same_alone_and_among_all(name, texts):
    alone = _detector((name,)).find(TextColumn(texts))
    among = _detector().find(TextColumn(texts))
    assert alone == [[f for f in findings if f.info_type == name] for findings in among]


@settings(deadline=None, max_examples=60)
@given(SPOILED)
def test_conversations_do_not_touch_each_other(texts):
    together = _detector().find(TextColumn(texts))
    assert together == [_detector().find(TextColumn([text]))[0] for text in texts]


EXAMPLES_OF_PATTERN_SETS = sorted(
    {text for info_type in catalogue().values() for text, _ in info_type.find}
    | {text for info_type in catalogue().values() for text in info_type.ignore}
)

JUNK_OF_PATTERN_SETS = "0123456789-+.@:/()[]_ \n\u017f\u212aéß１٣😀"
SCRIPTS = "aZñåøΑωЖяאבبعहिखअก日本語한국Ⅷ"

"""Letters of Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai, Han and Hangul."""

PIECES_OF_PATTERN_SETS = st.one_of(
    st.sampled_from(EXAMPLES_OF_PATTERN_SETS),
    st.sampled_from(EXAMPLES_OF_PATTERN_SETS).flatmap(
        lambda text: st.integers(0, len(text)).map(lambda n: text[:n])
    ),
    st.text(st.one_of(st.characters(), st.sampled_from(JUNK_OF_PATTERN_SETS)), max_size=20),
    st.text(st.sampled_from(SCRIPTS + JUNK_OF_PATTERN_SETS), max_size=40),
)

CELLS = st.lists(st.lists(PIECES_OF_PATTERN_SETS, max_size=4).map(" ".join), min_size=1, max_size=6)

PATTERNS = sorted(
    {p.regex for t in catalogue().values() for p in t.patterns}
    | {h.regex for t in catalogue().values() for h in t.hotwords}
)


@lru_cache(maxsize=2)
def _filter(patterns):
    return filtering.Filter(dict.fromkeys(patterns, 0))


def test_every_pattern_of_the_catalogue_has_a_set_with_room_for_it():
    sets = [
        filtering.PatternSet(some, filtering.MEGABYTES // 2) for some in _filter(tuple(PATTERNS))._sets[0]
    ]
    assert sum(len(one.patterns) for one in sets) == len(PATTERNS)


@pytest.mark.parametrize("patterns", [PATTERNS[::12], pytest.param(PATTERNS, marks=pytest.mark.slow)])
@settings(deadline=None, max_examples=60)
@given(texts=CELLS)
def test_a_set_matches_where_its_patterns_do(patterns, texts):
    column = Utf8Column(texts, [0, len(texts)])
    matching = _filter(tuple(patterns)).of(column)
    assert {*matching} == {*patterns}
    for pattern in patterns:
        matched = [i for i, text in enumerate(column.encoded) if compiled(pattern).search(text)]
        named = matching[pattern].tolist()
        assert {*matched} <= {*named}, pattern
        assert {*named} - {*matched} <= {*column.beyond_ascii.tolist()}, pattern


@pytest.mark.parametrize("likelihood", [None, Likelihood.VERY_UNLIKELY])
def test_examples_are_found_with_and_without_sets(likelihood, monkeypatch):
    found = []
    for of in (filtering.Filter.of, lambda *_: {}):
        monkeypatch.setattr(filtering.Filter, "of", of)
        found.append(_detector(likelihood=likelihood).find(TextColumn(EXAMPLES_OF_PATTERN_SETS)))
    assert found[0] == found[1]
    assert sum(map(len, found[0])) > len(catalogue())


@settings(deadline=None, max_examples=60)
@given(CELLS, st.sampled_from(PATTERNS))
def test_a_column_is_searched_as_its_cells_one_by_one(texts, pattern):
    column = Utf8Column(texts, [0, len(texts)])
    naive = [
        (cell, match.start(), match.end())
        for cell, text in enumerate(column.texts)
        for match in compiled(pattern).finditer(text)
        if match.start() < match.end()
    ]
    located = column.everything.locate(*scan(column.everything, pattern))
    assert list(zip(*(place.tolist() for place in located), strict=True)) == naive
