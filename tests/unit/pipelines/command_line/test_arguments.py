import argparse
from importlib.resources import files

import pytest

from tacenda.pipelines.anonymize import parser
from tacenda.pipelines.cli import COMMANDS, uses_of
from tacenda.pipelines.command_line.arguments import positive, read_options, whole_number
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.recognise import SHAPES
from tacenda.transforms.storage.yaml_text import parse_yaml

NEEDED = ["--input", "a.jsonl", "--output", "out"]


def _parse(*more: str) -> tuple[argparse.Namespace, list[str]]:
    return parser().parse_known_args([*NEEDED, *more])


def test_help_lists_all_shapes() -> None:
    told = parser().format_help()
    assert [name for name in SHAPES if name not in told] == []


def test_options_reach_the_reader() -> None:
    arguments, _ = _parse(
        "--shape",
        "turns",
        "--field",
        "text=said",
        "--field",
        "turns.text=a=b",
        "--keep",
        "channel",
        "--keep",
        "x",
    )
    options = read_options(arguments)
    assert options.shape == "turns"
    assert options.fields == {"text": "said", "turns.text": "a=b"}
    assert options.keep == ("channel", "x")


@pytest.mark.parametrize("pair", ["text", "text=", "=said", "="])
def test_an_incomplete_field_option_is_a_user_error(pair: str) -> None:
    with pytest.raises(UserError, match="NAME=YOURS"):
        read_options(_parse("--field", pair)[0])


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", ""])
def test_a_count_is_a_whole_number_above_zero(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        positive(text)
    with pytest.raises(UserError, match="--workers"):
        _parse(f"--workers={text}")


def test_a_count_that_may_be_nothing_says_so() -> None:
    assert whole_number("0") == 0
    with pytest.raises(argparse.ArgumentTypeError, match="'-1' is not a whole number of at least 0"):
        whole_number("-1")


def test_options_cannot_be_abbreviated() -> None:
    _, extra = _parse("--over")
    assert extra == ["--over"]


def test_a_day_is_written_in_one_way() -> None:
    assert _parse("--date", "2024-02-29")[0].date == "2024-02-29"
    assert _parse()[0].date is None


@pytest.mark.parametrize(
    "text", ["", "20240229", "2024-W01-1", "2023-02-29", "29.2.2024", "2024-02-29T00:00"]
)
def test_another_form_of_a_day_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="is not a date; write it as 2024-03-21"):
        _parse("--date", text)


@pytest.mark.parametrize("package", ["tacenda.pipelines.command_line", "tacenda.pipelines.lab"])
def test_every_option_of_a_table_is_one_of_a_command(package: str) -> None:
    table = parse_yaml(files(package).joinpath("options.yaml").read_text("utf-8"))
    named = {
        name
        for command in COMMANDS
        for use in uses_of(command).values()
        for options in (
            [use.options] if isinstance(use.options, str) else [step.options for step in use.options.values()]
        )
        for name in options.split()
    }
    assert set(table) <= named
