"""The digits and letters of a code spoken in words: ``eight double oh five`` is 8005."""

import re

from tacenda.transforms.detecting.spoken.lexicon import LANGUAGES, Lexicon, Part, Said, lexicon
from tacenda.transforms.detecting.spoken.numbers import figures
from tacenda.transforms.storage.process_cache import remembered

_WORDS = re.compile(r"[^\W_]+")


@remembered
def spoken_digits(text: str) -> str | None:
    """The code in digits and lower-case letters; None if a word is not a number, or none is.

    >>> spoken_digits("eight double oh, 555 zero one"), spoken_digits("t one a two"), spoken_digits("unit 5")
    ('80055501', 't1a2', None)
    """
    words = _WORDS.findall(text.casefold())
    if not any(word.isalpha() and len(word) > 1 for word in words):
        return None
    read = (_read(words, lexicon(language)) for language in LANGUAGES)
    return next((digits for digits in read if digits is not None), None)


def leading_number(words: list[str]) -> tuple[str, list[str]]:
    """The number, in digits, that some words in small letters begin with, and the words behind it.

    >>> leading_number(["eight", "double", "nine", "elm", "street"]), leading_number(["12b", "elm", "street"])
    (('899', ['elm', 'street']), ('12b', ['elm', 'street']))
    """
    count = next((i for i, word in enumerate(words) if not is_number_word(word)), len(words))
    if count:
        return spoken_digits(" ".join(words[:count])) or "".join(words[:count]), words[count:]
    if words and words[0][0].isdecimal():
        return words[0], words[1:]
    return "", words


@remembered
def is_number_word(word: str) -> bool:
    """Whether a word in small letters is digits or a number word of any language that is read.

    >>> is_number_word("four"), is_number_word("12"), is_number_word("mill")
    (True, True, False)
    """
    return word.isdecimal() or any(word in lexicon(language).numbers for language in LANGUAGES)


def _read(words: list[str], known: Lexicon) -> str | None:
    pieces: list[str] = []
    said: list[Said] = []
    for word in words:
        if word.isdecimal():
            said.append(Said(Part.FIGURES, word))
        elif word in known.numbers:
            said.append(known.numbers[word])
        elif len(word) == 1:
            pieces += (figures(said), word)
            said = []
        else:
            return None
    return "".join((*pieces, figures(said)))
