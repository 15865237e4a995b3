"""A checkpoint becomes a package for inference; nothing in it is written by hand."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

import pytest

from tacenda.models.token_classifier.package import CURVE, read_package
from tacenda.models.token_classifier.torch_network import float_network
from tacenda.models.training import fitting, packaging
from tacenda.models.training.card import CARD, card
from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.fitting import fit
from tacenda.models.training.network import from_bert
from tacenda.models.training.recipe import Recipe
from tacenda.transforms.schema.errors import UserError
from tests.tiny_bert import gold

OTHER = LabelScheme.load('classes: ["O", "PERSON_NAME"]\nignore: ["LOCATION"]')


@pytest.fixture
def recipe(base, write):
    train, dev = (write(gold(*drawn), f"{name}.jsonl") for name, drawn in (("train", (9,)), ("dev", (80, 2))))
    package = {"name": "tiny", "license": ("CC0",), "max_places": 48, "context": 8, "threads": 1}
    return Recipe((train,), base, dev=(dev,), batch=512, **package)


@pytest.fixture
def packaged(recipe, scheme, tmp_path, monkeypatch):
    """``packaged(**changes)``: a package of a network that was not trained."""
    torch.manual_seed(5)
    network = from_bert(recipe.base, len(scheme.classes))
    torch.nn.init.normal_(network.classify.weight)
    monkeypatch.setattr(
        fitting, "train", lambda untrained, *_: untrained.load_state_dict(network.state_dict()) and 17
    )

    def package(**changes):
        return fit(replace(recipe, **changes), scheme, tmp_path / "out", tmp_path / "work", lambda line: None)

    return package


@pytest.fixture
def made(packaged, tmp_path):
    return tmp_path / "out", packaged()


def test_writes_what_inference_reads(made, scheme):
    folder, told = made
    network = {"model.onnx", "model.onnx.data"}
    names = {"MODEL_CARD.md", "curve.json", "package.json", "tokenizer.json"} | network
    assert {p.name for p in folder.iterdir()} == names
    inputs = {"dev.jsonl", "train.jsonl"}
    assert {p.name for p in folder.parent.iterdir()} == {*inputs, "out", "work"}
    package = read_package(folder)
    assert (package.name, package.labels, package.casing) == ("tiny", scheme.classes, True)
    assert (package.max_places, package.context, package.languages) == (48, 8, ("en",))
    assert package.trained_on_personal_data
    assert package.unreported == ()
    assert package.decision.to_dict() == told["decision"]
    assert set(told["decision"]["thresholds"]) == {"PERSON_NAME", "LOCATION"}
    assert json.loads((folder / "curve.json").read_text()) == json.loads(json.dumps(told))


def test_tells_of_curves_export_and_quantisation(made):
    told = made[1]
    assert set(told["curves"]) == {"*", "PERSON_NAME", "LOCATION"}
    recalls = [p["recall"] for p in told["curves"]["PERSON_NAME"]["points"]]
    assert recalls == sorted(recalls, reverse=True)
    assert told["export"]["largest_difference"] < told["export"]["tolerance"]
    assert told["bytes"]["int8"] < told["bytes"]["float32"]
    assert list(told["steps"].values())[-1]["recall"] == told["figures"]["recall"]
    assert told["facts"]["kept_step"] == 17


def test_the_card_has_the_figures_the_files_and_the_warning(made):
    folder, told = made
    card = (folder / "MODEL_CARD.md").read_text("utf-8")
    for part in ("train", "dev"):
        (data,) = told["data"][part]
        spans = sum(data["spans"].values())
        assert f"on 1 file with {data['conversations']} conversations and {spans} spans" in card
        assert (data["file"], len(data["sha256"])) == (f"{part}.jsonl", 64)
    one = told["figures"]["by_info_type"]["PERSON_NAME"]
    assert f"| {one['support']} | {one['recall']:.3f} | {one['precision']:.3f} | {one['f1']:.3f} |" in card
    assert "**Trained on raw gold conversations.**" in card
    assert json.loads((folder / "package.json").read_text())["about"]["warning"].startswith(
        "Trained on raw gold"
    )
    assert not any(name in card for name in ("Pam", "Dwight", "Scranton"))


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"max_places": 7, "context": 0}, "and at least 8; not 7 with a context of 0"),
        ({"tokenizer": "{}"}, r"other/tokenizer\.json: cannot be loaded \(Exception\)"),
        ({"export": 1.5}, "differs from the trained one: probabilities by up to"),
    ],
)
def test_refuses_in_one_line_and_leaves_nothing(packaged, recipe, tmp_path, monkeypatch, changes, wrong):
    given = {"base": Path(shutil.copytree(recipe.base, tmp_path / "other")), **changes}
    if tokenizer := given.pop("tokenizer", None):
        (tmp_path / "other" / "tokenizer.json").write_text(tokenizer)
    honest, factor = packaging.write_onnx, given.pop("export", 1)

    def exported(weights, *rest, **more):
        honest({**weights, "norm.weight": weights["norm.weight"] * factor}, *rest, **more)

    monkeypatch.setattr(packaging, "write_onnx", exported)
    with pytest.raises(UserError, match=wrong) as raised:
        packaged(**given)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists()


EMBEDDED = Path(__file__).parents[4] / "models" / "embedded"


def test_the_embedded_card_is_what_lies_beside_it_and_fits_on_two_screens():
    text = (EMBEDDED / CARD).read_text("utf-8")
    assert card(EMBEDDED) == text
    assert sum(1 + len(line) // 122 for line in text.splitlines()) <= 100
    told = json.loads((EMBEDDED / CURVE).read_text("utf-8"))["figures"]["by_corpus"]
    weakest = min((one["recall"], name) for name, one in told.items() if one["support"] >= 20)
    assert f"corpora by recall: {weakest[1]} {weakest[0]:.3f}, " in text


@pytest.mark.parametrize("part", ["train", "dev"])
def test_what_the_card_leaves_out_is_in_the_data(part):
    told = json.loads((EMBEDDED / CURVE).read_text("utf-8"))
    files = told["data"][part]
    assert all(len(one["sha256"]) == 64 for one in files)
    # Files of tags, and of text without personal data, have no spans of any class.
    assert all(one["spans"] or ".pos." in one["file"] or "everyday" in one["file"] for one in files)
    assert set(told["figures"]["by_corpus"]) == {one["file"].split(".")[0] for one in told["data"]["dev"]}


def test_a_package_goes_on_as_it_is_with_its_own_labels(made, recipe, scheme, tmp_path, monkeypatch):
    folder, _ = made
    before = float_network(folder / "model.onnx").state_dict()
    on, other = (
        replace(recipe, base=folder),
        LabelScheme.load('classes: ["O", "PERSON_NAME"]\nignore: ["LOCATION"]'),
    )
    began: dict[str, Any] = {}
    monkeypatch.setattr(fitting, "train", lambda network, *_: began.update(network.state_dict()) or 1)
    fit(on, scheme, tmp_path / "on", tmp_path / "work_on", lambda line: None)
    assert all(torch.equal(began[name], weights) for name, weights in before.items())
    with pytest.raises(UserError, match="has 3 classes, the labels name 2"):
        fit(on, other, tmp_path / "on", tmp_path / "other", lambda line: None)
