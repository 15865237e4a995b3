"""commands"""

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from google.cloud import dlp_v2
from google.protobuf import json_format

from tacenda.pipelines import cli
from tacenda.pipelines.cli import COMMANDS, parser_of, uses_of
from tacenda.pipelines.command_line import outcome
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.reference.starter import starter
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

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


def checked(tmp_path, capsys, data, *more):
    path = tmp_path / "c.yaml"
    path.write_text(yaml.safe_dump(data))
    code = cli_main(cli.run, ["config", "check", str(path), *more])
    return code, *capsys.readouterr()


def test_check_lists_what_is_looked_for_and_what_is_not(tmp_path, capsys):
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


def test_the_same_for_a_person_in_80_columns_and_no_word_of_a_dictionary(tmp_path, capsys):
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


def test_a_file_that_cannot_be_read_is_named_as_the_argument(tmp_path, capsys):
    (tmp_path / "c.yaml").write_bytes(b"\xff\xfe")
    assert cli_main(cli.run, ["config", "check", str(tmp_path / "c.yaml")]) == 2
    assert f"CONFIG {tmp_path / 'c.yaml'}: not UTF-8" in capsys.readouterr().err
    assert cli_main(cli.run, ["config", "check", str(tmp_path)]) == 2
    assert f"CONFIG {tmp_path}: cannot be read" in capsys.readouterr().err


def test_check_lists_the_replacements(tmp_path, capsys):
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


def test_what_can_be_found_depends_on_the_detectors(tmp_path, capsys):
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
def test_user_errors_are_one_line(tmp_path, capsys, data, message):
    code, out, err = checked(tmp_path, capsys, data)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_command_and_options_do(name):
    parser = parser_of(name)
    description = parser.description or ""
    assert description[:1].isupper()
    assert "`" not in parser.format_help()
    assert [action.dest for action in parser._actions if not action.help] == []


class _Full:
    def flush(self):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize(("stream", "code"), [(None, 0), (_Full(), 1)])
def test_a_closed_or_full_stdout_is_no_traceback(monkeypatch, stream, code):
    ended: list[int] = []
    monkeypatch.setattr(cli, "cli_main", lambda run, argv: 0)
    monkeypatch.setattr(outcome.os, "_exit", ended.append)
    monkeypatch.setattr(sys, "stdout", stream)
    cli.main()
    assert ended == [code]


def test_threads_are_limited_before_numpy_counts_cores():
    script = (
        "import os, sys\n"
        "from tacenda.pipelines import cli\n"
        "cli.cli_main = lambda run, argv: print('numpy' in sys.modules, os.environ['OMP_NUM_THREADS'],"
        " os.environ['OPENBLAS_NUM_THREADS'])\n"
        "cli.main()\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    said = subprocess.run(
        [sys.executable, "-c", script],
        env={**environment, "OMP_NUM_THREADS": "3"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert said.stdout.split() == ["False", "3", "1"]


@pytest.mark.parametrize(
    "run", sorted({use.run for name in COMMANDS for use in uses_of(name).values()}), ids=str
)
def test_the_function_of_every_use_exists(run):
    module, _, function = run.partition(":")
    spec = importlib.util.find_spec(f"tacenda.{module}")
    assert spec is not None
    source = ast.parse(Path(str(spec.origin)).read_text("utf-8"))
    assert function in {node.name for node in source.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", [*cli._MOVED])
def test_an_old_name_says_where_its_command_went(name):
    with pytest.raises(UserError, match=f"'tacenda {name}' is now 'tacenda "):
        cli.run([name])
    command, *words = cli._MOVED[name].split()
    assert command == "--print-completion" or (
        parser_of(command).prog and (words[0].startswith("--") or words[0] in uses_of(command))
    )


TYPED = {
    "tacenda anony": ["anonymize"],
    "tacenda anonymize --ov": ["--overwrite"],
    "tacenda anonymize --compression z": ["zstd"],
    "tacenda inspect --compr": [],
    "tacenda inspect --input ca": ["calls.jsonl"],
    "tacenda review rel": ["release"],
    "tacenda rel": ["release"],
}

"""What the last word is completed to."""


def test_bash_completes_commands_options_values_and_files(tmp_path, capsys):
    (tmp_path / "calls.jsonl").touch()
    assert cli.run(["--print-completion", "bash"]) == 0
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    for line, expected in TYPED.items():
        words = line.split(" ")
        ask = (
            f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _shtab_tacenda; "
            "printf '%s\\n' \"${COMPREPLY[@]}\""
        )
        done = subprocess.run(
            ["bash", "-c", f". ./completion; {ask}"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path)},
            check=True,
        )
        assert done.stdout.split() == expected, (line, done.stderr)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_command_is_in_every_script(shell, capsys):
    assert cli.run(["--print-completion", shell]) == 0
    script = capsys.readouterr().out
    assert [name for name in (*cli.COMMANDS, "--overwrite") if name.lstrip("-") not in script] == []


CONFIG_OF_INFOTYPES = {
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
def config(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(CONFIG_OF_INFOTYPES), encoding="utf-8")
    return path


def template(text):
    read: dict[str, Any] = json.loads(text)
    json_format.Parse(text, dlp_v2.InspectTemplate.pb()())
    return read


def test_json_lists_every_infotype(capsys):
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


def test_the_table_is_aligned(capsys):
    assert cli.run(["config", "infotypes"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(catalogue())
    assert max(map(len, [head, *lines])) <= 80
    at = head.index("score")
    for name, line in zip(catalogue(), lines, strict=True):
        assert line.startswith(name)
        assert line[at - 1] == " "
        assert line[at] in "012345-"


def test_named_infotypes_are_reported_in_full(capsys):
    assert cli.run(["config", "infotypes", "US_ADOPTION_TAXPAYER_IDENTIFICATION_NUMBER", "URL"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert out.splitlines()[0] == "US_ADOPTION_TAXPAYER_IDENTIFICATION_NUMBER"
    assert "\nURL\n  description  " in out
    assert cli.run(["config", "infotypes", "--json", "URL"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["name"] == "URL"


def test_the_score_is_that_of_the_preset_and_the_config(capsys, tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("risk:\n  overrides: {URL: 5}\n")
    assert (
        cli.run(["config", "infotypes", "--json", "--risk-preset", "worked_example", "--config", str(path)])
        == 0
    )
    scores = {row["name"]: row["score"] for row in json.loads(capsys.readouterr().out)}
    assert (scores["EMAIL_ADDRESS"], scores["URL"]) == (3, 5)


def test_the_template_is_the_effective_config(capsys, config):
    assert cli.run(["config", "infotypes", "--export-inspect-template", "--config", str(config)]) == 0
    written = template(capsys.readouterr().out)
    inspect = written["inspectConfig"]
    assert inspect["infoTypes"] == [{"name": "PERSON_NAME"}]
    assert inspect["minLikelihood"] == "LIKELY"
    names = [c["infoType"]["name"] for c in inspect["customInfoTypes"]]
    assert names == ["PERSON_NAME", "BADGE", "NUMERIC", "SPELLED_WORD"]
    assert inspect["ruleSet"][0]["rules"][0]["exclusionRule"]["dictionary"]["wordList"]["words"] == ["B-000"]


def test_an_exported_template_finds_the_same_here(tmp_path, config):
    out = tmp_path / "template.json"
    assert (
        cli.run(["config", "infotypes", "--export-inspect-template", str(out), "--config", str(config)]) == 0
    )
    back = parse_inspect_config(template(out.read_text(encoding="utf-8"))["inspectConfig"])
    texts = ["Dwight has B-123 and B-000", "spelled M-A-R-K", "nothing here"]
    cells = list(range(len(texts) + 1))
    there = RulesDetector(back).find(TextColumn(texts, cells))
    here = RulesDetector(parse_inspect_config(CONFIG_OF_INFOTYPES["inspect"])).find(TextColumn(texts, cells))
    assert [[f[:3] for f in cell] for cell in there] == [[f[:3] for f in cell] for cell in here]
    assert [texts[0][f.start : f.end] for f in there[0]] == ["Dwight", "B-123"]
    assert texts[1][there[1][0].start : there[1][0].end] == "M-A-R-K"


def test_the_default_template_is_accepted_back(capsys):
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
def test_user_errors_are_one_line_of_infotypes(argv, message, capsys):
    assert cli_main(cli.run, ["config", "infotypes", *argv]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_what_is_written_is_valid_and_means_the_defaults(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.run(["config", "init"]) == 0
    assert load_config("tacenda.yaml").data == {
        "inspect": {"min_likelihood": "POSSIBLE"},
        "risk": {"preset": "appendix", "threshold": 5},
    }
    assert cli_main(cli.run, ["config", "check", "tacenda.yaml"]) == 0


def test_every_setting_that_is_commented_out_is_valid(tmp_path, capsys):
    path = tmp_path / "all.yaml"
    lines = [line for line in starter().splitlines() if not line.lstrip().startswith("##")]
    path.write_text("\n".join(re.sub("^#", "", line) for line in lines))
    assert cli_main(cli.run, ["config", "check", str(path)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "TICKET_NUMBER, by a pattern" in told.out


def test_a_dash_is_the_terminal(capsys):
    assert cli.run(["config", "init", "-"]) == 0
    assert capsys.readouterr().out == starter()


@pytest.mark.parametrize(
    ("name", "told"),
    [("there.yaml", "there.yaml: already exists"), ("x.json", "x.json: the config is YAML")],
)
def test_nothing_is_overwritten(tmp_path, monkeypatch, capsys, name, told):
    monkeypatch.chdir(tmp_path)
    Path("there.yaml").write_text("mine\n")
    assert cli_main(cli.run, ["config", "init", name]) == 2
    assert told in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["there.yaml"]
    assert Path("there.yaml").read_text() == "mine\n"


def _write(output):
    cli.run(["config", "sample", "--conversations", "1", "--output", str(output)])


def test_an_empty_folder_is_taken(tmp_path):
    _write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"conversations", "config.yaml", "dictionaries"}


@pytest.mark.parametrize(
    "name", ["config.yaml", "dictionaries/person_name.txt", "conversations/a.jsonl", "x"]
)
def test_a_folder_that_holds_anything_is_refused(tmp_path, name):
    theirs = tmp_path / "out" / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    with pytest.raises(UserError, match=rf"is not empty \({name.partition('/')[0]} is there\)"):
        _write(tmp_path / "out")
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == [theirs]
    assert theirs.read_text() == "theirs"


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "a").write_text("theirs")
    with pytest.raises(UserError, match="is a file; choose a folder"):
        _write(tmp_path / "a")
