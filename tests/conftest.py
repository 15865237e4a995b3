"""Shared by all tests: number of property-test examples, a separate cache, and the fake of a service."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings
from jinja2 import Environment

# A busy machine is no failure: how time grows is asked where it matters, and nothing else is timed.
# The examples are the same in every run, so that a change fails by what it did; `make search` draws others.
SEARCH = int(os.environ.get("TACENDA_SEARCH", "0"))
settings.register_profile("tacenda", deadline=None, derandomize=not SEARCH)
settings.load_profile("tacenda")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With ``TACENDA_SEARCH=n``, use n times as many examples."""
    for test in {getattr(item, "obj", None) for item in items} if SEARCH else ():
        if is_hypothesis_test(test):
            test = getattr(test, "__func__", test)
            own: settings = test._hypothesis_internal_use_settings
            test._hypothesis_internal_use_settings = settings(own, max_examples=own.max_examples * SEARCH)


@pytest.fixture(autouse=True, scope="session")
def _cache_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The cache of tests is in their temporary folder, separate from that of real runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TACENDA_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _disk_that_keeps_everything() -> Iterator[None]:
    """No test survives a power cut, and waiting until files are on the disk takes a quarter of small runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _file: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def _pages_compiled_once() -> Iterator[None]:
    """A run compiles the templates of its pages once, and tests make hundreds of runs in a process."""
    compile_page, compiled = Environment.compile, {}

    def compile_once(self: Environment, source: Any, *more: Any) -> Any:
        # What a compiled template depends on beside its source.
        how = self.autoescape, self.trim_blocks, self.keep_trailing_newline, self.finalize
        if (key := (source, more, how)) not in compiled:
            compiled[key] = compile_page(self, source, *more)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Environment, "compile", compile_once)
        yield


@pytest.fixture
def dlp() -> Iterator[Any]:
    """A running fake of Google Sensitive Data Protection (``tests/fakes/dlp_service.py``)."""
    from tests.fakes import dlp_service  # gRPC and the cloud's types take a second to import

    with dlp_service.running() as fake:
        yield fake
