"""From command-line arguments to a finished run and its exit code."""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from pipelines.arguments import beam_arguments, read_options
from pipelines.conclusion import SUCCESS
from pipelines.config.document import load_config
from pipelines.config.named_files import dictionary_hashes, file_hashes, pin_dictionaries
from pipelines.config.redacting import config_hash, redacted
from pipelines.config.settings import (
    effective_config,
    refuse_unscored,
    refuse_unsupported,
    risk_settings,
    score_table,
)
from pipelines.detectors import check_detectors, detector_settings
from pipelines.outcome import refuse_undecodable
from pipelines.output_folder import (
    check_output,
    check_writable,
    prepare_output,
    refuse_nested,
    remove_unfinished,
)
from pipelines.plan import Plan, make_plan
from pipelines.settings import Command, JobSettings
from pipelines.summary import summary, unseen_note
from transforms.releasing.manifest import RunIdentity
from transforms.reviewing.spans_files import load_reviews
from transforms.schema.errors import UserError
from transforms.storage.files import absolute, exists, read_bytes
from transforms.storage.showing import shown

DONE, FAILED, USER_ERROR, NOT_MET = 0, 1, 2, 3


def launch(command: Command, arguments: argparse.Namespace, extra: Sequence[str]) -> int:
    """Plan, run and report one command; returns the exit code."""
    beam_args = beam_arguments(arguments, extra)
    plan, job = prepare(command, arguments)
    check_detectors(job.cloud_dlp, job.models)
    # Beam takes a second to import; a mistake in the arguments is told before that.
    from pipelines.executors.beam import WorkerDiedError
    from pipelines.executors.run import run
    from pipelines.executors.runners import LOCAL_RUNNERS, check_runner, runner_name

    check_runner(beam_args)
    if arguments.dry_run:
        check_output(job, arguments.overwrite, arguments.config)
        check_writable(job.output)
        _print_plan(plan, job)
        return DONE
    prepare_output(job, arguments.overwrite, arguments.config)
    try:
        run(plan, job, beam_args, arguments.workers)
    except KeyboardInterrupt:
        if runner_name(beam_args) in LOCAL_RUNNERS:
            remove_unfinished(job.output)
        else:
            print("tacet: the cluster goes on with the job until it is cancelled there", file=sys.stderr)
        raise
    except WorkerDiedError:
        remove_unfinished(job.output)
        print(
            "tacet: a worker process was killed (out of memory?); start the same command again and it goes on "
            "where it stopped, or use fewer --workers or a smaller --unit-bytes",
            file=sys.stderr,
        )
        return FAILED
    released = exists(f"{job.output}/{SUCCESS}")
    manifest = json.loads(read_bytes(f"{job.output}/manifest.json"))
    print(summary(manifest, job, plan.unseen))
    return DONE if released else NOT_MET


def prepare(command: Command, arguments: argparse.Namespace) -> tuple[Plan, JobSettings]:
    """Check everything that can be checked before a worker starts."""
    document = load_config(arguments.config)
    refuse_unsupported(document)
    detecting = detector_settings(document, arguments)
    risk = risk_settings(document, getattr(arguments, "risk_preset", None))
    table = score_table(risk)
    if command == "anonymize":
        refuse_unscored(document, detecting.found, table)
    reason = getattr(arguments, "release_anyway", None)
    if reason is not None and not reason.strip():
        raise UserError("--release-anyway: give the reason in words; it is written into the manifest")
    if not all([arguments.output, *arguments.input]):
        raise UserError("--input and --output: an empty path means nothing; write . for the current folder")
    options = read_options(arguments)
    inputs = [absolute(url) for url in arguments.input]
    refuse_nested(inputs, absolute(arguments.output))
    plan = make_plan(inputs, options)
    for unit in plan.units:
        refuse_undecodable(unit.url)
    spans = tuple(absolute(url) for url in getattr(arguments, "spans", None) or ())
    reviews = load_reviews(spans)
    rules = pin_dictionaries(detecting.rules)
    all_reviewed = bool(getattr(arguments, "reviewed", False))
    config = {**effective_config(document, detecting.found, risk), "detectors": detecting.told()}
    identity: dict[str, Any] = {
        "command": command,
        "version": version("tacet"),
        "config_hash": config_hash([config, dictionary_hashes(rules)]),
        "score_table": {"version": table.version, "preset": risk.preset},
        "shape": plan.shape.name,
        "inputs": plan.inputs(),
    }
    reading = {
        "fields": dict(sorted(options.fields.items())),
        "keep": list(options.keep),
        "max_turn_chars": options.max_turn_chars,
        "unit_bytes": options.unit_bytes,
        "spans": file_hashes(spans),
        "reviewed": all_reviewed,
        "release_anyway": reason,
    }
    fingerprint = hashlib.sha256(
        json.dumps([identity, reading], sort_keys=True, ensure_ascii=False).encode()
    ).hexdigest()
    job = JobSettings(
        command=command,
        output=absolute(arguments.output).rstrip("/"),
        shape=plan.shape,
        schema=plan.schema,
        read=options,
        inspect=rules,
        risk=risk,
        identity=RunIdentity(**identity, config=redacted(config), fingerprint=fingerprint),
        input_state=plan.input_state,
        input_urls=tuple(inputs),
        input_files=plan.files,
        detectors=detecting.names,
        cloud_dlp=detecting.cloud_dlp,
        models=detecting.models,
        spans=spans,
        reviews_given=len(reviews),
        all_reviewed=all_reviewed,
        release_anyway=reason,
    )
    return plan, job


def _print_plan(plan: Plan, job: JobSettings) -> None:
    print(f"shape {plan.shape.name}, {len(plan.units)} work units, {plan.size_bytes:,} bytes")
    if plan.partitions:
        print(f"regrouped by conversation in {len(plan.partitions)} hash partitions")
    for unit in plan.units:
        counted = "row groups" if unit.encoding == "parquet" else "bytes"
        print(f"  {unit.name}  {shown(unit.url)}  {counted} {unit.start:,} to {unit.stop:,}")
    for field in plan.unseen:
        print(f"note {unseen_note(field)}")
    print(f"output {shown(job.output)}, run {job.identity.fingerprint[:16]}")
