"""Read from and write to S3, against a local server with its protocol; also from worker processes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("s3fs", reason="s3fs is not installed: pip install '.[object-storage]'")
pytest.importorskip("moto", reason="moto is not installed: pip install '.[object-storage]'")

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.storage.opening import file_system
from tests.fakes import s3_server
from tests.folders import files_in

pytestmark = pytest.mark.s3


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with s3_server.running():
        system, _ = file_system("s3://corpus")
        system.mkdir("corpus")
        yield "s3://corpus"


def _files(url: str) -> dict[str, bytes]:
    system, path = file_system(url)
    system.invalidate_cache()
    return {name.removeprefix(path): system.cat_file(name) for name in sorted(system.find(path))}


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_bytes_as_on_disk(bucket: str, tmp_path: Path, workers: int) -> None:
    records: list[dict[str, Any]] = [
        {"conversation_id": f"c{i}", "turns": [{"speaker": "Pam", "text": f"Pam: write to p{i}@example.com"}]}
        for i in range(60)
    ]
    system, _ = file_system(bucket)
    for part in range(3):
        data = "".join(json.dumps(r) + "\n" for r in records[part::3]).encode()
        system.pipe_file(f"corpus/in{workers}/{part}.jsonl", data)
    words = ["anonymize", "--input", f"{bucket}/in{workers}/*.jsonl", "--workers", str(workers)]
    assert cli_main(cli.run, [*words, "--output", f"{bucket}/out{workers}"]) == 0
    assert cli_main(cli.run, [*words, "--output", str(tmp_path / "out")]) == 0
    on_disk = {f"/{p.relative_to(tmp_path / 'out')}": p.read_bytes() for p in (tmp_path / "out").rglob("*.*")}
    in_store = {name: data for name, data in _files(f"{bucket}/out{workers}").items() if "." in name}
    assert in_store == on_disk
    assert cli_main(cli.run, [*words, "--output", f"{bucket}/out{workers}"]) == 0


@pytest.mark.slow
def test_files_are_added_and_conversations_erased_with_the_same_bytes_as_on_disk(
    bucket: str, tmp_path: Path
) -> None:
    system, _ = file_system(bucket)
    ids = tmp_path / "ids.txt"
    ids.write_text("c0-3\nc1-4\n")
    outputs = (f"{bucket}/grown", str(tmp_path / "grown"))
    for number in range(2):
        records = [
            {"conversation_id": f"c{number}-{i}", "turns": [{"speaker": "Pam", "text": f"p{i}@example.com"}]}
            for i in range(9)
        ]
        data = "".join(json.dumps(record) + "\n" for record in records).encode()
        system.pipe_file(f"corpus/growing/{number}.jsonl", data)
        for output in outputs:
            words = ["--input", f"{bucket}/growing", "--output", output, "--detector", "rules"]
            assert cli_main(cli.run, ["corpus", "add", *words]) == 0
    for output in outputs:
        words = ["--conversations", str(ids), "--input", f"{bucket}/growing"]
        assert cli_main(cli.run, ["corpus", "erase", output, *words]) == 0
        assert cli_main(cli.run, ["verify", output]) == 0
    assert _files(f"{bucket}/grown") == {
        f"/{name}": data for name, data in files_in(tmp_path / "grown").items()
    }
    rows = json.loads((tmp_path / "grown" / "manifest.json").read_text())["rows"]
    assert (rows["in"], rows["erased"]) == (18, 2)


def test_a_bucket_that_is_not_there_is_a_users_mistake(
    bucket: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli_main(cli.run, ["anonymize", "--input", "s3://nowhere/x.jsonl", "--output", f"{bucket}/o"]) == 2
    assert capsys.readouterr().err.startswith("tacenda: s3://nowhere/x.jsonl: no input file matches")
