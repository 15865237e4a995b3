"""Carry out ``tacenda corpus erase``: read the ids, erase their conversations, and tell what was done."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.output import output_settings
from tacenda.pipelines.output.anonymized_folder import open_folder, read_conversations
from tacenda.pipelines.output.erasing import erase
from tacenda.pipelines.output.output_folder import state_there
from tacenda.pipelines.output.signing import signing_key
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.labels import keyed_hash, neutral_id
from tacenda.transforms.storage.files import absolute, read_text


def erase_and_tell(arguments: Namespace) -> ExitCode:
    """Erase what the arguments of the command name; returns its exit code.

    Raises:
        UserError: the ids, a key or the folder cannot be used.
        UnitFailedError: storage failed, or the folder is not consistent afterwards.
    """
    output = absolute(arguments.folder).rstrip("/")
    given = _ids(arguments.conversations)
    ids = {*given, *_neutral(given, output, arguments)}
    digest_key = None if arguments.digest_key is None else KeyReference(arguments.digest_key).read()
    signer = signing_key(arguments.signing_key, output)
    with sanitize_errors("the erasure"):
        done = erase(output, ids, digest_key, signer)
    state = state_there(output)
    missing = max(0, len(given) - done.conversations - done.dropped)
    if arguments.json:
        told = {**done._asdict(), "not_found": missing, "state": None if state is None else state.value}
        answer(json.dumps(told))
    else:
        lines = [
            f"erased         {counted(done.conversations, 'conversation')} of {counted(done.rows, 'row')}"
        ]
        if done.dropped:
            lines.append(
                f"               {counted(done.dropped, 'record')} of conversations that a run had dropped"
            )
        if missing:
            lines.append(
                f"               {missing:,} of the given ids are not in the corpus; those of the input need "
                "--input, or --config with its key_file"
            )
        if done.review_taken_off:
            lines.append("review         taken off, as an erased conversation was part of it; draw another")
        lines.append(f"verdict        {'none' if state is None else state.value}")
        lines.append(f"output         {redact_url(output)}")
        say("\n".join(lines))
    return ExitCode.HELD if state is State.HELD else ExitCode.DONE


def _neutral(given: set[str], output: str, arguments: Namespace) -> Iterator[str]:
    """The ids under which conversations are written that have one of the given ids in the input."""
    key = None
    if arguments.config is not None:
        key = output_settings(load_config(arguments.config), arguments).key()
        if key is None:
            raise UserError(f"--config {arguments.config}: has no output.key_file; give --input instead")
        yield from (keyed_hash(key, one) for one in given)
    if arguments.input:
        options = open_folder(output).reading()
        for batch, _ in read_conversations([absolute(url) for url in arguments.input], options):
            yield from (neutral_id(batch, i, key) for i, one in enumerate(batch.given) if one in given)


def _ids(place: str) -> set[str]:
    """The ids in a file, or on stdin."""
    text = read_text(absolute(place), f"--conversations {place}") if place != "-" else _from_stdin()
    ids = {line for line in text.splitlines() if line.strip()}
    if not ids:
        raise UserError(f"--conversations {place}: has no id; write one a line")
    return ids


def _from_stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError("--conversations -: not UTF-8; convert the ids first, as with iconv") from None
