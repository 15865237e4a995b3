"""Print whether files, counts, statistics, verdict and report of an output folder agree."""

import json
from argparse import Namespace
from importlib.metadata import version

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.output.signing import trusted_key
from tacenda.pipelines.output.verification import verify
from tacenda.transforms.storage.files import absolute


def show_verification(arguments: Namespace) -> int:
    """Verify an output folder and print each check; returns the exit code: held if anything is wrong."""
    trusted = trusted_key(arguments.public_key)
    checks = verify(absolute(arguments.output).rstrip("/"), version("tacenda"), trusted)
    consistent = not any(check.wrong for check in checks)
    if arguments.json:
        told = {
            "consistent": consistent,
            "checks": [{"check": check.what, "wrong": check.wrong, "seen": check.seen} for check in checks],
        }
        answer(json.dumps(told, ensure_ascii=False))
    else:
        for check in checks:
            lines = [f"WRONG: {sentence}" for sentence in check.wrong] or [check.seen]
            say("\n".join(f"{check.what if not i else '':<15}{line}" for i, line in enumerate(lines)))
        say(f"{'result':<15}{'consistent' if consistent else 'NOT CONSISTENT'}")
    return ExitCode.DONE if consistent else ExitCode.HELD
