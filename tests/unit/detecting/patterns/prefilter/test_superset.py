import pytest
import re2

from tacenda.transforms.detecting.patterns.prefilter.characters import UntranslatableError
from tacenda.transforms.detecting.patterns.prefilter.superset import (
    between_repetitions,
    byte_superset,
    from_first_literal,
)
from tacenda.transforms.detecting.rules.catalogue import catalogue

TEXTS = [
    "",
    "a",
    "Zoë Ünal 42",
    "é1é2é 日本語 x",
    "call 555-0143 ext. 9 now",
    "aaa\nb b\tAB_12",
    "2001::1f 10.0.0.1",
    "😀x😀",
    "١٢٣ １２３",
    "my name is josé",
]

PATTERNS = [
    r"\pL{3,}",
    r"\p{Nd}{3}",
    r"^\pL+$",
    r"(?i)ZOË|JOSÉ",
    r"[^\s]+ \d{2}",
    r"(?i)(?:x|(?-i:AB))_?\d{1,2}",
    r".\d.",
    r"(?s)a.b",
    r"(?m)^b b",
    r"(\pL)(\d)?\b",
    r"\bnow\z",
    r"[[:upper:]]{2}_[[:^alpha:]]+",
    r"\x{1F600}x",
    r"\D\d\D",
    r"[^a-z]{4,50}",
    r"(?P<word>ext)\. ?(?:\d+)?",
    r"(?:\d{1,3}\.){3}\d{1,3}",
    r"a{2,}?",
    r"é??9 now",
    r"\pL??\d{2}",
    r"(?:no )??(?:call)+? \d{2}?",
    r"(?:é?\d){2}é",
    r"(?:[0-9a-f]{1,4}:){1,7}:",
]


def _fires(pattern: str, text: str) -> bool:
    # As a column holds them: the separator follows each cell.
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    regex = re2.compile(byte_superset(pattern).encode(), options)
    return regex.search(text.encode() + b"\xff") is not None


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_superset_matches_wherever_the_pattern_does(pattern: str) -> None:
    matched = [text for text in TEXTS if re2.search(pattern, text)]
    assert matched
    assert all(_fires(pattern, text) for text in matched)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\d{3}-\d{4}", "555-014"),
        (r"\bcat\b", "concatenate"),
        (r"^now$", "call now"),
        (r"\pL@\pL", "a @b"),
        (r"(?i:a)b", "aB"),
        (r"(?i)josé", "joså"),
        ("[dé]x", "èx"),
    ],
)
def test_the_superset_excludes_other_text(pattern: str, text: str) -> None:
    assert not _fires(pattern, text)


def test_the_end_is_cut_to_what_must_be_there() -> None:
    assert byte_superset(r"ab+c*(?:d|e)?") == "ab"
    assert byte_superset(r"x(?:y+z{2,5}){1,3}") == "x(?-i:y+z{2,2})"
    assert byte_superset("a=[bcd]*[bc]") == "a\\x3d"
    assert byte_superset("a=[bcd]+[be]") == r"a\x3d[\x62\x63\x64]+[\x62\x65]"


def test_parts_are_between_repeated_groups_of_words() -> None:
    assert between_repetitions(r"(?i)calle (?:\pL+ ){1,7}\d+(?:, \pL+)*x") == [
        "(?i)calle ",
        r"(?i)\d+",
        "(?i)x",
    ]
    assert between_repetitions(r"(?:\pL+ ){2,}street") == ["street"]
    assert between_repetitions(r"\d{3}(?:-\d{2}){2,} x(?:y+)?") == []
    assert between_repetitions(r"a(?:\pL+ )+|b") == []


def test_letters_of_any_kind_at_the_beginning_are_left_to_the_search() -> None:
    assert from_first_literal(r"(?i)\b[\pL\d]+\pL*(?:@|at)\d") == [r"(?i)(?:@|at)\d"]
    assert from_first_literal(r"\pL{2,}x") == ["x"]
    assert from_first_literal(r"\pL{2}x") == []
    assert from_first_literal(r"\d+x") == []
    assert from_first_literal(r"\pL+\d") == []
    assert from_first_literal(r"\pL+x|y") == []


@pytest.mark.parametrize("pattern", [r"\Qa.b\E", r"\C", r"a\b?b", "a)"])
def test_unsupported_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(UntranslatableError):
        byte_superset(pattern)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(catalogue()))
def test_no_example_of_the_catalogue_is_missed(name: str) -> None:
    info_type = catalogue()[name]
    texts = [*(text for text, _ in info_type.find), *info_type.ignore]
    for regex in [*(p.regex for p in info_type.patterns), *(h.regex for h in info_type.hotwords)]:
        for text in texts:
            if re2.search(regex, text):
                parts = (regex, *between_repetitions(regex), *from_first_literal(regex))
                assert all(_fires(part, text) for part in parts), (regex, text)
