import unicodedata

import pytest
import re2

from tacenda.transforms.detecting.patterns import pattern_set
from tacenda.transforms.detecting.patterns.pattern_set import Filter, PatternSet, in_latin, widened
from tacenda.transforms.detecting.patterns.scanning import is_positional, scan
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.text.utf8 import Utf8Column, class_mask
from tests.cases import tabled

DIGIT = class_mask("digit")
PASSPORT = r"(?i)\bpassport\b"


def _of(needs, *texts):
    return Filter(needs).of(Utf8Column(texts, [0, len(texts)]))


def test_cells_are_those_of_sets():
    some = Filter({PASSPORT: 0, r"\d+": DIGIT, r"\d\d": DIGIT})
    for texts in (["a passport", "7", "x"], ["passport", "7 passports", "éé"]):
        matching = some.of(Utf8Column(texts, [0, len(texts)]))
        assert [matching[pattern].tolist() for pattern in (PASSPORT, r"\d+", r"\d\d")] == [[0], [1], []]


def test_cells_without_the_characters_a_pattern_needs_are_not_read(monkeypatch):
    monkeypatch.setattr(pattern_set, "_set", None)
    assert _of({r"x+\d": DIGIT}, "xx", "")[r"x+\d"].tolist() == []


@tabled("pattern", "wide")
def test_wide_form(pattern, wide):
    assert widened(pattern) == wide.replace("<>", r"\x{80}-\x{1FFF}\x{2070}-\x{10FFFF}")


@pytest.mark.parametrize("pattern", [r"\\pL", r"\Q[\E\pL", r"\PL[^\PL]", r"\pM\p{Greek}\p{^L}", "[a[^]L"])
def test_a_pattern_without_such_classes_is_its_own_wide_form(pattern):
    assert widened(pattern) == pattern


def test_a_wide_form_accepts_every_letter_and_digit():
    for name, kinds in (("L", "L"), ("N", "N"), ("{Lu}", "Lu"), ("{Ll}", "Ll"), ("{Nd}", "Nd")):
        wide, not_wide = (re2.compile(widened(form.format(name))) for form in (r"\p{}", r"[^\p{}]"))
        exact = re2.compile(rf"\p{name}")
        for code in (*range(0x3400), *range(0xA000, 0xD800), *range(0xF900, 0x11000)):
            character = chr(code)
            if exact.match(character):
                assert wide.match(character), (name, code)
            else:
                assert not_wide.match(character), (name, code)
            if code < 0x80:
                assert bool(wide.match(character)) == bool(exact.match(character)), (name, code)
            elif unicodedata.category(character).startswith(kinds):
                assert wide.match(character), (name, code)


@pytest.mark.parametrize("form", [r"\p{}", r"(?i)\p{}", r"[\p{}’]", r"[^\p{}“–”é]", r"(?i)[^\p{}]"])
def test_a_latin_form_matches_the_same_where_a_cell_is_latin(form):
    texts = [chr(code) for code in (*range(0x3400), *range(0xA000, 0xD800), *range(0xF900, 0x1FC00))]
    beyond = {*Utf8Column(texts, [0, len(texts)]).beyond_latin.tolist()}
    assert not beyond & {*range(0x180), ord("’"), ord("€"), ord("✓")}
    assert {ord("ʼ"), ord("π"), ord("ⁿ")} < beyond
    for name in ("L", "N", "{Lu}", "{Ll}", "{Nd}"):
        exact, latin = re2.compile(form.format(name)), re2.compile(in_latin(form.format(name)))
        for cell, text in enumerate(texts):
            assert cell in beyond or bool(latin.match(text)) == bool(exact.match(text)), (
                name,
                hex(ord(text)),
            )


@pytest.mark.slow
def test_matches_of_catalogue_patterns_are_those_of_their_forms():
    matched = 0
    for info_type in catalogue().values():
        texts = [text for text, _ in info_type.find] + list(info_type.ignore)
        for pattern in (*info_type.patterns, *info_type.hotwords):
            exact, wide, latin = map(re2.compile, (regex := pattern.regex, widened(regex), in_latin(regex)))
            needed = re2.compile(regex.partition("(?:)")[0])
            for text in texts:
                assert bool(needed.search(text)) == bool(exact.search(text)), (regex, text)
                spans, wider, same = ([m.span() for m in one.finditer(text)] for one in (exact, wide, latin))
                matched += len(spans)
                assert wider == spans if text.isascii() else wider or not spans, (pattern.regex, text)
                assert same == spans or Utf8Column([text], [0, 1]).beyond_latin.size, (pattern.regex, text)
    assert matched > 1000


def test_edges_are_those_of_each_cell():
    column = Utf8Column(["login x", "a login", "login"], [0, 3])
    patterns = [r"^login\b", r"login$", r"\Alogin\z"]
    found = PatternSet(patterns).cells(column, column.everything.cells)
    assert [found[pattern].tolist() for pattern in patterns] == [[0, 2], [1, 2], [2]]


def test_a_set_that_needs_more_memory_is_refused():
    with pytest.raises(re2.error):
        PatternSet([r"\pL{2,400}x", r"\p{Greek}{2,400}x"] * 2, megabytes=1)


def test_a_set_that_runs_out_of_memory_lets_every_pattern_through():
    some = PatternSet(["x", "y"])
    some._match = lambda row: [] if row == b"long" else [2]
    column = Utf8Column(["short", "long"], [0, 2])
    found = some.cells(column, column.everything.cells)
    assert [found[pattern].tolist() for pattern in ("x", "y")] == [[1], [1]]


def _scan(texts, pattern, groups=(0,)):
    buffer = Utf8Column(texts, [0, len(texts)]).everything
    located = buffer.locate(*scan(buffer, pattern, groups))
    return list(zip(*(place.tolist() for place in located), strict=True))


@pytest.mark.parametrize("pattern", [r"[^x]+", r".+", r"(?s).+", r"\D+", r"\W+|\w+", r"[^\pL]*[\s\S]+"])
def test_matches_stay_within_their_cell(pattern):
    assert _scan(["ab", "cd"], pattern) == [(0, 0, 2), (1, 0, 2)]


def test_groups_are_findings_of_their_own():
    assert _scan(["k=v"], r"(\w)=(\w)", (1, 2)) == [(0, 0, 1), (0, 2, 3)]


def test_empty_matches_and_absent_groups_are_ignored():
    assert _scan(["aab"], r"(x)?a*", (1,)) == []
    assert _scan(["bbb"], r"a*") == []


@pytest.mark.parametrize(
    ("patterns", "positional"),
    [
        (["^a", "a$", r"\Aa", r"a\z", "(^|b)a", r"[a\]]$", r"\Q[\E^a[b]"], True),
        (["[^a]", r"\$5", "[$^]", r"\^", r"[]^]", "[[:alpha:]$]", r"\ba\B"], False),
    ],
)
def test_patterns_that_refer_to_the_edges_of_a_text(patterns, positional):
    assert list(map(is_positional, patterns)) == [positional] * len(patterns)


def test_a_quotation_may_stay_open_and_hold_signs_of_classes():
    texts = ["id+ " * 1000, "id", "x]"]
    assert len(_scan(texts, r"\Qid+")) == 1000
    assert _scan(texts, r"\Q[\E|^x[]]") == [(2, 0, 2)]
