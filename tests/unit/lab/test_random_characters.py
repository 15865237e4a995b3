import re

import pytest

from tacenda.transforms.lab.random_characters import RandomCharacters
from tacenda.transforms.replacing.replacement import Values
from tests.cases import tabled
from tests.marked_conversations import SECRET, linked


def _values(*marked, secret=SECRET, conversation="1"):
    made = RandomCharacters(secret).values(linked(marked, conversation_id=conversation))
    return [value for cell in made.findings for value in cell]


@tabled("info_type", "text", "form")
def test_characters_keep_their_class_and_signs_stay(info_type, text, form):
    [value] = _values(f"call <{info_type}:{text}>")
    assert re.fullmatch(form, value)
    assert value != text


def test_equal_words_become_equal_ones():
    full, lone, shouted = _values("<PERSON_NAME:Ann Lee>", "<PERSON_NAME:Ann>", "<PERSON_NAME:ANN>")
    assert full.split()[0] == lone
    assert shouted == lone.upper()


def test_values_depend_on_secret_and_conversation_alone():
    marked = "<PERSON_NAME:Ann Lee>"
    assert _values(marked) == _values(marked, "and more")[:1] == _values(marked)
    assert len({*_values(marked), *_values(marked, secret=b"x"), *_values(marked, conversation="2")}) == 3


@pytest.mark.parametrize("marked", ["flat <GENERIC_ID:B7>", "<USER_NAME:x_y>", "<GENERIC_ID:Q>, e\u0301_Q2"])
def test_no_run_stays(marked):
    runs = re.compile(r"\d+|[^\W\d_]+")
    originals = runs.findall(re.search(":(.*)>", marked)[1].casefold())
    for i in range(400):
        [value] = _values(marked, conversation=str(i))
        assert all(a != b for a, b in zip(runs.findall(value.casefold()), originals, strict=True))


def test_labels_are_replaced_like_mentions():
    conversation = linked(["<PERSON_NAME:Ann> here"], ["Ann"], {"Ann": "PERSON_NAME"})
    made: Values = RandomCharacters(SECRET).values(conversation)
    assert made.labels["Ann"] == made.findings[0][0]
