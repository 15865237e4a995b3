import pytest

from tacenda.transforms.replacing.transformations.transformation import Choices
from tests.growth import is_linear_work

WORDS = ("Kim", "Lou", "Max", "Noa")


def test_each_entity_has_its_own_word_as_long_as_they_last() -> None:
    choices = Choices("c1", ["Ann"], [])
    chosen = [choices.word(entity, WORDS) for entity in range(1, 5)]
    assert {*chosen} == {*WORDS}
    assert choices.word(9, WORDS) is None
    assert [choices.word(entity, WORDS) for entity in range(1, 5)] == chosen


def test_equal_lists_of_two_infotypes_share_no_word() -> None:
    choices = Choices("c1", [], [])
    other = ("Kim", "Lou", "Max", "Noa", "Kim")
    words = [choices.word(entity, WORDS if entity % 2 else other) for entity in range(1, 5)]
    assert {*words} == {*WORDS}


@pytest.mark.parametrize("conversation", [f"c{number}" for number in range(20)])
def test_what_was_said_is_no_choice(conversation: str) -> None:
    choices = Choices(conversation, ["KIM Lee"], ["noa called"])
    assert {choices.word(entity, WORDS) for entity in range(4)} == {"Lou", "Max", None}


def test_another_conversation_begins_elsewhere() -> None:
    assert {Choices(f"c{number}", [], []).word(1, WORDS) for number in range(50)} == {*WORDS}


def test_a_used_up_list_is_walked_once() -> None:
    def run(size: int) -> None:
        choices = Choices("c1", [], [])
        words = tuple(f"w{number}" for number in range(size))
        for entity in range(2 * size):
            choices.word(entity, words)

    assert is_linear_work(run, 200)
