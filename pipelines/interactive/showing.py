"""Run ``tacenda preview``: conversations side by side, one explained, or a text anonymised."""

import sys
from argparse import Namespace
from dataclasses import asdict

import orjson

from tacenda.pipelines.chain.build import chain_of
from tacenda.pipelines.chain.conversations import after
from tacenda.pipelines.chain.intake import TEXT, Intake
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import TERMINAL, answer
from tacenda.pipelines.interactive.selection import look_of
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.declared import TURN_TOO_LONG
from tacenda.transforms.shapes.labels import UNCHECKED
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute, read_text


def redact(arguments: Namespace) -> int:
    """Run the command with validated arguments; returns the exit code.

    Raises:
        UserError: an error in the config, or the text cannot be processed.
    """
    look = look_of(arguments, ReadOptions())
    where = "stdin" if arguments.text == TERMINAL else f"--text {arguments.text}"
    if arguments.text == TERMINAL:
        try:
            text = sys.stdin.buffer.read().decode()
        except UnicodeDecodeError:
            raise UserError("stdin: not UTF-8; convert the text first, as with iconv") from None
    else:
        text = read_text(absolute(arguments.text), where)
    with sanitize_errors("the text"):
        (read,) = Intake(look.reading, UNCHECKED).items([text])
        done = after(read, chain_of(look.chain), "anonymize")
    for rejection in done.rejections():
        if rejection.error == TURN_TOO_LONG:
            most = look.reading.max_turn_chars
            raise UserError(f"{where}: longer than {most:,} characters; give it in parts, as with split -C")
        raise UserError(f"{where}: the text cannot be processed: {rejection.stage}/{rejection.error}")
    (result,) = done.results()
    written = result.conversation[TEXT]
    if arguments.json:
        told = asdict(result)
        for finding in told["findings"]:
            finding["likelihood"] = finding["likelihood"].name
        parts = ("findings", "entities", "risk")
        answer(orjson.dumps({"text": written, **{part: told[part] for part in parts}}).decode())
    else:
        # Exactly as it was read, with or without a final line feed.
        sys.stdout.buffer.write(written.encode())
        sys.stdout.flush()
    return ExitCode.DONE


def show(arguments: Namespace) -> int:
    """Show what the arguments ask for; returns the exit code.

    Raises:
        UserError: options that do not go together, or an input cannot be used.
    """
    if arguments.text is not None:
        if arguments.input or arguments.why is not None or arguments.html:
            raise UserError("--text: is a text by itself; leave --input, --why and --html out")
        return redact(arguments)
    if not arguments.input:
        raise UserError("give --input FILE, or --text - for a text on stdin; see 'tacenda preview --help'")
    if arguments.why is not None:
        from tacenda.pipelines.interactive.explanation import explain

        return explain(arguments)
    if arguments.json:
        raise UserError("--json: needs --why or --text; a preview is for people")
    from tacenda.pipelines.interactive.before_and_after import preview

    return preview(arguments)
