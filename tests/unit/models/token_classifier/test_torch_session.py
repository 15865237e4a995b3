"""Networks in PyTorch, of transformers and of a package, in the same detector; run if torch is installed."""

import importlib.util
import json
import shutil
import sys
from socket import AF_UNIX, socket
from threading import Thread
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tacenda.models.token_classifier import inference_process
from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.inference_process import SharedSession, serve, shared_session
from tacenda.models.token_classifier.loading import embedded_path, package_of
from tacenda.models.token_classifier.onnx_session import OnnxSession, softmax
from tacenda.models.token_classifier.package import MODEL, TOKENIZER
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.torch_session import (
    TOLERANCE,
    hugging_face_session,
    package_session,
    stepped,
)
from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.generating.sample.dialogue import conversations
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

needs_torch = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("torch", "transformers"))), reason="needs the extra [torch]"
)
LABELS = ["O", "B-PER", "I-PER", "B-LOC"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tiny):
    import torch
    from transformers import BertConfig, BertForTokenClassification

    torch.manual_seed(1)
    place = tmp_path_factory.mktemp("network")
    size = len(json.loads((tiny / "tokenizer.json").read_text())["model"]["vocab"])
    network = BertForTokenClassification(
        BertConfig(
            vocab_size=size,
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            max_position_embeddings=160,
            id2label=dict(enumerate(LABELS)),
            label2id={label: i for i, label in enumerate(LABELS)},
        )
    )
    torch.nn.init.normal_(network.classifier.weight, std=2.0)
    network.save_pretrained(place)
    shutil.copy(tiny / "tokenizer.json", place)
    return place


@pytest.mark.parametrize(
    ("places", "longest", "width"),
    [(1, 510, 32), (32, 510, 32), (33, 510, 64), (200, 198, 200), (195, 198, 198)],
)
def test_steps_end_where_a_network_does(places, longest, width):
    assert stepped(places, longest) == width


@needs_torch
def test_scores_are_those_of_the_network(folder):
    import torch
    from transformers import AutoModelForTokenClassification

    ids = np.array([[2, 5, 6, 7], [2, 9, 0, 0]])
    mask = np.array([[1, 1, 1, 1], [1, 1, 0, 0]])
    scores = hugging_face_session(folder, device="cpu").scores(ids, mask, np.zeros_like(ids))
    network = AutoModelForTokenClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        expected = network(input_ids=torch.tensor(ids), attention_mask=torch.tensor(mask)).logits.numpy()
    assert scores.dtype == np.float32
    assert np.allclose(scores, expected, atol=1e-5)


@needs_torch
def test_a_foreign_model_is_a_detector(folder):
    package = package_of(str(folder))

    def found(decision, label_map):
        settings = ModelSettings(str(folder), package.fingerprint, decision, label_map)
        return TokenClassifierDetector(parse_inspect_config({}), settings).find(
            TextColumn(["pam, scranton"])
        )[0]

    everything = found(Decision(Rule.SUM, 0.0), "conll")
    assert [(f.start, f.end) for f in everything] == [(0, 3), (5, 13)]
    assert {f.info_type for f in everything} <= {"PERSON_NAME", "LOCATION"}
    assert found(Decision(Rule.SUM, 1.0), "conll") == []


@needs_torch
def test_what_transformers_cannot_load_is_reported_in_a_line(folder, tmp_path):
    place = tmp_path / "broken"
    shutil.copytree(folder, place)
    (place / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(UserError, match=r"transformers cannot load it \(\w+\)$"):
        hugging_face_session(place, device="cpu")


def test_code_in_a_model_folder_is_not_run(tmp_path, monkeypatch):
    """Neither modules beside the weights nor pickles are executed, with any version of transformers."""
    asked: dict[str, Any] = {}

    class Loader:
        @staticmethod
        def from_pretrained(folder, **options):
            asked.update(options)
            raise OSError

    class Torch:
        __version__, float32, bfloat16 = "0", "float32", "bfloat16"
        cuda = SimpleNamespace(is_available=lambda: False)
        device = staticmethod(lambda name: SimpleNamespace(type=name))
        set_num_threads = staticmethod(lambda threads: None)

    monkeypatch.setitem(sys.modules, "torch", Torch)
    monkeypatch.setitem(sys.modules, "transformers", SimpleNamespace(AutoModelForTokenClassification=Loader))
    with pytest.raises(UserError, match=r"transformers cannot load it \(OSError\)"):
        hugging_face_session(tmp_path)
    assert asked["trust_remote_code"] is False
    assert asked["use_safetensors"] is True
    assert asked["local_files_only"] is True


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_without_torch_the_message_says_what_to_install(tmp_path):
    with pytest.raises(UserError, match=r"needs torch and transformers; .*pip install '\.\[torch\]'"):
        hugging_face_session(tmp_path)


needs_onnx = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("torch", "onnx"))), reason="needs the extra [torch]"
)
EMBEDDED = embedded_path()


@pytest.fixture(scope="module")
def rows():
    encoder = read_encoder(EMBEDDED / TOKENIZER)
    texts = [turn["text"] for one in conversations(7, 0, 40) for turn in one["turns"]]
    encoded = encoder.encode(TextColumn(texts))
    count = len(encoded.ids) // 96
    ids, cases = (a[: 96 * count].reshape(count, 96).astype(np.int64) for a in (encoded.ids, encoded.cases))
    return ids, np.ones_like(ids), cases


@needs_onnx
def test_a_package_decides_in_torch_as_in_onnx_within_the_tolerance(rows):
    ours = package_session(EMBEDDED / MODEL, "cpu")
    expected = OnnxSession(EMBEDDED / MODEL, ours.scores(*rows).shape[-1]).scores(*rows, whole=True)
    here, there = (softmax(one.reshape(-1, one.shape[-1]).copy()) for one in (ours.scores(*rows), expected))
    assert len(here) > 5000
    assert np.mean(np.abs(here - there).max(-1) > TOLERANCE) < 0.001
    assert np.mean(here.argmax(-1) != there.argmax(-1)) < 0.001


@needs_onnx
def test_workers_share_one_inference_process(rows, monkeypatch, tmp_path):
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path))
    alone = package_session(EMBEDDED / MODEL, "cpu")
    few = tuple(array[:4] for array in rows)
    expected = alone.scores(*few)
    one, other = (shared_session(EMBEDDED / MODEL, expected.shape[-1], "cpu") for _ in range(2))
    assert one._process.getpeername() == other._process.getpeername()
    assert len(list(next(tmp_path.iterdir()).glob("gpu-*"))) == 1
    assert (one.budget, one.arithmetic, one.tolerance) == (alone.budget, alone.arithmetic, alone.tolerance)
    assert np.array_equal(one.scores(*few), expected)
    # Fewer rows, then more than its memory had room for.
    assert np.array_equal(other.scores(*(array[1:2] for array in few)), expected[1:2])
    assert np.array_equal(other.scores(*few), expected)


@needs_onnx
def test_what_the_inference_process_cannot_load_is_told_by_the_worker(monkeypatch, tmp_path):
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path))
    (tmp_path / MODEL).write_bytes(b"none")
    with pytest.raises(UserError, match="torch cannot load it"):
        shared_session(tmp_path / MODEL, 2, "cpu")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(UserError, match="its inference process did not start on cpu"):
        shared_session(tmp_path / MODEL, 2, "cpu:0")


class Fails:
    """A session that fails in its first call, and has too few classes in the second."""

    budget, pads, gated, arithmetic, tolerance = 8, True, False, "none", 0.0
    calls = 0

    def scores(self, ids, mask, types):
        self.calls += 1
        if self.calls == 1:
            raise MemoryError
        return np.full((*ids.shape, min(self.calls, 3)), ids[..., None], np.float32)


def test_a_session_that_fails_fails_the_call_and_not_the_process(tmp_path, monkeypatch):
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path))
    monkeypatch.setattr(inference_process, "_IDLE_S", 0.1)
    monkeypatch.setattr(inference_process, "package_session", lambda model, device: Fails())
    address, listening, process = tmp_path / "socket", socket(AF_UNIX), socket(AF_UNIX)
    listening.bind(str(address))
    listening.listen()
    given = str(listening.detach()), str(address), "none", "cpu"
    serving = Thread(target=serve, args=given, daemon=True)
    serving.start()
    process.connect(str(address))
    session = SharedSession(process, 3)
    row = np.arange(3)[None]
    for wrong in ("MemoryError", "ValueError"):
        with pytest.raises(RuntimeError, match=f"failed: {wrong}"):
            session.scores(row, row, row)
    assert session.scores(row, row, row).tolist() == [[[i] * 3 for i in range(3)]]
    # It ends when its last worker has gone, and a worker that it leaves stops.
    session._answers.close()
    process.shutdown(1)
    serving.join(10)
    assert not serving.is_alive()
    assert not address.exists()
    with pytest.raises(DetectorUnavailableError, match="InferenceProcessEnded"):
        session.scores(row, row, row)


@needs_onnx
def test_a_machine_without_a_gpu_says_so(monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UserError, match="torch sees no GPU here"):
        package_session(EMBEDDED / MODEL, "cuda")
