"""Write sample conversations with gold spans, and matching dictionaries."""

import os
from argparse import Namespace
from functools import partial
from operator import add

import orjson
import pyarrow as pa
import yaml

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.pipelines.executors.children import fold
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.transforms.generating.sample import dialogue
from tacenda.transforms.storage.publishing import publish, publish_bytes
from tacenda.transforms.storage.tables import ParquetWriter

CONVERSATIONS_A_FILE = 10_000
_WORTH_A_PROCESS = 4 * CONVERSATIONS_A_FILE
_WRITTEN_AT_ONCE = 1_000

_WORD, _PLACE = pa.string(), pa.int32()
_SPAN = pa.struct([("start", _PLACE), ("end", _PLACE), ("label", _WORD), ("entity", _WORD)])
_TURN = pa.struct([("speaker", _WORD), ("text", _WORD), ("spans", pa.list_(_SPAN))])
SCHEMA = pa.schema(
    [("conversation_id", _WORD), ("context", _WORD), ("gold", _WORD), ("turns", pa.list_(_TURN))]
)


def write_sample(arguments: Namespace) -> int:
    """Write the corpus that the arguments ask for; returns the exit code."""
    output = empty_output(arguments.output)
    starts = range(0, arguments.conversations, CONVERSATIONS_A_FILE)
    of_all = {"output": output, "seed": arguments.seed, "total": arguments.conversations}
    write = partial(write_file, file_format=arguments.format, **of_all)
    few = arguments.conversations < _WORTH_A_PROCESS
    workers = arguments.workers or (1 if few else os.cpu_count() or 1)
    fold(starts, write, add, workers, text_bytes=0)
    _write_dictionaries(output, arguments.seed)
    say(
        f"{arguments.conversations:,} conversations in {output}/conversations, a config in {output}/config.yaml"
    )
    return ExitCode.DONE


def write_file(start: int, output: str, seed: int, total: int, file_format: str) -> int:
    """Write one file of the corpus; its conversations depend only on seed and number. Returns how many."""
    stop = min(start + CONVERSATIONS_A_FILE, total)
    name = f"{output}/conversations/part-{start // CONVERSATIONS_A_FILE:05d}.{file_format}"
    with publish(name) as sink:
        if file_format == "parquet":
            with ParquetWriter(sink, SCHEMA) as writer:
                for begin in range(start, stop, _WRITTEN_AT_ONCE):
                    rows = list(dialogue.conversations(seed, begin, min(begin + _WRITTEN_AT_ONCE, stop)))
                    writer.write(pa.Table.from_pylist(rows, schema=SCHEMA))
        else:
            for conversation in dialogue.conversations(seed, start, stop):
                sink.write(orjson.dumps(conversation, option=orjson.OPT_APPEND_NEWLINE))
    return stop - start


def _write_dictionaries(output: str, seed: int) -> None:
    """Write what a company would have: lists of its people, companies and words to exclude, and a config."""
    lists = {
        "PERSON_NAME": dialogue.person_dictionary(seed),
        "ORGANIZATION_NAME": dialogue.organization_dictionary(seed),
        "common_words": dialogue.common_words(),
    }
    paths = {name: f"{output}/dictionaries/{name.lower()}.txt" for name in lists}
    for name, words in lists.items():
        publish_bytes(paths[name], "".join(f"{word}\n" for word in words).encode())
    listed = {name: {"cloud_storage_path": {"path": path}} for name, path in paths.items()}
    custom = [
        {"info_type": {"name": name}, "likelihood": "LIKELY", "dictionary": listed[name]}
        for name in ("PERSON_NAME", "ORGANIZATION_NAME")
    ]
    exclusion = {"dictionary": listed["common_words"], "matching_type": "MATCHING_TYPE_FULL_MATCH"}
    rule_set = {
        "info_types": [{"name": name} for name in ("PERSON_NAME", "ORGANIZATION_NAME", "LOCATION")],
        "rules": [{"exclusion_rule": exclusion}],
    }
    config = {"inspect": {"custom_info_types": custom, "rule_set": [rule_set]}}
    publish_bytes(f"{output}/config.yaml", yaml.safe_dump(config, sort_keys=False).encode())
