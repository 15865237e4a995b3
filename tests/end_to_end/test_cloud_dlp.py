"""The job with Cloud DLP as its detector, against a local server with the protocol of the real service."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml

from tests.cases import cases

TEXT = "Pam of Scranton: 👋 pam@example.org, 555-0199-231"


@pytest.fixture
def talks(lines: Callable[..., Path]) -> Path:
    return lines(
        *(
            {"conversation_id": name, "turns": [{"speaker": "agent", "text": text}]}
            for name, text in (("a", TEXT), ("b", "odd one"), ("c", "José Núñez"))
        )
    )


@pytest.fixture
def cloud(dlp: Any) -> list[str]:
    return ["--detector", "cloud_dlp", "--dlp-project", "p", "--dlp-endpoint", dlp.endpoint]


def corpus(run: Any) -> dict[str, str]:
    return {record["conversation_id"]: record["turns"][0]["text"] for record in run.corpus()}


def test_what_the_cloud_finds_is_replaced(tacenda: Any, talks: Path, cloud: list[str]) -> None:
    run = tacenda("anonymize", "--input", talks, *cloud)
    assert run.code == 0, run.err
    assert corpus(run) == {
        "a": "[PERSON_NAME_1] of Scranton: 👋 [EMAIL_ADDRESS_1], 555-0199-231",
        "b": "odd one",
        "c": "[PERSON_NAME_1]",
    }


def test_the_second_look_requests_findings_of_every_likelihood(
    tacenda: Any, talks: Path, cloud: list[str], dlp: Any
) -> None:
    run = tacenda("anonymize", "--input", talks, *cloud)
    risks = {row["conversation_id"]: row for row in run.risk()}
    assert [tag["tag"] for tag in risks["a"]["tags"]] == ["LOCATION"]
    looked = [r for r in dlp.requests if r.inspect_config.min_likelihood == 1]
    assert any("[PERSON_NAME_1]" in row.values[0].string_value for r in looked for row in r.item.table.rows)


def test_findings_of_rules_and_cloud_are_merged(tacenda: Any, talks: Path, cloud: list[str]) -> None:
    run = tacenda("inspect", "--input", talks, *cloud, "--detector", "rules")
    assert run.code == 0, run.err
    assert {row["detector"] for row in run.findings()} == {"rules", "cloud_dlp"}
    names = {(row["conversation_id"], row["info_type"]) for row in run.findings()}
    assert ("c", "PERSON_NAME") in names
    assert run.json("manifest.json")["config"]["detectors"]["names"] == ["rules", "cloud_dlp"]


def test_the_users_config_goes_to_the_cloud(
    tacenda: Any, talks: Path, cloud: list[str], dlp: Any, tmp_path: Path
) -> None:
    config = tmp_path / "config.yaml"
    inspect = {
        "info_types": [{"name": "PERSON_NAME"}, {"name": "SEXUAL_ORIENTATION"}],
        "min_likelihood": "LIKELY",
        "custom_info_types": [
            {"info_type": {"name": "BADGE"}, "dictionary": {"word_list": {"words": ["B-17"]}}}
        ],
    }
    config.write_text(yaml.safe_dump({"inspect": inspect}))
    run = tacenda("inspect", "--input", talks, "--config", config, *cloud)
    assert run.code == 0, run.err
    sent = dlp.requests[-1].inspect_config
    assert [t.name for t in sent.info_types] == ["PERSON_NAME", "SEXUAL_ORIENTATION"]
    assert [c.info_type.name for c in sent.custom_info_types] == ["BADGE"]
    assert sent.min_likelihood == 4
    told = run.json("manifest.json")["config"]
    assert told["inspect"]["info_types"] == [{"name": "PERSON_NAME"}, {"name": "SEXUAL_ORIENTATION"}]
    assert "B-17" not in json.dumps(told)


def test_a_conversation_that_the_cloud_refuses_is_quarantined_alone(
    tacenda: Any, talks: Path, cloud: list[str], dlp: Any
) -> None:
    dlp.fails_on = {"odd": grpc.StatusCode.INVALID_ARGUMENT}
    run = tacenda("anonymize", "--input", talks, *cloud)
    assert sorted(corpus(run)) == ["a", "c"]
    assert [(q["stage"], q["error"]) for q in run.quarantine()] == [("detect", "CloudDlpInvalidArgument")]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_permission_error_of_the_cloud_stops_the_run(
    tacenda: Any, talks: Path, cloud: list[str], dlp: Any, workers: int, tmp_path: Path
) -> None:
    dlp.fails_on = {"odd": grpc.StatusCode.PERMISSION_DENIED}
    out = tmp_path / "out"
    run = tacenda("anonymize", "--input", talks, *cloud, "--workers", workers, output=out)
    assert run.code == 1
    assert "tacenda: a detector is unavailable (cloud_dlp: PermissionDenied)" in run.err
    assert "the same command resumes" in run.err
    assert "odd" not in run.err
    assert not (out / "_SUCCESS").exists()
    dlp.fails_on = {}
    assert tacenda("anonymize", "--input", talks, *cloud, output=out).code == 0


def test_a_config_that_the_cloud_refuses_is_reported_before_the_run(
    tacenda: Any, talks: Path, cloud: list[str], dlp: Any
) -> None:
    dlp.failures = [grpc.StatusCode.INVALID_ARGUMENT]
    run = tacenda("anonymize", "--input", talks, *cloud)
    assert run.code == 2
    assert "the service rejects the inspect config" in run.err
    assert not run.folder.exists()


def test_another_detector_is_another_run(tacenda: Any, talks: Path, cloud: list[str]) -> None:
    rules = tacenda("inspect", "--input", talks)
    both = tacenda("inspect", "--input", talks, *cloud, "--detector", "rules")
    assert rules.json("manifest.json")["fingerprint"] != both.json("manifest.json")["fingerprint"]
    again = tacenda("inspect", "--input", talks, "--detector", "rules", *cloud)
    assert again.json("manifest.json")["fingerprint"] == both.json("manifest.json")["fingerprint"]


@pytest.mark.parametrize(("arguments", "message"), cases(__file__, "test_user_errors_are_one_line"))
def test_user_errors_are_one_line(tacenda: Any, talks: Path, arguments: list[str], message: str) -> None:
    run = tacenda("inspect", "--input", talks, *arguments)
    assert run.code == 2
    assert message in run.err
    assert run.err.count("\n") == 1


def test_cloud_only_infotypes_are_unknown_to_the_rules(
    tacenda: Any, talks: Path, cloud: list[str], tmp_path: Path
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("inspect:\n  info_types:\n  - name: SEXUAL_ORIENTATION\n")
    alone = tacenda("inspect", "--input", talks, "--config", config, *cloud)
    assert alone.code == 0, alone.err
    assert alone.findings() == []
    both = tacenda("inspect", "--input", talks, "--config", config, *cloud, "--detector", "rules")
    assert both.code == 2
    assert "config.yaml:2: inspect.info_types: has none for the rules" in both.err
    rules = tacenda("inspect", "--input", talks, "--config", config)
    assert rules.code == 2
    assert "SEXUAL_ORIENTATION is unknown" in rules.err
