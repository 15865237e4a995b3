import sys
import unicodedata

import pytest

from tacenda.pipelines.config.schema import own_sections
from tacenda.transforms.schema.errors import REASON, is_reason


@pytest.mark.parametrize("text", ["agreed with counsel", "ok", "法務", "не важно", "n/a, see 3"])
def test_a_reason_has_letters(text: str) -> None:
    assert is_reason(text)


@pytest.mark.parametrize("text", [None, "", " ", ".", "-", "12", "×"])
def test_what_says_nothing_is_no_reason(text: str | None) -> None:
    assert not is_reason(text)


def test_nothing_but_letters_is_a_letter() -> None:
    matched = [char for char in map(chr, range(sys.maxunicode + 1)) if REASON.match(char)]
    assert {unicodedata.category(char)[0] for char in matched if unicodedata.name(char, "")} == {"L"}


@pytest.mark.parametrize("char", "\u034f\u061c\u115f\u1160\u1680\u17b4\u180e\u200b\u3164\uffa0")
def test_what_cannot_be_seen_is_no_reason(char: str) -> None:
    assert not is_reason(2 * char)


def test_a_config_has_the_same_rule() -> None:
    assert own_sections()["risk"]["properties"]["because"]["pattern"] == REASON.pattern
