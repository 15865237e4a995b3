"""Which detectors look at the text, what each is told, and what any of them may find."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from models.cloud_config import cloud_info_types, cloud_inspect_config, without_cloud_only
from models.cloud_dlp import CloudDlpDetector, CloudDlpSettings
from models.dlp_service import check_endpoint
from models.token_classifier.detector import TokenClassifierDetector
from models.token_classifier.loading import classes_of, package_of
from models.token_classifier.package import Engine
from models.token_classifier.settings import ModelSettings
from models.token_classifier.spacy_detector import SpacyDetector
from pipelines.config.document import ConfigDocument
from pipelines.config.models import model_settings
from pipelines.config.settings import inspect_settings
from pipelines.config.unheard import refuse_unheard
from transforms.detecting.detector import Detector
from transforms.detecting.gazetteers.detector import GazetteerDetector
from transforms.detecting.gazetteers.span import INFO_TYPES as GAZETTEER_INFO_TYPES
from transforms.detecting.rules import RulesDetector
from transforms.detecting.settings import InspectSettings
from transforms.detecting.spoken import SpokenDetector
from transforms.schema.errors import UserError
from transforms.schema.likelihood import Likelihood

RULES, GAZETTEER, MODEL, CLOUD_DLP = "rules", "gazetteer", "model", "cloud_dlp"
DETECTORS = (RULES, GAZETTEER, MODEL, CLOUD_DLP)
DEFAULT = (RULES, GAZETTEER, MODEL)

_CHECK_TIMEOUT_S = 30
_NOTHING = InspectSettings(())


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """The detectors of a run; their findings are united.

    ``rules`` are the settings of the rules engine, ``found`` the same with all infoTypes that any detector may
    find. ``cloud_dlp`` is None where the cloud is not asked, ``models`` empty where no model is.
    """

    names: tuple[str, ...]
    rules: InspectSettings
    found: InspectSettings
    cloud_dlp: CloudDlpSettings | None = None
    models: tuple[ModelSettings, ...] = ()

    def told(self) -> dict[str, Any]:
        """What manifest and report say of the detectors; no word of any dictionary."""
        told: dict[str, Any] = {"names": list(self.names)}
        if self.models:
            told["models"] = [{**package_of(m.path).told(), **m.told()} for m in self.models]
        if self.cloud_dlp is not None:
            told["cloud_dlp"] = {"parent": self.cloud_dlp.parent, "endpoint": self.cloud_dlp.endpoint}
        return told


def detector_settings(document: ConfigDocument, arguments: argparse.Namespace) -> DetectorSettings:
    """The detectors that the arguments name, with the config's ``inspect`` section for each.

    Raises:
        UserError: the section, or an option of a detector, cannot be.
    """
    paths = getattr(arguments, "model", None) or ()
    asked = getattr(arguments, "detector", None)
    chosen = DEFAULT if asked is None else asked
    names = tuple(name for name in DETECTORS if name in chosen)
    if paths and MODEL not in names:
        raise UserError(f"--model: only goes with --detector {MODEL}")
    models = model_settings(document, paths) if MODEL in names else ()
    if CLOUD_DLP not in names:
        for option in ("dlp_project", "dlp_location", "dlp_endpoint"):
            if getattr(arguments, option, None) is not None:
                raise UserError(f"--{option.replace('_', '-')}: only goes with --detector {CLOUD_DLP}")
        settings = inspect_settings(document)
        refuse_unheard(document, settings, _finding_by_other_means(names, models))
        return DetectorSettings(names, settings, settings, models=models)
    rules, cloud_only, config = read_for_cloud(document)
    if RULES in names and cloud_only and not rules.info_types and not rules.custom:
        raise document.error(
            "inspect.info_types",
            f"'inspect.info_types' has none for the rules; use --detector {CLOUD_DLP} alone",
        )
    refuse_unheard(document, rules, _finding_by_other_means(names, models))
    found = replace(rules, info_types=tuple(sorted({*rules.info_types, *cloud_only})))
    return DetectorSettings(names, rules, found, _cloud_dlp(config, arguments), models)


def _finding_by_other_means(
    names: Sequence[str], models: Sequence[ModelSettings]
) -> dict[str, frozenset[str]]:
    """What each detector but the rules may find, where several look at the text."""
    if len(names) + max(len(models) - 1, 0) < 2:
        return {}
    finding: dict[str, frozenset[str]] = {}
    if GAZETTEER in names:
        finding[GAZETTEER] = frozenset(GAZETTEER_INFO_TYPES)
    if models:
        finding[MODEL] = frozenset().union(*map(_known, models))
    if CLOUD_DLP in names:
        finding[CLOUD_DLP] = cloud_info_types()
    return finding


def _known(model: ModelSettings) -> set[str]:
    """The infoTypes that a model may find."""
    return set(model.decision.info_types(classes_of(package_of(model.path), model.label_map)))


def read_for_cloud(document: ConfigDocument) -> tuple[InspectSettings, tuple[str, ...], dict[str, Any]]:
    """The ``inspect`` section for a run that asks the cloud.

    Returns what the rules engine can find of it, the infoTypes that only the cloud knows, and the
    InspectConfig for the cloud as JSON data.
    """
    section = document.section("inspect")
    rest, cloud_only = without_cloud_only(section)
    rules = inspect_settings(replace(document, data={**document.data, "inspect": rest}))
    if cloud_only and not rest.get("infoTypes"):
        # An empty list in a config means all, but none is left of a list that was not empty.
        rules = replace(rules, info_types=())
    return rules, cloud_only, cloud_inspect_config(section, rules, cloud_only)


def _cloud_dlp(config: dict[str, Any], arguments: argparse.Namespace) -> CloudDlpSettings:
    project, location = arguments.dlp_project, arguments.dlp_location or "global"
    if not project:
        raise UserError(
            f"--detector {CLOUD_DLP}: needs --dlp-project, the Google Cloud project that is billed"
        )
    for option, value in (("--dlp-project", project), ("--dlp-location", location)):
        if not all(c.isalnum() or c in "-.:" for c in value):
            raise UserError(f"{option} {value}: write the bare id, as in my-project or europe-west1")
    check_endpoint(arguments.dlp_endpoint)
    return CloudDlpSettings(
        parent=f"projects/{project}/locations/{location}",
        inspect_config=json.dumps(config, sort_keys=True, ensure_ascii=False),
        endpoint=arguments.dlp_endpoint,
    )


def build_detectors(
    names: Sequence[str],
    rules: InspectSettings,
    cloud_dlp: CloudDlpSettings | None,
    min_likelihood: Likelihood | None = None,
    models: Sequence[ModelSettings] = (),
) -> list[Detector]:
    """The detectors themselves; ``min_likelihood`` overrides every threshold, for the second look."""
    detectors: list[Detector] = []
    if RULES in names:
        written = RulesDetector(rules, min_likelihood)
        detectors += [written, SpokenDetector(written, rules, min_likelihood)]
    if GAZETTEER in names:
        detectors.append(GazetteerDetector(rules, min_likelihood))
    detectors.extend(_model_detector(rules, model, min_likelihood) for model in models)
    if cloud_dlp is not None:
        detectors.append(CloudDlpDetector(cloud_dlp, min_likelihood))
    return detectors


def _model_detector(
    rules: InspectSettings, model: ModelSettings, min_likelihood: Likelihood | None
) -> Detector:
    if package_of(model.path).engine is Engine.SPACY:
        return SpacyDetector(rules, model, min_likelihood)
    return TokenClassifierDetector(rules, model, min_likelihood)


def check_detectors(cloud_dlp: CloudDlpSettings | None, models: Sequence[ModelSettings] = ()) -> None:
    """Load every model and ask every service once about nothing, before a run.

    Raises:
        UserError: it cannot be used so, and why.
    """
    for model in models:
        _model_detector(_NOTHING, model, None)
    if cloud_dlp is not None:
        limit = min(_CHECK_TIMEOUT_S, cloud_dlp.total_timeout_s)
        CloudDlpDetector(replace(cloud_dlp, total_timeout_s=limit)).check()
