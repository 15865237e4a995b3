"""A tiny encoder as a start, and gold whose names a network can learn in a few steps."""

import json
import random
import shutil
from pathlib import Path

import pytest

from tacenda.models.training.corpora import LabelScheme

TINY = Path(__file__).parents[3] / "golden" / "tiny_model"
PEOPLE = ("Pam", "Dwight", "José", "O", "Schrute")
PLACES = ("Scranton", "New York", "York")
FRAMES = (
    "my name is {p} from {l}",
    "hello {p} and the beet in {l}",
    "call it maybe",
    "will {p} call from {l} ?",
)
LABELS = 'classes: ["O", "PERSON_NAME", "LOCATION"]\nignore: ["TITLE"]\n'


@pytest.fixture(scope="session")
def scheme():
    return LabelScheme.load(LABELS)


def gold(count, seed=1, **fields):
    """Complete conversations of two turns; every fourth has its own subject."""
    rng = random.Random(seed)
    return [
        {
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


@pytest.fixture
def write(tmp_path):
    def to(records, name="gold.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
        return path

    return to


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """A BERT of two layers, 32 wide, with random weights."""
    torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")
    safetensors = pytest.importorskip("safetensors.torch", reason="needs safetensors; see torch")
    pytest.importorskip("onnx", reason="needs onnx; see torch")
    folder = tmp_path_factory.mktemp("base")
    shutil.copy(TINY / "tokenizer.json", folder)
    vocabulary = len(json.loads((TINY / "tokenizer.json").read_text())["model"]["vocab"])
    config = {
        "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64,
        "vocab_size": vocabulary, "max_position_embeddings": 256,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    torch.manual_seed(7)
    shapes = {
        "embeddings.word_embeddings.weight": (vocabulary, 32),
        "embeddings.position_embeddings.weight": (256, 32),
        "embeddings.token_type_embeddings.weight": (2, 32),
        "embeddings.LayerNorm": (32,),
    }
    for i in range(2):
        name = f"encoder.layer.{i}"
        shapes |= {f"{name}.attention.self.{part}": (32, 32) for part in ("query", "key", "value")}
        shapes |= {
            f"{name}.attention.output.dense": (32, 32),
            f"{name}.attention.output.LayerNorm": (32,),
            f"{name}.intermediate.dense": (64, 32),
            f"{name}.output.dense": (32, 64),
            f"{name}.output.LayerNorm": (32,),
        }
    weights = {}
    for name, shape in shapes.items():
        if name.endswith(".weight"):
            weights[name] = torch.randn(shape) * 0.1
        elif len(shape) == 1:
            weights[f"{name}.weight"], weights[f"{name}.bias"] = torch.ones(shape), torch.zeros(shape)
        else:
            weights[f"{name}.weight"] = torch.randn(shape) * 0.1
            weights[f"{name}.bias"] = torch.zeros(shape[0])
    safetensors.save_file(weights, folder / "model.safetensors")
    return folder
