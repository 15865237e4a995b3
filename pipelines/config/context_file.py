"""Read the file with answers on the context in which a corpus is used."""

import yaml

from tacenda.transforms.releasing.context_form import read_answers
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute, read_text
from tacenda.transforms.storage.yaml_text import parse_yaml


def load_answers(name: str) -> dict[str, str]:
    """The answers by question.

    Raises:
        UserError: the file cannot be read, or is no filled-in form.
    """
    shown = redact_url(name)
    text = read_text(absolute(name), f"--context {shown}")
    try:
        document = parse_yaml(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise UserError(f"--context {shown}: not YAML; write each answer in quotes") from None
    return read_answers(document, shown)
