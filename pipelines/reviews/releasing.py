"""Judge an anonymised corpus by reviewers' marks or gold; release or hold it."""

from argparse import Namespace

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.pipelines.output.anonymized_folder import open_folder
from tacenda.pipelines.output.review_binding import bind
from tacenda.pipelines.output.signing import sign, signing_key
from tacenda.pipelines.output.summary import figures_in_words
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.errors import UserError, is_reason
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute


def release(arguments: Namespace) -> int:
    """Bind a review to an output folder and print the verdict; returns the exit code.

    Raises:
        UserError: the folder or a review cannot be used, or the options contradict each other.
    """
    if arguments.because is not None and not is_reason(arguments.because):
        raise UserError("--because: give the reason in words; it is written to the manifest")
    if arguments.gold and arguments.spans:
        raise UserError("--spans: only applies to --review")
    folder = open_folder(absolute(arguments.folder).rstrip("/"))
    key = signing_key(arguments.signing_key, folder.output)
    judgement = bind(
        folder,
        "gold" if arguments.gold else "human",
        [absolute(url) for url in arguments.gold or arguments.review],
        [absolute(url) for url in arguments.spans],
        arguments.because,
    )
    sign(folder.output, key)
    released = judgement.state is State.RELEASED
    lines = [f"verdict        {'released' if released else 'HELD'}"]
    lines += [f"               {line}" for line in figures_in_words(judgement.to_json())]
    lines += [f"               {reason}" for reason in judgement.held_by]
    lines.append(f"output         {redact_url(folder.output)}")
    say("\n".join(lines))
    return ExitCode.DONE if released else ExitCode.HELD
