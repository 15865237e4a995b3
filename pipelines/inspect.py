"""``tacenda inspect``: findings only, text untouched."""

from tacenda.pipelines.anonymize import ANONYMIZE
from tacenda.pipelines.command_line.arguments import DETECTING, READING, RUNNING
from tacenda.pipelines.command_line.commands import ONLY

USES = {
    ONLY: ANONYMIZE._replace(
        what="Findings only, text untouched.",
        options=f"{READING} {RUNNING} {DETECTING}",
        defaults={"job": "inspect"},
    )
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("inspect")
