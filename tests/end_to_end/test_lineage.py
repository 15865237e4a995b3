"""OpenLineage events of a run: to a file, to a web address, when it fails, and when nobody takes them."""

import json
from contextlib import ExitStack

import pytest

from tacenda.pipelines.startup import launch
from tacenda.pipelines.work.error_sanitizing import UnitFailedError
from tacenda.transforms.schema.url_redaction import source_name
from tests.fakes.web_server import receiving
from tests.folders import read_lines

NAME = "Rachel Green"


@pytest.fixture
def source(lines):
    turn = {"speaker": "agent", "text": f"hello {NAME}, write to rachel.green@example.com"}
    return lines(*({"conversation_id": f"c{i}", "turns": [turn]} for i in range(30)))


@pytest.fixture
def anonymize(tacenda, source):
    def run(lineage=None, **options):
        more = () if lineage is None else ("--lineage", lineage)
        return tacenda("anonymize", "--input", source, "--detector", "rules", *more, **options)

    return run


def test_a_run_reports_its_start_and_its_end(anonymize, source, tmp_path):
    file = tmp_path / "lineage.jsonl"
    run = anonymize(file)
    start, end = read_lines(file)
    assert [start["eventType"], end["eventType"]] == ["START", "COMPLETE"]
    assert start["run"]["runId"] == end["run"]["runId"]
    assert start["eventTime"] <= end["eventTime"]
    assert end["inputs"] == [{"namespace": "file", "name": source_name(str(source))}]
    corpus = end["outputs"][0]
    assert corpus["name"] == f"{run.folder}/corpus"
    told = corpus["outputFacets"]["outputStatistics"]
    size = sum(path.stat().st_size for path in (run.folder / "corpus").iterdir())
    assert (told["rowCount"], told["fileCount"], told["size"]) == (30, 1, size)
    tags = {tag["key"]: tag["value"] for tag in end["run"]["facets"]["tags"]["tags"]}
    assert tags["verdict"] == "unreviewed"
    assert tags["fingerprint"] == run.manifest["fingerprint"]
    assert NAME not in file.read_text()
    # A finished run that is given again reports nothing, and its output is that of a run without events.
    anonymize(file, output=run.folder)
    assert len(read_lines(file)) == 2
    assert run.files() == anonymize().files()


def test_events_are_posted_with_the_token_of_the_environment(anonymize, monkeypatch):
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "a token")
    kept = []
    with receiving(kept) as address:
        assert anonymize(f"http://{address}/api/v1/lineage").code == 0
    assert [json.loads(body)["eventType"] for _, body in kept] == ["START", "COMPLETE"]
    assert {token for token, _ in kept} == {"Bearer a token"}


@pytest.mark.parametrize(("error", "kind"), [(UnitFailedError(NAME), "FAIL"), (KeyboardInterrupt(), "ABORT")])
def test_a_run_that_fails_says_so_without_its_message(anonymize, tmp_path, monkeypatch, error, kind):
    def broken(*_):
        raise error

    monkeypatch.setattr(launch, "run", broken)
    file = tmp_path / "lineage.jsonl"
    assert anonymize(file).code in (1, 130)
    assert [event["eventType"] for event in read_lines(file)] == ["START", kind]
    assert NAME not in file.read_text()


@pytest.mark.parametrize("place", ["s3://bucket/events", "http://localhost:9/api", "nowhere/at/all.jsonl"])
def test_an_unusable_lineage_url_stops_the_run_early(anonymize, place):
    run = anonymize(place)
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert run.err.startswith("tacenda: --lineage ")
    assert not (run.folder / "manifest.json").exists()
    assert anonymize(output=run.folder).code == 0


def test_an_unreported_end_is_a_warning(anonymize, monkeypatch):
    server, run_before = ExitStack(), launch.run
    address = server.enter_context(receiving([]))

    def ended(*words):
        server.close()
        run_before(*words)

    monkeypatch.setattr(launch, "run", ended)
    run = anonymize(f"http://{address}/")
    assert run.code == 0
    assert "did not take the last event (COMPLETE)" in run.err
    assert (run.folder / "_UNREVIEWED").exists()
