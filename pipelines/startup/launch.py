"""Launch a run: from command-line arguments to a finished run and its exit code."""

import argparse
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from tacenda.pipelines.chain.build import check_detectors, key_fingerprints
from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, complain, remark, say
from tacenda.pipelines.config import named_files
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.job_settings import Command, JobSettings
from tacenda.pipelines.config.output import LABEL_FIELDS, label_rules
from tacenda.pipelines.executors.beam_options import beam_arguments
from tacenda.pipelines.executors.run import Executor, ProgressLine, executor_for
from tacenda.pipelines.output import output_folder
from tacenda.pipelines.output.corpus_form import conversion, reading_for_split, split_settings
from tacenda.pipelines.output.signing import sign, signing_key
from tacenda.pipelines.output.summary import field_lines, not_read_lines, summary, summary_json, unseen_note
from tacenda.pipelines.startup.run_config import run_config
from tacenda.pipelines.work.error_sanitizing import JobLeftError, RunFailedError
from tacenda.pipelines.work.leasing import leased, refuse_held
from tacenda.pipelines.work.plan import Corpus, Plan, make_plan
from tacenda.pipelines.work.receipts import finished_units, remove_begun
from tacenda.transforms.auditing.swapping import swap_rate
from tacenda.transforms.linking.speakers import folded_label
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.releasing.manifest import RunIdentity
from tacenda.transforms.reviewing.spans_files import load_reviews
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url, source_name
from tacenda.transforms.schema.work_unit import FileRange
from tacenda.transforms.shapes.arrow_fields import with_text
from tacenda.transforms.shapes.declared import reader_name
from tacenda.transforms.shapes.labels import TOOLS, keyed_hash
from tacenda.transforms.shapes.mapping import as_plain
from tacenda.transforms.shapes.options import actual_name, unwritten_field
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.locating import content_digests
from tacenda.transforms.storage.tables import spare_pandas


def launch(arguments: argparse.Namespace, extra: Sequence[str]) -> int:
    """Plan, run and report the job that the arguments name; returns the exit code."""
    spare_pandas()
    beam_args = beam_arguments(arguments, extra)
    plan, job = prepare(arguments.job, arguments)
    executor = executor_of(plan, job, arguments, beam_args)
    output_folder.check_output(job, arguments.overwrite, arguments.config)
    key = signing_key(arguments.signing_key, job.output)
    if arguments.dry_run:
        return show_plan(plan, job, arguments.json)
    state = None if arguments.overwrite else output_folder.finished(job)
    if state is not None:
        sign(job.output, key, again=True)
        (remark if arguments.json else say)("already done; nothing was rewritten (--overwrite runs it again)")
        return tell(job, plan, state, arguments.json)
    if not carry_out(executor, plan, job, arguments, arguments.overwrite, lambda: sign(job.output, key)):
        return ExitCode.DONE
    return tell(job, plan, output_folder.verdict_there(job), arguments.json)


def executor_of(
    plan: Plan, job: JobSettings, arguments: argparse.Namespace, beam_args: Sequence[str]
) -> Executor:
    """Check the detectors of a job and choose how to run it, with notes for the user."""
    for note in check_detectors(job.detecting):
        remark(note)
    # Imports Beam, which takes a second, so the arguments are validated before.
    return executor_for(plan, job, beam_args, arguments.workers, dict(arguments.model_hint) or None)


def show_plan(plan: Plan, job: JobSettings, as_json: bool) -> ExitCode:
    """Print the plan of a run that could begin now."""
    refuse_held(job)
    output_folder.check_writable(job.output)
    inputs, notes = plan.inputs(), [unseen_note(field) for field in plan.unseen]
    parts: list[dict[str, Any]] = [
        {"part": part.name, "ranges": list(map(_range, part.ranges))} for part in plan.parts
    ]
    told = {
        "command": job.command,
        "shape": plan.shape.name,
        "files": len(plan.files),
        "text_bytes": plan.text_bytes,
        "partitions": len(plan.partitions),
        "parts": parts,
        "fields": job.fields,
        "not_read": inputs.get("not_read"),
        "notes": notes,
        "output": redact_url(job.output),
        "run": job.identity.fingerprint[:16],
    }
    if as_json:
        answer(json.dumps(told, ensure_ascii=False))
        return ExitCode.DONE
    say("shape {shape}, files: {files}, about {text_bytes:,} bytes of text".format(**told))
    if plan.partitions:
        say(f"regrouped by conversation in {len(plan.partitions)} hash partitions")
    for part in parts:
        say(f"part {part['part']}")
        for one in part["ranges"]:
            say("  {url}  {counts} {start:,} to {stop:,}".format(**one))
    not_read, noted = map("not read: {}".format, not_read_lines(inputs)), map("note {}".format, notes)
    for line in (*field_lines(job.fields), *not_read, *noted):
        say(line)
    say("output {output}, run {run}".format(**told))
    return ExitCode.DONE


def _range(one: FileRange) -> dict[str, Any]:
    return {"url": source_name(one.url), "counts": one.measure, "start": one.start, "stop": one.stop}


def carry_out(
    executor: Executor,
    plan: Plan,
    job: JobSettings,
    arguments: argparse.Namespace,
    overwrite: bool,
    at_the_end: Callable[[], None] = lambda: None,
) -> bool:
    """Run a job with a lease on its output; False if the runner took it over and it goes on elsewhere.

    ``at_the_end`` is called while the lease is held.
    """
    try:
        with leased(job, ends_with_driver=executor.ends_with_driver) as leased_job:
            output_folder.prepare_output(leased_job, overwrite, arguments.config)
            with ProgressLine(plan) as progress:
                executor.run(plan, leased_job, progress.add)
            at_the_end()
    except KeyboardInterrupt:
        if executor.ends_with_driver:
            units = sum(1 for _ in finished_units(job))
            _tidy_up(job)
            if units:
                raise KeyboardInterrupt(f"{counted(units, 'finished work unit')} kept") from None
        complain("the job keeps running on the cluster until it is cancelled there")
        raise
    except JobLeftError:
        (remark if arguments.json else say)(
            "handed over; the same command says how it stands when the job has ended"
        )
        return False
    except RunFailedError as error:
        if not error.goes_on:
            _tidy_up(job)
        raise
    return True


def _tidy_up(job: JobSettings) -> None:
    """Remove what workers were writing when they were stopped or killed."""
    output_folder.remove_unfinished(job.output)
    remove_begun(job)


def tell(job: JobSettings, plan: Plan, state: State | None, as_json: bool) -> ExitCode:
    """Print the summary of a run that has ended."""
    manifest = json.loads(read_bytes(f"{job.output}/manifest.json"))
    if as_json:
        answer(json.dumps(summary_json(manifest, job, plan.unseen), ensure_ascii=False))
    else:
        say(summary(manifest, job, plan.unseen))
    return ExitCode.HELD if state in (State.HELD, None) else ExitCode.DONE


def prepare(
    command: Command, arguments: argparse.Namespace, corpus: Corpus | None = None
) -> tuple[Plan, JobSettings]:
    """Validate everything that can be validated before a worker starts.

    ``corpus`` is that to which the run adds; None begins one.
    """
    asked = vars(arguments).get
    writes = command == "anonymize"
    config = run_config(command, load_config(arguments.config), arguments)
    output = config.output
    for note in (*config.notes, *config.in_vain):
        remark(note)
    reviewer = None if asked("reviewer") is None else reader_name(asked("reviewer"))
    if reviewer == "":
        raise UserError("--reviewer: give a name of up to 100 characters; it is written into the manifest")
    if not all([arguments.output, *arguments.input]):
        raise UserError("--input and --output: the path is empty; write . for the current folder")
    inputs, folder = [absolute(url) for url in arguments.input], absolute(arguments.output)
    options = config.reading(read_options(arguments))
    if writes:
        options = reading_for_split(options, output)
    key = output.key()
    output_folder.refuse_inside("--output", folder, inputs)
    exposed: dict[str, Any] = {"standoff": output.standoff, "dictionary": output.dictionary} if writes else {}
    for option, place in exposed.items():
        if place is not None:
            output_folder.refuse_exposed(f"--{option}", place, inputs, folder)
    plan = make_plan(inputs, options, corpus)
    opaque, options = options.opaque, plan.options
    if options.mapping is None:
        # A field that the shape reads itself would be anonymised all the same.
        bare = make_shape(shape := plan.shape.name, replace(options, keep=(), opaque={}))
        read = bare.written_fields() - {*bare.id_fields, actual_name(options, "context")}
        read |= {name.partition(".")[0] for name in read}
        for name in opaque:
            outer, dot, inner = name.partition(".")
            actual = f"{actual_name(options, outer)}{dot}{inner}"
            if name not in (*LABEL_FIELDS, TOOLS) and {name, actual} & read:
                raise UserError(
                    f"--opaque {name}: is read by the shape {shape}, which decides what is text; leave it out"
                )
    split = split_settings(plan, output, key) if writes else None
    to, as_roles = conversion(plan, output, options)
    spans = tuple(absolute(url) for url in asked("spans") or ())
    chain = config.chain(command, spans, bool(asked("reviewed")))
    labels = label_rules(command, output)
    replaced = {*plan.shape.id_fields} if labels.ids == "replace" else set[str]()
    if labels.contexts == "replace":
        replaced.add(actual_name(options, "context"))
    identity: dict[str, Any] = {
        "command": command,
        "tacenda": version("tacenda"),
        "config_hash": named_files.config_hash(
            [
                config.effective,
                named_files.dictionary_hashes(chain.detecting.rules),
                [file.sha256 for file in config.replacement.lists],
            ]
        ),
        "score_table": {"version": config.table.version, "preset": config.risk.preset},
        "shape": plan.shape.name,
        "inputs": plan.inputs(),
    }
    reading = {
        "fields": dict(sorted(options.fields.items())),
        **({"mapping": as_plain(options.mapping)} if options.mapping else {}),
        "key": None if key is None else keyed_hash(key, "key"),
        **{name: getattr(options, name) for name in ("max_turn_chars", "unit_bytes", "part_bytes", "limit")},
        "spans": named_files.file_hashes(spans),
        "reviewed": chain.all_reviewed,
        "drop_over": asked("drop_over"),
        **{name: exposed.get(name) for name in ("standoff", "dictionary")},
        "keys": key_fingerprints(config.replacement),
        "split": None if split is None else [split.shares, split.by, output.split_seed],
    }
    settings = _hash([{**identity, "inputs": None}, {**reading, **dict.fromkeys(_OF_ONE_RUN)}])
    added = [] if corpus is None else [corpus.parts, sorted(corpus.files)]
    fingerprint = _hash([identity, reading, *added])
    of_run: dict[str, Any] = {
        name: place and f"{place}/{fingerprint[:16]}" for name, place in exposed.items()
    }
    told, schema = named_files.redacted(config.effective), with_text(plan.schema, replaced)
    unwritten = unwritten_field(options)
    if schema is not None and unwritten in schema.names:
        schema = schema.remove(schema.get_field_index(unwritten))
    roles = options.mapping.roles if options.mapping else {}
    fields = plan.field_treatment(options)
    context = asked("context")
    chain = replace(
        chain,
        fingerprint=fingerprint,
        linking=replace(chain.linking, roles=chain.linking.roles.union(map(folded_label, roles))),
        drop_over=asked("drop_over"),
        swap_rate=swap_rate(plan.text_bytes) if writes and config.detecting.cloud_dlp is None else 0.0,
    )
    of_run |= {name: getattr(plan, name) for name in ("shape", "rows_not_read", "input_state")}
    of_run |= {"to": to, "roles": as_roles, **{name: asked(name) for name in ("date", "operator")}}
    job = JobSettings(
        **{one.name: getattr(chain, one.name) for one in dataclass_fields(chain)},
        output=folder.rstrip("/"),
        schema=schema,
        read=options,
        identity=RunIdentity(**identity, config=told, fingerprint=fingerprint, settings_hash=settings),
        input_urls=tuple(inputs),
        input_files=plan.files,
        input_digests=tuple(content_digests(plan.files)) if writes else (),
        labels=labels,
        fields=fields,
        not_looked_for=config.not_looked_for,
        reviews_given=len(load_reviews(spans)),
        corpus_format=output.format,
        lines="jsonl.gz" if output.format is None or output.format == "parquet" else output.format,
        split=split,
        **of_run,
        context=None if context is None else named_files.load_answers(context),
        reviewer=reviewer,
    )
    return plan, job


_OF_ONE_RUN = ("unit_bytes", "part_bytes")  # options that may differ between the runs of one corpus


def _hash(data: Any) -> str:
    """A hash that folders have by which runs are resumed and corpora added to: it never changes."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
