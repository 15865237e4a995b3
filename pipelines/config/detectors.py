"""Choose a run's detectors, and determine what they can find."""

import argparse
import json
from dataclasses import dataclass, replace
from typing import Any

from tacenda.models.cloud_dlp.config import cloud_info_types, cloud_inspect_config, without_cloud_only
from tacenda.models.cloud_dlp.detector import CloudDlpDetector, CloudDlpSettings, check_endpoint
from tacenda.models.token_classifier.decoding_settings import Rule
from tacenda.models.token_classifier.loading import classes_of, package_of
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.sections import (
    inspect_section,
    inspect_settings,
    model_settings,
)
from tacenda.transforms.detecting.names import INFO_TYPES as GAZETTEER_INFO_TYPES
from tacenda.transforms.detecting.names import PERSON
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import Exclusion, InspectSettings, Matching
from tacenda.transforms.detecting.spoken import SpokenDetector
from tacenda.transforms.language.coverage import canonical
from tacenda.transforms.releasing.not_looked_for import not_looked_for
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.score_table import ScoreTable

RULES, GAZETTEER, MODEL, CLOUD_DLP = "rules", "gazetteer", "model", "cloud_dlp"
DETECTORS = (RULES, GAZETTEER, MODEL, CLOUD_DLP)
DEFAULT = (RULES, MODEL)


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """The detectors of a run, whose findings are merged.

    ``rules`` are the settings of the rules engine; ``found`` is the same with all infoTypes that any detector
    may find. ``cloud_dlp`` is None and ``models`` empty if these detectors are not used.
    """

    names: tuple[str, ...]
    rules: InspectSettings
    found: InspectSettings
    cloud_dlp: CloudDlpSettings | None = None
    models: tuple[ModelSettings, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The entry in manifest and report; contains no words of dictionaries."""
        entry: dict[str, Any] = {"names": list(self.names), "languages": self.declared_languages()}
        if claimed := self.claimed_languages():
            entry["claimed"] = claimed
        packages = [(package_of(m.path), m) for m in self.models]
        # A model decides otherwise than its package says, or its labels mean what the config says.
        if decided := [
            package.name
            for package, m in packages
            if m.decision != package.decision or isinstance(m.label_map, tuple)
        ]:
            entry["decided_by_config"] = decided
        if self.models:
            entry["models"] = [{**package.to_dict(), **m.to_dict()} for package, m in packages]
        if self.cloud_dlp is not None:
            entry["cloud_dlp"] = {"parent": self.cloud_dlp.parent, "endpoint": self.cloud_dlp.endpoint}
        return entry

    def declared_languages(self) -> dict[str, list[str]]:
        """The languages that each detector declares to cover; a model that finds no names covers none."""
        declared = {
            RULES: RulesDetector.languages | SpokenDetector.languages,
            GAZETTEER: GazetteerDetector.languages,
            MODEL: {code for model in self.models if _finds_names(model) for code in model.languages},
            CLOUD_DLP: CloudDlpDetector.languages,
        }
        return {name: sorted(map(canonical, declared[name])) for name in self.names}

    def claimed_languages(self) -> list[str]:
        """The languages that count as covered by a claim alone: no other detector of names covers them."""
        models = (
            replace(m, languages=tuple(code for code in m.languages if code not in m.claimed), claimed=())
            for m in self.models
        )
        measured = replace(self, models=tuple(models))
        return sorted(self.covered_languages() - measured.covered_languages())

    def not_looked_for(self, table: ScoreTable) -> dict[str, list[Any]]:
        """What the config, the score table or the law lists and no detector looks for."""
        able = means(self)
        others = frozenset[str]().union(*(found for name, found in able.items() if name != RULES))
        # Without custom dictionaries, rules find only names that are introduced ("my name is ...").
        custom = self.rules.own_info_types()
        few = frozenset(GAZETTEER_INFO_TYPES) - others
        patterns = frozenset(name for name, info_type in catalogue().items() if info_type.patterns)
        by_config = custom - others - (patterns - few)
        return not_looked_for(
            self.found.info_types, others.union(*able.values()), few - custom, table, by_config
        )

    def covered_languages(self) -> frozenset[str]:
        """The languages covered by detectors of names; if only rules run, those covered by the rules."""
        declared = self.declared_languages()
        without_names = {RULES} if any(map(_finds_names, self.models)) else {RULES, MODEL}
        names = [name for name in declared if name not in without_names] or list(declared)
        return frozenset(language for name in names for language in declared[name])


def detector_settings(document: ConfigDocument, arguments: argparse.Namespace) -> DetectorSettings:
    """The detectors named by the arguments, each with its settings from the config's ``inspect`` section."""
    paths = getattr(arguments, "model", None) or ()
    asked = getattr(arguments, "detector", None)
    chosen = DEFAULT if asked is None else asked
    names = tuple(name for name in DETECTORS if name in chosen)
    if paths and MODEL not in names:
        raise UserError(f"--model: only applies to --detector {MODEL}")
    models = model_settings(document, paths) if MODEL in names else ()
    if CLOUD_DLP not in names:
        for option in ("dlp_project", "dlp_location", "dlp_endpoint"):
            if getattr(arguments, option, None) is not None:
                raise UserError(f"--{option.replace('_', '-')}: only applies to --detector {CLOUD_DLP}")
        settings = inspect_settings(document)
        return _checked(document, DetectorSettings(names, settings, settings, models=models))
    rules, cloud_only, config = read_for_cloud(document)
    if RULES in names and cloud_only and not rules.info_types and not rules.custom:
        raise document.error(
            "inspect.info_types", f"has none for the rules; use --detector {CLOUD_DLP} alone"
        )
    found = replace(rules, info_types=tuple(sorted({*rules.info_types, *cloud_only})))
    cloud = _cloud_dlp(config, arguments)
    return _checked(document, DetectorSettings(names, rules, found, cloud, models))


def means(settings: DetectorSettings) -> dict[str, frozenset[str]]:
    """The built-in infoTypes that each detector of a run can find, asked for or not."""
    finding: dict[str, frozenset[str]] = {}
    if RULES in settings.names:
        with_patterns = (name for name, info_type in catalogue().items() if info_type.patterns)
        custom = (one.info_type for one in settings.rules.custom if one.info_type in catalogue())
        finding[RULES] = frozenset((*with_patterns, *custom))
    if GAZETTEER in settings.names:
        finding[GAZETTEER] = frozenset(GAZETTEER_INFO_TYPES)
    if settings.models:
        finding[MODEL] = frozenset().union(*map(_known, settings.models))
    if CLOUD_DLP in settings.names:
        finding[CLOUD_DLP] = cloud_info_types()
    return finding


def _checked(document: ConfigDocument, settings: DetectorSettings) -> DetectorSettings:
    """The settings, if several detectors agree on what is excluded.

    Every detector knows the findings of the rules, but not those of other detectors. An inverse match would
    therefore drop findings inside what another detector found, leaving personal data readable. Exclusions by
    names are rejected for every matching type, since the rules find few names.
    """
    several = len(settings.names) + max(len(settings.models) - 1, 0) > 1
    others = {name: found for name, found in means(settings).items() if several and name != RULES}
    for i, rule_set in enumerate(settings.rules.rule_sets):
        for k, rule in enumerate(rule_set.rules):
            if not isinstance(rule, Exclusion):
                continue
            for name in rule.info_types:
                by = [detector for detector, known in others.items() if name in known]
                if by and (rule.matching is Matching.INVERSE or name in GAZETTEER_INFO_TYPES):
                    raise document.error(
                        f"inspect.rule_set[{i}].rules[{k}].exclusion_rule.exclude_info_types",
                        f"only {' and '.join(by)} can find {name}; other detectors cannot exclude by it; "
                        "use one --detector, or drop it",
                    )
    return settings


def _known(model: ModelSettings) -> set[str]:
    """The infoTypes that a model can find."""
    return set(model.decision.within_reach(classes_of(package_of(model.path), model.label_map)))


def _finds_names(model: ModelSettings) -> bool:
    """Whether a model finds names of people; a binary one finds them among other data."""
    return model.decision.rule is Rule.BINARY or PERSON in _known(model)


def read_for_cloud(document: ConfigDocument) -> tuple[InspectSettings, tuple[str, ...], dict[str, Any]]:
    """Parse the ``inspect`` section for a run with Cloud DLP.

    Returns the settings of the rules engine, the infoTypes that only the cloud has, and the InspectConfig for
    the cloud as JSON data.
    """
    section = inspect_section(document)
    rest, cloud_only = without_cloud_only(section)
    functions = {"functions": document.section("look_for").get("functions")}
    rules = inspect_settings(
        replace(document, data={**document.data, "inspect": rest, "look_for": functions})
    )
    if cloud_only and not rest.get("infoTypes"):
        # An empty list means all infoTypes, but this one became empty by removing the cloud's.
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
            raise UserError(f"{option} {value}: write the bare id, such as my-project or europe-west1")
    check_endpoint(arguments.dlp_endpoint)
    return CloudDlpSettings(
        parent=f"projects/{project}/locations/{location}",
        inspect_config=json.dumps(config, sort_keys=True, ensure_ascii=False),
        endpoint=arguments.dlp_endpoint,
    )
