"""From settings to a model that answers, once a process."""

import threading
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from models.token_classifier import hugging_face, spacy_pipeline
from models.token_classifier.encoding import read_encoder
from models.token_classifier.labels import LabelMap, meanings
from models.token_classifier.onnx_session import OnnxSession
from models.token_classifier.package import DESCRIPTION, MODEL, TOKENIZER, Engine, Package, read_package
from models.token_classifier.scoring import Scorer
from models.token_classifier.session import Session
from models.token_classifier.settings import ModelSettings
from models.token_classifier.torch_session import TorchSession
from transforms.schema.errors import UserError

_ONE_AT_A_TIME = threading.Lock()


class Loaded(NamedTuple):
    """A model ready to score; ``classes`` are the infoTypes of its classes, None where none."""

    scorer: Scorer
    classes: tuple[str | None, ...]


def embedded_path() -> Path:
    """The folder of the package that comes with Tacet."""
    return Path(str(files("models") / "embedded"))


def package_of(path: str | None) -> Package:
    """The checked description of a package; None for the one that comes with Tacet.

    A folder may hold a package of ours, a Hugging Face token classifier or a spaCy pipeline.

    Raises:
        UserError: there is no such package, or it is wrong.
    """
    if path is None and not (embedded_path() / MODEL).is_file():
        raise UserError(
            "--detector model: this Tacet comes without a model; name a package with --model PATH"
        )
    return _read(embedded_path() if path is None else Path(path))


@lru_cache(maxsize=8)
def _read(path: Path) -> Package:
    if not (path / DESCRIPTION).is_file():
        if (path / spacy_pipeline.META).is_file():
            return spacy_pipeline.read_spacy(path)
        if (path / hugging_face.CONFIG).is_file():
            return hugging_face.read_hugging_face(path)
    return read_package(path)


def classes_of(package: Package, label_map: LabelMap | None) -> tuple[str | None, ...]:
    """The infoType of each class of a package, None where it is no personal data.

    A label that a package of ours calls unreported stands for itself; every other has to have a meaning.

    Raises:
        UserError: a label without meaning, or the label map is another.
    """
    unreported = package.unreported if label_map is None else ()
    labels = [label for label in package.labels if label not in unreported]
    found = meanings(labels, label_map, str(package.path))
    meant = dict(zip(labels, found, strict=True))
    return tuple(meant.get(label, label) for label in package.labels)


def loaded(settings: ModelSettings) -> Loaded:
    """The model of the settings; all detectors of a process share it.

    Raises:
        UserError: it cannot be loaded, or is not the one that the run was planned with.
    """
    with _ONE_AT_A_TIME:
        return _load(
            settings.path, settings.fingerprint, settings.label_map, settings.threads, settings.places
        )


@lru_cache(maxsize=4)
def _load(
    path: str | None,
    fingerprint: str,
    label_map: LabelMap | None,
    threads: int,
    places: int | None,
) -> Loaded:
    package = checked(path, fingerprint)
    encoder = read_encoder(package.path / TOKENIZER)
    session: Session = (
        OnnxSession(package.path / MODEL, len(package.labels), threads)
        if package.engine is Engine.ONNX
        else TorchSession(package.path, threads)
    )
    scorer = Scorer(
        encoder, session, len(package.labels), package.max_places, package.context, package.casing, places
    )
    return Loaded(scorer, classes_of(package, label_map))


def checked(path: str | None, fingerprint: str) -> Package:
    """The package at a path, which has to be the one that was planned with.

    Raises:
        UserError: it is another.
    """
    package = package_of(path)
    if package.fingerprint != fingerprint:
        raise UserError(
            f"model {package.path}: is not the package that this run began with; start another run"
        )
    return package
