"""Names that stand out among surrogates, looked for without gold."""

from collections.abc import Sequence

import pytest

from tacenda.transforms.replacing.hiding.checking import LeakCheck, Standing
from tests.marked_conversations import linked

NOTHING = Standing(shown=False, suspected=False)


def _check(marked: Sequence[str], values: Sequence[Sequence[str]], after: Sequence[str]) -> Standing | None:
    return LeakCheck(t=4).check(linked(marked), values, after)


def test_surrogates_that_repeat_as_they_may_do_not_stand_out() -> None:
    after = ["Moss and Moss, Moss or Hill"]
    assert _check(["<PERSON_NAME:Ann> <PERSON_NAME:Lee>"], [["Moss", "Hill"]], after) == NOTHING


@pytest.mark.parametrize(
    ("after", "shown"),
    [
        # The mode rule: the most frequent name is a true one.
        ("Moss, Lee and Lee", True),
        ("Moss, Moss, Moss, Lee and Lee", False),
        # The token rule: it occurs more often than t.
        (f"{'Moss ' * 9}{'Lee ' * 5}", True),
        (f"{'Moss ' * 9}{'Lee ' * 4}", False),
        # A name that is also a word, written as the word.
        ("Moss, lee and lee", False),
    ],
)
def test_a_name_that_was_found_elsewhere_is_shown(after: str, shown: bool) -> None:
    found = _check(["<PERSON_NAME:Lee>"], [["Moss"]], [after])
    assert found is not None
    assert found.shown is shown


def test_a_transcript_without_capitals_has_names_too() -> None:
    found = _check(["<PERSON_NAME:lee>"], [["moss"]], ["moss, lee and lee"])
    assert found is not None
    assert found.shown


def test_what_looks_like_a_name_and_repeats_is_suspected() -> None:
    marked, values = ["<PERSON_NAME:Lee>"], [["Moss"]]
    assert _check(marked, values, ["Moss met Garcia, and Garcia Moss"]) == Standing(
        shown=False, suspected=True
    )
    assert _check(marked, values, ["Moss met Garcia"]) == NOTHING
    # A word of the text is none, also where it begins a sentence.
    assert _check(marked, values, ["Garcia met garcia. Garcia"]) == NOTHING
    # And what was inserted for something else is none.
    marked = ["<PERSON_NAME:Lee> <STREET_ADDRESS:Elm St>"]
    assert _check(marked, [["Moss", "Garcia St"]], ["Moss, Garcia St, Garcia St"]) == NOTHING


def test_without_names_of_people_there_is_nothing_to_look_for() -> None:
    assert _check(["<EMAIL_ADDRESS:a@example.com>"], [["b@example.com"]], ["Garcia, Garcia"]) is None
    assert _check(["nobody"], [[]], ["nobody"]) is None
