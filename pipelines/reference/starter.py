"""Write a commented config to start from, or the form on the context of use."""

from argparse import Namespace
from importlib.resources import files

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import TERMINAL, answer, say
from tacenda.transforms.reading.heads import fields_of_records, first_records
from tacenda.transforms.reading.units import TEXT
from tacenda.transforms.releasing.context_form import form
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.shapes.drafting import draft
from tacenda.transforms.shapes.mapping import recognised, recognised_text
from tacenda.transforms.storage.files import absolute, exists
from tacenda.transforms.storage.locating import locate
from tacenda.transforms.storage.publishing import publish_bytes


def write_starter(arguments: Namespace) -> int:
    """Write the config, or the form, to a file or to the terminal; returns the exit code."""
    if arguments.context_form:
        name = arguments.file or "context.yaml"
        done = f"wrote {name}; answer what you can\nnext           tacenda anonymize … --context {name}"
        return _write(name, "form", form(), done)
    if arguments.data is not None:
        return _write_mapping(arguments.file or "mapping.yaml", arguments.data)
    name = arguments.file or "tacenda.yaml"
    done = f"wrote {name}; its comments explain each setting\nnext           tacenda config check {name}"
    return _write(name, "config", starter(), done)


def _write_mapping(name: str, data: str) -> int:
    """Write what the fields of a file of conversations are."""
    records = first_records(locate([absolute(data)])[0])
    text = records[0].get(TEXT) if records and type(records[0]) is dict and len(records[0]) == 1 else None
    known = recognised(fields_of_records(records)) or (recognised_text(text) if type(text) is str else None)
    if known is not None:
        say(f"{data} is of a known kind: --from {known.name}, which is recognised; nothing to write")
        return ExitCode.DONE
    drafted = draft(records)
    done = (
        f"wrote {name}; {counted(len(drafted.unplaced), 'field')} without a place in it: listed at its end\n"
        f"next           tacenda preview --input {data} --from {name}"
    )
    return _write(name, "mapping", drafted.text, done)


def _write(name: str, what: str, text: str, done: str) -> int:
    if name == TERMINAL:
        answer(text)
        return ExitCode.DONE
    if not name.endswith((".yaml", ".yml")):
        raise UserError(f"{name}: the {what} is YAML; use a name that ends in .yaml")
    url = absolute(name)
    if exists(url):
        raise UserError(f"{name}: already exists; name another file, or remove it first")
    publish_bytes(url, text.encode())
    say(done)
    return ExitCode.DONE


def starter() -> str:
    """The config to write."""
    return (files("tacenda.pipelines.config") / "starter.yaml").read_text(encoding="utf-8")
