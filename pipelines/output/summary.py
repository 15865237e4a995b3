"""The summary that a command prints: the result of the run, where it is, and what to do next."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.config.named_files import unused_entries
from tacenda.transforms.releasing.run import totals_of
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url

_MOST_REASONS = 20
_DROPPED = "dropped:"


def summary(manifest: dict[str, Any], job: JobSettings, unseen: Sequence[str] = ()) -> str:
    """The summary as text; its figures are those of the manifest.

    ``unseen`` are the fields to keep that no sampled record has.
    """
    totals, verdict, output = manifest["totals"], manifest["verdict"], redact_url(job.output)
    errors = totals["quarantined"].items()
    found, kinds = sum(totals["findings"].values()), counted(len(totals["findings"]), "infoType")
    split = manifest.get("split", {}).get("conversations", {})
    reasons = list(verdict["held_by"] or verdict.get("lacks", ()))
    more = len(reasons) - _MOST_REASONS
    told: list[tuple[str, Iterable[str]]] = [
        ("rows", [totals_of(manifest).balance]),
        ("", (f"{count:,} quarantined: {error.replace('/', ', ')}" for error, count in errors)),
        ("fields", (line for line in field_lines(manifest["fields"]) if line.startswith(_DROPPED))),
        ("conversations", [f"{totals['conversations']:,} with {counted(totals['turns'], 'turn')}"]),
        ("split", [", ".join(f"{name} {count:,}" for name, count in split.items())] if split else ()),
        ("findings", [f"{found:,} of {kinds}"] if job.command != "score" else ()),
        ("verdict", [_STATES.get(now := verdict["state"], now)] if job.command != "inspect" else ()),
        ("", figures_in_words(verdict)),
        ("", reasons[:_MOST_REASONS]),
        ("", [f"and {more:,} more, in manifest.json"] if more > 0 else ()),
        *(("not read", [line]) for line in not_read_lines(manifest.get("inputs", {}))),
        *(("note", [note]) for note in _notes(manifest, unseen)),
        ("output", [output]),
        ("report", [f"{output}/report.html"] if job.command != "inspect" else ()),
    ]
    return in_columns([*told, ("next", next_steps(manifest, job))])


def in_columns(rows: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Lines under one another, each group of them after its head."""
    return "\n".join(
        f"{'' if number else head:<15}{line}" for head, lines in rows for number, line in enumerate(lines)
    )


def figures_in_words(verdict: Mapping[str, Any]) -> Iterator[str]:
    """The figures of a verdict, a line each; none if nobody read anything."""
    told = verdict.get("figures")
    if not told:
        return
    who = "people" if told["source"] == "human" else "gold"
    of = f"{told['read']:,} of {told['conversations']:,} conversations"
    yield f"read by {who}: {of}"
    for name, what, limit in (
        ("direct_identifiers", "a direct identifier readable", verdict["direct_identifiers_at_most"]),
        ("naming_somebody", "somebody named", None),
    ):
        one = told[name]
        most = "" if told["whole"] else f", at most {one['at_most']:.2%} of all (95 %)"
        share = f" ({one['at_most']:.2%})" if told["whole"] else ""
        yield f"{what}: in {one['found']:,}{share}{most}" + (f"; limit {limit:.2%}" if limit else "")


def field_lines(told: Mapping[str, Any]) -> Iterator[str]:
    """The treatment of fields other than the turns, a line each."""
    if told["kept"]:
        yield f"kept and anonymised: {', '.join(told['kept'])}"
    for name, reason in told["opaque"].items():
        yield f"opaque, written unchanged: {name} ({reason})"
    if told["dropped"] or told["dropped_unnamed"]:
        more = f" and {told['dropped_unnamed']} more" if told["dropped_unnamed"] else ""
        yield f"{_DROPPED} {', '.join(told['dropped'])}{more}"


def not_read_lines(inputs: Mapping[str, Any]) -> Iterator[str]:
    """The files in the input folders that are not read, in one line; none if all are."""
    if told := inputs.get("not_read"):
        kinds = ", ".join(f"{count:,} {suffix}" for suffix, count in told["suffixes"].items())
        yield f"{counted(told['files'], 'file')} in the input folder: {kinds}; --input NAME reads one"


def summary_json(manifest: dict[str, Any], job: JobSettings, unseen: Sequence[str] = ()) -> dict[str, Any]:
    """The summary as plain JSON data; ``report`` is None if the command writes none."""
    totals, output = manifest["totals"], redact_url(job.output)
    return {
        "command": job.command,
        "state": manifest["verdict"]["state"],
        "verdict": manifest["verdict"],
        "rows": manifest["rows"],
        "fields": manifest["fields"],
        "not_read": manifest.get("inputs", {}).get("not_read"),
        **{key: totals[key] for key in ("conversations", "turns", "findings", "quarantined")},
        **({"split": manifest["split"]} if "split" in manifest else {}),
        "output": output,
        "report": None if job.command == "inspect" else f"{output}/report.html",
        "manifest": f"{output}/manifest.json",
        "notes": list(_notes(manifest, unseen)),
        "next": list(next_steps(manifest, job)),
    }


_STATES = {"unreviewed": "UNREVIEWED: nobody has read it", "held": "HELD"}
_STATES["scored"] = "scored; no corpus is released by it"


def next_steps(manifest: dict[str, Any], job: JobSettings) -> Iterator[str]:
    """What to do next, a line each, depending on the result."""
    output = redact_url(job.output)
    verdict, rows = manifest["verdict"], manifest["rows"]
    if rows["quarantined"]:
        yield f"correct the rows that were not processed: {output}/quarantine lists positions and errors"
    if job.command == "inspect":
        if verdict["state"] == "inspected":
            yield f"see the findings in {output}/findings; 'tacenda anonymize' replaces them"
    elif verdict["state"] == "unreviewed" and job.command == "anonymize":
        yield from (step.replace("OUT", output) for step in verdict["next"])
    elif verdict["state"] == "held":
        scores = not set(verdict.get("held_by", ())) <= set(verdict.get("problems", ()))
        what = "the remaining data, by context and kind," if scores else "the reasons"
        yield f"see {what} in {output}/report.html"
        if job.command == "anonymize":
            yield from (step.replace("OUT", output) for step in verdict["next"])
    elif job.command == "anonymize":
        yield f"give {output}/report.html to whoever decides; the corpus is in {output}/corpus"
    else:
        yield f"give {output}/report.html to whoever decides"


def _notes(manifest: Mapping[str, Any], unseen: Sequence[str]) -> Iterator[str]:
    yield from map(unseen_note, unseen)
    yield from unused_entries(manifest.get("lists", ()))


def unseen_note(field: str) -> str:
    """A note on a field to keep that may be misspelt or just rare."""
    return f"--keep {field}: not in the records sampled from the start of each file; check the spelling"
