import pytest
import re2

from tacenda.transforms.detecting.patterns.prefilter.characters import ANY_BEYOND, members

BEYOND_ASCII = [chr(code) for code in (*range(0x80, 0xD800), *range(0xE000, 0x10000))]


def _written(*characters: str) -> str:
    return "|".join("".join(f"\\x{byte:02x}" for byte in c.encode()) for c in sorted(characters))


def test_few_characters_outside_ascii_are_written_out() -> None:
    assert members("é", False, False) == ((), _written("é"))
    assert members("[eéè]", False, False) == ((ord("e"),), _written("é", "è"))
    assert members("[ab]", False, False) == ((ord("a"), ord("b")), "")


@pytest.mark.slow
def test_case_is_what_re2_makes_of_it() -> None:
    for text in ("é", "å", "ß", "µ", "[sö]", "ǆ"):
        matched = [character for character in BEYOND_ASCII if re2.fullmatch(f"(?i){text}", character)]
        assert members(text, True, False).beyond == _written(*matched)
    assert "\u212b" in [c for c in BEYOND_ASCII if re2.fullmatch("(?i)å", c)]


def test_many_characters_become_any_character() -> None:
    for text in (r"\pL", "[^a]", ".", "[à-ÿ]", "😀", r"[\x{E0}]", r"\W"):
        assert members(text, False, False).beyond == ANY_BEYOND
