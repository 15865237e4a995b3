"""The questions on the context of a corpus: the form to fill in, and its answers."""

from collections.abc import Mapping
from typing import Any

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

_LONGEST = 2_000


@built_once
def questions() -> tuple[dict[str, str], ...]:
    """All questions, in order: ``id``, ``topic`` of ISO/IEC 27559, and ``question``."""
    return tuple(data_file(__package__, "context_questions.yaml"))


def form() -> str:
    """The form to fill in, as YAML."""
    lines = [
        "# The context in which this corpus is used, for the report: tacenda anonymize … --context THIS_FILE",
        "# The questions follow ISO/IEC 27559:2022, by topic. What stays empty is listed as unanswered.",
    ]
    for one in questions():
        lines += ["", f"# {one['question']} ({one['topic']})", f'{one["id"]}: ""']
    return "\n".join(lines) + "\n"


def read_answers(document: Any, name: str) -> dict[str, str]:
    """The answers of a filled-in form, without empty ones; ``name`` is that of the file, for messages."""
    if not isinstance(document, Mapping):
        raise UserError(f"--context {name}: not a form; 'tacenda config init --context-form FILE' writes one")
    known = {one["id"] for one in questions()}
    for key, answer in document.items():
        if key not in known:
            raise UserError(f"--context {name}: has no question '{key}'; they are {', '.join(sorted(known))}")
        if answer is not None and not isinstance(answer, str):
            raise UserError(f"--context {name}: {key}: put the answer in quotes")
        if any("\ud800" <= character <= "\udfff" for character in answer or ""):
            raise UserError(f"--context {name}: {key}: has half a character; write it again")
        if len(answer or "") > _LONGEST:
            raise UserError(f"--context {name}: {key}: shorten the answer to {_LONGEST} characters")
    return {key: answer.strip() for key, answer in sorted(document.items()) if answer and answer.strip()}
