"""The list of built-in infoTypes, and the template for the cloud."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from google.cloud import dlp_v2
from google.protobuf import json_format

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.text.column import TextColumn

CONFIG = {
    "inspect": {
        "info_types": [{"name": "PERSON_NAME"}, {"name": "NUMERIC"}, {"name": "SPELLED_WORD"}],
        "min_likelihood": "LIKELY",
        "custom_info_types": [
            {"info_type": {"name": "PERSON_NAME"}, "dictionary": {"word_list": {"words": ["Dwight"]}}},
            {"info_type": {"name": "BADGE"}, "regex": {"pattern": "B-\\d{3}"}, "likelihood": "LIKELY"},
        ],
        "rule_set": [
            {
                "info_types": [{"name": "BADGE"}],
                "rules": [
                    {
                        "exclusion_rule": {
                            "matching_type": "MATCHING_TYPE_FULL_MATCH",
                            "dictionary": {"word_list": {"words": ["B-000"]}},
                        }
                    }
                ],
            }
        ],
    },
    "risk": {"labels": {"BADGE": "GENERIC_ID"}},
}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(CONFIG), encoding="utf-8")
    return path


def template(text: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(text)
    json_format.Parse(text, dlp_v2.InspectTemplate.pb()())
    return read


def test_json_lists_every_infotype(capsys: Any) -> None:
    assert cli.run(["config", "infotypes", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert list(rows) == list(catalogue())
    mail = rows["EMAIL_ADDRESS"]
    assert mail["score"] == 4
    assert mail["in_cloud"]
    assert "@" in mail["example"]
    assert rows["NUMERIC"]["score"] == 2
    assert not rows["NUMERIC"]["in_cloud"]
    assert rows["TIME"]["score"] is None
    assert not rows["TIME"]["default"]
    assert all(row["description"] and row["source"] and row["regions"] for row in rows.values())


def test_the_table_is_aligned(capsys: Any) -> None:
    assert cli.run(["config", "infotypes"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(catalogue())
    assert max(map(len, [head, *lines])) <= 80
    at = head.index("score")
    for name, line in zip(catalogue(), lines, strict=True):
        assert line.startswith(name)
        assert line[at - 1] == " "
        assert line[at] in "012345-"


def test_named_infotypes_are_reported_in_full(capsys: Any) -> None:
    assert cli.run(["config", "infotypes", "US_ADOPTION_TAXPAYER_IDENTIFICATION_NUMBER", "URL"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert out.splitlines()[0] == "US_ADOPTION_TAXPAYER_IDENTIFICATION_NUMBER"
    assert "\nURL\n  description  " in out
    assert cli.run(["config", "infotypes", "--json", "URL"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["name"] == "URL"


def test_the_score_is_that_of_the_preset_and_the_config(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("risk:\n  overrides: {URL: 5}\n")
    assert (
        cli.run(["config", "infotypes", "--json", "--risk-preset", "worked_example", "--config", str(path)])
        == 0
    )
    scores = {row["name"]: row["score"] for row in json.loads(capsys.readouterr().out)}
    assert (scores["EMAIL_ADDRESS"], scores["URL"]) == (3, 5)


def test_the_template_is_the_effective_config(capsys: Any, config: Path) -> None:
    assert cli.run(["config", "infotypes", "--export-inspect-template", "--config", str(config)]) == 0
    written = template(capsys.readouterr().out)
    inspect = written["inspectConfig"]
    assert inspect["infoTypes"] == [{"name": "PERSON_NAME"}]
    assert inspect["minLikelihood"] == "LIKELY"
    names = [c["infoType"]["name"] for c in inspect["customInfoTypes"]]
    assert names == ["PERSON_NAME", "BADGE", "NUMERIC", "SPELLED_WORD"]
    assert inspect["ruleSet"][0]["rules"][0]["exclusionRule"]["dictionary"]["wordList"]["words"] == ["B-000"]


def test_an_exported_template_finds_the_same_here(tmp_path: Path, config: Path) -> None:
    out = tmp_path / "template.json"
    assert (
        cli.run(["config", "infotypes", "--export-inspect-template", str(out), "--config", str(config)]) == 0
    )
    back = parse_inspect_config(template(out.read_text(encoding="utf-8"))["inspectConfig"])
    texts = ["Dwight has B-123 and B-000", "spelled M-A-R-K", "nothing here"]
    cells = list(range(len(texts) + 1))
    there = RulesDetector(back).find(TextColumn(texts, cells))
    here = RulesDetector(parse_inspect_config(CONFIG["inspect"])).find(TextColumn(texts, cells))
    assert [[f[:3] for f in cell] for cell in there] == [[f[:3] for f in cell] for cell in here]
    assert [texts[0][f.start : f.end] for f in there[0]] == ["Dwight", "B-123"]
    assert texts[1][there[1][0].start : there[1][0].end] == "M-A-R-K"


def test_the_default_template_is_accepted_back(capsys: Any) -> None:
    assert cli.run(["config", "infotypes", "--export-inspect-template"]) == 0
    inspect = template(capsys.readouterr().out)["inspectConfig"]
    back = parse_inspect_config(inspect)
    both = {*back.info_types, *(c.info_type for c in back.custom)}
    assert both == {name for name, info_type in catalogue().items() if info_type.default}


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--json", "--export-inspect-template"], "not allowed with"),
        (["--risk-preset", "none"], "--risk-preset: 'none' is unknown"),
        (["email"], "no infoType email is built in; did you mean EMAIL_ADDRESS?"),
        (["person"], "no infoType person is built in; did you mean PERSON_NAME or "),
        (["--colour"], "unknown option --colour"),
    ],
)
def test_user_errors_are_one_line(argv: list[str], message: str, capsys: Any) -> None:
    assert cli_main(cli.run, ["config", "infotypes", *argv]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
