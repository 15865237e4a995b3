"""Read from and write to Google Cloud Storage, against an emulator of it; also from worker processes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes import faulty_proxy, gcs_server  # before gcsfs, for which it sets a variable

pytest.importorskip("gcsfs", reason="gcsfs is not installed: pip install '.[gcs-test]'")
pytest.importorskip("gcp_storage_emulator", reason="the emulator is not installed: pip install '.[gcs-test]'")

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.storage.opening import file_system
from tests.folders import files_in

pytestmark = [pytest.mark.gcs, pytest.mark.slow]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    # The emulator serves one connection at a time, and clients keep theirs open; the proxy does not.
    with gcs_server.running(monkeypatch) as url, faulty_proxy.before(url, rate=0, seed=0) as proxy:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", proxy.url)
        system, _ = file_system("gs://corpus")
        system.mkdir("corpus")
        yield "gs://corpus"


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_bytes_as_on_disk(bucket: str, tmp_path: Path, workers: int) -> None:
    system, _ = file_system(bucket)
    for part in range(3):
        records = [
            {"conversation_id": f"c{i}", "turns": [{"speaker": "Pam", "text": f"write to p{i}@example.com"}]}
            for i in range(part, 60, 3)
        ]
        data = "".join(json.dumps(record) + "\n" for record in records).encode()
        system.pipe_file(f"corpus/in/{part}.jsonl", data)
    words = ["anonymize", "--detector", "rules", "--workers", str(workers), "--quiet"]
    assert cli_main(cli.run, [*words, "--input", f"{bucket}/in/*", "--output", f"{bucket}/out"]) == 0
    assert cli_main(cli.run, [*words, "--input", f"{bucket}/in/*", "--output", str(tmp_path / "out")]) == 0
    system.invalidate_cache()
    far = {name.partition("/out/")[2]: system.cat_file(name) for name in system.find("corpus/out")}
    assert far == files_in(tmp_path / "out")
