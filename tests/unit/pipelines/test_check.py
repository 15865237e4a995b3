import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types

CUSTOM = [
    {"info_type": {"name": "PERSON_NAME"}, "dictionary": {"word_list": {"words": ["Schrute"]}}},
    {"info_type": {"name": "BADGE"}, "regex": {"pattern": "B-[0-9]+"}},
]
EXCLUSION = {
    "matching_type": "MATCHING_TYPE_PARTIAL_MATCH",
    "dictionary": {"word_list": {"words": ["Dwight", "Schrute"]}},
}
CONFIG = {
    "inspect": {
        "info_types": [{"name": "PERSON_NAME"}, {"name": "URL"}, {"name": "MEDICAL_TERM"}, {"name": "TIME"}],
        "min_likelihood_per_info_type": [{"info_type": {"name": "URL"}, "min_likelihood": "LIKELY"}],
        "custom_info_types": CUSTOM,
        "rule_set": [{"info_types": [{"name": "URL"}], "rules": [{"exclusion_rule": EXCLUSION}]}],
        "limits": {"max_findings_per_item": 3},
    },
    "risk": {"labels": {"BADGE": "GENERIC_ID"}, "overrides": {"URL": 5}, "threshold": 4},
}
CRITERION = "direct identifiers in at most 0.02 of the conversations (95 %), mean + std < 4 in every context"


def checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: Any, *more: str
) -> tuple[int, str, str]:
    path = tmp_path / "c.yaml"
    path.write_text(yaml.safe_dump(data))
    code = cli_main(cli.run, ["config", "check", str(path), *more])
    return code, *capsys.readouterr()


def test_check_lists_what_is_looked_for_and_what_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = checked(tmp_path, capsys, CONFIG, "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert told["looks_for"] == {
        "built_in": ["PERSON_NAME", "TIME", "URL"],
        "all_defaults": False,
        "custom": [
            {"info_type": "PERSON_NAME", "by": "a dictionary of 1 term"},
            {"info_type": "BADGE", "by": "a pattern"},
        ],
        "min_likelihood": "POSSIBLE",
        "min_likelihood_by_info_type": {"URL": "LIKELY"},
        "rules": [
            {"info_types": ["URL"], "rules": ["partial matches of a dictionary of 2 terms are excluded"]}
        ],
    }
    assert told["no_detector_for"] == ["MEDICAL_TERM"]
    assert {*told["does_not_look_for"]} == {*catalogue()} - {"PERSON_NAME", "TIME", "URL", "MEDICAL_TERM"}
    risk = told["risk"]
    assert "EMAIL" in risk.pop("not_looked_for")
    assert risk == {
        "preset": "appendix",
        "changed": ["URL"],
        "criterion": CRITERION,
        "unscored": ["TIME"],
    }
    assert "en" in told["languages"]["covered"]
    assert any("inspect.limits has no effect" in note for note in told["notes"])


def test_the_same_for_a_person_in_80_columns_and_no_word_of_a_dictionary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = checked(tmp_path, capsys, CONFIG)
    assert code == 0
    _, _, *lines = out.splitlines()
    assert max(len(line) for line in lines if not line.startswith("model ")) <= 80
    assert "chrute" not in out + err
    assert "inspect.limits has no effect" in err
    flat = " ".join(out.split())
    for told in (
        "looks for 3 built-in infoTypes from POSSIBLE on PERSON_NAME, TIME, URL",
        "and for BADGE, by a pattern",
        "URL from LIKELY on",
        "cannot find MEDICAL_TERM: not covered by the chosen detectors",
        "score table appendix, changed for URL",
        f"criterion {CRITERION}",
        "text in others goes to quarantine",
        "unscored TIME: replaced, but adds nothing to a score",
    ):
        assert told in flat


def test_a_file_that_cannot_be_read_is_named_as_the_argument(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.yaml").write_bytes(b"\xff\xfe")
    assert cli_main(cli.run, ["config", "check", str(tmp_path / "c.yaml")]) == 2
    assert f"CONFIG {tmp_path / 'c.yaml'}: not UTF-8" in capsys.readouterr().err
    assert cli_main(cli.run, ["config", "check", str(tmp_path)]) == 2
    assert f"CONFIG {tmp_path}: cannot be read" in capsys.readouterr().err


def test_check_lists_the_replacements(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mask = {"info_types": [{"name": "URL"}], "primitive_transformation": {"character_mask_config": {}}}
    config = {
        "deidentify": {"info_type_transformations": {"transformations": [mask]}},
        "replacement": {"keep": {"AGE": "the advice depends on it"}},
    }
    code, out, _ = checked(tmp_path, capsys, config)
    assert code == 0
    flat = " ".join(out.split())
    assert (
        "replaces by tokens URL: each character replaced by * (its length stays readable) keeps AGE" in flat
    )


def test_what_can_be_found_depends_on_the_detectors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = checked(tmp_path, capsys, {}, "--json", "--detector", "gazetteer")
    told = json.loads(out)
    assert told["looks_for"]["built_in"] == ["LOCATION", "ORGANIZATION_NAME", "PERSON_NAME"]
    assert {*told["no_detector_for"], *told["looks_for"]["built_in"]} == {*default_info_types()}
    assert told["models"] == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"inspect": {"info_types": [{"name": "URLS"}]}}, "inspect.info_types[0].name"),
        ({"risk": {"threshold": "x"}}, "risk.threshold: must be"),
        ({"inspect": {"custom_info_types": CUSTOM}}, "BADGE has no score"),
        ({"models": [{"path": "/nowhere"}]}, "/nowhere"),
    ],
)
def test_user_errors_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: Any, message: str
) -> None:
    code, out, err = checked(tmp_path, capsys, data)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
