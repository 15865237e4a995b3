"""Load a model from its settings, once a process."""

from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from tacenda.models.token_classifier.batch_invariance import Batching, measure_batching
from tacenda.models.token_classifier.decoding_settings import Decision
from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.hugging_face import CONFIG, read_hugging_face
from tacenda.models.token_classifier.labels import LabelMap, meanings
from tacenda.models.token_classifier.onnx_session import OnnxSession, Session
from tacenda.models.token_classifier.package import (
    DESCRIPTION,
    MODEL,
    TOKENIZER,
    Engine,
    Package,
    read_package,
)
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.torch_session import hugging_face_session
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.machine_cache import fingerprint as fingerprint_of
from tacenda.transforms.storage.machine_cache import get_or_build, processor
from tacenda.transforms.storage.process_cache import built_once_for


class Loaded(NamedTuple):
    """A model ready to score; ``classes`` are the infoTypes of its classes, None for "O".

    ``batching`` tells which rows may share a call.
    """

    scorer: Scorer
    classes: tuple[str | None, ...]
    batching: Batching


def embedded_path() -> Path:
    """Folder of the shipped package."""
    return Path(str(files("tacenda.models") / "embedded"))


def package_of(path: str | None) -> Package:
    """Read and check the description of a package; None for the shipped one.

    The folder may contain a package of ours or a Hugging Face model.

    Raises:
        UserError: there is no such package, or it is invalid.
    """
    if path is None and not (embedded_path() / MODEL).is_file():
        raise UserError(
            "--detector model: this Tacenda comes without a model; name a package with --model PATH"
        )
    return _read(embedded_path() if path is None else Path(path))


@built_once_for(8)
def _read(path: Path) -> Package:
    is_hugging_face = not (path / DESCRIPTION).is_file() and (path / CONFIG).is_file()
    return read_hugging_face(path) if is_hugging_face else read_package(path)


def classes_of(package: Package, label_map: LabelMap | None) -> tuple[str | None, ...]:
    """The infoType of each class of a package, None for classes that are not personal data.

    Labels that a package lists as unreported stand for themselves; every other must map to an infoType.

    Raises:
        UserError: a label has no infoType, or the label map has changed.
    """
    unreported = package.unreported if label_map is None else ()
    labels = [label for label in package.labels if label not in unreported]
    meant = dict(zip(labels, meanings(labels, label_map, str(package.path)), strict=True))
    return tuple(meant.get(label, label) for label in package.labels)


def loaded(settings: ModelSettings) -> Loaded:
    """Load the model of the settings; all detectors of a process share it.

    Raises:
        UserError: it cannot be loaded, or has changed since the run was planned.
    """
    return _load(replace(settings, decision=Decision(), languages=(), claimed=()))


@built_once_for(4)
def _load(settings: ModelSettings) -> Loaded:
    package = checked(settings.path, settings.fingerprint)
    encoder = read_encoder(package.path / TOKENIZER, package.lists)
    session: Session
    if package.engine is not Engine.ONNX:
        session = hugging_face_session(package.path, settings.threads)
    elif settings.device == "cpu":
        session = OnnxSession(package.path / MODEL, len(package.labels), settings.threads)
    else:
        # Imported here so that runs without a GPU do not load sockets and processes.
        from tacenda.models.token_classifier.inference_process import shared_session

        session = shared_session(package.path / MODEL, len(package.labels), settings.device)
    batching = get_or_build(
        f"batching-{fingerprint_of(package.fingerprint, session.arithmetic, processor())}",
        lambda: measure_batching(session, encoder, package.max_places).name,
    )
    how = package.max_places, package.context, package.casing, Batching[batching]
    scorer = Scorer(encoder, session, len(package.labels), *how)
    return Loaded(scorer, classes_of(package, settings.label_map), Batching[batching])


def checked(path: str | None, fingerprint: str) -> Package:
    """The package at a path, if it has the given fingerprint.

    Raises:
        UserError: the package has changed since the run was planned.
    """
    package = package_of(path)
    if package.fingerprint != fingerprint:
        raise UserError(
            f"model {package.path}: the package has changed since this run began; start a new run"
        )
    return package
