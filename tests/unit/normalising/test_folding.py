import pytest

from transforms.normalising.folding import DIGIT, LETTER, MARK, FoldedColumn, folded
from transforms.normalising.lexicon import lexicon
from transforms.normalising.tokens import Form, tokens

KINDS = {Form.WORD: LETTER, Form.FIGURES: DIGIT, Form.MARK: MARK}


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("Four ÅTTA", "four åtta".encode("latin-1")),
        ("a\u2013b \u2026", b"a\x02b \x02"),
        ("it’s ١٢\u00a0€", b"it's 12 $"),
        ("ω🙂", b"\xd7\x01"),
    ],
)
def test_every_character_is_one_byte(text, data):
    assert folded(text) == data
    assert folded(text + "ω") == data + b"\xd7"


@pytest.mark.parametrize(
    "text", ["It's 'four' o'clock, 4pm!", "à–b_c 12,5 x²", "ж🙂ж \ud800 e\u0301t\u00e9", "' 'a a'"]
)
def test_tokens_stand_where_the_reader_has_them(text):
    column = FoldedColumn([text])
    found = zip(column.starts.tolist(), column.ends.tolist(), column.kinds.tolist(), strict=True)
    assert list(found) == [(t.start, t.end, KINDS[t.form]) for t in tokens(text, lexicon("fi"))]


def test_a_mark_stands_between_two_cells():
    column = FoldedColumn(["ab", "", "c"])
    assert column.first.tolist() == [0, 3, 4, 6]
    assert [column.text[s:e] for s, e in zip(column.starts, column.ends, strict=True)] == [
        "ab",
        "\n",
        "\n",
        "c",
    ]
    assert column.cells(column.starts).tolist() == [0, 0, 1, 2]
