"""The words that surround personal data (``words.yaml``)."""

from importlib.resources import files

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml


@built_once
def _lists() -> dict[str, frozenset[str]]:
    lists = parse_yaml((files(__package__) / "words.yaml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in lists.items()}


def words(name: str) -> frozenset[str]:
    """The words of one list, in lower case."""
    return _lists()[name]
