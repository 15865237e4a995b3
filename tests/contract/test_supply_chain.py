"""The licences of all that is installed or shipped are known and accepted, and the list says them."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

sys.path.append(str(ROOT / "infra" / "supply_chain"))
import licences  # noqa: E402


def test_the_licence_list_has_every_dependency_and_notice() -> None:
    page = licences.page()
    declared = re.findall(r'^    "([A-Za-z][\w.-]*)', (ROOT / "pyproject.toml").read_text("utf-8"), re.M)
    direct = declared[declared.index("apache-beam") : declared.index("jellyfish") + 1]
    assert len(direct) > 10
    assert [name for name in direct if f"\n| {name.lower()} |" not in page and name != "hyperscan"] == []
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
