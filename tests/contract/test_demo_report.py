"""The page for counsel has the figures of the demo's own report."""

import json
import re
from pathlib import Path

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

PAGE = Path(__file__).parents[2] / "docs" / "counsel.md"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The output of ``make demo``."""
    folder = tmp_path_factory.mktemp("demo")
    sample = ["sample", "--conversations", "500", "--output", str(folder / "sample")]
    assert cli_main(cli.run, sample) == 0
    words = ["--input", folder / "sample" / "conversations", "--config", folder / "sample" / "config.yaml"]
    run = ["anonymize", *map(str, words), "--output", str(folder / "anonymized")]
    assert cli_main(cli.run, run) == 0
    return folder / "anonymized"


def told():
    """The rows of the page's table: context; count, mean, std, P95, mean + std and its interval, counts."""
    section = PAGE.read_text("utf-8").partition("## An example")[2].partition("\n## ")[0]
    for row in re.findall(r"^\| (\w+) \| ([0-9].*) \|$", section, re.MULTILINE):
        yield row[0], [float(number) for number in re.findall(r"[0-9.]+", row[1])]


def statistics(demo):
    gold = json.loads((demo / "statistics.json").read_text("utf-8"))["sources"]["gold"]
    return {**gold["contexts"], "Total": gold["total"]}


def test_the_table_is_that_of_the_demo(demo):
    # Detectors get better: the page may lag behind by as much as leaves its words true.
    measured = statistics(demo)
    rows = dict(told())
    assert set(rows) == set(measured)
    for context, (count, mean, std, p95, mu_plus_sigma, low, high, over, direct) in rows.items():
        group = measured[context]
        assert count == group["count"]
        assert mean == pytest.approx(group["mean"], abs=0.3)
        assert std == pytest.approx(group["std"], abs=0.5)
        assert p95 == pytest.approx(group["p95"], abs=2)
        assert mu_plus_sigma == pytest.approx(mean + std, abs=0.011)
        assert mu_plus_sigma == pytest.approx(group["mu_plus_sigma"], abs=0.7)
        assert [low, high] == pytest.approx(group["mu_plus_sigma_interval_95"], abs=0.8)
        assert over == pytest.approx(group["at_or_over_threshold"], abs=0.03 * count)
        assert direct == pytest.approx(group["direct_identifiers"], abs=0.01 * count)


def test_the_words_beside_it_hold(demo):
    manifest = json.loads((demo / "manifest.json").read_text("utf-8"))
    assert manifest["verdict"]["state"] == "released"
    for group in statistics(demo).values():
        assert group["mu_plus_sigma_interval_95"][1] < 5
    found = manifest["identifiability"]["gold"]
    assert found["average_risk"] > 0.09
    assert found["values_that_link"] <= 2
    assert found["clean"] > 250
    assert manifest["totals"]["identified"] > 490
    assert "context" not in manifest
