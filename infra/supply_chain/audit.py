"""Look up what is installed in a list of advisories, without a network.

    python infra/supply_chain/audit.py FROZEN.txt --advisories LIST

FROZEN.txt is what ``pip freeze`` prints. LIST has advisories in the OSV format (https://ossf.github.io/osv-schema):
a zip file or a folder with a JSON file each, or JSON lines. OSV.dev exports all of PyPI as one zip file.

Exits with 0 where nothing is known, with 1 for a known vulnerability, and with 2 where it could not audit: no
list, a damaged, old or small one, or a package whose version it cannot compare. What was not audited is not
safe.
"""

import argparse
import json
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ACCEPTED = Path(__file__).with_name("accepted_advisories.yaml")
OLDEST_DAYS = 30
LEAST = 5_000
"""Advisories of PyPI that a whole list has at least; in 2023 there were more already."""


_DAMAGE = (ValueError, KeyError, TypeError, AttributeError)
"""What reading an advisory that does not have the form of one raises."""


class AuditError(Exception):
    """It cannot be said whether something is vulnerable; the message says why, in one line."""


class Advisories(NamedTuple):
    """Advisories by name of the package, when the newest of them was modified, and their number."""

    by_name: Mapping[str, list[Mapping[str, Any]]]
    modified: datetime
    count: int


def main(words: list[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("frozen", type=Path, metavar="FROZEN.txt")
    parser.add_argument("--advisories", required=True, metavar="LIST")
    parser.add_argument("--oldest-days", type=int, default=OLDEST_DAYS, help="age of the newest advisory")
    parser.add_argument("--least", type=int, default=LEAST, help="number of advisories in the list")
    arguments = parser.parse_args(words)
    try:
        installed = versions(arguments.frozen.read_text("utf-8"))
        advisories = load(arguments.advisories, arguments.least)
        check_age(advisories, datetime.now(timezone.utc), arguments.oldest_days)
        accepted = yaml.safe_load(ACCEPTED.read_text("utf-8")) or {}
        found = list(vulnerabilities(installed, advisories, accepted))
    except (AuditError, OSError) as error:
        sys.stderr.write(f"audit: {error}\n")
        return 2
    for line in found:
        sys.stderr.write(f"audit: {line}\n")
    known = f"{advisories.count:,} advisories up to {advisories.modified:%Y-%m-%d}"
    sys.stdout.write(f"audit: {len(installed)} packages, {known}, {len(found)} problems\n")
    return 1 if found else 0


def versions(frozen: str) -> dict[str, Version]:
    """The version of each package that ``pip freeze`` printed.

    Raises:
        AuditError: a package has no version that advisories name, such as one from a folder; or there is none.
    """
    found = {}
    for line in filter(None, map(str.strip, frozen.splitlines())):
        name, _, version = line.partition("==")
        try:
            found[canonicalize_name(name)] = Version(version)
        except InvalidVersion:
            raise AuditError(
                f"{line.split()[0]}: it has no version of PyPI, so no advisory is about it"
            ) from None
    if not found:
        raise AuditError("nothing is installed")
    return found


def load(path: str, least: int) -> Advisories:
    """Read a list of advisories.

    Raises:
        AuditError: it is missing or damaged, or has fewer than ``least`` advisories on packages of PyPI.
    """
    if not path or not Path(path).exists():
        raise AuditError(
            f"{path or 'no list'}: no such list of advisories; OSV.dev exports one as PyPI/all.zip"
        )
    by_name: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    modified, count = datetime.min.replace(tzinfo=timezone.utc), 0
    try:
        for text in _texts(Path(path)):
            advisory = json.loads(text)
            if "withdrawn" in advisory:
                continue
            names = {canonicalize_name(one["package"]["name"]) for one in _of_pypi(advisory)}
            for name in names:
                by_name[name].append(advisory)
            if names and advisory["id"]:
                modified = max(modified, datetime.fromisoformat(advisory["modified"].replace("Z", "+00:00")))
                count += 1
    except (*_DAMAGE, zipfile.BadZipFile) as error:
        raise AuditError(f"{path}: a damaged list of advisories ({type(error).__name__})") from None
    if count < max(1, least):
        raise AuditError(
            f"{path}: {count:,} advisories on packages of PyPI, where a whole list has {least:,}"
        )
    return Advisories(by_name, modified, count)


def check_age(advisories: Advisories, now: datetime, oldest_days: int) -> None:
    """Raise AuditError if the newest advisory is older than so many days."""
    if now - advisories.modified > timedelta(days=oldest_days):
        newest = f"{advisories.modified:%Y-%m-%d}"
        raise AuditError(f"the newest advisory is of {newest}, over {oldest_days} days ago; get a new list")


def vulnerabilities(
    installed: Mapping[str, Version], advisories: Advisories, accepted: Mapping[str, str]
) -> Iterator[str]:
    """A line for each known vulnerability that is not accepted, and for each acceptance that is about nothing.

    Raises:
        AuditError: an advisory does not say which versions it is about.
    """
    unused = set(accepted)
    for name, version in sorted(installed.items()):
        for advisory in advisories.by_name.get(name, ()):
            affected = [
                one for one in _of_pypi(advisory) if canonicalize_name(one["package"]["name"]) == name
            ]
            if not any(_affects(one, version, advisory["id"]) for one in affected):
                continue
            names = [advisory["id"], *advisory.get("aliases", ())]
            if set(names).isdisjoint(accepted):
                later = _fixed(affected, version)
                remedy = f"fixed in {later}" if later else "not fixed yet"
                yield f"{name} {version}: {', '.join(names)}; {remedy}"
            unused -= set(names)
    for identifier in sorted(unused):
        yield f"{identifier}: accepted in {ACCEPTED.name}, but nothing installed has it; remove the line"


def _texts(path: Path) -> Iterator[bytes]:
    if path.is_dir():
        for one in sorted(path.rglob("*.json")):
            yield one.read_bytes()
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith(".json"):
                    yield archive.read(name)
    else:
        yield from filter(bytes.strip, path.read_bytes().splitlines())


def _of_pypi(advisory: Mapping[str, Any]) -> list[Any]:
    affected = advisory.get("affected", ())
    return [one for one in affected if one.get("package", {}).get("ecosystem", "").split(":")[0] == "PyPI"]


def _affects(affected: Mapping[str, Any], version: Version, identifier: str) -> bool:
    """The evaluation that the OSV schema describes: a listed version, or one in a range."""
    try:
        listed, ranges = affected.get("versions", ()), _ranges(affected)
        if listed or ranges:
            return any(_is_within(version, events) for events in ranges) or version in set(_parsed(listed))
    except _DAMAGE:
        raise AuditError(f"{identifier}: it does not have the form of an advisory") from None
    raise AuditError(f"{identifier}: it does not say which versions of an installed package it is about")


def _ranges(affected: Mapping[str, Any]) -> list[list[dict[str, str]]]:
    """The events of each range of versions; other ranges are of commits."""
    return [one["events"] for one in affected.get("ranges", ()) if one["type"] == "ECOSYSTEM"]


def _parsed(listed: Iterable[str]) -> Iterator[Version]:
    """Versions from before there was a rule for them are none of those that pip installs today."""
    for one in listed:
        try:
            yield Version(one)
        except InvalidVersion:
            continue


def _is_within(version: Version, events: Iterable[Mapping[str, str]]) -> bool:
    told = sorted((Version(at), kind) for event in events for kind, at in event.items() if kind != "limit")
    within = False
    for at, kind in told:
        if kind == "introduced" and version >= at:
            within = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            within = False
    return within


def _fixed(affected: Iterable[Mapping[str, Any]], version: Version) -> Version | None:
    """The first later version that is told to be fixed."""
    told = (event for one in affected for events in _ranges(one) for event in events)
    fixed = (Version(event["fixed"]) for event in told if "fixed" in event)
    return min((at for at in fixed if at > version), default=None)


if __name__ == "__main__":
    sys.exit(main())
