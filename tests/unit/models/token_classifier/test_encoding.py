"""Pieces with exact places and the case that an uncased vocabulary forgets."""

import pytest

from models.token_classifier.encoding import Case, TurnEncoder

L, I, A, M = Case.LOWER, Case.INITIAL, Case.ALL, Case.INSIDE  # noqa: E741


@pytest.mark.parametrize(
    ("text", "pieces", "cases"),
    [
        ("Pam is IN", ["Pam", "is", "IN"], [I, L, A]),
        ("xPam", ["x", "P", "a", "m"], [L, I, L, L]),
        ("José", ["José"], [I]),
        ("😀 pam", ["😀", "pam"], [L, L]),
        ("", [], []),
    ],
)
def test_pieces(encoder: TurnEncoder, text: str, pieces: list[str], cases: list[Case]) -> None:
    encoded = encoder.encode([text])
    places = zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
    assert [text[start:end] for start, end in places] == pieces
    assert encoded.cases.tolist() == cases


def test_no_text_is_cut_off(encoder: TurnEncoder) -> None:
    encoded = encoder.encode(["pam " * 3000, "is", ""])
    assert encoded.first_token.tolist() == [0, 3000, 3001, 3001]
    assert encoded.ends[2999] == 11_999


def test_a_tokenizer_without_special_tokens_is_refused() -> None:
    from tokenizers import Tokenizer, models

    bare = Tokenizer(models.WordPiece({"a": 0}, unk_token="a"))
    with pytest.raises(ValueError, match=r"no token \[CLS\] or <s>"):
        TurnEncoder(bare.to_str().encode())
