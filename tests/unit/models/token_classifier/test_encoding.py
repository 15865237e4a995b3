"""Word pieces with exact positions, and the case that an uncased vocabulary loses."""

from collections.abc import Callable

import numpy as np
import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer, ByteLevel, Metaspace

from tacenda.models.token_classifier.encoding import Case, TurnEncoder
from tacenda.transforms.text.column import TextColumn

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
    encoded = encoder.encode(TextColumn([text]))
    places = zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
    assert [text[start:end] for start, end in places] == pieces
    assert encoded.cases.tolist() == cases


def test_no_text_is_cut_off(encoder: TurnEncoder) -> None:
    encoded = encoder.encode(TextColumn(["pam " * 3000, "is", ""]))
    assert encoded.first_token.tolist() == [0, 3000, 3001, 3001]
    assert encoded.ends[2999] == 11_999


def test_a_tokenizer_without_special_tokens_is_refused() -> None:
    bare = Tokenizer(models.WordPiece({"a": 0}, unk_token="a"))
    with pytest.raises(ValueError, match=r"no token \[CLS\] or <s>"):
        TurnEncoder(bare.to_str().encode())


@pytest.fixture
def bert() -> Callable[..., Tokenizer]:
    """A tokenizer like BERT's; ``added`` is one more token."""

    def make(added: AddedToken | None = None) -> Tokenizer:
        pieces = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", *"pams.,", *(f"##{c}" for c in "pams"), "jose", "日"]
        words = models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]")
        made = Tokenizer(words)
        made.normalizer, made.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
        made.add_special_tokens(["[CLS]", "[SEP]", "[PAD]"])
        if added:
            made.add_tokens([added])
        return made

    return make


def test_words_by_themselves_are_the_words_of_their_texts(bert: Callable[..., Tokenizer]) -> None:
    tokenizer = bert()
    encoder = TurnEncoder(tokenizer.to_str().encode())
    texts = [
        "Pam, spam.",
        "",
        " \n",
        "pam日日  José\u3000Jose\u0301 [SEP]x",
        "PAM\u200bpam\u00adsam 😀 pam, spam.",
    ]
    for _ in range(2):
        encoded = encoder.encode(TextColumn(texts))
        whole = tokenizer.encode_batch(texts, add_special_tokens=False)
        assert encoded.ids.tolist() == [i for one in whole for i in one.ids]
        assert np.diff(encoded.first_token).tolist() == [len(one.ids) for one in whole]
        places = zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
        assert list(places) == [place for one in whole for place in one.offsets]
    assert encoder._words is not None


def test_a_token_with_white_space_is_seen_in_its_text(bert: Callable[..., Tokenizer]) -> None:
    for added in (AddedToken("pam sam"), AddedToken("<x>", lstrip=True)):
        tokenizer = bert(added)
        encoder = TurnEncoder(tokenizer.to_str().encode())
        text = "pam sam <x> pam"
        assert (
            encoder.encode(TextColumn([text])).ids.tolist()
            == tokenizer.encode(text, add_special_tokens=False).ids
        )
        assert encoder._words is None


def _word_pieces() -> Tokenizer:
    pieces = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "pam", "##ela", "é", "."]
    made = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = BertNormalizer(strip_accents=False), BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    return made


def _byte_pairs() -> Tokenizer:
    """As RoBERTa's: letters are bytes, and Ġ is a space."""
    letters = ["<s>", "</s>", "<pad>", "<unk>", "Ġ", *"pamel", "Ã", "©", "."]
    merges = [("p", "a"), ("pa", "m"), ("Ġ", "pam"), ("e", "l"), ("el", "a"), ("Ã", "©"), ("Ġ", "Ã©")]
    pieces = {piece: i for i, piece in enumerate([*letters, *("".join(pair) for pair in merges)])}
    made = Tokenizer(models.BPE(vocab=pieces, merges=merges, unk_token="<unk>"))
    made.pre_tokenizer, made.decoder = ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return made


def _sentence_pieces() -> Tokenizer:
    """As XLM-R's: ▁ is a space."""
    letters = ["<s>", "</s>", "<pad>", "<unk>", "▁pam", "pam", "ela", "▁é", "▁", "."]
    made = Tokenizer(models.Unigram([(piece, -1.0) for piece in letters], 3, False))
    made.pre_tokenizer, made.decoder = Metaspace(), decoders.Metaspace()
    return made


@pytest.mark.parametrize("make", [_word_pieces, _byte_pairs, _sentence_pieces])
def test_whole_words_of_a_vocabulary(make: Callable[[], Tokenizer]) -> None:
    """Pieces within words, signs and special tokens are no words, however a tokenizer writes them."""
    words = TurnEncoder(make().to_str().encode()).whole_words()
    assert sorted(filter(None, words)) == ["pam", "é"]
