"""Micro-batches and rows."""

from dataclasses import replace

import numpy as np
import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer, ByteLevel, Metaspace

from tacenda.models.token_classifier import encoding
from tacenda.models.token_classifier.batch_invariance import Batching, measure_batching
from tacenda.models.token_classifier.encoding import TYPES, Case, TokenCache, TokenColumns, TurnEncoder
from tacenda.models.token_classifier.loading import loaded, package_of
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.packing import (
    Block,
    Call,
    Stream,
    packed,
)
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.chain.build import check_detectors
from tacenda.pipelines.config.detectors import DetectorSettings
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.text.column import TextColumn

OF = Stream(
    ids=np.array([10, 11, 1, 20, 21, 22, 1], np.int32),
    cases=np.array([1, 0, 0, 2, 0, 3, 0], np.int8),
    token=np.array([0, 1, -1, 2, 3, 4, -1], np.int32),
    first_place=np.array([0, 3, 7], np.int32),
)

BLOCKS = [Block(0, 3, 0, 3), Block(3, 7, 5, 7)]


def test_rows_are_padded_and_say_what_counts():
    rows = packed(OF, BLOCKS, budget=99, padded=True, classifying=8, padding=9)
    assert rows.calls == [Call(0, 2, 5)]
    ((ids, mask, cases),) = rows.inputs()
    assert ids.tolist() == [[8, 20, 21, 22, 1], [8, 10, 11, 1, 9]]
    assert mask.tolist() == [[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]]
    assert cases.tolist() == [[0, 2, 0, 3, 0], [0, 1, 0, 0, 0]]
    assert np.flatnonzero(rows.scored).tolist() == [3, 6, 7]
    assert rows.tokens.tolist() == [4, 0, 1]


def test_rows_that_may_not_be_padded_come_by_their_length():
    rows = packed(OF, BLOCKS, budget=99, padded=False, classifying=8, padding=9)
    assert rows.calls == [Call(0, 1, 5), Call(5, 1, 4)]
    assert [ids.tolist() for ids, _, _ in rows.inputs()] == [[[8, 20, 21, 22, 1]], [[8, 10, 11, 1]]]
    assert rows.mask.all()
    assert rows.tokens.tolist() == [4, 0, 1]


TEXTS = ["pam is from new york", "mr brien", "scranton is it " * 9, "hello", "mr beet", "call it maybe"]


class Network:
    """Scores of each position by a rule; ``neighbours`` is the influence of other rows in the call."""

    budget, pads, gated, arithmetic, tolerance = 256, True, False, "by hand", 0.0

    def __init__(self, neighbours=None):
        self._neighbours = neighbours
        self.calls: list[tuple[int, ...]] = []

    def scores(self, ids, mask, types, whole=False):
        self.calls.append(ids.shape)
        logits = np.stack([np.sin(ids * k) for k in range(4)], -1).astype(np.float32)
        if self._neighbours is not None:
            logits += self._neighbours(ids, mask)
        return logits


def of_the_tensor(ids, mask):
    """Like a scale computed over the whole call."""
    return np.full((*ids.shape, 1), 1e-6 * (ids * mask).max(), np.float32)


def of_padding(ids, mask):
    """Like a mask that leaks a little."""
    return (1e-6 * (mask == 0).sum(1, keepdims=True) * np.ones(ids.shape))[..., None].astype(np.float32)


@pytest.mark.parametrize(
    ("neighbours", "batching"),
    [(None, Batching.ANY), (of_padding, Batching.SAME_LENGTH), (of_the_tensor, Batching.ALONE)],
)
def test_batch_invariance_is_measured(encoder, neighbours, batching):
    assert measure_batching(Network(neighbours), encoder, 96) is batching


@pytest.mark.parametrize("neighbours", [None, of_padding, of_the_tensor])
def test_a_conversation_has_the_same_scores_in_any_batch_of_any_network(encoder, neighbours):
    network = Network(neighbours)
    batching = measure_batching(network, encoder, 16)
    scorer = Scorer(encoder, network, 4, 16, 4, False, batching=batching)
    alone = [scorer.score(TextColumn([text])).probabilities for text in TEXTS]
    network.calls.clear()
    together = scorer.score(TextColumn(TEXTS))
    assert (max(rows for rows, _ in network.calls) == 1) is (batching is Batching.ALONE)
    for i, one in enumerate(alone):
        own = slice(together.encoded.first_token[i], together.encoded.first_token[i + 1])
        assert np.array_equal(together.probabilities[own], one)


def test_what_conversations_share_is_read_once(encoder):
    network = Network(None)
    scorer = Scorer(encoder, network, 4, 16, 4, False, batching=Batching.SAME_LENGTH)
    prompt = "pam is in the office and dwight is not " * 4
    column = TextColumn([prompt, "pam", prompt, "is"], [0, 2, 4])
    alone = [scorer.score(TextColumn([prompt, last])).probabilities for last in ("pam", "is")]
    one = sum(rows for rows, _ in network.calls)
    network.calls.clear()
    together = scorer.score(column).probabilities
    assert sum(rows for rows, _ in network.calls) < 0.75 * one
    assert np.array_equal(together, np.concatenate(alone))


def test_the_shipped_network_reads_many_rows_at_once():
    package = package_of(None)
    session = OnnxSession(package.path / "model.onnx", len(package.labels))
    encoder = TurnEncoder(package.path / "tokenizer.json")
    assert measure_batching(session, encoder, package.max_places) is Batching.SAME_LENGTH


def _asked(model):
    return DetectorSettings(("model",), InspectSettings(()), InspectSettings(()), models=(model,))


def test_a_network_without_batch_invariance_is_reported(tiny, monkeypatch, tmp_path):
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path))
    package = package_of(str(tiny))
    known = ModelSettings(str(tiny), package.fingerprint, package.decision, threads=3)
    assert check_detectors(_asked(known)) == []
    assert loaded(known).batching is Batching.ANY
    assert list(tmp_path.rglob("batching-*"))
    honest = OnnxSession.scores

    def dependent(self, ids, mask, types, whole=False):
        logits = honest(self, ids, mask, types, whole)
        return np.asarray(logits + of_the_tensor(ids, mask), np.float32)

    monkeypatch.setattr(OnnxSession, "scores", dependent)
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path / "another"))
    # Other settings of the network, so that it is loaded again.
    (note,) = check_detectors(_asked(replace(known, threads=2)))
    assert note.startswith("model tiny: ")
    assert "one row at a time" in note


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
def test_pieces(encoder, text, pieces, cases):
    encoded = encoder.encode(TextColumn([text]))
    places = zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
    assert [text[start:end] for start, end in places] == pieces
    assert encoded.cases.tolist() == cases


def test_pieces_tell_what_the_lists_say_of_their_word(tiny, encoder):
    text = "xAnn (Ann) ann's zzqx London 2 is"
    plain, told = (
        one.encode(TextColumn([text])) for one in (encoder, TurnEncoder(tiny / "tokenizer.json", True))
    )
    assert np.array_equal(plain.cases, told.cases % len(Case))
    assert told.cases.max() < TYPES
    said = (told.cases // len(Case)).tolist()
    of_word = {text[a:b]: said[i] for i, (a, b) in enumerate(zip(told.starts, told.ends, strict=True))}
    first = {at: said[told.starts.tolist().index(text.index(at))] for at in ("xAnn", "Ann)", "ann's", "zzqx")}
    assert first["Ann)"] == first["ann's"] != first["zzqx"]
    assert of_word["2"] == of_word["("] == 0
    assert len({first["Ann)"], first["zzqx"], said[told.starts.tolist().index(text.index("London"))]}) == 3


def test_no_text_is_cut_off(encoder):
    encoded = encoder.encode(TextColumn(["pam " * 3000, "is", ""]))
    assert encoded.first_token.tolist() == [0, 3000, 3001, 3001]
    assert encoded.ends[2999] == 11_999


def test_a_tokenizer_without_special_tokens_is_refused():
    bare = Tokenizer(models.WordPiece({"a": 0}, unk_token="a"))
    with pytest.raises(ValueError, match=r"no token \[CLS\] or <s>"):
        TurnEncoder(bare.to_str().encode())


def bert(added=None):
    """A tokenizer like BERT's; ``added`` is one more token."""
    pieces = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", *"pams.,", *(f"##{c}" for c in "pams"), "jose", "日"]
    made = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    made.add_special_tokens(["[CLS]", "[SEP]", "[PAD]"])
    if added:
        made.add_tokens([added])
    return made


@pytest.mark.parametrize("added", [None, AddedToken("pam sam"), AddedToken("<x>", lstrip=True)])
def test_words_by_themselves_are_the_words_of_their_texts(added):
    tokenizer = bert(added)
    encoder = TurnEncoder(tokenizer.to_str().encode())
    texts = [
        *("Pam, spam.", "", " \n", "pam日日  José\u3000Jose\u0301 [SEP]x"),
        *("PAM\u200bpam\u00adsam 😀 pam, spam.", "pam sam <x> pam"),
    ]
    for _ in range(2):
        encoded = encoder.encode(TextColumn(texts))
        whole = tokenizer.encode_batch(texts, add_special_tokens=False)
        assert encoded.ids.tolist() == [i for one in whole for i in one.ids]
        assert np.diff(encoded.first_token).tolist() == [len(one.ids) for one in whole]
        places = zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
        assert list(places) == [place for one in whole for place in one.offsets]
    # A token with white space is seen in its text only.
    assert (encoder._words is None) is (added is not None)


def _word_pieces():
    pieces = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "pam", "##ela", "é", "."]
    made = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = BertNormalizer(strip_accents=False), BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    return made


def _byte_pairs():
    """As RoBERTa's: letters are bytes, and Ġ is a space."""
    letters = ["<s>", "</s>", "<pad>", "<unk>", "Ġ", *"pamel", "Ã", "©", "."]
    merges = [("p", "a"), ("pa", "m"), ("Ġ", "pam"), ("e", "l"), ("el", "a"), ("Ã", "©"), ("Ġ", "Ã©")]
    pieces = {piece: i for i, piece in enumerate([*letters, *("".join(pair) for pair in merges)])}
    made = Tokenizer(models.BPE(vocab=pieces, merges=merges, unk_token="<unk>"))
    made.pre_tokenizer, made.decoder = ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return made


def _sentence_pieces():
    """As XLM-R's: ▁ is a space."""
    letters = ["<s>", "</s>", "<pad>", "<unk>", "▁pam", "pam", "ela", "▁é", "▁", "."]
    made = Tokenizer(models.Unigram([(piece, -1.0) for piece in letters], 3, False))
    made.pre_tokenizer, made.decoder = Metaspace(), decoders.Metaspace()
    return made


@pytest.mark.parametrize("make", [_word_pieces, _byte_pairs, _sentence_pieces])
def test_whole_words_of_a_vocabulary(make):
    """Pieces within words, signs and special tokens are no words, however a tokenizer writes them."""
    words = TurnEncoder(make().to_str().encode()).whole_words()
    assert sorted(filter(None, words)) == ["pam", "é"]


def letters(texts):
    """A tokenizer with letters as tokens."""
    lengths = np.array([len(text) for text in texts], np.int32)
    first = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    ids = np.array([ord(letter) for text in texts for letter in text], np.int32)
    starts = np.arange(first[-1], dtype=np.int32) - np.repeat(first[:-1], lengths)
    return TokenColumns(ids, starts, starts + 1, np.zeros(len(ids), np.int8), first)


@pytest.mark.parametrize("most", [0, 3, 1000])
def test_the_cache_does_not_change_results_and_is_bounded(most, monkeypatch):
    monkeypatch.setattr(encoding, "_MOST_TOKENS", most)
    cache = TokenCache(letters)
    for words in (
        ["a", "bc", "a"],
        [],
        ["bc", "d"],
        ["efg", "a", "efg", "d"],
        *([f"{i:02}"] for i in range(9)),
    ):
        cells, known = cache.tokens(words)
        # Each word 100 after the previous one.
        encoded = known.at(cells, np.arange(len(words)) * 100)
        rows = zip(encoded.ids.tolist(), encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
        said = [(chr(code), start, end) for code, start, end in rows]
        assert said == [
            (c, 100 * i + k, 100 * i + k + 1) for i, word in enumerate(words) for k, c in enumerate(word)
        ]
        assert np.diff(encoded.first_token).tolist() == list(map(len, words))
        assert len(known.ids) <= most + sum(map(len, set(words)))
