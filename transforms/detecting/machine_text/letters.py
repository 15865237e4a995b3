"""Whether a text is a letter: a line greets somebody, or says who wrote what is quoted below it."""

import re

from tacenda.transforms.detecting.fitting.words import words
from tacenda.transforms.detecting.word_lists import alternatives, word_list
from tacenda.transforms.storage.process_cache import built_once

_QUOTED = r"^(?:>[> \t]{0,8})?"


def is_letter(text: str) -> bool:
    r"""Whether somebody is greeted on a line of its own or quoted by name; time is linear.

    >>> is_letter("> Hi Anna,\n> see <https://example.com>"), is_letter("On Monday Anna wrote:\n> thanks")
    (True, True)
    """
    return _opening().search(text) is not None


@built_once
def _opening() -> "re.Pattern[str]":
    name = r"(?:[ \t][^\W\d_][\w.'’-]{0,30}){0,4}"
    greeted = rf"(?:{alternatives(words('greetings'))}){name}[ \t]?[,:!]?[ \t]*\r?$"
    quoted = rf"[^\n:>][^\n]{{0,150}}\b(?:{alternatives(word_list('wrote'))})[ \t]?:[ \t]*\r?$"
    return re.compile(rf"{_QUOTED}(?:{greeted}|{quoted})", re.MULTILINE | re.IGNORECASE)
