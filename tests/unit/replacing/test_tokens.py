import re

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.replacement import Replacement, replace_conversation
from tacenda.transforms.replacing.tokens import CorpusTokenReplacer, TokenReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _find(text: str, *found: tuple[str, str]) -> list[Finding]:
    return sorted(
        Finding(text.index(value), text.index(value) + len(value), info_type, Likelihood.LIKELY, "test")
        for value, info_type in found
    )


def _replaced(
    texts: list[str],
    speakers: list[str | None],
    findings: list[list[Finding]],
    speaker_info_types: dict[str, str],
) -> Replacement:
    conversation = link_conversation(texts, speakers, findings, speaker_info_types)
    return replace_conversation(conversation, TokenReplacer().values(conversation))


def test_table_1_of_the_paper() -> None:
    text = "This is Pam calling from Dunder Mifflin, may I speak to Jim?"
    findings = _find(
        text, ("Pam", "PERSON_NAME"), ("Dunder Mifflin", "ORGANIZATION_NAME"), ("Jim", "PERSON_NAME")
    )
    result = _replaced([text], ["Pam"], [findings], {"Pam": "PERSON_NAME"})
    assert f"{result.speakers[0]}: {result.texts[0]}" == (
        "[PERSON_NAME_1]: This is [PERSON_NAME_1] calling from [ORGANIZATION_NAME_1], "
        "may I speak to [PERSON_NAME_2]?"
    )


def test_the_same_value_has_the_same_number_over_turns() -> None:
    texts = ["Jim?", "no", "JIM's here"]
    findings = [_find("Jim?", ("Jim", "PERSON_NAME")), [], _find(texts[2], ("JIM's", "PERSON_NAME"))]
    result = _replaced(texts, [None] * 3, findings, {})
    assert result.texts == ["[PERSON_NAME_1]?", "no", "[PERSON_NAME_1] here"]


def test_roles_and_missing_speakers_stay() -> None:
    result = _replaced(["hi", "ho"], ["agent", None], [[], []], {"Pam": "PERSON_NAME"})
    assert result.speakers == ["agent", None]


def test_numbers_of_tokens_in_the_input_are_not_given_again() -> None:
    text = "[PERSON_NAME_1] met Jim"
    result = _replaced([text], [None], [_find(text, ("Jim", "PERSON_NAME"))], {})
    assert result.texts == ["[PERSON_NAME_1] met [PERSON_NAME_2]"]


def test_a_number_that_is_taken_is_skipped_however_many_are() -> None:
    text = "[PERSON_NAME_1] [PERSON_NAME_3] met Jim, Pam, JIM"
    found = _find(text, ("Jim", "PERSON_NAME"), ("Pam", "PERSON_NAME"), ("JIM", "PERSON_NAME"))
    result = _replaced([text], [None], [found], {})
    assert result.texts[0].endswith("met [PERSON_NAME_2], [PERSON_NAME_4], [PERSON_NAME_2]")


def test_a_token_with_thousands_of_digits_is_accepted() -> None:
    text = f"[ID_{'7' * 5000}] met Jim"
    result = _replaced([text], [None], [_find(text, ("Jim", "PERSON_NAME"))], {})
    assert result.texts[0].endswith("] met [PERSON_NAME_1]")


def test_offsets_are_code_points() -> None:
    text = "🙂🙂 Jim 🙂"
    result = _replaced([text], [None], [_find(text, ("Jim", "PERSON_NAME"))], {})
    assert result.texts == ["🙂🙂 [PERSON_NAME_1] 🙂"]


def test_who_speaks_is_mentioned_before_what_is_said() -> None:
    texts = ["Jim?", "yes"]
    result = _replaced(
        texts,
        ["Pam", "Jim"],
        [_find(texts[0], ("Jim", "PERSON_NAME")), []],
        {"Pam": "PERSON_NAME", "Jim": "PERSON_NAME"},
    )
    assert result.speakers == ["[PERSON_NAME_1]", "[PERSON_NAME_2]"]
    assert result.texts == ["[PERSON_NAME_2]?", "yes"]


_SECRET = b"a secret of more than 16 bytes"


def _tokens(conversation: str, *names: str, secret: bytes = _SECRET, before: str = "") -> list[str]:
    texts = [before + name for name in names]
    findings = [[Finding(len(before), len(text), "PERSON_NAME", Likelihood.LIKELY, "test")] for text in texts]
    linked = link_conversation(texts, [None] * len(texts), findings, {}, conversation)
    return [value for cell in CorpusTokenReplacer(secret).values(linked).findings for value in cell]


def test_a_whole_name_has_one_token_in_all_conversations() -> None:
    (one, same), (other,) = _tokens("a", "Ann Lee", "Ms Lee"), _tokens("b", "LEE, ANN")
    assert one == same == other
    assert re.fullmatch(r"\[PERSON_NAME_[1-9][0-9]{14}\]", one)
    assert _tokens("b", "Ann Lea") != [one]


def test_a_first_name_alone_is_not_linked_across_conversations() -> None:
    assert _tokens("a", "Ann") == _tokens("a", "Ann")
    assert _tokens("a", "Ann") != _tokens("b", "Ann")
    one, other = _tokens("a", "Ann", "Lee")
    assert one != other


def test_another_secret_gives_other_tokens() -> None:
    assert _tokens("a", "Ann Lee") != _tokens("a", "Ann Lee", secret=b"another secret of 16 bytes")


def test_token_numbers_in_the_input_are_not_used() -> None:
    (token,) = _tokens("a", "Ann Lee")
    (other,) = _tokens("a", "Ann Lee", before=f"{token} said to ")
    assert other != token
