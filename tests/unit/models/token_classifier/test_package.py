"""A package is read completely or rejected in one line."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tacenda.models.token_classifier import loading
from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.loading import classes_of, embedded_path, loaded, package_of
from tacenda.models.token_classifier.package import read_package
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.schema.errors import UserError
from tests.cases import cases


@pytest.fixture
def copy(tiny, tmp_path):
    folder = tmp_path / "package"
    shutil.copytree(tiny, folder)
    return folder


def changed(folder, **fields):
    description = json.loads((folder / "package.json").read_text())
    description.update(fields)
    (folder / "package.json").write_text(json.dumps({k: v for k, v in description.items() if v != "gone"}))
    return str(folder)


def test_reads_what_the_package_says(tiny):
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


def test_the_fingerprint_is_of_the_files_and_not_of_the_place(copy, tiny, tmp_path):
    before = read_package(tiny).fingerprint
    assert read_package(copy).fingerprint == before
    for name in ("model.onnx", "tokenizer.json", "model.onnx.data"):
        other = tmp_path / name
        shutil.copytree(tiny, other)
        with (other / name).open("ab") as file:
            file.write(b" ")
        assert read_package(other).fingerprint != before, name


@pytest.mark.parametrize(("fields", "wrong"), cases(__file__, "test_invalid_packages_are_refused"))
def test_invalid_packages_are_refused(copy, fields, wrong):
    with pytest.raises(UserError) as raised:
        read_package(Path(changed(copy, **fields)))
    assert wrong in str(raised.value)
    assert str(raised.value).startswith(f"model {copy}: package.json")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "package.json"])
def test_names_the_file_that_is_missing(copy, name):
    (copy / name).unlink()
    with pytest.raises(UserError, match=f"no file {name}; a package has package.json, model.onnx"):
        read_package(copy)


@pytest.mark.parametrize("text", ["{", "[]", "1", '"x"'])
def test_rejects_anything_but_an_object(copy, text):
    (copy / "package.json").write_text(text)
    with pytest.raises(UserError, match=r"package\.json must be an object"):
        read_package(copy)


@pytest.fixture
def settings(tiny):
    package = read_package(tiny)
    return ModelSettings(str(tiny), package.fingerprint, package.decision)


def test_another_package_than_planned_is_refused(settings):
    with pytest.raises(UserError, match="the package has changed since this run began"):
        loaded(replace(settings, fingerprint="0" * 64))


def test_a_label_that_no_run_asks_for_is_refused_unless_the_package_says_so(settings):
    package = package_of(settings.path)
    labels = ("O", "PERSON_NAME", "PROJECT_CODE", "LOCATION")
    with pytest.raises(UserError, match="label PROJECT_CODE: not an infoType"):
        classes_of(replace(package, labels=labels), None)
    said = replace(package, labels=labels, unreported=("PROJECT_CODE",))
    assert classes_of(said, None) == (None, *labels[1:])


def test_the_embedded_model_lies_beside_the_code_or_is_asked_for(monkeypatch, tmp_path):
    assert (embedded_path().parent / "token_classifier").is_dir()
    monkeypatch.setattr(loading, "embedded_path", lambda: tmp_path)
    with pytest.raises(UserError, match="comes without a model; name a package with --model PATH"):
        package_of(None)
