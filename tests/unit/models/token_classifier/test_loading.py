"""A model is loaded once per process, and only the planned one."""

from dataclasses import replace
from pathlib import Path

import pytest

from tacenda.models.token_classifier import loading
from tacenda.models.token_classifier.labels import LabelMap, pin_label_map
from tacenda.models.token_classifier.loading import classes_of, embedded_path, loaded, package_of
from tacenda.models.token_classifier.package import read_package
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.schema.errors import UserError


@pytest.fixture
def settings(tiny: Path) -> ModelSettings:
    package = read_package(tiny)
    return ModelSettings(str(tiny), package.fingerprint, package.decision)


def test_a_package_is_loaded_once_a_process(settings: ModelSettings) -> None:
    assert loaded(settings) is loaded(replace(settings))
    assert loaded(settings).classes == (None, "PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")


def test_another_package_than_planned_is_refused(settings: ModelSettings) -> None:
    with pytest.raises(UserError, match="the package has changed since this run began"):
        loaded(replace(settings, fingerprint="0" * 64))


def test_another_label_map_than_planned_is_refused(settings: ModelSettings, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text('labels: {"PERSON_NAME": "PERSON_NAME", "LOCATION": null, "ORGANIZATION_NAME": null}')
    pinned = pin_label_map(str(path))
    planned = replace(settings, label_map=pinned)
    assert loaded(planned).classes == (None, "PERSON_NAME", None, None)
    with pytest.raises(UserError, match="was changed since the run began"):
        loaded(replace(planned, label_map=LabelMap(pinned.name, "0" * 64)))


def test_a_label_that_no_run_asks_for_is_refused_unless_the_package_says_so(settings: ModelSettings) -> None:
    package = package_of(settings.path)
    labels = ("O", "PERSON_NAME", "PROJECT_CODE", "LOCATION")
    with pytest.raises(UserError, match="label PROJECT_CODE: not an infoType"):
        classes_of(replace(package, labels=labels), None)
    said = replace(package, labels=labels, unreported=("PROJECT_CODE",))
    assert classes_of(said, None) == (None, *labels[1:])


def test_no_embedded_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(loading, "embedded_path", lambda: tmp_path)
    with pytest.raises(UserError, match="comes without a model; name a package with --model PATH"):
        package_of(None)


def test_the_embedded_model_lies_beside_the_code() -> None:
    assert embedded_path().parent.name == "models"
    assert (embedded_path().parent / "token_classifier").is_dir()
