import pytest

from tacenda.pipelines.config.schema import own_sections
from tacenda.transforms.schema.reasons import REASON, is_reason


@pytest.mark.parametrize("text", ["agreed with counsel", "ok", "法務", "не важно", "n/a, see 3"])
def test_a_reason_has_letters(text: str) -> None:
    assert is_reason(text)


@pytest.mark.parametrize("text", [None, "", " ", ".", "-", "12", "\u200b\u200b", "\u3164\u3164", "\uffa0"])
def test_what_says_nothing_is_no_reason(text: str | None) -> None:
    assert not is_reason(text)


def test_a_config_has_the_same_rule() -> None:
    assert own_sections()["risk"]["properties"]["because"]["pattern"] == REASON.pattern
