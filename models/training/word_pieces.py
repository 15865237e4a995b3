"""More word pieces for a network, from a multilingual encoder, so that its layers need not be trained again.

Those of its pieces that the training text uses most are added, in lower case; words that were one piece stay
that piece. The embedding of an added piece is half the mean of the pieces that it was cut into before, and half
a prediction from the encoder's embeddings, by a linear map that is fitted on the pieces of both (as in WECHSEL:
Minixhofer et al., NAACL 2022, and FOCUS: Dobler and de Melo, EMNLP 2023).
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from tacenda.models.token_classifier.onnx_session import Floats
from tacenda.models.token_classifier.torch_network import TokenNetwork
from tacenda.models.training.multilingual import WORDS, counted, read_wheel
from tacenda.transforms.schema.errors import UserError

PIECES = 24_000
"""Pieces that are added."""
_BEYOND = (60_000, 45_000, 8_000, 3_000, 0)
"""Pieces beyond those that are kept in each round of the selection: when some go, others are used more."""

_START, _INSIDE, _UNKNOWN = "▁", "##", "[UNK]"
"""The encoder's mark of a piece that begins a word, and BERT's of one that does not."""

_RIDGE = 0.5
_LENGTH = 0.9
"""Length of an added embedding as a share of the others': it is uncertain."""


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
    encoder, known = read_wheel(wheel), old.get_vocab()
    forms = _forms(encoder.pieces, encoder.tensors[WORDS], old)
    added = _most_used([form for form in forms if form not in known], old, counted(records))
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
