import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tacenda.pipelines import completion
from tacenda.pipelines.commands import COMMANDS
from tacenda.pipelines.reference import completion_scripts
from tests.waiting import PATIENCE_S


@pytest.fixture
def script(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> str:
    assert completion.run([request.param]) == 0
    return capsys.readouterr().out


TYPED = {
    "tacenda anony": ["anonymize"],
    "tacenda --v": ["--version"],
    "tacenda anonymize --ov": ["--overwrite"],
    "tacenda anonymize --compression z": ["zstd"],
    "tacenda inspect --compr": [],
    "tacenda inspect --input ca": ["calls.jsonl"],
    "tacenda completion z": ["zsh"],
}
"""What each shell completes the last word to."""


def test_bash_completes_commands_options_values_and_files(tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").touch()
    (tmp_path / "completion").write_text(completion_scripts.SCRIPTS["bash"]())
    for line, expected in {**TYPED, "tacenda ": [*COMMANDS, "--help", "--version"]}.items():
        words = line.split(" ")
        ask = (
            f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _tacenda; "
            "printf '%s\\n' \"${COMPREPLY[@]}\""
        )
        assert _said(tmp_path, "bash", "-c", f". ./completion; {ask}").split() == expected


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_completes_commands_options_values_and_files(tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").touch()
    (tmp_path / "completion").write_text(completion_scripts.SCRIPTS["fish"]())
    for line, expected in TYPED.items():
        said = _said(tmp_path, "fish", "--no-config", "-c", f"source completion; complete -C '{line}'")
        assert [one.partition("\t")[0] for one in said.splitlines()] == expected


ZSHRC = """
fpath=($PWD/functions $fpath)
autoload -U compinit; compinit -u -D
zle-line-init() {
    for line in "${(@f)$(<typed)}"; do
        BUFFER=$line CURSOR=$#line
        zle complete-word
        print -r -- "$BUFFER" >> completed
    done
    BUFFER=exit
    zle accept-line
}
zle -N zle-line-init
"""
"""Once the line editor of an interactive shell is ready, it completes each of some lines."""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_completes_commands_options_values_and_files(tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").touch()
    (tmp_path / "functions").mkdir()
    (tmp_path / "functions" / "_tacenda").write_text(completion_scripts.SCRIPTS["zsh"]())
    (tmp_path / ".zshrc").write_text(ZSHRC)
    (tmp_path / "typed").write_text("".join(f"{line}\n" for line in TYPED))
    terminal = "zmodload zsh/zpty; zpty shell zsh -i; while zpty -r shell line; do :; done"
    _said(tmp_path, "zsh", "-fc", terminal, ZDOTDIR=str(tmp_path), TERM="xterm")
    completed = [line.rstrip() for line in (tmp_path / "completed").read_text().splitlines()]
    assert completed == [
        " ".join([*line.split(" ")[:-1], *words]) if words else line for line, words in TYPED.items()
    ]


def test_zsh_takes_the_script_sourced() -> None:
    """``compdef`` is there in a shell whose completion is on."""
    if shutil.which("zsh") is None:
        pytest.skip("needs zsh")
    script = "compdef() { print -r -- $* }\n" + completion_scripts.SCRIPTS["zsh"]()
    said = subprocess.run(["zsh", "-f"], input=script, capture_output=True, text=True, check=True)
    assert (said.stdout, said.stderr) == ("_tacenda tacenda\n", "")


def _said(folder: Path, *command: str, **environment: str) -> str:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
        env={**os.environ, "HOME": str(folder), **environment},
        timeout=PATIENCE_S,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("script", ["bash", "zsh", "fish"], indirect=True)
def test_every_command_and_option_is_in_every_script(script: str) -> None:
    for name, command in COMMANDS.items():
        assert name in script
        for option in completion_scripts.options_of(command.parser()):
            assert option.flag.lstrip("-") in script


def test_texts_are_quoted_as_each_shell_wants_it() -> None:
    assert completion_scripts._zsh_text("of [A]: it's") == r"of \[A\]\: it’s"
    assert completion_scripts._fish_text(r"it's \d") == r"it\'s \\d"
