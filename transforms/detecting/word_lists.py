"""The small word lists of ``words/``: one lower-case word per line, ``#`` starts a comment."""

from importlib.resources import files

from tacenda.transforms.storage.process_cache import built_once


@built_once
def word_list(name: str) -> frozenset[str]:
    """The words of ``words/<name>.txt``."""
    text = (files("tacenda.transforms.detecting") / "words" / f"{name}.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.split("\n") if line and not line.startswith("#"))


def is_everyday(word: str) -> bool:
    """Whether a lower-case word is everyday language, such as answers to questions."""
    return word in word_list("not_names") or word in word_list("everyday")
