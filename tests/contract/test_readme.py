"""The README says nothing that the commands do not do."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from tacenda.pipelines.commands import COMMANDS
from tacenda.pipelines.executors.beam_options import beam_arguments

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "infra" / "flink" / "README.md", ROOT / "infra" / "prism" / "README.md"]


def _commands(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, flags=re.M | re.S)
    return [line for block in blocks for line in block.splitlines() if line.startswith("tacenda ")]


@pytest.mark.parametrize("line", [line for page in PAGES for line in _commands(page)])
def test_every_command_shown_is_accepted(line: str) -> None:
    line = re.sub(r"\$\([^)]*\)", "--runner=FnApiRunner", line).replace("…", " x ")
    _, name, *words = shlex.split(line, comments=True)
    assert name in COMMANDS
    module = import_module(f"tacenda.pipelines.{name.replace('-', '_')}")
    arguments, extra = module.parser().parse_known_args(words)
    beam_arguments(arguments, [word for word in extra if word != "x"])


def test_every_page_shows_a_command() -> None:
    assert all(_commands(page) for page in PAGES)


def test_every_flag_mentioned_exists() -> None:
    known = {
        option
        for name in COMMANDS
        for action in import_module(f"tacenda.pipelines.{name.replace('-', '_')}").parser()._actions
        for option in action.option_strings
    }
    text = re.sub(r"```.*?```", "", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)
    assert set(re.findall(r"(?<=`)--[a-z-]+", text)) <= known | {"--runner"}  # that one is Beam's


def test_every_link_leads_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert link.startswith("https://") or (page.parent / link).exists(), (page, link)


def test_every_file_that_contributing_names_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:pipelines|transforms|tests|infra)/[\w/.-]+)`", text)
    assert paths
    assert [p for p in paths if not (ROOT / p).exists()] == []
