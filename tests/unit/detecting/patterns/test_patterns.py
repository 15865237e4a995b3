"""patterns"""

import pytest
import re2

from tacenda.transforms.detecting.patterns import filtering, pattern_set
from tacenda.transforms.detecting.patterns.filtering import Filter
from tacenda.transforms.detecting.patterns.needles import haystack, needles
from tacenda.transforms.detecting.patterns.pattern_set import PatternSet
from tacenda.transforms.detecting.patterns.scanning import compiled, is_positional, scan
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.text.utf8 import Utf8Column, class_mask

DIGIT = class_mask(["digit"])

PASSPORT = r"(?i)\bpassport\b"


def _of(needs, *texts):
    return Filter(needs).of(Utf8Column(texts, [0, len(texts)]))


def test_in_little_text_patterns_whose_strings_are_missing_are_skipped():
    matching = _of({PASSPORT: 0, r"\d+": 0}, "my id is 7")
    assert {pattern: cells.tolist() for pattern, cells in matching.items()} == {PASSPORT: []}
    assert PASSPORT not in _of({PASSPORT: 0}, "Passport 7")


@pytest.mark.parametrize("text", ["pa\u017fsport", "\u212aey"])
def test_letters_that_fold_to_ascii_are_considered(text):
    assert _of({"(?i)passport|key": 0}, text)["(?i)passport|key"].tolist() == [0]


def test_much_text_is_searched_with_sets():
    much = Filter({PASSPORT: 0, r"\d+": DIGIT, r"\d\d": DIGIT})
    for texts in (["a passport", "7", "x" * filtering.LITTLE_BYTES], ["passport", "7 passports", "éé"]):
        matching = much.of(Utf8Column(texts, [0, len(texts)]))
        assert [matching[pattern].tolist() for pattern in (PASSPORT, r"\d+", r"\d\d")] == [[0], [1], []]


def test_cells_without_the_characters_a_pattern_needs_are_not_read(monkeypatch):
    monkeypatch.setattr(filtering, "LITTLE_BYTES", 0)
    monkeypatch.setattr(filtering, "PatternSet", None)
    assert _of({r"x+\d": DIGIT}, "xx", "")[r"x+\d"].tolist() == []


def test_patterns_that_are_too_much_for_a_set_are_left_to_themselves(monkeypatch):
    monkeypatch.setattr(filtering, "LITTLE_BYTES", 0)
    large = r"(?i)(?:\pL{2,40}[ ]){20,40}x"
    assert len(large) * pattern_set.AT_ONCE < 4096
    assert list(_of({large: 0, r"\d+": DIGIT}, "x 7")) == [r"\d+"]


@pytest.mark.parametrize(
    ("pattern", "held"),
    [
        (r"passport", {"passport"}),
        (r"(?i)\b(?:passports?|Pasaporte)\b", {"\0passport\0", "\0passports\0", "\0pasaporte\0"}),
        (r"(?i)\bID\b", {"\0id\0"}),
        (r"card[ ]no", {"card\0 \0no"}),
        (r"[Ss]t(?:reet)?\.", {"st\0.", "street\0."}),
        (r"\pL+@(?:ok|ybl)\b", {"@\0ok\0", "@\0ybl\0"}),
        (r"(?:id){2,}x", {"id"}),
        (r"\d{3}-\d", {"-"}),
        (r"\.\$\n", {".$\n"}),
    ],
)
def test_required_strings_of_a_pattern(pattern, held):
    first, *_ = needles(pattern)
    assert set(first) == {needle.encode() for needle in held}


def test_several_strings_may_be_needed_at_once():
    assert set(needles(r"account[ ]?\pL*[ ]number")) == {(b"account",), (b" \0number",)}


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d+", r"(?:id)?\d", r"id|\d", r"é", r"(?:passport)*x?", r"\Qid\E", "[^a]", "[a-z]", r"\p{Lu}", ".",
        r"(?:a{0}b?)", "(a", "a)",
    ],
)  # fmt: skip
def test_a_pattern_without_required_strings_has_none(pattern):
    assert needles(pattern) == ()


@pytest.mark.slow
def test_matches_of_catalogue_patterns_contain_their_required_strings():
    matched = 0
    for info_type in catalogue().values():
        texts = [text for text, _ in info_type.find] + list(info_type.ignore)
        patterns = [p.regex for p in info_type.patterns] + [h.regex for h in info_type.hotwords]
        for pattern in patterns:
            sets = needles(pattern)
            compiled = re2.compile(pattern)
            for text in texts:
                if compiled.search(text):
                    matched += 1
                    held = haystack(text.encode())
                    assert all(any(needle in held for needle in some) for some in sets), (pattern, text)
    assert matched > 1000


def _cells(patterns, texts):
    column = Utf8Column(texts, [0, len(texts)])
    found = PatternSet(patterns).cells(column, column.everything.cells)
    return [found[pattern].tolist() for pattern in patterns]


def test_cells_of_each_pattern():
    assert _cells([r"\d{3}-\d{4}", "x", "y"], ["call 555-0143", "", "x 555-0144"]) == [[0, 2], [2], []]


def test_edges_are_those_of_each_cell():
    texts = ["login x", "a login", "login"]
    assert _cells([r"^login\b", r"login$", r"\Alogin\z"], texts) == [[0, 2], [1, 2], [2]]


def test_matches_do_not_cross_cells():
    assert _cells([r"ab[^x]+cd"], ["ab", "cd", "ab cd"]) == [[2]]


def test_letters_that_fold_to_ascii():
    assert _cells(["(?i)mask"], ["mask", "ma\u017fk", "mas\u212a", "nothing"]) == [[0, 1, 2]]


def test_only_cells_asked_for():
    column = Utf8Column(["x", "x", "x"], [0, 3])
    assert PatternSet(["x"]).cells(column, column.everything.cells[1:2])["x"].tolist() == [1]


def test_a_set_that_needs_more_memory_is_refused():
    with pytest.raises(re2.error):
        PatternSet([r"\pL{2,400}x"] * 2, megabytes=1)


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


def test_edges_of_a_text_are_those_of_each_cell():
    assert _scan(["ab", "b a"], r"^\w") == [(0, 0, 1), (1, 0, 1)]
    assert _scan(["ab", "b a"], r"\w$") == [(0, 1, 2), (1, 2, 3)]
    assert _scan(["é ab", "x\nab"], r"(?m)^ab") == [(1, 2, 4)]


def test_groups_are_findings_of_their_own():
    assert _scan(["k=v"], r"(\w)=(\w)", (1, 2)) == [(0, 0, 1), (0, 2, 3)]


def test_empty_matches_and_absent_groups_are_ignored():
    assert _scan(["aab"], r"(x)?a*", (1,)) == []
    assert _scan(["bbb"], r"a*") == []


@pytest.mark.parametrize("pattern", ["^a", "a$", r"\Aa", r"a\z", "(^|b)a", r"[a\]]$", r"\Q[\E^a[b]"])
def test_positional(pattern):
    assert is_positional(pattern)


@pytest.mark.parametrize("pattern", ["[^a]", r"\$5", "[$^]", r"\^", r"[]^]", "[[:alpha:]$]", r"\ba\B"])
def test_not_positional(pattern):
    assert not is_positional(pattern)


def test_a_quotation_may_stay_open_and_hold_signs_of_classes():
    texts = ["id+ " * 1000, "id", "x]"]
    assert len(_scan(texts, r"\Qid+")) == 1000
    assert _scan(texts, r"\Q[\E|^x[]]") == [(2, 0, 2)]


def test_lookaround_is_rejected():
    with pytest.raises(re2.error):
        compiled("a(?=b)")


@pytest.mark.parametrize("pattern", [r"\b\pL+\b", r"x|x*", r"(a)|\d\pL?", r"[^ ]"])
def test_matches_are_the_same_in_large_texts(pattern):
    texts = ["é1 x\x01 aa7z xx ", "", "日本 3b", "axxa"] * 2000
    column = Utf8Column(texts, [0, len(texts)])
    starts, ends = scan(column.everything, pattern)
    spans = [m.span() for m in compiled(pattern).finditer(column.data) if m.start() < m.end()]
    assert len(spans) > 4096
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == spans
