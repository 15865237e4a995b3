"""Input and output on object storage, represented by an in-process fsspec file system."""

import json

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tests.fakes.far_storage import FarFileSystem
from tests.talks import as_lines, talk

RECORDS = [
    talk(
        f"c{i}",
        ("Pam", "My name is Pam Beesly, who am I speaking with today?"),
        ("Jim", f"Hello Pam, this is Jim. My mail is {i}@example.com, write to me."),
    )
    for i in range(20)
]


@pytest.fixture(params=["memory", "tacendafar"])
def bucket(request):
    fsspec.register_implementation("tacendafar", FarFileSystem, clobber=True)
    system = fsspec.filesystem(request.param)
    system.pipe_file("/in/a.jsonl", as_lines(RECORDS))
    sink = pa.BufferOutputStream()
    other = [{**record, "conversation_id": f"p{i}"} for i, record in enumerate(RECORDS)]
    pq.write_table(pa.Table.from_pylist(other), sink, row_group_size=5)
    system.pipe_file("/in/b.parquet", sink.getvalue().to_pybytes())
    yield f"{request.param}://"
    system.store.clear()


def _call(*words):
    return cli_main(cli.run, list(words))


def _files(url):
    system, root = fsspec.core.url_to_fs(url)
    return {path.removeprefix(root): system.cat_file(path) for path in sorted(system.find(root))}


def test_object_storage_gives_the_same_bytes_as_local_files(bucket, tmp_path):
    assert _call("anonymize", "--input", f"{bucket}in/*", "--output", f"{bucket}out/run") == 0
    far = _files(f"{bucket}out/run")
    assert {name.split("/")[1] for name in far} == {
        "corpus", "hashes", "risk", "quarantine", "statistics.json", "manifest.json",
        "manifest-units.parquet", "manifest-files.parquet", "manifest-inputs.parquet",
        "report.html", "_UNREVIEWED", "README.md", "added_tokens.json",
    }  # fmt: skip
    local = tmp_path / "in"
    local.mkdir()
    for name, data in _files(f"{bucket}in").items():
        (local / name.lstrip("/")).write_bytes(data)
    assert _call("anonymize", "--input", str(local), "--output", str(tmp_path / "out")) == 0
    near = {f"/{p.relative_to(tmp_path / 'out')}": p.read_bytes() for p in (tmp_path / "out").rglob("*.*")}
    for name, data in near.items():
        if name not in (
            "/manifest.json",
            "/manifest-inputs.parquet",
            "/manifest-units.parquet",
            "/report.html",
        ):  # they tell URLs
            assert far[name] == data, name


def test_in_object_storage_a_run_resumes_and_another_is_refused(bucket, capsys):
    words = ["inspect", "--input", f"{bucket}in/a.jsonl", "--output", f"{bucket}out"]
    assert _call(*words) == 0
    before = _files(f"{bucket}out")
    assert _call(*words) == 0
    assert _files(f"{bucket}out") == before
    other = ["inspect", "--input", f"{bucket}in", "--output", f"{bucket}out"]
    assert _call(*other) == 2
    assert "a different run" in capsys.readouterr().err
    assert _files(f"{bucket}out") == before
    assert _call(*other, "--overwrite") == 0
    assert _files(f"{bucket}out") != before


def test_input_inside_the_output_is_refused_and_kept(bucket, capsys):
    system, _ = fsspec.core.url_to_fs(bucket)
    system.pipe_file("/corpus/a.jsonl", system.cat_file("/in/a.jsonl"))
    system.pipe_file("/x/corpus/a.jsonl", system.cat_file("/in/a.jsonl"))
    words = ["anonymize", "--input", f"{bucket}x/corpus", "--output", f"{bucket}x", "--overwrite"]
    assert _call(*words) == 2
    assert "a.jsonl" in capsys.readouterr().err
    assert system.exists("/x/corpus/a.jsonl")


def test_config_dictionary_and_spans_are_read_from_object_storage(bucket):
    system, _ = fsspec.core.url_to_fs(bucket)
    system.pipe_file("/names.txt", b"Zaphod\n")
    custom = {
        "info_type": {"name": "PERSON_NAME"},
        "likelihood": "LIKELY",
        "dictionary": {"cloud_storage_path": {"path": f"{bucket}names.txt"}},
    }
    system.pipe_file("/c.json", json.dumps({"inspect": {"custom_info_types": [custom]}}).encode())
    system.pipe_file("/z/a.jsonl", as_lines([talk("a", "so zaphod said")]))
    words = ["--input", f"{bucket}z/a.jsonl", "--config", f"{bucket}c.json"]
    assert _call("inspect", *words, "--output", f"{bucket}out") == 0
    assert b"PERSON_NAME" in _files(f"{bucket}out")["/findings-jsonl/part-00000.jsonl"]
    system.pipe_file("/spans.jsonl", b'{"conversation_id": "a", "label": null}\n')
    assert _call("score", *words, "--output", f"{bucket}s", "--spans", f"{bucket}spans.jsonl") == 0
