"""A package is read completely or rejected in one line."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.package import read_package
from tacenda.transforms.schema.errors import UserError


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    shutil.copytree(tiny, folder)
    return folder


def changed(folder: Path, **fields: Any) -> str:
    description = json.loads((folder / "package.json").read_text())
    description.update(fields)
    (folder / "package.json").write_text(json.dumps({k: v for k, v in description.items() if v != "gone"}))
    return str(folder)


def test_reads_what_the_package_says(tiny: Path) -> None:
    package = read_package(tiny)
    assert package.labels == ("O", "PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")
    assert (package.max_places, package.context, package.casing) == (16, 4, True)
    assert package.decision == Decision(Rule.SUM, 0.2)
    assert package.to_dict() == {
        "name": "tiny",
        "version": "1",
        "engine": "onnxruntime",
        "fingerprint": package.fingerprint,
        "languages": ["en"],
        "trained_on_personal_data": False,
    }


def test_the_fingerprint_is_of_the_files_and_not_of_the_place(copy: Path, tiny: Path, tmp_path: Path) -> None:
    before = read_package(tiny).fingerprint
    assert read_package(copy).fingerprint == before
    for name in ("model.onnx", "tokenizer.json", "model.onnx.data"):
        other = tmp_path / name
        shutil.copytree(tiny, other)
        with (other / name).open("ab") as file:
            file.write(b" ")
        assert read_package(other).fingerprint != before, name


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"labels": ["PERSON_NAME", "O"]}, "'labels' must begin with \"O\""),
        ({"labels": ["O", "X", "X"]}, "'labels' must begin with \"O\" and name each class once"),
        ({"labels": "O"}, "'labels' must be a list of names"),
        ({"unreported": ["AGE"]}, "'unreported' has a name that is not in 'labels'"),
        ({"max_places": 15}, "'max_places' must be at least four times 'context'"),
        ({"max_places": "16"}, "'max_places' must be a whole number of at least 8"),
        ({"context": -1}, "'context' must be a whole number of at least 0"),
        ({"casing": "gone"}, "'casing' must be true or false"),
        ({"name": ""}, "'name' must be a text"),
        ({"colour": 1}, "unknown key 'colour'; known here: name, version"),
        ({"decision": {"rule": "best"}}, "'decision': 'rule' must be one of each, sum, outside, binary"),
        ({"decision": {"threshold": 1.5}}, "'decision': 'threshold' must be a number from 0 to 1"),
    ],
)
def test_invalid_packages_are_refused(copy: Path, fields: dict[str, Any], wrong: str) -> None:
    with pytest.raises(UserError) as raised:
        read_package(Path(changed(copy, **fields)))
    assert wrong in str(raised.value)
    assert str(raised.value).startswith(f"model {copy}: package.json")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "package.json"])
def test_names_the_file_that_is_missing(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(UserError, match=f"no file {name}; a package has package.json, model.onnx"):
        read_package(copy)


@pytest.mark.parametrize("text", ["{", "[]", "1", '"x"'])
def test_rejects_anything_but_an_object(copy: Path, text: str) -> None:
    (copy / "package.json").write_text(text)
    with pytest.raises(UserError, match=r"package\.json (is not valid JSON|must be an object)"):
        read_package(copy)
