import logging
import sys

import pytest

from tacenda.pipelines.command_line.terminal import SafeFormatter


def line(name: str, message: str, *arguments: object, exc_info: object = None) -> str:
    record = logging.LogRecord(name, logging.ERROR, "x.py", 1, message, arguments, exc_info)  # type: ignore[arg-type]
    return SafeFormatter().format(record)


@pytest.mark.parametrize("name", ["aiobotocore.session", "asyncio", "root", "tacendas.other"])
def test_what_a_library_logs_is_not_reported(name: str) -> None:
    try:
        raise ValueError("call Pam")
    except ValueError:
        told = line(name, "cannot send %s to https://h/?sig=secret", "Pam's text", exc_info=sys.exc_info())
    assert told.startswith(f"ERROR {name}: ")
    assert "\n" not in told
    assert "Pam" not in told
    assert "secret" not in told


def test_our_own_messages_are_reported_without_credentials() -> None:
    told = line("tacenda.pipelines.x", "cannot reach %s\nnow", "http://pam:secret@host/a")
    assert told == "ERROR tacenda.pipelines.x: cannot reach http://host/a now"
