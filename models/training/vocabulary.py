"""A package's network with the vocabulary of another encoder, to go on training from.

Layers that were trained for long need not be trained again because text is cut into other pieces: pieces
that both have keep the package's embedding, and for the others it is predicted from the encoder's own by a
linear map that is fitted on the former (as in WECHSEL: Minixhofer et al., NAACL 2022, and FOCUS: Dobler and
de Melo, EMNLP 2023).
"""

import json
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file
from tokenizers import Tokenizer, models

from tacenda.models.token_classifier.onnx_session import Floats
from tacenda.models.token_classifier.package import MODEL, TOKENIZER
from tacenda.models.token_classifier.torch_network import TokenNetwork, float_network
from tacenda.models.training.multilingual_base import START

_RIDGE = 0.5
_LENGTH = 0.6
"""Length of a predicted embedding as a share of the known ones': less than 1, since it is uncertain."""

_SPECIAL = {"<s>": "[CLS]", "</s>": "[SEP]", "<pad>": "[PAD]", "<unk>": "[UNK]"}
"""XLM-R's special pieces, as BERT calls them."""

_Spelled = tuple[str, bool]
"""A piece's text, and whether a word begins with it."""


def with_vocabulary(package: Path, base: Path) -> TokenNetwork:
    """The network of a package, in floating point, with the pieces of the encoder in the folder ``base``.

    Raises:
        OSError, KeyError, ValueError: the folders hold no package of ours, or no encoder.
    """
    network = float_network(package / MODEL)
    of_package, of_base = (Tokenizer.from_file(str(folder / TOKENIZER)) for folder in (package, base))
    known = {spelled: i for i, spelled in enumerate(_pieces(of_package))}
    normalise = of_package.normalizer.normalize_str if of_package.normalizer else str
    same = np.full(of_base.get_vocab_size(), -1)
    for i, (text, begins) in enumerate(_pieces(of_base)):
        # Some tokenizers cut words before signs.
        alike = ((text, begins), (normalise(text), begins), (text, begins or not text.isalnum()))
        same[i] = next((known[one] for one in alike if one in known), -1)
    embeddings = load_file(base / "model.safetensors")["embeddings.word_embeddings.weight"]
    words = _embeddings(network.words.weight.detach().numpy(), embeddings, same)
    network.words = torch.nn.Embedding.from_pretrained(torch.from_numpy(words), freeze=False)
    return network


def _pieces(tokenizer: Tokenizer) -> list[_Spelled]:
    listed = sorted(tokenizer.get_vocab().items(), key=lambda one: one[1])
    if isinstance(tokenizer.model, models.WordPiece):
        inside = json.loads(tokenizer.to_str())["model"]["continuing_subword_prefix"]
        return [(piece.removeprefix(inside), not piece.startswith(inside)) for piece, _ in listed]
    return [
        (_SPECIAL.get(piece, piece.removeprefix(START)), piece in _SPECIAL or piece.startswith(START))
        for piece, _ in listed
    ]


def _embeddings(known: Floats, others: Floats, same: np.ndarray) -> Floats:
    """An embedding for each row of ``others``: that of the row ``same`` of ``known``, or a prediction (-1)."""
    there = same >= 0
    lengths = np.linalg.norm(others, axis=1, keepdims=True).clip(min=1e-6)
    features = np.concatenate([others / lengths, np.ones((len(others), 1), np.float32)], axis=1)
    seen, told = features[there], known[same[there]]
    fitted = np.linalg.solve(seen.T @ seen + _RIDGE * np.eye(seen.shape[1]), seen.T @ told)
    made = features @ fitted
    length = _LENGTH * np.linalg.norm(told, axis=1).mean()
    made *= length / np.linalg.norm(made, axis=1, keepdims=True).clip(min=1e-6)
    made[there] = told
    return made.astype(np.float32)
