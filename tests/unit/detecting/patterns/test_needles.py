import pytest
import re2

from tacenda.transforms.detecting.patterns.needles import haystack, needles
from tacenda.transforms.detecting.rules.catalogue import catalogue


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
def test_required_strings_of_a_pattern(pattern: str, held: set[str]) -> None:
    first, *_ = needles(pattern)
    assert set(first) == {needle.encode() for needle in held}


def test_several_strings_may_be_needed_at_once() -> None:
    assert set(needles(r"account[ ]?\pL*[ ]number")) == {(b"account",), (b" \0number",)}


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d+", r"(?:id)?\d", r"id|\d", r"é", r"(?:passport)*x?", r"\Qid\E", "[^a]", "[a-z]", r"\p{Lu}", ".",
        r"(?:a{0}b?)", "(a", "a)",
    ],
)  # fmt: skip
def test_a_pattern_without_required_strings_has_none(pattern: str) -> None:
    assert needles(pattern) == ()


@pytest.mark.slow
def test_matches_of_catalogue_patterns_contain_their_required_strings() -> None:
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
