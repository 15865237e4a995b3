"""``tacenda preview``: what a run would do, on a few conversations; for people with access to the originals."""

from tacenda.pipelines.command_line.arguments import DETECTING, LOOKING
from tacenda.pipelines.command_line.commands import ONLY, Use

_BRIEF = (
    "input", "config", "shape", "field", "conversations", "html", "why", "text", "json", "detector", "model",
    "quiet",
)  # fmt: skip

USES = {
    ONLY: Use(
        "Show conversations before and after, side by side; for people with access to both.",
        "pipelines.interactive.explanation:show",
        f"preview.{LOOKING} preview.conversations html {DETECTING} risk-preset why text json",
        brief=_BRIEF,
    )
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("preview")
