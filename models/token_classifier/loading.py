"""Load a model from its settings, once a process."""

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from tacenda.models.token_classifier import hugging_face, spacy_pipeline
from tacenda.models.token_classifier.batch_invariance import Company, measured_company
from tacenda.models.token_classifier.encoding import TurnEncoder, read_encoder
from tacenda.models.token_classifier.labels import LabelMap, meanings
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import (
    DESCRIPTION,
    MODEL,
    TOKENIZER,
    TURN_FILTER,
    Engine,
    Package,
    read_package,
)
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.session import Session
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.torch_session import TorchSession
from tacenda.models.token_classifier.turn_filter import TurnFilter, read_turn_filter
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.machine_cache import fingerprint as fingerprint_of
from tacenda.transforms.storage.machine_cache import get_or_build_anyway
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.storage.processor import processor


class Loaded(NamedTuple):
    """A model ready to score; ``classes`` are the infoTypes of its classes, None where none.

    ``company`` is what its rows may share a call with.
    """

    scorer: Scorer
    classes: tuple[str | None, ...]
    company: Company


def embedded_path() -> Path:
    """The folder of the package that comes with Tacenda."""
    return Path(str(files("tacenda.models") / "embedded"))


def package_of(path: str | None) -> Package:
    """The checked description of a package; None for the one that comes with Tacenda.

    A folder may hold a package of ours, a Hugging Face token classifier or a spaCy pipeline.

    Raises:
        UserError: there is no such package, or it is wrong.
    """
    if path is None and not (embedded_path() / MODEL).is_file():
        raise UserError(
            "--detector model: this Tacenda comes without a model; name a package with --model PATH"
        )
    return _read(embedded_path() if path is None else Path(path))


@built_once_for(8)
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
    return _load(
        settings.path,
        settings.fingerprint,
        settings.label_map,
        settings.threads,
        settings.places,
        settings.skipping,
    )


@built_once_for(4)
def _load(
    path: str | None,
    fingerprint: str,
    label_map: LabelMap | None,
    threads: int,
    places: int | None,
    skipping: bool,
) -> Loaded:
    package = checked(path, fingerprint)
    encoder = read_encoder(package.path / TOKENIZER)
    session: Session = (
        OnnxSession(package.path / MODEL, len(package.labels), threads)
        if package.engine is Engine.ONNX
        else TorchSession(package.path, threads)
    )
    company = get_or_build_anyway(
        f"company-{fingerprint_of(package.fingerprint, session.arithmetic, processor())}",
        lambda: measured_company(session, encoder, package.max_places).name,
    )
    scorer = Scorer(
        encoder,
        session,
        len(package.labels),
        package.max_places,
        package.context,
        package.casing,
        places,
        turn_filter_of(package, encoder) if skipping else None,
        Company[company],
    )
    return Loaded(scorer, classes_of(package, label_map), Company[company])


def turn_filter_of(package: Package, encoder: TurnEncoder) -> TurnFilter:
    """The filter of a package that has one.

    Raises:
        UserError: it is damaged, or was learnt from another network.
    """
    turn_filter = read_turn_filter(package.path / TURN_FILTER, encoder.vocabulary)
    if turn_filter.network != package.network:
        raise UserError(
            f"model {package.path}: {TURN_FILTER} was learnt from another network or for other thresholds; "
            "build it again with 'tacenda train-filter', or remove it"
        )
    return turn_filter


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
