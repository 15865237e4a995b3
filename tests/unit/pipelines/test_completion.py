import os
import subprocess
from pathlib import Path

import pytest

from tacenda.pipelines import cli

TYPED = {
    "tacenda anony": ["anonymize"],
    "tacenda anonymize --ov": ["--overwrite"],
    "tacenda anonymize --compression z": ["zstd"],
    "tacenda inspect --compr": [],
    "tacenda inspect --input ca": ["calls.jsonl"],
    "tacenda review rel": ["release"],
    "tacenda rel": ["release"],
}
"""What the last word is completed to."""


def test_bash_completes_commands_options_values_and_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "calls.jsonl").touch()
    assert cli.run(["--print-completion", "bash"]) == 0
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    for line, expected in TYPED.items():
        words = line.split(" ")
        ask = (
            f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _shtab_tacenda; "
            "printf '%s\\n' \"${COMPREPLY[@]}\""
        )
        done = subprocess.run(
            ["bash", "-c", f". ./completion; {ask}"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path)},
            check=True,
        )
        assert done.stdout.split() == expected, (line, done.stderr)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_command_is_in_every_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--print-completion", shell]) == 0
    script = capsys.readouterr().out
    assert [name for name in (*cli.COMMANDS, "--overwrite") if name.lstrip("-") not in script] == []
