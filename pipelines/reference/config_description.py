"""Describe a config: what it looks for, what it does not, and how residual risk is scored."""

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

from tacenda.models.token_classifier.loading import package_of
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.named_files import pin_dictionaries
from tacenda.pipelines.config.replacement import describe_replacement
from tacenda.pipelines.startup.run_config import run_config
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.settings import (
    CustomInfoType,
    Exclusion,
    Hotword,
    Regex,
    WordDictionary,
)
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.tag import Unscored


def describe(arguments: argparse.Namespace) -> dict[str, Any]:
    """Validate the config named by the arguments, as ``anonymize`` would, and describe it.

    Dictionaries are described by their size or file only.

    Returns:
        plain JSON data: ``looks_for`` is what the config asks for and a detector finds, ``no_detector_for``
        what it asks for and no detector can find, ``does_not_look_for`` all other built-in infoTypes.

    Raises:
        UserError: the config, or a file that it names, is invalid.
    """
    config = run_config("anonymize", load_config(arguments.config, "CONFIG"), arguments)
    pin_dictionaries(config.detecting.rules)
    found = config.detecting.found
    missing = config.not_looked_for
    built_in = [name for name in found.info_types if name not in missing.in_vain]
    custom = [one for one in found.custom if not one.excluding]
    return {
        "detectors": list(config.detecting.names),
        "models": [str(package_of(model.path).path) for model in config.detecting.models],
        "looks_for": {
            "built_in": built_in,
            "all_defaults": found.info_types == default_info_types(),
            "custom": [{"info_type": one.info_type, "by": _means_of(one)} for one in custom],
            "min_likelihood": found.min_likelihood.name,
            "min_likelihood_by_info_type": {
                name: likelihood.name for name, likelihood in found.min_likelihood_by_info_type
            },
            "rules": [
                {"info_types": list(one.info_types), "rules": [_rule(rule) for rule in one.rules]}
                for one in found.rule_sets
            ],
        },
        "no_detector_for": list(missing.in_vain),
        "does_not_look_for": [name for name in sorted(catalogue()) if name not in found.info_types],
        "risk": {
            "preset": config.risk.preset,
            "changed": sorted(config.risk.overrides),
            "criterion": (
                f"direct identifiers in at most {config.risk.direct_identifiers_at_most:.4g} of the "
                "conversations "
                f"(95 %), mean + std < {config.risk.threshold:g} in every context"
            ),
            "not_looked_for": [kind.tag for kind in missing.kinds],
            "unscored": list(_unscored(config.table, [*built_in, *(one.info_type for one in custom)])),
        },
        "languages": config.languages.to_dict(),
        "replacement": describe_replacement(config.replacement),
        "notes": list(config.notes),
    }


def _means_of(custom: CustomInfoType) -> str:
    source = custom.source
    if isinstance(source, WordDictionary):
        return _dictionary(source)
    return "a pattern" if isinstance(source, Regex) else "the tokens of reversible replacement"


def _dictionary(dictionary: WordDictionary) -> str:
    if dictionary.url is not None:
        return f"the dictionary {redact_url(dictionary.url)}"
    count = len(dictionary.words)
    return f"a dictionary of {count:,} term{'s' * (count != 1)}"


def _rule(rule: Hotword | Exclusion) -> str:
    if isinstance(rule, Hotword):
        change = rule.fixed.name if rule.fixed is not None else f"{rule.relative:+d}"
        return f"hotword within {rule.window_before} before and {rule.window_after} after: {change}"
    kind = rule.matching.name.lower()
    if rule.dictionary is not None:
        return f"{kind} matches of {_dictionary(rule.dictionary)} are excluded"
    if rule.regex is not None:
        return f"{kind} matches of a pattern are excluded"
    if rule.hotword is not None:
        return "findings near a hotword are excluded"
    return f"{kind} matches of {', '.join(rule.info_types)} are excluded"


def _unscored(table: ScoreTable, names: Iterable[str]) -> Iterator[str]:
    return (name for name in dict.fromkeys(names) if isinstance(table.resolve(name), Unscored))
