"""Read from and write to S3 and Google Cloud Storage, against local servers; also from worker processes."""

import json

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.storage.opening import file_system
from tests.fakes import faulty_proxy, gcs_server, s3_server  # before gcsfs, for which it sets a variable
from tests.folders import files_in
from tests.talks import as_lines, talk

pytestmark = pytest.mark.slow
S3, GCS = pytest.param("s3", marks=pytest.mark.s3), pytest.param("gs", marks=pytest.mark.gcs)


@pytest.fixture(params=[S3, GCS])
def bucket(request, monkeypatch):
    needed = ("s3fs", "moto") if request.param == "s3" else ("gcsfs", "gcp_storage_emulator")
    for package in needed:
        pytest.importorskip(package, reason=f"{package} is not installed: pip install '.[object-storage]'")
    url = f"{request.param}://corpus"
    if request.param == "s3":
        with s3_server.running():
            file_system(url)[0].mkdir("corpus")
            yield url
        return
    # The emulator serves one connection at a time, and clients keep theirs open; the proxy does not.
    with gcs_server.running(monkeypatch) as server, faulty_proxy.before(server, rate=0, seed=0) as proxy:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", proxy.url)
        file_system(url)[0].mkdir("corpus")
        yield url


def _put(bucket, name, ids):
    records = [talk(one, ("Pam", f"Pam: write to p{one}@example.com")) for one in ids]
    file_system(bucket)[0].pipe_file(f"corpus/{name}", as_lines(records))


def _files(url):
    system, path = file_system(url)
    system.invalidate_cache()
    return {name.removeprefix(f"{path}/"): system.cat_file(name) for name in sorted(system.find(path))}


def _run(*words):
    return cli_main(cli.run, list(map(str, words)))


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_bytes_as_on_disk(bucket, tmp_path, workers):
    for part in range(3):
        _put(bucket, f"in/{part}.jsonl", [f"c{i}" for i in range(part, 60, 3)])
    words = ["anonymize", "--detector", "rules", "--workers", workers, "--input", f"{bucket}/in/*.jsonl"]
    for output in (f"{bucket}/out", tmp_path / "out", f"{bucket}/out"):
        assert _run(*words, "--output", output) == 0
    assert _files(f"{bucket}/out") == files_in(tmp_path / "out")


@pytest.mark.parametrize("bucket", [S3], indirect=True)
def test_files_are_added_and_conversations_erased_with_the_same_bytes_as_on_disk(bucket, tmp_path):
    ids = tmp_path / "ids.txt"
    ids.write_text("c0-3\nc1-4\n")
    outputs = (f"{bucket}/grown", str(tmp_path / "grown"))
    for number in range(2):
        _put(bucket, f"growing/{number}.jsonl", [f"c{number}-{i}" for i in range(9)])
        for output in outputs:
            words = ["--input", f"{bucket}/growing", "--output", output, "--detector", "rules"]
            assert _run("corpus", "add", *words) == 0
    for output in outputs:
        words = ["--conversations", str(ids), "--input", f"{bucket}/growing"]
        assert _run("corpus", "erase", output, *words) == 0
        assert _run("verify", output) == 0
    assert _files(f"{bucket}/grown") == files_in(tmp_path / "grown")
    rows = json.loads((tmp_path / "grown" / "manifest.json").read_text())["rows"]
    assert (rows["in"], rows["erased"]) == (18, 2)


@pytest.mark.parametrize("bucket", [S3], indirect=True)
def test_a_bucket_that_is_not_there_is_a_users_mistake(bucket, capsys):
    assert _run("anonymize", "--input", "s3://nowhere/x.jsonl", "--output", f"{bucket}/o") == 2
    assert capsys.readouterr().err.startswith("tacenda: s3://nowhere/x.jsonl: no input file matches")
