"""``tacenda review sample``: draw anonymised conversations by a seed, for people to read and mark."""

import hashlib
import json
from collections.abc import Sequence

import orjson

from tacenda.pipelines.command_line.arguments import Parser, positive
from tacenda.pipelines.command_line.exit_codes import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.pipelines.output.anonymized_folder import REVIEW, AnonymizedFolder, open_folder
from tacenda.transforms.reviewing.drawing import Hashed, draw
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.declared import REVIEWED_BY
from tacenda.transforms.storage.files import absolute, exists
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.writing.text_hashes import batch_hashes


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda review", description=__doc__, allow_abbrev=False)
    parser.add_argument("what", choices=("sample",), help="what to do: draw a sample")
    parser.add_argument("folder", metavar="OUT", help="the output folder of 'tacenda anonymize'")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="seed of the sample")
    parser.add_argument(
        "--per-context",
        type=positive,
        metavar="N",
        help="conversations per context; default: as many as a release needs",
    )
    parser.add_argument(
        "--output",
        required=True,
        metavar="FILE",
        help="JSON lines file to write, for marking; must not exist",
    )
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    folder, file = open_folder(absolute(arguments.folder).rstrip("/")), absolute(arguments.output)
    if not file.endswith(".jsonl"):
        raise UserError(f"--output {file}: write JSON lines: use a name that ends in .jsonl")
    if exists(file):
        raise UserError(f"--output {file}: already exists, and may have marks; choose another name")
    per_context = arguments.per_context or folder.manifest["config"]["risk"]["least_conversations"]
    sample = draw(folder.hashed(), arguments.seed, per_context)
    if not sample.drawn:
        raise UserError(f"{redact_url(folder.output)}: the corpus is empty; there is nothing to review")
    lines = _records(folder, sample.drawn)
    record = {
        "seed": arguments.seed,
        "per_context": per_context,
        "fingerprint": folder.manifest["fingerprint"],
        "populations": sample.populations,
        "conversations": [one._asdict() for one in sample.drawn],
    }
    name = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:16]
    with publish(f"{folder.output}/{REVIEW}/draw-{name}.json") as sink:
        sink.write((json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode())
    with publish(file) as sink:
        sink.write(b"".join(lines))
    contexts = len(sample.populations)
    say(
        f"{len(sample.drawn):,} conversations of {contexts:,} contexts in {redact_url(file)}\n"
        "mark what still tells who somebody is, as (text)[MISSED_PERSON_NAME], and put your name into "
        f'"{REVIEWED_BY}" of each conversation that you have read; change nothing else, and leave no '
        "conversation out\n"
        f"then: tacenda release {redact_url(folder.output)} --review {redact_url(file)}"
    )
    return ExitCode.DONE


def _records(folder: AnonymizedFolder, drawn: Sequence[Hashed]) -> list[bytes]:
    """The drawn conversations as JSON lines, with each cell as a turn, regardless of the corpus' shape."""
    wanted: dict[str, list[Hashed]] = {}
    for one in drawn:
        wanted.setdefault(one.text_hash, []).append(one)
    lines: dict[Hashed, bytes] = {}
    for batch, _ in folder.readings():
        for i, text_hash in enumerate(batch_hashes(batch, batch.texts, batch.speakers)):
            for one in wanted.pop(text_hash, ()):
                turns = [
                    {"speaker": batch.speakers[cell], "text": batch.texts[cell]} for cell in batch.cells(i)
                ]
                record = {
                    "conversation_id": one.conversation_id,
                    "context": one.context or None,
                    REVIEWED_BY: "",
                    "turns": turns,
                }
                lines[one] = orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
    if wanted:
        raise UserError(
            f"{redact_url(folder.output)}: {len(wanted)} texts of the corpus were changed; 'tacenda verify' "
            "has the details"
        )
    return [lines[one] for one in drawn]


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("review")
