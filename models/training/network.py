"""The network: a BERT encoder with letter case as token types, and a linear classifier.

Implemented here rather than taken from a library because a plain module with fixed shapes compiles into one
graph: on two cores with bf16 matrix units, training is five times as fast as with a library's model class.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from tacenda.models.token_classifier.encoding import Case
from tacenda.transforms.schema.errors import UserError


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """Sizes; the defaults are those of MiniLM-L6."""

    classes: int
    layers: int = 6
    width: int = 384
    heads: int = 12
    inner: int = 1536
    vocabulary: int = 30522
    positions: int = 512
    dropout: float = 0.0


class _Layer(nn.Module):
    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        width = config.width
        self.heads, self.size = config.heads, width // config.heads
        self.attention_in = nn.Linear(width, 3 * width)
        self.attention_out = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=1e-12)
        self.inner = nn.Linear(width, config.inner)
        self.outer = nn.Linear(config.inner, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        rows, places, width = hidden.shape
        parts = self.attention_in(hidden).view(rows, places, 3, self.heads, self.size).permute(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        # The fused attention kernel's backward pass is slower than this on a CPU.
        weights = torch.softmax(torch.matmul(query * self.size**-0.5, key.transpose(-1, -2)) + bias, -1)
        seen = torch.matmul(weights, value).transpose(1, 2).reshape(rows, places, width)
        hidden = self.attention_norm(hidden + self.dropout(self.attention_out(seen)))
        normed: Tensor = self.norm(hidden + self.dropout(self.outer(functional.gelu(self.inner(hidden)))))
        return normed


class TokenNetwork(nn.Module):
    """Logits (rows, places, classes) of token ids, attention mask and cases, each (rows, places)."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(config.vocabulary, config.width)
        self.places = nn.Embedding(config.positions, config.width)
        self.cases = nn.Embedding(len(Case), config.width)
        self.norm = nn.LayerNorm(config.width, eps=1e-12)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(_Layer(config) for _ in range(config.layers))
        self.classify = nn.Linear(config.width, config.classes)
        self.proper = nn.Linear(config.width, 1)
        """Second task, in training only: the logit that a token is of a proper noun."""

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        return self.read(self.words(input_ids), attention_mask, token_type_ids)[0]

    def read(
        self, words: Tensor, attention_mask: Tensor, token_type_ids: Tensor
    ) -> tuple[Tensor, list[Tensor]]:
        """The logits for some word embeddings, and the state (rows, places, width) after each layer."""
        place = torch.arange(words.shape[1], device=words.device)
        hidden = self.dropout(self.norm(words + self.places(place) + self.cases(token_type_ids)))
        # A large negative number is added to the attention to padding.
        bias = ((1.0 - attention_mask.to(hidden.dtype)) * -1e4)[:, None, None, :]
        left = []
        for layer in self.layers:
            hidden = layer(hidden, bias)
            left.append(hidden)
        return self.classify(hidden), left


def from_bert(
    folder: Path, classes: int, layers: tuple[int, ...] | None = None, inner: int | None = None
) -> TokenNetwork:
    """A network initialised from a BERT checkpoint (``config.json``, ``model.safetensors``).

    ``layers`` are the indexes of the layers to keep, ``inner`` is the number of their inner units; None for
    all. The units with the largest weights are kept.

    Raises:
        UserError: the folder has no BERT checkpoint, or not as many layers or units.
    """
    try:
        sizes = json.loads((folder / "config.json").read_text("utf-8"))
        weights = load_file(folder / "model.safetensors")
        weights = {k.removeprefix("bert."): v for k, v in weights.items()}
        kept = layers or tuple(range(sizes["num_hidden_layers"]))
        config = NetworkConfig(
            classes=classes,
            layers=len(kept),
            width=sizes["hidden_size"],
            heads=sizes["num_attention_heads"],
            inner=inner or sizes["intermediate_size"],
            vocabulary=sizes["vocab_size"],
            positions=sizes["max_position_embeddings"],
        )
        network = TokenNetwork(config)
        with torch.no_grad():
            _load(network, weights, kept)
    except (OSError, KeyError, ValueError, RuntimeError) as error:
        raise UserError(
            f"{folder}: not a BERT checkpoint ({type(error).__name__}) with these layers and inner units; "
            "it needs config.json and model.safetensors"
        ) from None
    return network


def _load(network: TokenNetwork, weights: dict[str, Tensor], kept: tuple[int, ...]) -> None:
    def of(name: str) -> dict[str, Tensor]:
        return {part: weights[f"{name}.{part}"] for part in ("weight", "bias")}

    network.words.weight.copy_(weights["embeddings.word_embeddings.weight"])
    network.places.weight.copy_(weights["embeddings.position_embeddings.weight"])
    # All cases start with the embedding that the encoder was trained with and diverge in training.
    network.cases.weight.copy_(weights["embeddings.token_type_embeddings.weight"][:1].expand(len(Case), -1))
    network.norm.load_state_dict(of("embeddings.LayerNorm"))
    for layer, at in zip(network.layers, kept, strict=True):
        name = f"encoder.layer.{at}"
        three = [of(f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
        layer.attention_in.load_state_dict({p: torch.cat([one[p] for one in three]) for p in three[0]})
        layer.attention_out.load_state_dict(of(f"{name}.attention.output.dense"))
        layer.attention_norm.load_state_dict(of(f"{name}.attention.output.LayerNorm"))
        inner, outer = of(f"{name}.intermediate.dense"), of(f"{name}.output.dense")
        size = inner["weight"].square().sum(1) * outer["weight"].square().sum(0)
        units = size.topk(network.config.inner).indices.sort().values
        layer.inner.load_state_dict({part: values[units] for part, values in inner.items()})
        layer.outer.load_state_dict({"weight": outer["weight"][:, units], "bias": outer["bias"]})
        layer.norm.load_state_dict(of(f"{name}.output.LayerNorm"))


def partial_label_loss(logits: Tensor, allowed: Tensor, weights: Tensor) -> Tensor:
    """Weighted mean of the negative log probability that each token has one of its allowed classes.

    ``logits`` (tokens, classes), ``allowed`` (tokens, classes; bool), ``weights`` (tokens). Labelled tokens
    allow one class, which gives cross-entropy; unlabelled ones allow O and every class that their corpus does
    not annotate. Partial-label learning with a marginal likelihood: Jin and Ghahramani, NIPS 2002.
    """
    logits = logits.float()
    inside = torch.logsumexp(logits.masked_fill(~allowed, float("-inf")), -1)
    loss = torch.logsumexp(logits, -1) - inside
    return (loss * weights).sum() / weights.sum().clamp(min=1.0)
