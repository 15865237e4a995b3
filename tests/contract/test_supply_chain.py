"""Licences of all that is installed or shipped are known, accepted and listed; an audit fails closed."""

import json
import re
import sys
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

ROOT = Path(__file__).parents[2]

sys.path.append(str(ROOT / "infra" / "supply_chain"))
import audit  # noqa: E402
import licences  # noqa: E402


def test_the_licence_list_has_every_dependency_and_notice() -> None:
    page = licences.page()
    declared = re.findall(r'^    "([A-Za-z][\w.-]*)', (ROOT / "pyproject.toml").read_text("utf-8"), re.M)
    direct = declared[declared.index("apache-beam") : declared.index("jellyfish") + 1]
    assert len(direct) > 10
    assert [name for name in direct if f"\n| {name.lower()} |" not in page] == []
    for notice in (path.relative_to(ROOT) for path in ROOT.glob("*/**/NOTICE.md")):
        if notice.parts[0] in ("models", "transforms"):
            assert f"## From `{notice}`" in page
    assert "| wordfreq, Robyn Speer | data CC BY-SA 4.0" in page


def test_every_extra_for_users_is_listed() -> None:
    """Each extra is told to be for users or is one of these, for development."""
    project = (ROOT / "pyproject.toml").read_text("utf-8").partition("[project.optional-dependencies]")[2]
    extras = set(re.findall(r"^([a-z0-9-]+) = \[", project.partition("\n[")[0], re.M))
    assert extras - {"dev", "docs", "object-storage", "gcs-test"} == set(licences.RULES["extras"])


@pytest.mark.parametrize(
    ("expression", "wrong"),
    [
        ("MIT", []),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", []),
        ("GPL-3.0-only OR MIT", []),
        ("Apache-2.0 WITH LLVM-exception", []),
        ("GPL-3.0-only", ["GPL-3.0-only"]),
        ("MIT AND AGPL-3.0-or-later", ["AGPL-3.0-or-later"]),
    ],
)
def test_a_licence_that_is_not_accepted_is_refused(expression: str, wrong: list[str]) -> None:
    assert licences.refused(expression) == wrong


def test_the_licence_of_a_missing_package_is_unknown() -> None:
    with pytest.raises(licences.LicenceError, match="no-such-package is not installed"):
        licences.licence_of("no-such-package")


def test_a_notice_without_a_licence_is_an_error() -> None:
    table = "| source | licence |\n|---|---|\n| one | MIT |\n| two |  |\n"
    with pytest.raises(licences.LicenceError, match="two: the notice does not say its licence"):
        list(licences.rows_of_notice(table))


NOW = datetime.now(timezone.utc)


def _advisory(number: int, name: str, *events: dict[str, str], **more: Any) -> dict[str, Any]:
    affected: dict[str, Any] = {"package": {"ecosystem": "PyPI", "name": name}}
    if events:
        affected["ranges"] = [{"type": "ECOSYSTEM", "events": list(events)}]
    affected.update(more.pop("affected", {}))
    return {"id": f"TEST-{number}", "modified": NOW.isoformat(), "affected": [affected], **more}


SOME = [
    _advisory(1, "Old_Parser", {"introduced": "0"}, {"fixed": "2.1"}, aliases=["CVE-1"]),
    _advisory(2, "old-parser", {"introduced": "1.5"}, {"last_affected": "1.9"}),
    _advisory(3, "old-parser", affected={"versions": ["2.0", "not a version", "2.5"]}),
    _advisory(4, "old-parser", {"introduced": "0"}, withdrawn=NOW.isoformat()),
    _advisory(
        5, "elsewhere", {"introduced": "0"}, affected={"package": {"ecosystem": "npm", "name": "old-parser"}}
    ),
]


def _written(folder: Path, advisories: list[Any], name: str = "osv.jsonl") -> Path:
    path = folder / name
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            for number, one in enumerate(advisories):
                archive.writestr(f"{number}.json", json.dumps(one, indent=1))
    elif name.endswith(".jsonl"):
        path.write_text("".join(json.dumps(one) + "\n" for one in advisories))
    else:
        path.mkdir()
        for number, one in enumerate(advisories):
            (path / f"{number}.json").write_text(json.dumps(one, indent=1))
    return path


def _audited(folder: Path, path: object, frozen: str, *words: str) -> int:
    (folder / "frozen.txt").write_text(frozen)
    return audit.main([str(folder / "frozen.txt"), "--advisories", str(path), "--least", "1", *words])


@pytest.mark.parametrize(
    ("version", "known"),
    [
        ("1.0", ["TEST-1, CVE-1; fixed in 2.1"]),
        ("1.9", ["TEST-1, CVE-1; fixed in 2.1", "TEST-2; not fixed yet"]),
        ("2.0", ["TEST-1, CVE-1; fixed in 2.1", "TEST-3; not fixed yet"]),
        ("2.1", []),
        ("2.5+local", []),
        ("2.5", ["TEST-3; not fixed yet"]),
    ],
)
def test_an_audit_tells_each_known_vulnerability(tmp_path: Path, version: str, known: list[str]) -> None:
    advisories = audit.load(str(_written(tmp_path, SOME)), 1)
    found = audit.vulnerabilities({"old-parser": Version(version), "other": Version("1")}, advisories, {})
    assert list(found) == [f"old-parser {version}: {one}" for one in known]


@pytest.mark.parametrize("name", ["osv.jsonl", "all.zip", "folder"])
def test_an_audit_reads_every_form_of_a_list(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _written(tmp_path, SOME, name)
    assert _audited(tmp_path, path, "other==1.0\nold.parser==3.0\n") == 0
    assert capsys.readouterr().out.startswith("audit: 2 packages, 3 advisories up to ")
    assert _audited(tmp_path, path, "old.parser==1.0\n") == 1
    assert "old-parser 1.0: TEST-1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("advisories", "frozen", "words", "told"),
    [
        (None, "a==1", [], "no such list of advisories"),
        ([], "a==1", [], "0 advisories on packages of PyPI, where a whole list has 1"),
        (SOME, "a==1", ["--least", "4"], "3 advisories on packages of PyPI, where a whole list has 4"),
        (["no advisory"], "a==1", [], "a damaged list of advisories"),
        (
            [{**SOME[0], "modified": "2020-01-01T00:00:00Z"}],
            "a==1",
            [],
            "the newest advisory is of 2020-01-01",
        ),
        ([_advisory(6, "a")], "a==1", [], "TEST-6: it does not say which versions"),
        (
            [_advisory(7, "a", {"introduced": "x"})],
            "a==1",
            [],
            "TEST-7: it does not have the form of an advisory",
        ),
        (SOME, "a @ file:///a.whl", [], "a: it has no version of PyPI"),
        (SOME, "", [], "nothing is installed"),
    ],
)
def test_what_could_not_be_audited_fails(
    tmp_path: Path,
    advisories: list[Any] | None,
    frozen: str,
    words: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "none.zip" if advisories is None else _written(tmp_path, advisories)
    assert _audited(tmp_path, path, frozen, *words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert told in shown.err


def test_a_cut_off_list_fails(tmp_path: Path) -> None:
    path = _written(tmp_path, SOME, "all.zip")
    path.write_bytes(path.read_bytes()[:-40])
    assert _audited(tmp_path, path, "a==1") == 2


def test_an_accepted_advisory_passes_until_it_is_about_nothing(tmp_path: Path) -> None:
    advisories = audit.load(str(_written(tmp_path, SOME)), 1)
    accepted = {"CVE-1": "not reachable"}
    assert list(audit.vulnerabilities({"old-parser": Version("1.0")}, advisories, accepted)) == []
    (line,) = audit.vulnerabilities({"old-parser": Version("3.0")}, advisories, accepted)
    assert line.startswith("CVE-1: accepted in accepted_advisories.yaml, but nothing installed has it")


def test_a_list_may_be_some_days_old(tmp_path: Path) -> None:
    advisories = audit.load(str(_written(tmp_path, SOME)), 1)
    audit.check_age(advisories, NOW + timedelta(days=29), 30)
    with pytest.raises(audit.AuditError, match="get a new list"):
        audit.check_age(advisories, NOW + timedelta(days=31), 30)
