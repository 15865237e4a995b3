import pytest

from tacenda.transforms.text.characters import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 中 😀", "plain é 中 😀"),
        ("\x1b[31mred\x07", "\\u001b[31mred\\u0007"),
        ("a\u202eb\u2066c\ufeff", "a\\u202eb\\u2066c\\ufeff"),
        ("\ud800", "\\ud800"),
        ("a\tb\nc", "a\tb\nc"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_characters_that_affect_other_text_are_escaped(text, shown):
    assert visible(text) == shown
