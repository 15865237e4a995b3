"""``tacenda config``: check, infotypes, init and sample."""

import json
import re
from pathlib import Path

import pytest
import yaml
from google.cloud import dlp_v2
from google.protobuf import json_format

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.reference.lookup import starter
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.schema.errors import UserError
from tests.cases import tabled

CUSTOM = [
    {"info_type": {"name": "PERSON_NAME"}, "dictionary": {"word_list": {"words": ["Schrute"]}}},
    {"info_type": {"name": "BADGE"}, "regex": {"pattern": "B-[0-9]{3}"}},
]
EXCLUSION = {"matching_type": "MATCHING_TYPE_FULL_MATCH", "dictionary": {"word_list": {"words": ["B-000"]}}}
NAMES = ("PERSON_NAME", "URL", "MEDICAL_TERM", "TIME", "NUMERIC", "SPELLED_WORD")
MASK = {"info_types": [{"name": "URL"}], "primitive_transformation": {"character_mask_config": {}}}
CONFIG = {
    "inspect": {
        "info_types": [{"name": name} for name in NAMES],
        "min_likelihood": "LIKELY",
        "custom_info_types": CUSTOM,
        "rule_set": [{"info_types": [{"name": "BADGE"}], "rules": [{"exclusion_rule": EXCLUSION}]}],
        "limits": {"max_findings_per_item": 3},
    },
    "deidentify": {"info_type_transformations": {"transformations": [MASK]}},
    "risk": {"labels": {"BADGE": "GENERIC_ID"}, "overrides": {"URL": 5}, "threshold": 4},
}


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(CONFIG), encoding="utf-8")
    return str(path)


def _asked(capsys, *words):
    code = cli_main(cli.run, ["config", *map(str, words)])
    return code, *capsys.readouterr()


def test_check_lists_what_is_looked_for_and_what_is_not(config, capsys):
    code, out, err = _asked(capsys, "check", config, "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert told["looks_for"] == {
        "built_in": sorted({*NAMES} - {"MEDICAL_TERM"}),
        "custom": ["PERSON_NAME", "BADGE"],
    }
    assert told["no_detector_for"] == ["MEDICAL_TERM"]
    assert {*told["does_not_look_for"]} == {*catalogue()} - {*NAMES}
    assert told["criterion"].endswith("(95 %), mean + std < 4 in every context")
    assert "EMAIL" in told["scored_but_not_looked_for"]
    assert told["unscored"] == ["TIME"]
    assert "en" in told["config"]["languages"]["covered"]
    (policy,) = told["config"]["replacement"]["policies"]
    assert policy["what"] == "each character replaced by *"
    assert any("inspect.limits has no effect" in note for note in told["notes"])
    code, written, err = _asked(capsys, "check", config)
    assert (code, written.splitlines()[0]) == (0, f"{config} is valid")
    assert yaml.safe_load(written.partition("\n")[2])["config"] == told["config"]
    assert "inspect.limits has no effect" in err
    assert "chrute" not in out + written + err


def test_what_can_be_found_depends_on_the_detectors(tmp_path, capsys):
    (tmp_path / "c.yaml").touch()
    told = json.loads(_asked(capsys, "check", tmp_path / "c.yaml", "--json", "--detector", "gazetteer")[1])
    assert told["looks_for"]["built_in"] == ["LOCATION", "ORGANIZATION_NAME", "PERSON_NAME"]
    assert {*told["no_detector_for"], *told["looks_for"]["built_in"]} == {*default_info_types()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("inspect: {info_types: [{name: URLS}]}", "inspect.info_types[0].name"),
        ("risk: {threshold: x}", "risk.threshold: must be"),
        (yaml.safe_dump({"inspect": {"custom_info_types": CUSTOM}}), "BADGE has no score"),
        ("models: [{path: /nowhere}]", "/nowhere"),
        ("\udcff", "c.yaml: not UTF-8"),
        (None, "c.yaml: no such file"),
    ],
)
def test_a_wrong_config_is_one_line(tmp_path, capsys, text, message):
    if text is not None:
        (tmp_path / "c.yaml").write_bytes(text.encode("utf-8", "surrogateescape"))
    code, out, err = _asked(capsys, "check", tmp_path / "c.yaml")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def _template(text):
    read = json.loads(text)
    json_format.Parse(text, dlp_v2.InspectTemplate.pb()())
    return read["inspectConfig"]


def test_every_infotype_is_listed(capsys):
    rows = {row["name"]: row for row in json.loads(_asked(capsys, "infotypes", "--json")[1])}
    assert list(rows) == list(catalogue())
    assert [rows[name]["score"] for name in ("EMAIL_ADDRESS", "NUMERIC", "TIME")] == [4, 2, None]
    assert [rows[name]["in_cloud"] for name in ("EMAIL_ADDRESS", "NUMERIC")] == [True, False]
    assert "@" in rows["EMAIL_ADDRESS"]["example"]
    assert all(row["description"] and row["source"] and row["regions"] for row in rows.values())
    head, *lines = _asked(capsys, "infotypes")[1].splitlines()
    assert max(map(len, [head, *lines])) <= 80
    at = head.index("score")
    for name, line in zip(rows, lines, strict=True):
        assert line.startswith(name)
        assert line[at - 1] == " "
        assert line[at] in "012345-"


def test_the_score_is_that_of_the_config(config, capsys):
    path = Path(config)
    path.write_text(path.read_text().replace("risk:\n", "risk:\n  preset: worked_example\n"))
    words = ["infotypes", "--json", "--config", config]
    scores = {row["name"]: row["score"] for row in json.loads(_asked(capsys, *words)[1])}
    assert (scores["EMAIL_ADDRESS"], scores["URL"]) == (3, 5)


@tabled("argv", "message")
def test_a_wrong_option_of_infotypes_is_one_line(argv, message, capsys):
    code, _, err = _asked(capsys, "infotypes", *argv)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err


def test_the_starter_is_valid_and_means_the_defaults(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.run(["config", "init"]) == 0
    assert load_config("tacenda.yaml").data == {
        "inspect": {"min_likelihood": "POSSIBLE"},
        "risk": {"preset": "appendix", "threshold": 5},
    }
    capsys.readouterr()
    assert _asked(capsys, "init", "-")[1] == starter()


def test_every_setting_that_is_commented_out_is_valid(tmp_path, capsys):
    path = tmp_path / "all.yaml"
    lines = [line for line in starter().splitlines() if not line.lstrip().startswith("##")]
    path.write_text("\n".join(re.sub("^#", "", line) for line in lines))
    code, out, err = _asked(capsys, "check", path)
    assert (code, err) == (0, "")
    assert "TICKET_NUMBER" in out


def test_no_config_is_overwritten(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("there.yaml").write_text("mine\n")
    code, _, err = _asked(capsys, "init", "there.yaml")
    assert code == 2
    assert "there.yaml: already exists" in err
    assert [path.name for path in tmp_path.iterdir()] == ["there.yaml"]
    assert Path("there.yaml").read_text() == "mine\n"


@tabled("there", "told")
def test_a_sample_takes_an_empty_folder(tmp_path, there, told):
    words = ["config", "sample", "--conversations", "1", "--output", str(tmp_path / "out")]
    if there is None:
        (tmp_path / "out").mkdir()
        assert cli.run(words) == 0
        assert {path.name for path in (tmp_path / "out").iterdir()} == {
            "conversations", "config.yaml", "dictionaries"
        }  # fmt: skip
        return
    theirs = tmp_path / there
    theirs.parent.mkdir(parents=True, exist_ok=True)
    theirs.write_text("theirs")
    with pytest.raises(UserError, match=told):
        cli.run(words)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [theirs]
    assert theirs.read_text() == "theirs"
