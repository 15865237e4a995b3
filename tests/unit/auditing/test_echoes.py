import pytest

from tacenda.transforms.auditing.echoes import ECHO, NEAR_ECHO, echoes
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _heard(original: str, name: str, info_type: str, rest: str) -> list[tuple[str, str]]:
    """The words of a second turn that echo a value replaced in the first."""
    start = original.index(name)
    found = Finding(start, start + len(name), info_type, Likelihood.LIKELY, "rules")
    texts = [original.replace(name, f"[{info_type}_1]"), rest]
    heard = list(echoes([original, rest], [[found], []], texts))
    assert all(cell == 1 for cell, _ in heard)
    return [(rest[one.start : one.end], one.detector) for _, one in heard]


@pytest.mark.parametrize(
    ("rest", "heard"),
    [
        ("thank you mark", [("mark", ECHO)]),
        ("MARK, please", [("MARK", ECHO)]),
        ("the Hansen house", [("Hansen", ECHO)]),
        ("the Hanson house", [("Hanson", NEAR_ECHO)]),
        ("the Hansens left", [("Hansens", NEAR_ECHO)]),
        ("the Hasen house", [("Hasen", NEAR_ECHO)]),
        ("the hanson house", []),
        ("the Hamsun House", []),
        ("[PERSON_NAME_1] said so", []),
        ("nothing of it", []),
    ],
)
def test_words_of_a_name_in_this_or_a_similar_spelling(rest: str, heard: list[tuple[str, str]]) -> None:
    assert _heard("I am Mark Hansen here", "Mark Hansen", "PERSON_NAME", rest) == heard


def test_accents_do_not_matter() -> None:
    assert _heard("soy José", "José", "PERSON_NAME", "gracias Jose") == [("Jose", ECHO)]


def test_pieces_of_a_number_have_four_digits_or_more() -> None:
    original = "call 415 220 9112 today"
    assert _heard(original, "415 220 9112", "PHONE_NUMBER", "9112 or 415") == [("9112", ECHO)]


def test_words_of_other_kinds_are_no_names() -> None:
    assert not _heard("on 4 May 1980", "4 May 1980", "DATE", "may I ask")


def test_nothing_echoes_where_nothing_was_replaced() -> None:
    assert not list(echoes(["I am Mark"], [[]], ["I am Mark"]))
