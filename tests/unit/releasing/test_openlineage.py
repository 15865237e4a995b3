from typing import Any

import pytest

from tacenda.transforms.releasing.openlineage import Kind, dataset, output_dataset, run_event
from tacenda.transforms.schema.url_redaction import source_name

RUN_ID = "0190c6d2-5d3c-4f0e-9c3a-000000000001"


def _event(kind: Kind = "COMPLETE", error: str | None = None) -> dict[str, Any]:
    return run_event(
        kind,
        "2026-01-02T03:04:05.678+00:00",
        RUN_ID,
        command="anonymize",
        version="0.1.0",
        inputs=["s3://calls/2026/*.jsonl", "/data/calls"],
        outputs=[output_dataset("/out/corpus", 10, 2_000, 2)],
        tags={"verdict": "unreviewed"},
        error=error,
    )


@pytest.mark.parametrize(
    ("url", "namespace", "name"),
    [
        ("s3://bucket/a/b.jsonl", "s3://bucket", "a/b.jsonl"),
        ("gs://bucket", "gs://bucket", "/"),
        ("/data/calls", "file", "/data/calls"),
        ("s3://key:secret@bucket/a", "s3://***@bucket", "a"),
    ],
)
def test_a_dataset_is_named_by_the_rules_of_the_spec(url: str, namespace: str, name: str) -> None:
    assert dataset(url)["name"] == name
    assert "secret" not in dataset(url)["namespace"]
    if "secret" not in url:
        assert dataset(url)["namespace"] == namespace


def test_the_input_is_named_as_in_the_manifest() -> None:
    event = run_event(
        "START",
        "2026-01-02T03:04:05+00:00",
        RUN_ID,
        command="inspect",
        version="0.1.0",
        inputs=["/a/ruth.jsonl", "s3://b/part-1.jsonl", "/a/ruth.jsonl"],
        outputs=[],
        tags={},
    )
    assert event["inputs"] == [
        {"namespace": "file", "name": source_name("/a/ruth.jsonl")},
        {"namespace": "s3://b", "name": source_name("s3://b/part-1.jsonl")},
    ]
    assert "ruth" not in str(event)


@pytest.mark.parametrize("kind", ["START", "COMPLETE", "ABORT", "FAIL"])
def test_an_event_has_the_fields_that_the_spec_requires(kind: Kind) -> None:
    event = _event(kind, "UnitFailedError" if kind == "FAIL" else None)
    assert {"eventTime", "producer", "schemaURL", "run", "job"} <= set(event)
    facets = [*event["run"]["facets"].values(), *event["job"]["facets"].values()]
    facets += [facet for one in event["outputs"] for facet in one["outputFacets"].values()]
    assert len(facets) == (5 if kind == "FAIL" else 4)
    assert all({"_producer", "_schemaURL"} <= set(facet) for facet in facets)


@pytest.mark.parametrize("kind", ["START", "COMPLETE", "ABORT", "FAIL"])
def test_the_client_of_the_spec_takes_an_event(kind: Kind) -> None:
    """Its classes are generated from the JSON Schemas: an unknown or missing field raises TypeError."""
    pytest.importorskip("openlineage.client", reason="openlineage-python is not installed")
    from openlineage.client import event_v2, facet_v2

    event = _event(kind, "UnitFailedError" if kind == "FAIL" else None)
    kinds = {
        "errorMessage": facet_v2.error_message_run.ErrorMessageRunFacet,
        "jobType": facet_v2.job_type_job.JobTypeJobFacet,
        "outputStatistics": facet_v2.output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet,
        "processing_engine": facet_v2.processing_engine_run.ProcessingEngineRunFacet,
        "tags": facet_v2.tags_run.TagsRunFacet,
    }

    def built(facets: dict[str, dict[str, Any]]) -> dict[str, Any]:
        made = {}
        for key, facet in facets.items():
            values = dict(facet)
            assert values.pop("_schemaURL") == kinds[key]._get_schema()
            values["producer"] = values.pop("_producer")
            if key == "tags":
                values["tags"] = [facet_v2.tags_run.TagsRunFacetFields(**tag) for tag in values["tags"]]
            made[key] = kinds[key](**values)
        return made

    run, job = event.pop("run"), event.pop("job")
    outputs = [
        event_v2.OutputDataset(**{**one, "outputFacets": built(one["outputFacets"])})
        for one in event.pop("outputs")
    ]
    schema = event.pop("schemaURL")
    made = event_v2.RunEvent(
        **{
            **event,
            "eventType": event_v2.RunState(event["eventType"]),
            "run": event_v2.Run(run["runId"], built(run["facets"])),
            "job": event_v2.Job(**{**job, "facets": built(job["facets"])}),
            "inputs": [event_v2.InputDataset(**one) for one in event["inputs"]],
            "outputs": outputs,
        }
    )
    assert made.schemaURL == schema
