"""A package's network is requantised in place: other ranges, same weights, updated documents."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")
onnx = pytest.importorskip("onnx", reason="needs onnx; pip install '.[train]'")

from tacenda.models.token_classifier.package import read_package
from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.network import from_bert
from tacenda.models.training.packaging import Intent, package_from_checkpoint
from tacenda.models.training.recalibrating import main, recalibrate
from tacenda.transforms.schema.errors import UserError

from .conftest import gold


@pytest.fixture
def package(base: Path, scheme: LabelScheme, tmp_path: Path, write: Any) -> Path:
    torch.manual_seed(5)
    network = from_bert(base, len(scheme.classes))
    torch.nn.init.normal_(network.classify.weight)
    path = tmp_path / "checkpoint.pt"
    torch.save({"network": network.state_dict(), "step": 17, "optimizer": {}, "schedule": "{}"}, path)
    intent = Intent(name="tiny", max_places=48, context=8, threads=1)
    package_from_checkpoint(
        path, base, [write(gold(80, seed=2), "dev.jsonl")], tmp_path / "out", scheme, intent
    )
    return tmp_path / "out"


def tensors(folder: Path) -> dict[str, np.ndarray]:
    graph = onnx.load(folder / "model.onnx").graph
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}


def test_weights_stay_and_ranges_are_those_of_the_text(package: Path, write: Any) -> None:
    before, description = tensors(package), read_package(package)
    text = write([{"id": "a", "turns": [{"text": "pam ? " * 40, "spans": []}]}], "other.jsonl")
    told = recalibrate(package, "2", [text])
    after = tensors(package)
    eights = [name for name, value in before.items() if value.dtype == np.int8]
    assert eights
    assert all(np.array_equal(before[name], after[name]) for name in eights)
    scales = [name for name in before if name.endswith(".activation_scale")]
    assert any(before[name] != after[name] for name in scales)
    assert [one["file"] for one in told["calibration"]["files"]] == ["other.jsonl"]
    now = read_package(package)
    assert (now.version, now.decision, now.labels) == ("2", description.decision, description.labels)
    assert now.fingerprint != description.fingerprint
    assert json.loads((package / "curve.json").read_text()) == json.loads(json.dumps(told))
    card = (package / "MODEL_CARD.md").read_text("utf-8")
    assert card.startswith("# tiny 2\n")
    assert "pieces of 1 file came to" in card


def test_another_graph_is_refused_and_left_unchanged(package: Path, write: Any) -> None:
    (package / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(UserError, match=r"model\.onnx"):
        recalibrate(package, "2", [write(gold(2), "text.jsonl")])
    assert (package / "model.onnx").read_bytes() == b"no graph"


def test_a_mistake_is_told_without_a_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--package", str(tmp_path), "--version", "2", "--text", "nowhere.jsonl"])
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("tacenda train recalibrate: ")
    assert told.count("\n") == 1
