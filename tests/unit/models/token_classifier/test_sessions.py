"""The input of ONNX Runtime, and what is rejected."""

import json
import shutil

import pytest

from tacenda.models.token_classifier.hugging_face import read_hugging_face
from tacenda.models.token_classifier.loading import classes_of, package_of
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import Engine
from tacenda.transforms.schema.errors import UserError
from tests.cases import cases


def test_rejects_an_invalid_network(tiny, tmp_path):
    with pytest.raises(UserError, match=r"has 4 classes, its description has 3$"):
        OnnxSession(tiny / "model.onnx", 3)
    (tmp_path / "model.onnx").write_bytes(b"not a network")
    with pytest.raises(UserError, match=r"ONNX Runtime cannot load it \(\w+\)$"):
        OnnxSession(tmp_path / "model.onnx", 3)


CONFIG = {
    "architectures": ["BertForTokenClassification"],
    "model_type": "bert",
    "id2label": {"1": "B-PER", "0": "O", "2": "I-PER"},
    "max_position_embeddings": 512,
}


def folder(place, tiny, **changed):
    place.mkdir(exist_ok=True)
    (place / "config.json").write_text(json.dumps({**CONFIG, **changed}))
    (place / "model.safetensors").write_bytes(b"weights")
    shutil.copy(tiny / "tokenizer.json", place)
    return place


def test_a_model_folder_is_read(tmp_path, tiny):
    package = package_of(str(folder(tmp_path / "mine", tiny)))
    assert (package.name, package.engine, package.casing) == ("mine", Engine.TORCH, False)
    assert package.labels == ("O", "B-PER", "I-PER")
    assert package.trained_on_personal_data is None
    assert package.max_places == 384
    assert classes_of(package, "conll") == (None, "PERSON_NAME", "PERSON_NAME")


def test_places_are_those_of_the_network(tmp_path, tiny):
    short = folder(tmp_path / "a", tiny, max_position_embeddings=200)
    roberta = folder(
        tmp_path / "b", tiny, max_position_embeddings=200, model_type="xlm-roberta", pad_token_id=1
    )
    assert read_hugging_face(short).max_places == 199
    assert read_hugging_face(roberta).max_places == 197


@pytest.mark.parametrize(("changed", "wrong"), cases(__file__, "test_an_invalid_model_folder_is_refused"))
def test_an_invalid_model_folder_is_refused(tmp_path, tiny, changed, wrong):
    place = folder(tmp_path / "x", tiny, **(changed if isinstance(changed, dict) else {}))
    if (place / str(changed)).is_file():
        (place / changed).unlink()
        (place / "pytorch_model.bin").write_bytes(b"a pickle")
    elif isinstance(changed, str):
        (place / "config.json").write_text(changed)
    with pytest.raises(UserError, match=rf"^model {place}: [^\n]*{wrong}[^\n]*$"):
        read_hugging_face(place)
