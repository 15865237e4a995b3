"""``tacenda config``: what a config means, the built-in infoTypes, a starter, a form."""

import difflib
import json
from argparse import Namespace
from collections.abc import Collection, Iterator, Sequence
from importlib.resources import files
from typing import Any

import yaml

from tacenda.models.cloud_dlp.config import cloud_info_types
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import TERMINAL, answer, remark, say
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.named_files import pin_dictionaries, redacted
from tacenda.pipelines.config.sections import read_replacement, risk_settings
from tacenda.pipelines.startup.run_config import run_config
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.releasing.context_form import form
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.score_table import ScoreTable, Tag, Unscored
from tacenda.transforms.storage.files import absolute, exists
from tacenda.transforms.storage.publishing import publish_bytes


def check(arguments: Namespace) -> int:
    """Validate a config as ``anonymize`` would, and print what it means; returns the exit code."""
    config = run_config("anonymize", load_config(arguments.config, "CONFIG"), arguments)
    pin_dictionaries(config.detecting.rules)
    missing, risk, found = config.not_looked_for, config.risk, config.detecting.found
    looks_for = [name for name in found.info_types if name not in missing["in_vain"]]
    custom = dict.fromkeys(one.info_type for one in found.custom if not one.excluding)
    resolve = config.table.resolve
    told = {
        "looks_for": {"built_in": looks_for, "custom": list(custom)},
        "no_detector_for": missing["in_vain"],
        "does_not_look_for": [name for name in sorted(catalogue()) if name not in found.info_types],
        "criterion": (
            f"direct identifiers in at most {risk.direct_identifiers_at_most:.4g} of the conversations (95 %), "
            f"mean + std < {risk.threshold:g} in every context"
        ),
        "scored_but_not_looked_for": [kind["tag"] for kind in missing["kinds"]],
        "unscored": [n for n in {**dict.fromkeys(looks_for), **custom} if isinstance(resolve(n), Unscored)],
        "config": json.loads(json.dumps(redacted(config.effective), default=str)),
    }
    if arguments.json:
        answer(json.dumps({**told, "notes": list(config.notes)}, ensure_ascii=False))
        return ExitCode.DONE
    for note in config.notes:
        remark(note)
    say(f"{arguments.config} is valid")
    say(yaml.safe_dump(told, sort_keys=False, allow_unicode=True, default_flow_style=None))
    return ExitCode.DONE


def list_info_types(arguments: Namespace) -> int:
    """Print infoTypes as the arguments say; returns the exit code."""
    document = load_config(arguments.config)
    read_replacement(document)
    table = risk_settings(document).table()
    rows = {row["name"]: row for row in described(table)}
    if arguments.names:
        rows = {name: rows[_known(name, rows)] for name in arguments.names}
    if arguments.json:
        answer(json.dumps([*rows.values()], ensure_ascii=False, indent=2))
    elif arguments.names:
        answer(yaml.safe_dump([*rows.values()], sort_keys=False, allow_unicode=True))
    else:
        answer(_aligned([*rows.values()]))
    return ExitCode.DONE


def _known(name: str, known: Collection[str]) -> str:
    if name in known:
        return name
    word = name.upper()
    # Names that have it as a word of their own come first: PERSON_NAME for "person", not PERSONAL_ID.
    containing = sorted((other for other in known if word in other), key=lambda o: word not in o.split("_"))
    near = containing or difflib.get_close_matches(word, known)
    hint = f"did you mean {' or '.join(near[:3])}?" if near else "'tacenda config infotypes' lists all"
    raise UserError(f"no infoType {name} is built in; {hint}")


def described(table: ScoreTable) -> Iterator[dict[str, Any]]:
    """Every built-in infoType by name; ``score`` is None for infoTypes that are unscored by decision."""
    for name, info_type in catalogue().items():
        tag = table.resolve(name)
        yield {
            "name": name,
            "description": info_type.description,
            "score": table.weigh(tag).score if isinstance(tag, Tag) else None,
            "regions": list(info_type.regions),
            "default": info_type.default,
            "in_cloud": name in cloud_info_types(),
            "example": info_type.find[0][1] if info_type.find else None,
            "source": info_type.source,
        }


def _aligned(rows: Sequence[dict[str, Any]]) -> str:
    """A table of the infoTypes."""
    columns = ("name", "score", "default", "in_cloud", "regions")
    titles = tuple(column.removeprefix("in_") for column in columns)
    lines = [titles, *(tuple(_cell(row[column]) for column in columns) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def write_starter(arguments: Namespace) -> int:
    """Write the config, or the form, to a new file or to the terminal; returns the exit code."""
    if arguments.context_form:
        name, text = arguments.file or "context.yaml", form()
        done = f"answer what you can\nnext           tacenda anonymize … --context {name}"
    else:
        name, text = arguments.file or "tacenda.yaml", starter()
        done = f"its comments explain each setting\nnext           tacenda config check {name}"
    if _write_new(name, text):
        say(f"wrote {name}; {done}")
    return ExitCode.DONE


def _write_new(name: str, text: str) -> bool:
    """Write a new file, or to the terminal; returns whether it was a file."""
    if name == TERMINAL:
        answer(text)
        return False
    url = absolute(name)
    if exists(url):
        raise UserError(f"{name}: already exists; name another file, or remove it first")
    publish_bytes(url, text.encode())
    return True


def starter() -> str:
    """The config to write."""
    return (files("tacenda.pipelines.config") / "starter.yaml").read_text(encoding="utf-8")
