import shutil
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")
pytest.importorskip("onnx", reason="needs onnx; pip install '.[train]'")

from tacenda.models.token_classifier.loading import embedded_path
from tacenda.models.training.continuing import continued, main, network_in
from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.exporting import write_onnx
from tacenda.models.training.loop import CHECKPOINT, Schedule
from tacenda.models.training.network import NetworkConfig, TokenNetwork
from tacenda.transforms.schema.errors import UserError

from .conftest import TINY, gold


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A float32 network of the shipped classes with random weights, and a tokenizer."""
    torch.manual_seed(3)
    sizes = {"layers": 1, "width": 32, "heads": 2, "inner": 64, "positions": 260}
    network = TokenNetwork(NetworkConfig(classes=len(LabelScheme.load().classes), **sizes))
    folder = tmp_path / "package"
    folder.mkdir()
    shutil.copy(TINY / "tokenizer.json", folder)
    weights = {name: value.numpy() for name, value in network.state_dict().items()}
    write_onnx(weights, 1, 2, folder / "model.onnx")
    return folder


def test_goes_on_from_the_weights_of_the_package(package: Path, tmp_path: Path, write) -> None:
    before = network_in(package)
    path = write(gold(40, source="synthetic/office"))
    after = continued(package, [path], Schedule(2), tmp_path / "work", places=256)
    for name, value in after.state_dict().items():
        moved = float((value - before.state_dict()[name]).abs().max())
        assert moved < 0.01, name
    assert not torch.equal(after.classify.weight, before.classify.weight)
    assert (tmp_path / "work" / CHECKPOINT).is_file()


def test_gold_that_the_labels_do_not_describe_is_refused(package: Path, tmp_path: Path, write) -> None:
    with pytest.raises(UserError, match="of the corpus office, and the labels do not say"):
        continued(package, [write(gold(4))], Schedule(2), tmp_path / "work", places=256)


def test_the_embedded_network_learns_from_listed_files_alone(tmp_path: Path, write) -> None:
    with pytest.raises(UserError, match=r"gold\.jsonl: not listed for training of the embedded model"):
        continued(embedded_path(), [write(gold(4))], Schedule(2), tmp_path / "work")


def test_a_mistake_is_told_without_a_traceback(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "--package",
        str(package),
        "--gold",
        "nowhere.jsonl",
        "--work",
        str(tmp_path / "work"),
        "--steps",
        "1",
    ]
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("tacenda train continue: ")
    assert "nowhere.jsonl" in told
    assert told.count("\n") == 1
