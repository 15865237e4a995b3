import pytest

from tacenda.transforms.detecting.spoken import folded_column as folding
from tacenda.transforms.detecting.spoken.folded_column import DIGIT, LETTER, MARK, FoldedColumn, folded
from tacenda.transforms.detecting.spoken.tokens import Form, tokens
from tacenda.transforms.text.column import TextColumn

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
    assert folded(100 * "?É" + text + "ω") == 100 * b"?\xe9" + data + b"\xd7"
    assert folded(1000 * "é" + text + "ω") == 1000 * b"\xe9" + data + b"\xd7"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("It's 'four' o'clock, 4pm!", "It's|'|four|'|o'clock|,|4|pm|!"),
        ("à–b_c 12,5 x²", "à|–|b|_|c|12|,|5|x²"),
        ("ж🙂ж \ud800 e\u0301t\u00e9", "ж|🙂|ж|\ud800|e\u0301t\u00e9"),
        ("' 'a a'", "'|'|a|a|'"),
        ("snabel-a X-ray", "snabel-a|X-ray"),
    ],
)
def test_tokens_are_words_figures_and_marks(text, pieces):
    column = FoldedColumn(TextColumn([text]))
    spans = zip(column.starts.tolist(), column.ends.tolist(), strict=True)
    assert [text[start:end] for start, end in spans] == pieces.split("|")
    assert column.kinds.tolist() == [KINDS[token.form] for token in tokens(text)]


def test_there_is_a_mark_between_two_cells():
    column = TextColumn(["ab", "", "c"])
    tokens = FoldedColumn(column)
    spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    assert [column.text[start:end] for start, end in spans] == ["ab", "\n", "\n", "c"]


def test_the_table_of_the_basic_plane_holds_the_byte_of_each_character():
    assert folding._folding().tolist() == [folding.byte_of(chr(code)) for code in range(1 << 16)]
