"""README and documentation agree with the commands: every example runs, or at least parses."""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import re2

from tacenda import Anonymizer, Config
from tacenda.pipelines import cli
from tacenda.pipelines.cli import COMMANDS, SHORT, parser_of
from tacenda.pipelines.executors.beam_options import beam_arguments
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import SHAPES, recognise
from tests.fenced_blocks import fenced_blocks
from tests.info_types import checked_info_type

ROOT = Path(__file__).parents[2]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS, *sorted(ROOT.glob("infra/*/README.md"))]
BLOCKS = [block for page in PAGES for block in fenced_blocks(page)]
LANGUAGES = {"sh", "yaml", "python", "json", "text"}
SECTIONS = [
    *("Install and try", "Your own data", "What comes out", "Python", "How good, how fast"),
    "What it does not do",
]


def _where(block):
    return f"{block.page}:{block.line}"


def _runnable(page):
    return [block for block in fenced_blocks(page) if block.language in ("sh", "python") and block.runs]


_ESSAY = (
    '{"conversation_id": "1", "gold": "complete", "level": "A2", "turns": [{"text": "I am Emil", '
    '"spans": [{"start": 5, "end": 9, "label": "PERSON_NAME"}]}]}\n'
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The reader's files in the folder of the commands: sample conversations, a list of names."""
    folder = tmp_path_factory.mktemp("reader")
    written = ["sample", "--conversations", "20", "--output", "sample"]
    subprocess.run([sys.executable, "-m", "tacenda", *written], cwd=folder, check=True, capture_output=True)
    shutil.copytree(folder / "sample" / "conversations", folder / "calls")
    (folder / "people.txt").write_text("Grace Lee\n", "utf-8")
    (folder / "essays.jsonl").write_text(_ESSAY, "utf-8")
    output = '{"text": "[PERSON_NAME_1] called.", "task": "summary"}\n'
    (folder / "outputs.jsonl").write_text(output * 400, "utf-8")
    written = ["sample", "--conversations", "20", "--seed", "2", "--output", "made"]
    subprocess.run([sys.executable, "-m", "tacenda", *written], cwd=folder, check=True, capture_output=True)
    shutil.move(folder / "made" / "conversations", folder / "synthetic")
    shutil.rmtree(folder / "made")
    anonymized = ["anonymize", "--input", "calls", "--output", "anonymized", "--detector", "rules"]
    done = subprocess.run([sys.executable, "-m", "tacenda", *anonymized], cwd=folder, capture_output=True)
    assert done.returncode in (0, 3), done.stderr
    return folder


def test_every_code_block_has_a_language():
    assert [_where(block) for block in BLOCKS if block.language not in LANGUAGES] == []


def test_code_blocks_that_are_not_run_give_a_reason():
    assert [_where(b) for b in BLOCKS if not b.runs and len(b.comment.removeprefix("not run: ")) < 10] == []


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.commands()], ids=_where)
def test_every_command_shown_is_accepted(block):
    for line in block.commands():
        line = re.sub(r"\$\([^)]*\)", "--runner=FnApiRunner", line).replace("…", " x ")
        _, name, *words = shlex.split(line, comments=True)
        if name.startswith("--"):
            continue
        name, *more = SHORT.get(name, (name,))
        arguments, extra = parser_of(name).parse_known_args([*more, *words])
        beam_arguments(arguments, [word for word in extra if word != "x"])


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if _runnable(page)], ids=lambda page: page.name)
def test_code_blocks_run(page, sample, tmp_path):
    blocks = _runnable(page)
    shows_sample = any("tacenda sample " in block.text for block in blocks)
    for entry in sample.iterdir():
        if entry.name == "anonymized" and not shows_sample:
            shutil.copytree(entry, tmp_path / entry.name)  # commands may release or hold it
        elif entry.name not in {"sample", "anonymized"} or not shows_sample:
            (tmp_path / entry.name).symlink_to(entry)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for block in blocks:
        program = ["bash", "-euo", "pipefail", "-c"] if block.language == "sh" else [sys.executable, "-c"]
        done = subprocess.run(
            [*program, block.text],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 3), f"{_where(block)}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        said = re.findall(r"^print\(.*\)  # (.*)$", block.text, flags=re.M)
        assert [line for line in said if line not in done.stdout.splitlines()] == [], _where(block)


@pytest.mark.parametrize(
    "block", [b for b in BLOCKS if b.language == "yaml" and b.runs and not b.comment], ids=_where
)
def test_configs_in_code_blocks_are_valid(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.txt").write_text("Grace Lee\n", "utf-8")
    shutil.copy(ROOT / "docs/examples/shop.py", tmp_path)
    file = tmp_path / "config.yaml"
    file.write_text(block.text, "utf-8")
    assert cli.run(["config", "check", str(file)]) == 0


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.comment == "an infoType"], ids=_where)
def test_an_infotype_shown_finds_its_examples(block):
    info_type = checked_info_type(block.text)
    patterns = [re2.compile(pattern.regex) for pattern in info_type.patterns]
    for text, match in info_type.find:
        assert match in {found.group() for pattern in patterns for found in pattern.finditer(text)}
    assert not any(pattern.search(text) for text in info_type.ignore for pattern in patterns)
    assert info_type.find
    assert info_type.ignore


def test_the_records_shown_are_of_the_shapes_in_their_order():
    shown = [json.loads(b.text) for b in fenced_blocks(ROOT / "docs" / "input.md") if b.language == "json"]
    shapes = [recognise(record, ReadOptions(), "docs").name for record in shown]
    assert shapes[: len(SHAPES)] == [*SHAPES]
    assert all(json.loads(block.text) for block in BLOCKS if block.language == "json")


def _flags(parser):
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for use in action.choices.values():
                yield from _flags(use)


def test_every_flag_mentioned_exists():
    known = {flag for name in COMMANDS for flag in _flags(parser_of(name))}
    others = {"--version"}  # of all commands
    others |= {"--runner", "--sdk_worker_parallelism", "--no-deps"}  # of Beam, of pip
    for page in [ROOT / "README.md", *DOCS]:
        text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.S | re.M)
        text = re.sub(r"`[^`\n]*(?:python -m|bench_|\.py)[^`\n]*`", "", text)
        flags = set(re.findall(r"(?<=[`\s(])--[a-z][a-z_-]*", text))
        assert flags <= known | others, page.name


def test_links_have_a_target():
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            assert link.startswith("https://") or (page.parent / link).exists(), (page.name, link)


def test_every_file_that_is_named_exists():
    for page in PAGES:
        paths = re.findall(
            r"`((?:pipelines|transforms|models|tests|infra|docs)/[\w/.-]+)`", page.read_text("utf-8")
        )
        assert [path for path in paths if not (ROOT / path).exists()] == [], page.name


def test_the_readme_is_short_and_in_its_order():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.encode()) <= 6 * 1024
    assert re.findall(r"(?m)^## (.*)$", text) == SECTIONS
    assert all(f"docs/{page.name}" in text for page in (ROOT / "docs").glob("*.md"))


def test_the_readme_shows_what_comes_out(monkeypatch):
    monkeypatch.setenv("TACENDA_SECRET", "an example of 16 bytes or more")
    text = (ROOT / "README.md").read_text("utf-8")
    before, *after = (re.search(f"(?m)^{way} +(.*)$", text)[1] for way in ("before", "tokens", "surrogates"))  # type: ignore[index]
    configs = ({}, {"replacement": {"default": "surrogates", "secret": "env:TACENDA_SECRET"}})
    made = [Anonymizer(Config.load(config)).anonymize(before).conversation for config in configs]
    assert made == after
    stays = "I'm a Catholic nurse from Leeds with diabetes"
    assert stays in " ".join(text.split())
    assert Anonymizer().anonymize(stays).conversation == stays.replace("Leeds", "[LOCATION_1]")


def test_the_guide_is_short():
    pages = [*(ROOT / "docs").glob("*.md")]
    assert len(pages) <= 10  # and Commands, which the site makes of --help
    assert sum(len(re.findall(r"\S*\w\S*", page.read_text("utf-8"))) for page in pages) <= 15_000
    assert sum(page.stat().st_size for page in DOCS) <= 120_000


def test_error_classes_in_docs_exist():
    text = (ROOT / "docs" / "input.md").read_text("utf-8").partition("## What goes to quarantine")[2]
    named = set(re.findall(r"`([A-Z][a-z]+[A-Z]\w+)`", text))
    folders = [ROOT / "transforms", ROOT / "models", ROOT / "pipelines"]
    code = "".join(file.read_text("utf-8") for folder in folders for file in folder.rglob("*.py"))
    assert [name for name in sorted(named) if not re.search(rf'"{name}["/]', code)] == []
    assert len(named) > 15
