"""Print what a config looks for, and what it does not."""

import json
import textwrap
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from tacenda.pipelines.command_line.exit_codes import ExitCode
from tacenda.pipelines.command_line.terminal import answer, remark, say
from tacenda.pipelines.reference.config_description import describe

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
