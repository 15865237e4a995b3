"""Mistakes of the user in commands beside ``tacenda``."""

import argparse

import pytest

from tacenda.models.command_line import mistakes_in_one_line
from tacenda.transforms.schema.errors import UserError


def test_a_mistake_is_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended, mistakes_in_one_line(argparse.ArgumentParser("command")):
        raise UserError("gold.jsonl: no such file")
    assert ended.value.code == 2
    assert capsys.readouterr().err == "command: gold.jsonl: no such file\n"


def test_other_errors_pass() -> None:
    with pytest.raises(ZeroDivisionError), mistakes_in_one_line(argparse.ArgumentParser("command")):
        raise ZeroDivisionError
