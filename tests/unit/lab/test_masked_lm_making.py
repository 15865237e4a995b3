import importlib.util
import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

import tacenda
from tacenda.models.lab.masked_lm import load
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.pipelines.cli import run
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.lab.masked_lm import best_threshold, converted, tuned, write_onnx
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

needs_transformers = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("torch", "transformers", "onnx"))),
    reason="needs the extras [torch,train]",
)


def _network(constant=False):
    """Logits of the sum of a token and its neighbour; ``constant``: of the number of places seen in a trace."""
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    torch.manual_seed(1)

    class Network(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self):
            super().__init__()
            self.table = torch.nn.Embedding(12, 12)
            self.dropout = torch.nn.Dropout(0.5)

        def forward(self, input_ids, attention_mask):
            seen = self.table(input_ids) * attention_mask[..., None]
            logits = self.dropout(seen + torch.roll(seen, 1, 1))
            return SimpleNamespace(logits=logits + int(input_ids.shape[1]) if constant else logits)

    return Network()


def test_a_network_computes_the_same_as_onnx(tmp_path):
    network = _network()
    pytest.importorskip("onnx", reason="needs the extra [train]")
    write_onnx(network, 12, tmp_path / "model.onnx")
    ids = np.array([[3, 1, 4, 1, 5]])
    scores = OnnxSession(tmp_path / "model.onnx", 12).scores(ids, np.ones_like(ids), np.zeros_like(ids))
    table = network.table.weight.detach().numpy()
    assert scores[0] == pytest.approx(table[ids[0]] + table[np.roll(ids[0], 1)], abs=1e-5)


def test_a_network_that_a_trace_does_not_capture_is_refused(tmp_path):
    network = _network(constant=True)
    pytest.importorskip("onnx", reason="needs the extra [train]")
    with pytest.raises(UserError, match="computes something else"):
        write_onnx(network, 12, tmp_path / "model.onnx")
    assert not [*tmp_path.iterdir()]


def test_what_is_no_masked_language_model_is_refused(folder, tmp_path):
    with pytest.raises(UserError, match=r"names no architecture …ForMaskedLM"):
        converted(tmp_path, tmp_path / "new")
    for used in (folder, folder / "config.json"):
        with pytest.raises(UserError, match="is no empty folder"):
            converted(folder, used)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(UserError, match=r"no tokenizer\.json"):
        converted(folder, tmp_path / "new")


@pytest.fixture
def saved(folder, tmp_path):
    """A random BERT with the tokenizer of the tiny model, as transformers saves it."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=18,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        initializer_range=0.5,
    )
    BertForMaskedLM(config).save_pretrained(tmp_path / "saved")
    shutil.copy(folder / "tokenizer.json", tmp_path / "saved")
    return tmp_path / "saved"


@needs_transformers
def test_a_converted_model_scores_as_the_original(saved, tmp_path, capsys):
    import torch
    from transformers import BertForMaskedLM

    converted(saved, tmp_path / "new")
    assert sorted(file.name for file in (tmp_path / "new").iterdir()) == [
        "config.json",
        "model.onnx",
        "tokenizer.json",
    ]
    _, scores = load(package_of(str(tmp_path / "new")), 1).score(TextColumn(["my name"]), 0)
    network = BertForMaskedLM.from_pretrained(saved).eval()
    # [CLS] my name [SEP] [SEP]: a separator follows each cell and each window; 4 is the mask.
    rows = torch.tensor([[2, 4, 6, 3, 3], [2, 5, 4, 3, 3]])
    with torch.inference_mode():
        logs = network(input_ids=rows).logits.log_softmax(-1)
    assert scores == pytest.approx([float(logs[0, 1, 5]), float(logs[1, 2, 6])], abs=1e-4)


def _gold(path, *turns):
    record = {"conversation_id": "1", "complete": True, "turns": [{"speaker": "a", **turn} for turn in turns]}
    path.write_text(json.dumps(record) + "\n")
    return path


def _made(model, target, gold):
    """The findings of the config that one command writes, in a text."""
    assert cli_main(run, ["lab", "masked-lm", str(model), str(target), str(gold)]) == 0
    [embedded, entry] = yaml.safe_load((target / "config.yaml").read_text())["models"]
    assert embedded == {}
    assert entry["path"] == str(target)
    (target / "alone.yaml").write_text(
        yaml.safe_dump({"models": [entry], "languages": {"uncovered": "hold"}})
    )
    return tacenda.Anonymizer(target / "alone.yaml")


def test_one_command_tunes_a_converted_model(folder, tmp_path):
    gold = _gold(tmp_path / "gold.jsonl", _turn(TEXT, (11, 17, "PERSON_NAME")))
    found = _made(folder, tmp_path / "new", gold).inspect(TEXT).findings
    assert [(one.start, one.end, one.info_type) for one in found if one.detector == "model"] == [
        (11, 17, "GENERIC_ID")
    ]


def test_gold_without_personal_data_is_refused_in_a_line(folder, tmp_path, capsys):
    gold = _gold(tmp_path / "gold.jsonl", _turn(TEXT))
    assert cli_main(run, ["lab", "masked-lm", str(folder), str(tmp_path / "new"), str(gold)]) == 2
    assert "no span of personal data" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("scores", "personal", "log_score", "f1"),
    [
        ([-9.0, -8.0, -1.0], [True, True, False], -1.0, 1.0),
        ([-9.0, -8.0, -1.0], [True, False, True], 0.0, 0.8),
        ([-5.0, -5.0, -2.0], [True, False, False], -2.0, 2 / 3),
        ([-1.0], [True], 0.0, 1.0),
    ],
)
def test_the_best_threshold_is_found_by_hand(scores, personal, log_score, f1):
    found = best_threshold(np.array(scores), np.array(personal))
    assert found == (log_score, pytest.approx(f1))


def test_no_other_threshold_is_better():
    random = np.random.default_rng(5)
    scores, personal = -random.integers(1, 30, 200).astype(float), random.random(200) < 0.3
    _, best = best_threshold(scores, personal)
    for threshold in np.linspace(-31, 0, 400):
        marked = scores < threshold
        assert 2 * (marked & personal).sum() / (marked.sum() + personal.sum()) <= best + 1e-12


TEXT = "my name is pamela"


def _turn(text, *spans):
    return {"text": text, "spans": [{"start": s, "end": e, "label": label} for s, e, label in spans]}


def test_the_threshold_parts_the_name_from_the_other_words(folder):
    [(log_score, f1, words)] = tuned(str(folder), [[_turn(TEXT, (11, 17, "PERSON_NAME"))]]).values()
    assert (f1, words) == (1.0, 4)
    # Above P(pamela) = 0.0002, up to the least probable other word.
    assert -8.52 < log_score <= 0


def test_a_language_without_annotated_words_has_no_threshold(folder):
    assert tuned(str(folder), [[_turn(TEXT)]]) == {}


def test_another_kind_of_model_is_refused():
    tiny = Path(__file__).parents[2] / "golden" / "tiny_model"
    with pytest.raises(UserError, match="is no masked language model"):
        tuned(str(tiny), [])
