"""The network at the start of a training, from a BERT checkpoint, and its loss."""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from tacenda.models.token_classifier.torch_network import NetworkConfig, TokenNetwork
from tacenda.transforms.schema.errors import UserError

CHECKPOINT_FILES = CONFIG, WEIGHTS = "config.json", "model.safetensors"


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
        sizes = json.loads((folder / CONFIG).read_text("utf-8"))
        weights = load_file(folder / WEIGHTS)
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
    network.cases.weight.copy_(
        weights["embeddings.token_type_embeddings.weight"][:1].expand(network.config.types, -1)
    )
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


def autocast(device: torch.device) -> torch.autocast:
    """Products in bfloat16, but not on a CPU without AVX-512, which takes twenty times as long for them."""
    pays = device.type != "cpu" or "AVX512" in torch.backends.cpu.get_cpu_capability()
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=pays)


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
