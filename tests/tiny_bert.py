"""A BERT checkpoint of width 32 with random weights and the tiny model's tokenizer, as a base to train on."""

import json
import shutil
from pathlib import Path

TINY = Path(__file__).parent / "golden" / "tiny_model"


def write_bert(folder: Path, layers: int, seed: int) -> Path:
    """Write the checkpoint; needs the extra ``train``."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(exist_ok=True)
    shutil.copy(TINY / "tokenizer.json", folder)
    count = len(json.loads((TINY / "tokenizer.json").read_text())["model"]["vocab"])
    config = {
        "hidden_size": 32, "num_hidden_layers": layers, "num_attention_heads": 2, "intermediate_size": 64,
        "vocab_size": count, "max_position_embeddings": 256,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    torch.manual_seed(seed)
    linear, norms = {}, ["embeddings"]
    for i in range(layers):
        layer = f"encoder.layer.{i}"
        linear |= {f"{layer}.attention.self.{part}": (32, 32) for part in ("query", "key", "value")}
        linear |= {f"{layer}.attention.output.dense": (32, 32), f"{layer}.intermediate.dense": (64, 32)}
        linear |= {f"{layer}.output.dense": (32, 64)}
        norms += [f"{layer}.attention.output", f"{layer}.output"]
    weights = {f"{name}.weight": torch.randn(shape) * 0.1 for name, shape in linear.items()}
    weights |= {f"{name}.bias": torch.zeros(shape[0]) for name, shape in linear.items()}
    for norm in norms:
        weights |= {f"{norm}.LayerNorm.weight": torch.ones(32), f"{norm}.LayerNorm.bias": torch.zeros(32)}
    for name, rows in (("word", count), ("position", 256), ("token_type", 2)):
        weights[f"embeddings.{name}_embeddings.weight"] = torch.randn(rows, 32) * 0.1
    save_file(weights, folder / "model.safetensors")
    return folder
