"""Verify an output folder: recount and rejudge everything in it, and compare.

Only the folder is read, so statements on the input, and on what only the run could see (such as files
modified while it read them), are taken from the manifest. Consistent changes to all files of a folder can be
detected only by signatures (``tacenda.pipelines.output.signing``) or a copy of the corpus hash.
"""

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import chain
from typing import Any

import orjson
import pyarrow as pa

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.output.anonymized_folder import AnonymizedFolder
from tacenda.pipelines.output.cards import CARDS, cards
from tacenda.pipelines.output.file_verification import parts_of, read_json, rows_in, wrong_files
from tacenda.pipelines.output.output_folder import MARKERS
from tacenda.pipelines.output.signing import signed_manifests, trusted_key, wrong_history
from tacenda.pipelines.work.receipts import CORPUS, HELD, WORK_FOLDER
from tacenda.transforms.releasing.manifest import CHANGES, UNITS_FILE, wrong_changes
from tacenda.transforms.releasing.report import render
from tacenda.transforms.releasing.run import (
    COLUMNS,
    Recount,
    Run,
    gate_of,
    highest_in_reviews,
    lowered,
    problems_of_rows,
    recount,
    totals_of,
)
from tacenda.transforms.releasing.verdict import RULE, Ground, State
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.statistics import worst_to_json
from tacenda.transforms.storage.files import absolute, exists, list_folder, read_bytes
from tacenda.transforms.storage.tables import read_columns

_MOST = 20
"""Most sentences of one check."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was checked, and everything wrong with it, a sentence each."""

    what: str
    wrong: tuple[str, ...]
    seen: str = ""


def verify(output: str, version: str, trusted: str | None = None) -> list[Check]:
    """Verify an output folder.

    Args:
        output: the folder.
        version: that of this program, which can only compare reports of its own version.
        trusted: the public key that must have signed it; None accepts any key, and folders without signatures.

    Raises:
        UserError: there is no such folder, or no run ended in it.
    """
    if not exists(f"{output}/manifest.json"):
        raise UserError(_nothing_there(output))
    manifest = read_json(output, "manifest.json")
    if manifest is None:
        return [Check("manifest", ("manifest.json is no JSON object",))]
    checks: list[Check] = []
    try:
        for check in _checks(output, manifest, version, trusted):
            checks.append(check)
    except (KeyError, TypeError, ValueError, AttributeError, pa.ArrowException):
        # Files written by a run have all the expected fields and types.
        checks.append(Check("manifest", ("a file of the run does not have the form that runs give it",)))
    return checks


def _nothing_there(output: str) -> str:
    shown = redact_url(output)
    if list_folder(f"{output}/{WORK_FOLDER}"):
        return f"{shown}: the run there has not ended; start the same command again"
    runs = [one.rpartition("/")[2] for one in list_folder(output) if exists(f"{one}/manifest.json")]
    where = f"one of the runs below it: {', '.join(runs)}" if runs else "the output folder of a run"
    return f"{shown}: {'no run ended there' if exists(output) else 'no such folder'}; name {where}"


def _checks(output: str, manifest: Mapping[str, Any], version: str, trusted: str | None) -> Iterator[Check]:
    totals = totals_of(manifest)
    named = read_columns(f"{output}/{UNITS_FILE}", ["rows_in"]) if exists(f"{output}/{UNITS_FILE}") else None
    wrong = _few(wrong_files(output, manifest))
    yield Check("files", wrong, f"{manifest['files']['rows']:,} files have the hash and rows of the manifest")
    if (history := wrong_history(output, trusted)) is not None:
        yield Check("history", _few(history[0]), history[1])
    yield _check("rows", lambda: _wrong_rows(output, manifest, totals), totals.balance)
    if CHANGES in manifest:
        yield _check(
            "changes",
            lambda: wrong_changes(manifest, totals.rows_erased, signed_manifests(output)),
            f"{len(manifest[CHANGES]):,} since the first run, each after the manifest that it names",
        )
    if named is None or wrong:
        yield Check("verdict", ("nothing can be said of it before the files are right",))
        return
    if manifest["command"] != "inspect" and manifest["verdict"].get("rule") != RULE:
        marker = partial(_wrong_marker, output, manifest)
        state = manifest["verdict"]["state"]
        yield _check(
            "verdict",
            marker,
            f"{state}, by the rule before: mean + std alone, no bound of direct identifiers (docs/evidence)",
        )
        return
    if manifest["command"] == "inspect":
        wrong_verdict = partial(_wrong_inspection, output, manifest, totals)
        yield _check("marker", wrong_verdict, manifest["verdict"]["state"])
        return
    told = read_json(output, "statistics.json")
    if told is None:
        yield Check("statistics", ("statistics.json is not there, or no JSON",))
        return
    run = run_in(output, manifest)
    if (review := run.review) is not None:
        readers = counted(len(review["readers"]), "person", "people")
        yield _check(
            "review",
            lambda: _wrong_review(output, manifest),
            f"{counted(review['conversations'], 'conversation')}, read by {readers}",
        )
    yield _check(
        "statistics",
        lambda: _wrong_statistics(run, told),
        f"the same from {run.scores.records:,} risk records",
    )
    yield _check(
        "verdict",
        lambda: _wrong_verdict(output, run),
        f"{manifest['verdict']['state']}, by the same figures",
    )
    if manifest["tacenda"] == version:
        yield _check(
            "report",
            lambda: chain(_wrong_report(output, manifest, told), _wrong_cards(output, manifest, told)),
            "identical when rendered again",
        )
    else:
        yield Check("report", (), f"written by version {manifest['tacenda']}, and not compared by {version}")


def report_again(output: str, manifest: Mapping[str, Any]) -> str:
    """The report of a folder that is as its run or its last review left it, with another manifest."""
    return render(manifest, read_json(output, "statistics.json") or {})


def recounted(urls: Iterable[str]) -> Recount:
    """The totals of some files of risk records."""
    return recount(read_columns(url, list(COLUMNS)) for url in urls)


def run_in(output: str, manifest: Mapping[str, Any]) -> Run:
    """The run of a folder, its scores counted again from the risk records."""
    scores = recounted(parts_of(output, "risk"))
    if "review" in manifest:
        scores.add_review(recounted(parts_of(output, "review")))
    scores.add_unread(read_json(output, "statistics.json") or {"sources": {}})
    verdict = manifest["verdict"]
    gate = gate_of(manifest, verdict.get("because"), verdict.get("released_anyway"))
    return Run(manifest, totals_of(manifest), scores, gate)


def refuse_untrue(folder: AnonymizedFolder) -> None:
    """Check that the folder was not changed after its run or the last review."""
    wrong = [sentence for check in verify(folder.output, version("tacenda")) for sentence in check.wrong]
    if wrong:
        raise UserError(f"{redact_url(folder.output)}: {wrong[0]}; 'tacenda verify' has the details")


def _check(what: str, find: Callable[[], Iterator[str]], seen: str) -> Check:
    return Check(what, _few(find()), seen)


def _few(wrong: Iterator[str]) -> tuple[str, ...]:
    found = list(wrong)
    more = len(found) - _MOST
    return tuple(found) if more <= 0 else (*found[:_MOST], f"and {more:,} more")


def _wrong_rows(output: str, manifest: Mapping[str, Any], totals: Totals) -> Iterator[str]:
    if not totals.balanced or manifest["rows"]["balanced"] is not True:
        yield f"rows do not balance: {totals.balance}"
    if exists(f"{output}/{UNITS_FILE}"):
        counts = ["rows_in", "rows_out", "rows_quarantined", "conversations"]
        units = read_columns(f"{output}/{UNITS_FILE}", counts)
        for name in counts:
            of_units, told = sum(units[name].to_pylist()), getattr(totals, name)
            # What a limit leaves out of the plan is in no unit.
            beside = totals.rows_not_read if name == "rows_in" else 0
            if not of_units <= told <= of_units + beside:
                yield f"{name}: the units add up to {of_units:,}, the manifest says {told:,}"
    quarantined: Counter[str] = Counter()
    for url in parts_of(output, "quarantine"):
        for line in read_bytes(url).splitlines():
            one = orjson.loads(line)
            quarantined[f"{one['stage']}/{one['error']}"] += one["rows"]
    if dict(quarantined) != dict(totals.quarantined):
        yield "the quarantine does not hold the rows that the manifest says"
    converted = manifest.get("written", {}).get("converted", False)
    for what, rows, told in (
        ("the corpus", rows_in(output, CORPUS, HELD), totals.conversations if converted else totals.rows_out),
        ("hashes", rows_in(output, "hashes"), totals.conversations),
        ("dropped", rows_in(output, "dropped"), totals.dropped),
    ):
        if rows is not None and rows != told:
            yield f"{what}: {rows:,} rows, the manifest says {told:,}"


def _wrong_review(output: str, manifest: Mapping[str, Any]) -> Iterator[str]:
    review = manifest["review"]
    scores: dict[str, int] = {}
    direct: set[str] = set()
    for url in parts_of(output, "review"):
        table = read_columns(url, ["conversation_id", "score", "direct_identifier"])
        for one, score, is_direct in zip(*(column.to_pylist() for column in table.columns), strict=True):
            scores[one] = score
            direct.update([one] if is_direct else [])
    reading = review["reading"]
    if len(direct) != reading["direct"] + reading["extra_direct"]:
        yield f"conversations with a direct identifier: {len(direct)}, not as many as the manifest says"
    if not len(scores) == review["conversations"] == sum(review["readers"].values()):
        yield f"{review['conversations']} conversations were read; of {len(scores)} there is a score"
    known = chain(scores.items(), highest_in_reviews(manifest).items())
    if any(review["highest"].get(one, 0) < score for one, score in known):
        yield "the highest scores of all reviews are not those that the manifest says"
    if lowered(review["highest"], scores) != review["lowered"]:
        yield "conversations that scored higher in an earlier review: not as many as the manifest says"


def _wrong_statistics(run: Run, told: Mapping[str, Any]) -> Iterator[str]:
    manifest, scores, totals = run.manifest, run.scores, run.totals
    # Convert as JSON does, which has no numeric keys.
    again = orjson.loads(orjson.dumps(run.figures()))
    for key in ("threshold", "ddof", "percentiles"):
        if told[key] != again[key]:
            yield f"statistics.json, {key}: the risk records give {again[key]}"
    for source in {**told["sources"], **again["sources"]}:
        yield from _differences(
            f"statistics.json, {source}", told["sources"].get(source), again["sources"].get(source)
        )
    for key in ("skipping", "languages", "swap_test"):
        if told.get(key) != again.get(key):
            yield f"statistics.json, {key}: not what the manifest's counts give"
    if scores.wrong:
        yield f"{scores.wrong:,} risk records whose score is not the sum of their tags"
    if not told["identifiability"] == manifest["identifiability"] == again["identifiability"]:
        yield "identifiability: not what the risk records give"
    if scores.missed != dict(totals.missed):
        yield "what was missed: the tags of the risk records do not add up to the manifest's"
    if worst_to_json(scores.worst) != manifest["worst"]:
        yield "the worst conversations are not those that the manifest names"
    bound = None if run.review is None else run.review["source"]
    unread = sum(of.total.unreviewed for source, of in run.statistics.sources.items() if source != bound)
    if scores.conversations + unread != totals.conversations:
        yield (
            f"{scores.conversations:,} conversations with a score and {unread:,} without one are not the "
            f"{totals.conversations:,} conversations of the run"
        )


def _differences(source: str, told: Any, again: Any) -> Iterator[str]:
    if told is None or again is None:
        yield f"{source}: {'missing' if told is None else 'of no risk record'}"
        return
    contexts = {**told["contexts"], **again["contexts"]}
    groups = {
        f"{source}, context {i}": (told["contexts"].get(c), again["contexts"].get(c))
        for i, c in enumerate(contexts, 1)
    }
    for where, (one, other) in {**groups, f"{source}, total": (told["total"], again["total"])}.items():
        if one is None or other is None:
            yield f"{where}: {'missing' if one is None else 'of no risk record'}"
        elif one != other:
            names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
            yield f"{where}: {', '.join(names)} not as the risk records give"


def _wrong_verdict(output: str, run: Run) -> Iterator[str]:
    told, gate, facts = run.manifest["verdict"], run.gate, run.facts
    yield from _wrong_marker(output, run.manifest)
    rests_on = [Ground(**ground) for ground in told["rests_on"]]
    for ground in facts.grounds:
        if ground.weakens and ground not in rests_on:
            yield f"a setting weakens the gate and is not told: {ground.what}"
    # Figures that follow from the counts are recomputed; what only the run or a review could see is taken
    # from the manifest.
    derived = {*told["failures"], *told["lacks"], *facts.watch}
    of_one_moment = [*told["problems"], *(told["held_by"] if told["state"] == "held" else ())]
    problems = [*run.problems(), *(reason for reason in of_one_moment if reason not in derived)]
    # What the quarantine holds by is derived as well, and comes again.
    again = run.judge(one for one in dict.fromkeys(problems) if " are in quarantine" not in one)
    if again.state.value != told["state"] or (again.state is State.RELEASED) is not told["released"]:
        yield f"the verdict is {told['state']}; the same figures and settings give {again.state.value}"
    if again.evidence != told["evidence"]:
        yield f"the verdict rests on {told['evidence']}; the same counts give {again.evidence}"
    for name, one, other in (
        ("lacks", told["lacks"], again.lacks),
        ("held_by", told["held_by"], again.held_by),
        ("rests_on", rests_on, again.rests_on),
    ):
        if set(one) != set(other):
            yield f"the verdict, {name}: not what the same figures and settings give"
    limits = {name: told[name] for name in ("threshold", "direct_identifiers_at_most")}
    if limits != {name: getattr(gate, name) for name in limits}:
        yield "the verdict names other limits than the config"
    figures = None if again.reading is None else again.reading.to_json()
    if told["figures"] != figures:
        yield "the verdict, figures: not what the same counts give"


def _wrong_inspection(output: str, manifest: Mapping[str, Any], totals: Totals) -> Iterator[str]:
    yield from _wrong_marker(output, manifest)
    told = manifest["verdict"]
    held = bool(told["held_by"]) or any(problems_of_rows(manifest, totals))
    state = State.HELD if held else State.INSPECTED
    if (told["state"], told["released"]) != (state.value, False):
        yield (
            f"the verdict is {told['state']}; the same counts give {state.value}, and an inspection releases "
            "nothing"
        )


def _wrong_marker(output: str, manifest: Mapping[str, Any]) -> Iterator[str]:
    there = [name for name in dict.fromkeys(MARKERS.values()) if exists(f"{output}/{name}")]
    expected = MARKERS[State(manifest["verdict"]["state"])]
    if there != [expected]:
        yield f"the marker is {' and '.join(there) or 'missing'}; the verdict is {manifest['verdict']['state']}"
    elif read_json(output, expected) != manifest["verdict"]:
        yield f"{expected} does not say what the manifest says"


def _wrong_cards(output: str, manifest: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[str]:
    expected = cards(output, manifest, told)
    for path in CARDS:
        there = read_bytes(f"{output}/{path}") if exists(f"{output}/{path}") else None
        if there != expected.get(path):
            yield f"{path} is not the one that manifest and statistics give"


def _wrong_report(output: str, manifest: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[str]:
    if not exists(f"{output}/report.html"):
        yield "report.html is not there"
    elif read_bytes(f"{output}/report.html") != render(manifest, told).encode():
        yield "report.html is not the one that these figures give"


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
