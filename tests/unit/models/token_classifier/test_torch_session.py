"""A transformers network in the same detector; runs if torch is installed."""

import importlib.util
import json
import shutil
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.labels import LabelMap
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.torch_session import TorchSession, stepped
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
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
    scores = TorchSession(folder, device="cpu").scores(ids, mask, np.zeros_like(ids))
    network = AutoModelForTokenClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        expected = network(input_ids=torch.tensor(ids), attention_mask=torch.tensor(mask)).logits.numpy()
    assert scores.dtype == np.float32
    assert np.allclose(scores, expected, atol=1e-5)


@needs_torch
def test_padding_and_other_rows_do_not_change_results(folder):
    scorer = Scorer(
        TurnEncoder(folder / "tokenizer.json"), TorchSession(folder, device="cpu"), 4, 32, 8, False
    )
    texts = ["pam is from new york", "mr brien", "scranton " * 60]
    together = scorer.score(TextColumn(texts, [0, 1, 2, 3]))
    for i, text in enumerate(texts):
        own = slice(together.encoded.first_token[i], together.encoded.first_token[i + 1])
        alone = scorer.score(TextColumn([text])).probabilities
        assert np.allclose(alone, together.probabilities[own], atol=1e-5)


@needs_torch
def test_a_foreign_model_is_a_detector(folder):
    package = package_of(str(folder))

    def found(decision, label_map):
        settings = ModelSettings(str(folder), package.fingerprint, decision, LabelMap(label_map))
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
        TorchSession(place, device="cpu")


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
        TorchSession(tmp_path)
    assert asked["trust_remote_code"] is False
    assert asked["use_safetensors"] is True
    assert asked["local_files_only"] is True


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_without_torch_the_message_says_what_to_install(tmp_path):
    with pytest.raises(UserError, match=r"needs torch and transformers; .*pip install '\.\[torch\]'"):
        TorchSession(tmp_path)
