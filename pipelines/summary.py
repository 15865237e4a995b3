"""What the command prints when it is done: what came of the run, and where it is."""

from collections.abc import Sequence
from typing import Any

from tacenda.pipelines.settings import JobSettings
from tacenda.transforms.schema.url_redaction import redact_url

_MOST_REASONS = 20


def summary(manifest: dict[str, Any], job: JobSettings, unseen: Sequence[str] = ()) -> str:
    """A few lines for a person; the same figures stand in the manifest.

    ``unseen`` are the fields to keep that the plan met nowhere.
    """
    rows, totals, verdict = manifest["rows"], manifest["totals"], manifest["verdict"]
    lines = [
        f"rows           {rows['in']:,} in = {rows['out']:,} out + {rows['quarantined']:,} quarantined",
        *(
            f"               {count:,} quarantined: {error.replace('/', ', ')}"
            for error, count in totals["quarantined"].items()
        ),
        f"conversations  {totals['conversations']:,} with {totals['turns']:,} turns",
    ]
    if job.command != "score":
        lines.append(
            f"findings       {sum(totals['findings'].values()):,} of {len(totals['findings'])} infoTypes"
        )
    if job.command != "inspect":
        state = "released" if verdict["released"] else "HELD"
        if "released_anyway" in verdict:
            state = "released by hand"
        lines.append(f"verdict        {state} (criterion: mean + std < {verdict['threshold']:g} everywhere)")
    held_by = verdict["held_by"]
    lines.extend(f"               {reason}" for reason in held_by[:_MOST_REASONS])
    if len(held_by) > _MOST_REASONS:
        lines.append(f"               and {len(held_by) - _MOST_REASONS:,} more, in manifest.json")
    lines.extend(f"note           {note}" for note in map(unseen_note, unseen))
    lines.append(f"output         {redact_url(job.output)}")
    if job.command != "inspect":
        lines.append(f"report         {redact_url(job.output)}/report.html")
    return "\n".join(lines)


def unseen_note(field: str) -> str:
    """What is said of a field to keep that may be misspelt, or only rare."""
    return (
        f"--keep {field}: in none of the records looked at, the first of each file; is it spelled as there?"
    )
