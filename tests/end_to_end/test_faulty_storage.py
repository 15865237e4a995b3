"""Object storage behind a proxy that fails requests: the same bytes in the end, a line for each failed run."""

import asyncio
import re
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.storage.locating import changed, locate
from tacenda.transforms.storage.opening import StorageError, file_system
from tests.fakes import faulty_proxy, gcs_server, s3_server
from tests.fakes.faulty_proxy import FAULTS, FaultyProxy
from tests.talks import as_lines, talk

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[2] / "infra" / "SCALING.md"
RUNS = 30
"""So many runs of one command at most; each goes on where the one before ended."""

QUICKER = 50
"""Clients wait for some seconds before they ask again; here, for this part of it."""


class Store(NamedTuple):
    """A bucket, and the proxy before its server."""

    bucket: str
    proxy: FaultyProxy


@contextmanager
def _s3(monkeypatch):
    pytest.importorskip("s3fs", reason="s3fs is not installed: pip install '.[object-storage]'")
    pytest.importorskip("moto", reason="moto is not installed: pip install '.[object-storage]'")
    with s3_server.running() as url, faulty_proxy.before(url, rate=0, seed=0) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.url)
        yield Store("s3://corpus", proxy)


@contextmanager
def _gcs(monkeypatch):
    pytest.importorskip("gcsfs", reason="gcsfs is not installed: pip install '.[gcs-test]'")
    pytest.importorskip(
        "gcp_storage_emulator", reason="the emulator is not installed: pip install '.[gcs-test]'"
    )
    with gcs_server.running(monkeypatch) as url, faulty_proxy.before(url, rate=0, seed=0) as proxy:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", proxy.url)
        yield Store("gs://corpus", proxy)


STORES = {"s3": _s3, "gcs": _gcs}


@pytest.fixture(params=[pytest.param(name, marks=getattr(pytest.mark, name)) for name in STORES])
def store(request, monkeypatch):
    """A bucket with input; its proxy passes everything on until a test sets its rate."""
    wait = asyncio.sleep

    async def wait_less(delay, *more):
        return await wait(delay / QUICKER, *more)

    monkeypatch.setattr(asyncio, "sleep", wait_less)
    with STORES[request.param](monkeypatch) as store:
        system, path = file_system(store.bucket)
        system.mkdir(path)
        for part in range(3):
            records = [talk(f"c{i}", ("Pam", f"write to p{i}@example.com")) for i in range(part, 60, 3)]
            system.pipe_file(f"{path}/in/{part}.jsonl", as_lines(records))
        yield store


def _run(store, output, *more):
    words = ["--input", f"{store.bucket}/in/*.jsonl", "--detector", "rules", "--workers", "1", "--quiet"]
    words += ["--output", f"{store.bucket}/{output}", *map(str, more)]
    return cli_main(cli.run, ["anonymize", *words])


def _files(store, folder):
    system, path = file_system(f"{store.bucket}/{folder}")
    system.invalidate_cache()
    return {name.removeprefix(path): system.cat_file(name) for name in sorted(system.find(path))}


@pytest.mark.parametrize(("rate", "seed"), [(0.2, 1), (0.5, 2)])
def test_the_same_bytes_in_the_end_and_one_line_for_each_run_that_failed(store, rate, seed, capsys):
    assert _run(store, "plain") == 0
    capsys.readouterr()
    store.proxy.seed, store.proxy.rate = seed, rate
    for _ in range(RUNS):
        code, told = _run(store, "faulty"), capsys.readouterr().err
        if code == 0:
            break
        assert code in (1, 2)
        assert told.startswith("tacenda: ")
        assert told.count("\n") == 1, told
    store.proxy.rate = 0
    assert code == 0, told
    assert rate < 0.5 or set(store.proxy.faults) == set(FAULTS)
    assert _files(store, "faulty") == _files(store, "plain")


def test_a_store_that_refuses_everything_is_one_line(store, capsys):
    store.proxy.rate, store.proxy.kinds = 1, frozenset({"500"})
    assert _run(store, "none") == 2
    told = capsys.readouterr().err
    assert told.startswith(f"tacenda: {store.bucket}/")
    assert "its storage cannot be reached or denies access" in told
    assert told.count("\n") == 1, told


def test_a_store_that_stops_answering_does_not_pass_for_modified_input(store):
    urls = [f"{store.bucket}/in/*.jsonl"]
    files = locate(urls)
    store.proxy.rate, store.proxy.kinds = 1, frozenset({"500"})
    with pytest.raises(StorageError):
        changed(urls, files)


@pytest.mark.parametrize("store", [pytest.param("s3", marks=pytest.mark.s3)], indirect=True)
def test_each_further_unit_takes_as_many_requests_as_the_page_about_ten_terabytes_says(store, monkeypatch):
    system, path = file_system(store.bucket)
    size = sum(system.info(name)["size"] for name in system.find(f"{path}/in"))
    taken = {}
    for units in (6, 24):
        before = store.proxy.requests
        assert _run(store, f"in-{units}", "--unit-bytes", size // units) == 0
        with BytesIO(system.cat_file(f"{path}/in-{units}/manifest-units.parquet")) as listed:
            taken[pq.read_metadata(listed).num_rows] = store.proxy.requests - before
    (few, first), (many, second) = taken.items()
    assert many > few
    said = re.search(r"On S3 a unit takes (\d+) requests", PAGE.read_text("utf-8"))
    assert said is not None
    assert (second - first) / (many - few) == pytest.approx(int(said[1]), abs=0.2)
