"""Restore the originals of values that the config's keys can decrypt."""

from argparse import Namespace
from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import complain, say
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.sections import read_replacement
from tacenda.pipelines.output.output_folder import empty_output, refuse_inside
from tacenda.transforms.replacing.reversing import Reversal, reversible
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.json_lines import JsonLinesWriter, read_lines
from tacenda.transforms.storage.json_values import json_value
from tacenda.transforms.storage.locating import Format, format_of, locate
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.tables import ParquetWriter, is_arrow, read_footer, read_row_groups

_ROWS, _BYTES = 4096, 16 << 20


def reidentify(arguments: Namespace) -> int:
    """Restore a corpus as the arguments say; returns the exit code."""
    settings = read_replacement(load_config(arguments.config))[0]
    transformations = reversible(settings.policies)
    if not transformations:
        raise UserError(
            f"{arguments.config}: nothing in it can be reversed; crypto_deterministic_config and "
            "crypto_replace_ffx_fpe_config can, with a surrogate_info_type"
        )
    inputs = [absolute(url) for url in arguments.input]
    refuse_inside("--output", absolute(arguments.output).rstrip("/"), inputs)
    output = empty_output(arguments.output)
    files = [file.url for file in locate(inputs)]
    names = [url.rsplit("/", 1)[-1] for url in files]
    if len({*names}) < len(names):
        raise UserError(
            "--input: two files have the same name, and would overwrite each other; pass them in separate runs"
        )
    reversal = Reversal(transformations)
    for url, name in zip(files, names, strict=True):
        found = format_of(url)
        assert found is not None, "only files with a known suffix are listed"
        if found.kind != "lines" or is_arrow(url):
            raise UserError(f"{redact_url(url)}: is not part of a corpus; that is JSON lines or Parquet")
        with publish(f"{output}/{name}", private=True) as sink:
            if found.encoding == "parquet":
                _reverse_parquet(url, sink, reversal)
            else:
                with JsonLinesWriter(sink, found.compression) as writer:
                    for record in _records(url, found):
                        writer.write([reversal.record(record)])
    say(
        f"{counted(reversal.reversed, 'value')} of {counted(len(files), 'file')} reversed\n"
        f"output         {redact_url(output)}: personal data again; keep it as the originals are kept"
    )
    if reversal.unopened:
        complain(f"{reversal.unopened:,} values stay as they are: the keys of the config do not open them")
        return ExitCode.FAILED
    return ExitCode.DONE


def _reverse_parquet(url: str, sink: BinaryIO, reversal: Reversal) -> None:
    footer = read_footer(url)
    with ParquetWriter(sink, footer.schema) as writer:
        groups = read_row_groups(
            url, 0, len(footer.row_groups), footer.schema.names, batch_rows=_ROWS, batch_bytes=_BYTES
        )
        for group in groups:
            if group.table is None:
                raise UserError(f"{redact_url(url)}: is cut off or damaged; get it whole")
            rows = [reversal.record(row) for row in group.table.to_pylist()]
            writer.write(pa.Table.from_pylist(rows, schema=footer.schema))


def _records(url: str, of: Format) -> Iterator[Any]:
    for block in read_lines(url, of.compression):
        for offset, line in zip(block.offsets, block.lines, strict=True):
            try:
                yield json_value(line)
            except ValueError:
                raise UserError(f"{redact_url(url)}: the line at byte {offset:,} is no JSON") from None
            except RecordError as error:
                raise UserError(
                    f"{redact_url(url)}: the line at byte {offset:,} is no record of a corpus ({error.error})"
                ) from None
        if block.faults:
            raise UserError(f"{redact_url(url)}: is cut off or damaged; get it whole")
