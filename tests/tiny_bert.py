"""A tiny BERT with random weights as a base to train on, the tiny model, and gold that a network can learn."""

import json
import random
import shutil
from pathlib import Path

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.scoring import Scorer

TINY = Path(__file__).parent / "golden" / "tiny_model"
PEOPLE = ("Pam", "Dwight", "José", "O", "Schrute")
PLACES = ("Scranton", "New York", "York")
FRAMES = (
    "my name is {p} from {l}",
    "hello {p} and the beet in {l}",
    "call it maybe",
    "will {p} call from {l} ?",
)


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


def tiny_scorer():
    """The tiny model, with blocks of 16 places and 4 of context."""
    return Scorer(TurnEncoder(TINY / "tokenizer.json"), OnnxSession(TINY / "model.onnx", 4), 4, 16, 4, True)


def gold(count, seed=1, **fields):
    """Complete conversations of two turns; every fourth has its own subject."""
    rng = random.Random(seed)
    return [
        {
            "conversation_id": f"{seed}-{i}",
            "id": f"{seed}-{i}",
            "source": "office",
            "lang": "en",
            "subject_id": f"s{i // 4}",
            "turns": [_turn(rng), _turn(rng)],
            **fields,
        }
        for i in range(count)
    ]


def _turn(rng):
    frame, text, spans = rng.choice(FRAMES), "", []
    for piece in frame.replace("{", "\n{").replace("}", "}\n").split("\n"):
        values = {"{p}": ("PERSON_NAME", PEOPLE), "{l}": ("LOCATION", PLACES)}.get(piece)
        if values is None:
            text += piece
            continue
        value = rng.choice(values[1])
        spans.append({"start": len(text), "end": len(text) + len(value), "label": values[0]})
        text += value
    return {"speaker": "a", "text": text, "spans": spans}
