"""A package's vocabulary with more word pieces, those of the multilingual base, to go on training from.

Layers that were trained for long need not be trained again because their vocabulary was made for English. The
base's pieces that occur most often in the training text are added, in lower case; words that were one piece
stay that piece. The embedding of an added piece is half the mean of the pieces that it was cut into before,
and half a prediction from the base's embeddings, by a linear map that is fitted on the pieces of both (as in
WECHSEL: Minixhofer et al., NAACL 2022, and FOCUS: Dobler and de Melo, EMNLP 2023).
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models

from tacenda.models.token_classifier.encoding import TYPES
from tacenda.models.token_classifier.onnx_session import Floats
from tacenda.models.token_classifier.package import MODEL, TOKENIZER
from tacenda.models.token_classifier.torch_network import float_network
from tacenda.models.training.multilingual_base import START, Base

WEIGHTS = "model.safetensors"
PIECES = 24_000
"""Pieces that are added."""

_INSIDE = "##"
"""BERT's mark of a piece inside a word."""
_UNKNOWN = "[UNK]"

_BEYOND = (60_000, 45_000, 8_000, 3_000, 0)
"""Pieces beyond those that are kept in each round of the selection: when some go, others are used more."""

_RIDGE = 0.5
_LENGTH = 0.9
"""Length of an added embedding as a share of the others': it is uncertain."""


def extend(
    package: Path, folder: Path, base: Base | None, words: Mapping[str, float], count: int = PIECES
) -> None:
    """Write a package's weights and tokenizer to start from, with ``count`` more pieces of a base, if any.

    ``words`` are words of the training text with their numbers.

    Raises:
        OSError, KeyError, ValueError: ``package`` is not a package of ours, with BERT's tokenizer.
    """
    tokenizer = Tokenizer.from_file(str(package / TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    network = float_network(package / MODEL)
    added: list[str] = []
    if base is not None:
        forms, known = _forms(base, tokenizer), tokenizer.get_vocab()
        added = _most_used([form for form in forms if form not in known], tokenizer, words, count)
        old = network.words.weight.detach().numpy()
        more = _embeddings(added, forms, base.embeddings, tokenizer, old)
        network.words = torch.nn.Embedding.from_pretrained(torch.from_numpy(np.concatenate([old, more])))
    if len(network.cases.weight) < TYPES:
        # What the lists say changes nothing before it is learnt.
        cases = network.cases.weight.detach().repeat(TYPES // len(network.cases.weight), 1)
        network.cases = torch.nn.Embedding.from_pretrained(cases)
    folder.mkdir(parents=True, exist_ok=True)
    save_file(network.state_dict(), folder / WEIGHTS)
    _extended(tokenizer, added).save(str(folder / TOKENIZER), pretty=False)
    heads = network.layers[0].heads
    (folder / "config.json").write_text(json.dumps({"num_attention_heads": heads}) + "\n", "utf-8")


def _forms(base: Base, tokenizer: Tokenizer) -> dict[str, list[int]]:
    """The base's pieces of letters as BERT would write them, with the numbers of all that are written alike."""
    forms: dict[str, list[int]] = {}
    for number, piece in enumerate(base.pieces):
        text = tokenizer.normalizer.normalize_str(piece.removeprefix(START)).strip()
        if len(text) > 1 and text.isalpha():
            forms.setdefault(text if piece.startswith(START) else _INSIDE + text, []).append(number)
    return forms


def _extended(tokenizer: Tokenizer, added: Iterable[str]) -> Tokenizer:
    written = json.loads(tokenizer.to_str())
    vocabulary = written["model"]["vocab"]
    for piece in added:
        vocabulary[piece] = len(vocabulary)
    return Tokenizer.from_str(json.dumps(written, ensure_ascii=False))


def _most_used(
    pieces: Sequence[str], tokenizer: Tokenizer, words: Mapping[str, float], count: int
) -> list[str]:
    """Of ``pieces`` the ``count`` that most of the words' text is cut into."""
    parts: Counter[str] = Counter()
    for word, number in words.items():
        for part, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(word)):
            parts[part] += number  # type: ignore[assignment]
    kept = list(pieces)
    for beyond in _BEYOND:
        used = _uses(_extended(tokenizer, kept), parts)
        kept = sorted((piece for piece in kept if piece in used), key=lambda piece: (-used[piece], piece))
        kept = kept[: count + beyond]
    return kept


def _uses(tokenizer: Tokenizer, parts: Mapping[str, float]) -> dict[str, float]:
    """How often each piece is used in words with their numbers."""
    used: Counter[str] = Counter()
    words, step = list(parts), 50_000
    for at in range(0, len(words), step):
        part = words[at : at + step]
        for word, encoding in zip(part, tokenizer.encode_batch(part, add_special_tokens=False), strict=True):
            for piece in encoding.tokens:
                used[piece] += parts[word]  # type: ignore[assignment]
    return dict(used)


def _embeddings(
    added: Sequence[str],
    forms: Mapping[str, Sequence[int]],
    of_base: Floats,
    tokenizer: Tokenizer,
    old: Floats,
) -> Floats:
    """Embeddings of added pieces (pieces, width)."""
    known = tokenizer.get_vocab()
    inside = {p.removeprefix(_INSIDE): number for p, number in known.items() if p.startswith(_INSIDE)}
    inside[_UNKNOWN] = known[_UNKNOWN]
    within = models.WordPiece(inside, unk_token=_UNKNOWN, continuing_subword_prefix="")

    def cut(piece: str) -> list[int]:
        of = within if piece.startswith(_INSIDE) else tokenizer.model
        return [token.id for token in of.tokenize(piece.removeprefix(_INSIDE))]

    def features(pieces: Sequence[str]) -> Floats:
        rows = np.ones((len(pieces), of_base.shape[1] + 1), np.float32)
        for row, piece in zip(rows, pieces, strict=True):
            row[:-1] = _of_length_one(_of_length_one(of_base[list(forms[piece])]).mean(0))
        return rows

    both = [form for form in forms if form in known]
    seen, told = features(both), old[[known[form] for form in both]]
    fitted = np.linalg.solve(seen.T @ seen + _RIDGE * np.eye(seen.shape[1]), seen.T @ told)
    composed = np.stack([old[cut(piece)].mean(0) for piece in added])
    made = _of_length_one(composed + features(added) @ fitted)
    length: float = _LENGTH * np.linalg.norm(old, axis=1).mean()
    return np.asarray(made * length, np.float32)


def _of_length_one(rows: Floats) -> Floats:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True).clip(min=1e-6), np.float32)
