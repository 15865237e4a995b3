import shutil
import subprocess
from pathlib import Path

import pytest

from tacenda.pipelines import completion
from tacenda.pipelines.commands import COMMANDS
from tacenda.pipelines.reference import completion_scripts


@pytest.fixture
def script(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> str:
    assert completion.run([request.param]) == 0
    return capsys.readouterr().out


def completed(script: str, folder: Path, *words: str) -> list[str]:
    """Bash's completions for the last of some words."""
    path = folder / "completion.bash"
    path.write_text(script)
    quoted = " ".join(f"'{word}'" for word in words)
    ask = (
        f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _tacenda; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    done = subprocess.run(
        ["bash", "-c", f". {path}; {ask}"], capture_output=True, text=True, cwd=folder, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash_completes_commands_options_values_and_files(script: str, tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").touch()
    assert completed(script, tmp_path, "tacenda", "an") == ["anonymize"]
    assert set(completed(script, tmp_path, "tacenda", "")) == {*COMMANDS, "--help", "--version"}
    assert completed(script, tmp_path, "tacenda", "anonymize", "--ov") == ["--overwrite"]
    assert completed(script, tmp_path, "tacenda", "anonymize", "--compression", "z") == ["zstd"]
    assert completed(script, tmp_path, "tacenda", "inspect", "--compr") == []
    assert completed(script, tmp_path, "tacenda", "inspect", "--input", "ca") == ["calls.jsonl"]
    assert completed(script, tmp_path, "tacenda", "completion", "z") == ["zsh"]


@pytest.mark.parametrize("script", ["bash", "zsh", "fish"], indirect=True)
def test_every_command_and_option_is_in_every_script(script: str) -> None:
    for name, command in COMMANDS.items():
        assert name in script
        for option in completion_scripts.options_of(command.parser()):
            assert option.flag.lstrip("-") in script


@pytest.mark.parametrize(("shell", "script"), [(s, s) for s in ("bash", "zsh", "fish")], indirect=["script"])
def test_the_shell_itself_takes_the_script(shell: str, script: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    path = tmp_path / "script"
    path.write_text(script)
    subprocess.run([shell, "-n", str(path)], check=True)


def test_texts_are_quoted_as_each_shell_wants_it() -> None:
    assert completion_scripts._zsh_text("of [A]: it's") == r"of \[A\]\: it’s"
    assert completion_scripts._fish_text(r"it's \d") == r"it\'s \\d"
