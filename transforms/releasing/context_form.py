"""The questions on the context of a corpus: the form to fill in, and its answers."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_LONGEST = 2_000


class Question(NamedTuple):
    """A question, and the topic of ISO/IEC 27559 that it belongs to."""

    id: str
    topic: str
    question: str


@built_once
def questions() -> tuple[Question, ...]:
    """All questions, in order."""
    text = files(__package__).joinpath("context_questions.yaml").read_text(encoding="utf-8")
    return tuple(Question(**one) for one in parse_yaml(text))


def form() -> str:
    """The form to fill in, as YAML."""
    lines = [
        "# The context in which this corpus is used, for the report: tacenda anonymize … --context THIS_FILE",
        "# The questions follow ISO/IEC 27559:2022, by topic. What stays empty is listed as unanswered.",
    ]
    for one in questions():
        lines += ["", f"# {one.question} ({one.topic})", f'{one.id}: ""']
    return "\n".join(lines) + "\n"


def read_answers(document: Any, name: str) -> dict[str, str]:
    """The answers of a filled-in form, without empty ones.

    Args:
        document: the parsed file.
        name: of the file, for messages.

    Raises:
        UserError: it is no such form.
    """
    if not isinstance(document, Mapping):
        raise UserError(f"--context {name}: not a form; 'tacenda config init --context-form FILE' writes one")
    known = {one.id for one in questions()}
    answers: dict[str, str] = {}
    for key, answer in document.items():
        if key not in known:
            raise UserError(f"--context {name}: has no question '{key}'; they are {', '.join(sorted(known))}")
        if answer is not None and not isinstance(answer, str):
            raise UserError(f"--context {name}: {key}: put the answer in quotes")
        if answer is not None and any("\ud800" <= character <= "\udfff" for character in answer):
            raise UserError(f"--context {name}: {key}: has half a character; write it again")
        if answer is not None and len(answer) > _LONGEST:
            raise UserError(f"--context {name}: {key}: shorten the answer to {_LONGEST} characters")
        if answer is not None and answer.strip():
            answers[key] = answer.strip()
    return dict(sorted(answers.items()))
