import pytest

from tacenda.transforms.replacing.tokens import replace_conversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _find(text: str, *found: tuple[str, str]) -> list[Finding]:
    return sorted(
        Finding(text.index(value), text.index(value) + len(value), info_type, Likelihood.LIKELY, "test")
        for value, info_type in found
    )


def test_table_1_of_the_paper() -> None:
    text = "This is Pam calling from Dunder Mifflin, may I speak to Jim?"
    findings = _find(
        text, ("Pam", "PERSON_NAME"), ("Dunder Mifflin", "ORGANIZATION_NAME"), ("Jim", "PERSON_NAME")
    )
    result = replace_conversation([text], ["Pam"], [findings], {"Pam": "PERSON_NAME"})
    assert f"{result.speakers[0]}: {result.texts[0]}" == (
        "[PERSON_NAME_1]: This is [PERSON_NAME_1] calling from [ORGANIZATION_NAME_1], "
        "may I speak to [PERSON_NAME_2]?"
    )
    assert result.entities == [[1, 2, 3]]
    assert result.entity_counts == {"PERSON_NAME": 2, "ORGANIZATION_NAME": 1}


def test_the_same_value_has_the_same_number_over_turns() -> None:
    texts = ["Jim?", "no", "JIM's here"]
    findings = [_find("Jim?", ("Jim", "PERSON_NAME")), [], _find(texts[2], ("JIM's", "PERSON_NAME"))]
    result = replace_conversation(texts, [None] * 3, findings, {})
    assert result.texts == ["[PERSON_NAME_1]?", "no", "[PERSON_NAME_1] here"]


def test_roles_and_missing_speakers_stay() -> None:
    result = replace_conversation(["hi", "ho"], ["agent", None], [[], []], {"Pam": "PERSON_NAME"})
    assert result.speakers == ["agent", None]


def test_numbers_of_tokens_in_the_input_are_not_given_again() -> None:
    text = "[PERSON_NAME_1] met Jim"
    result = replace_conversation([text], [None], [_find(text, ("Jim", "PERSON_NAME"))], {})
    assert result.texts == ["[PERSON_NAME_1] met [PERSON_NAME_2]"]


def test_a_token_with_thousands_of_digits_is_no_matter() -> None:
    text = f"[ID_{'7' * 5000}] met Jim"
    result = replace_conversation([text], [None], [_find(text, ("Jim", "PERSON_NAME"))], {})
    assert result.texts[0].endswith("] met [PERSON_NAME_1]")


def test_offsets_are_code_points() -> None:
    text = "🙂🙂 Jim 🙂"
    result = replace_conversation([text], [None], [_find(text, ("Jim", "PERSON_NAME"))], {})
    assert result.texts == ["🙂🙂 [PERSON_NAME_1] 🙂"]


def test_fewer_findings_than_cells_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry a cell"):
        replace_conversation(["a", "Pam"], [None, None], [[]], {})


def test_who_speaks_is_mentioned_before_what_is_said() -> None:
    texts = ["Jim?", "yes"]
    result = replace_conversation(
        texts,
        ["Pam", "Jim"],
        [_find(texts[0], ("Jim", "PERSON_NAME")), []],
        {"Pam": "PERSON_NAME", "Jim": "PERSON_NAME"},
    )
    assert result.speakers == ["[PERSON_NAME_1]", "[PERSON_NAME_2]"]
    assert result.texts == ["[PERSON_NAME_2]?", "yes"]
