"""Print the licences of everything that Tacenda installs or ships, as one page.

    python infra/supply_chain/licences.py

Made from the metadata of the installed packages and from the notices beside the data, so it is true of the
environment that it runs in. Fails where a licence is unknown or not accepted; `licences.yaml` says which are.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RULES: dict[str, Any] = yaml.safe_load((HERE / "licences.yaml").read_text("utf-8"))
PACKAGE = "tacenda"

_EXPRESSION = re.compile(r"[()]|\b(?:AND|OR|WITH)\b")
_LONGEST = 60
"""A licence field that is longer has the text of the licence in it, and not its name."""

_INTRO = """# Licences

Tacenda itself is under Apache-2.0. This list is made from the metadata of the installed packages and from
the notices beside data and weights; `infra/supply_chain/licences.yaml` has what publishers do not say
there, and which licences a dependency may have.
"""


class LicenceError(Exception):
    """A licence is unknown, or not among the accepted ones."""


def page() -> str:
    """The whole list as Markdown.

    Raises:
        LicenceError: see above; names all of them.
    """
    problems: list[str] = []
    text = [_INTRO, "## What `pip install tacenda` installs", ""]
    text += table(("package", "version", "licence"), _rows(installed_with(), problems))
    text += ["", "## What its extras install themselves", ""]
    text += table(("extra", "package", "licence"), _extra_rows(problems))
    for notice in RULES["notices"]:
        text += ["", f"## From `{notice}`", ""]
        text += table(("what", "licence"), rows_of_notice((ROOT / notice).read_text("utf-8")))
    if problems:
        raise LicenceError("; ".join(problems))
    return "\n".join(text) + "\n"


def installed_with() -> list[str]:
    """The names of all packages that a plain installation needs, directly or not, sorted."""
    seen: set[str] = set()
    left = [Requirement(PACKAGE)]
    while left:
        wanted = left.pop()
        for each in _requirements(wanted.name):
            extras = wanted.extras or {""}
            if each.marker is not None and not any(each.marker.evaluate({"extra": one}) for one in extras):
                continue
            name = canonicalize_name(each.name)
            if name not in seen or each.extras:
                if name not in seen:
                    seen.add(name)
                left.append(each)
    return sorted(seen)


def direct_of(extra: str) -> list[str]:
    """The names of the packages that an extra itself asks for."""
    return sorted(
        canonicalize_name(each.name)
        for each in _requirements(PACKAGE)
        if each.marker is not None
        and each.marker.evaluate({"extra": extra})
        and not each.marker.evaluate({"extra": ""})
    )


def licence_of(name: str) -> str:
    """The licence of a package as an SPDX expression.

    Raises:
        LicenceError: neither its metadata nor our rules say it.
    """
    if name in RULES["packages"]:
        return str(RULES["packages"][name]["licence"])
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        raise LicenceError(f"{name} is not installed, and licences.yaml does not say its licence") from None
    if expression := told.get("License-Expression"):
        return str(expression)
    named = [(told.get("License") or "").strip().split("\n")[0]]
    named += [
        one.rpartition(" :: ")[2] for one in told.get_all("Classifier") or () if one.startswith("License ::")
    ]
    for one in named:
        known = RULES["written"].get(one, one)
        if len(known) <= _LONGEST and _is_spdx(known):
            return str(known)
    raise LicenceError(f"{name}: its metadata does not say a known licence; add it to licences.yaml")


def refused(expression: str) -> list[str]:
    """The licences of an expression that are not accepted; of alternatives, one that is accepted is enough."""
    plain = expression.replace("(", " ").replace(")", " ")
    wrong = []
    for part in re.split(r"\bAND\b", plain):
        choices = [one.split(" WITH ")[0].strip() for one in re.split(r"\bOR\b", part)]
        if not any(one in RULES["accepted"] for one in choices):
            wrong.append(" or ".join(choices))
    return wrong


def rows_of_notice(text: str) -> Iterator[tuple[str, str]]:
    """What a notice lists, with the licence of each: of all its tables that have a column for licences."""
    column: int | None = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            column = None
        elif column is None:
            column = next((i for i, cell in enumerate(cells) if cell.startswith("licence")), -1)
        elif column >= 0 and not set(cells[0]) <= {"-", ":"}:
            if not cells[column]:
                raise LicenceError(f"{cells[0]}: the notice does not say its licence")
            yield cells[0], cells[column]


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """A table in Markdown."""
    names = list(head)
    return [_line(names), _line("---" for _ in names), *map(_line, rows)]


def _rows(names: Iterable[str], problems: list[str]) -> Iterator[tuple[str, str, str]]:
    for name in names:
        yield name, metadata.version(name), _checked(name, problems)


def _extra_rows(problems: list[str]) -> Iterator[tuple[str, str, str]]:
    for extra in RULES["extras"]:
        for name in direct_of(extra):
            yield f"`{extra}`", name, _checked(name, problems)


def _checked(name: str, problems: list[str]) -> str:
    try:
        licence = licence_of(name)
    except LicenceError as error:
        problems.append(str(error))
        return "unknown"
    problems += [f"{name}: {one} is not an accepted licence" for one in refused(licence)]
    return licence


def _requirements(name: str) -> list[Requirement]:
    return [Requirement(line) for line in metadata.requires(name) or ()]


def _is_spdx(name: str) -> bool:
    return all(one in RULES["accepted"] for one in _EXPRESSION.sub(" ", name).split()) and bool(name)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    try:
        sys.stdout.write(page())
    except LicenceError as error:
        sys.exit(f"licences: {error}")
