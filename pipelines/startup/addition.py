"""``tacenda corpus add``: read the files that a corpus does not have yet, and add them to it."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import remark, say
from tacenda.pipelines.executors.beam_options import beam_arguments
from tacenda.pipelines.output.adding import corpus_of, known_input, merge_added, refuse_other_settings
from tacenda.pipelines.output.anonymized_folder import open_folder
from tacenda.pipelines.output.change import ADDING, held_alone, open_settled
from tacenda.pipelines.output.output_folder import finished, refuse_inside
from tacenda.pipelines.output.signing import sign, signing_key
from tacenda.pipelines.startup.launch import carry_out, executor_of, launch, prepare, show_plan, tell
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute, exists
from tacenda.transforms.storage.locating import locate

_WITHOUT = (("overwrite", "--overwrite"), ("limit", "--limit"), ("spans", "--spans"))


def launch_addition(arguments: argparse.Namespace, extra: Sequence[str]) -> int:
    """Add to the corpus of an output folder, or begin one in an empty folder; returns the exit code."""
    for name, option in _WITHOUT:
        if getattr(arguments, name, None):
            raise UserError(f"corpus add: not together with {option}; leave one of them out")
    output = absolute(arguments.output).rstrip("/")
    key = signing_key(arguments.signing_key, output)
    if not exists(f"{output}/manifest.json"):
        return launch(arguments, extra)
    folder = open_settled(output)
    corpus = corpus_of(folder)
    inputs = [absolute(url) for url in arguments.input]
    refuse_inside("--output", output, inputs)
    new, changed, vanished = known_input(folder, locate(inputs))
    if changed:
        others = f" and {counted(len(changed) - 1, 'other')}" if len(changed) > 1 else ""
        raise UserError(
            f"corpus add: {changed[0]}{others} changed since they were read; put new conversations into "
            "new files, or run everything again with --overwrite"
        )
    if vanished:
        are = counted(len(vanished), "file of the corpus is", "files of the corpus are")
        remark(
            f"{are} not in the input any more, such as {vanished[0]}; what was read of them stays in the "
            "corpus ('tacenda corpus erase' removes it)"
        )
    arguments.output = f"{output}/{ADDING}"
    if not new:
        (remark if arguments.json else say)("nothing new; nothing was changed")
        sign(output, key, again=True)
        return ExitCode.HELD if folder.state is State.HELD else ExitCode.DONE
    plan, job = prepare("anonymize", arguments, corpus)
    refuse_other_settings(folder, job)
    staged = replace(
        job,
        corpus=output,
        standoff=_as_begun(job.standoff, folder.manifest.get("standoff")),
        dictionary=_as_begun(job.dictionary, folder.manifest.get("dictionary")),
    )
    executor = executor_of(plan, staged, arguments, beam_arguments(arguments, extra))
    if arguments.dry_run:
        return show_plan(plan, staged, arguments.json)
    if finished(staged) is None and not carry_out(executor, plan, staged, arguments, overwrite=True):
        return ExitCode.DONE
    with held_alone(output, "corpus add") as now:
        merge_added(now, folder.manifest, job, key)
    whole = open_folder(output)
    if "review" in folder.manifest:
        remark(
            f"the review of {redact_url(output)} was of fewer conversations, and is taken off; draw another"
        )
    return tell(replace(job, output=output), plan, whole.state, arguments.json)


def _as_begun(folder: str | None, told: Mapping[str, str] | None) -> str | None:
    """The restricted folder of a run, under the name that the first run of the corpus gave it."""
    if folder is None or told is None:
        return folder
    return f"{folder.rpartition('/')[0]}/{told['folder'].rpartition('/')[2]}"
