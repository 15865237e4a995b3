"""Print what a config looks for, and what it does not."""

import argparse
import json
import textwrap
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Any

from tacenda.models.token_classifier.loading import package_of
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, remark, say
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
from tacenda.transforms.scoring.score_table import ScoreTable, Unscored


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


_WIDTH = 80
_INDENT = 15


def check(arguments: Namespace) -> int:
    """Validate a config and print what it means; returns the exit code.

    Raises:
        UserError: the config is invalid.
    """
    told = describe(arguments)
    if arguments.json:
        answer(json.dumps(told, ensure_ascii=False))
        return ExitCode.DONE
    for note in told["notes"]:
        remark(note)
    say("\n".join(_lines(arguments.config, told)))
    return ExitCode.DONE


def _lines(name: str, told: dict[str, Any]) -> Iterator[str]:
    yield f"{name} is valid"
    yield from _entry("detectors", ", ".join(told["detectors"]))
    for model in told["models"]:
        yield from _entry("model", model)
    found = told["looks_for"]
    yield from _entry(
        "looks for", f"{len(found['built_in'])} built-in infoTypes from {found['min_likelihood']} on"
    )
    if not found["all_defaults"]:
        yield from _entry("", ", ".join(found["built_in"]))
    for custom in found["custom"]:
        yield from _entry("and for", f"{custom['info_type']}, by {custom['by']}")
    for info_type, likelihood in found["min_likelihood_by_info_type"].items():
        yield from _entry("", f"{info_type} from {likelihood} on")
    for rule_set in found["rules"]:
        names = ", ".join(rule_set["info_types"])
        yield from _entry("with rules on", f"{names}: {', '.join(rule_set['rules'])}")
    if told["no_detector_for"]:
        names = ", ".join(told["no_detector_for"])
        yield from _entry("cannot find", f"{names}: not covered by the chosen detectors")
    yield from _entry("ignores", ", ".join(told["does_not_look_for"]) or "nothing that is built in")
    languages = told["languages"]
    yield from _entry("in languages", ", ".join([*languages["covered"], *languages["accepted"]]) or "none")
    others = "holds the corpus" if languages["uncovered"] == "hold" else "goes to quarantine"
    yield from _entry("", f"text in others {others}")
    replacement = told["replacement"]
    yield from _entry("replaces by", replacement["default"])
    for policy in replacement["policies"]:
        still = f" ({policy['readable']})" if policy.get("readable") else ""
        yield from _entry("", f"{', '.join(policy['info_types']) or 'all others'}: {policy['what']}{still}")
    if replacement["keep"]:
        yield from _entry("keeps", ", ".join(replacement["keep"]))
    risk = told["risk"]
    changed = f", changed for {', '.join(risk['changed'])}" if risk["changed"] else ""
    yield from _entry("score table", f"{risk['preset']}{changed}")
    yield from _entry("criterion", risk["criterion"])
    if risk["not_looked_for"]:
        tags = ", ".join(risk["not_looked_for"])
        yield from _entry("not sought", f"{tags}: in the score table, but no detector finds this data")
    if risk["unscored"]:
        yield from _entry("unscored", f"{', '.join(risk['unscored'])}: replaced, but adds nothing to a score")


def _entry(head: str, text: str) -> list[str]:
    """A label and a text beside it, wrapped to 80 columns."""
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=f"{head:<{_INDENT}}",
        subsequent_indent=" " * _INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
