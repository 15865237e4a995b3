"""Trim streets: a number, some words and a word for a street; and two streets that meet."""

import re

from tacenda.transforms.detecting.word_lists import word_list

Range = tuple[int, int]

_TOKEN = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SENTENCE_ENDS = re.compile(r"[^\W\d_]{3}[.?!] ")
_AFTER_A_NUMBER = frozenset(("a", "the", "n", "s", "e", "w", "ne", "nw", "se", "sw"))
"""Everyday words that may stand between house number and street."""
_JOINING = frozenset(("and", "of", "the"))
_JOINT = re.compile(r" (?:and|&) ")
_MOST_WORDS = 5
"""Most words of the second of two streets."""


def numbered_street(text: str) -> Range | None:
    """A street from its house number; None if the words between them are not a street's.

    In "2 adults to 12 Oak Street" the address begins at 12; "10 percent of the way" has none.
    """
    tokens = list(_TOKEN.finditer(text))
    words = [token[0].lower() for token in tokens]
    rare = word_list("rare_street_suffixes")
    ends = (i for i in range(2, len(words)) if words[i] in rare or words[i] in word_list("street_suffixes"))
    for last in ends:
        if words[last] == "dr" and words[last - 1] in word_list("before_a_doctor"):
            continue
        first = 0
        for i in range(1, last):
            said = tokens[i][0]
            initial = len(said) == 1 and said.isupper()
            follows = words[i - 1][0].isdigit() and (initial or words[i] in _AFTER_A_NUMBER)
            numbered = words[i] == "second" and i == last - 1 and words[last] in ("street", "st", "avenue")
            is_word = words[i] in word_list("no_street") or said in word_list("no_spanish_street")
            sentence = _SENTENCE_ENDS.search(text, tokens[i].end() - 3, tokens[i + 1].start())
            if (is_word and not (follows or numbered or (initial and i == last - 1))) or sentence:
                first = next((j for j in range(i + 1, last - 1) if words[j][0].isdigit()), last)
        while first < last - 2 and words[first + 1][0].isdigit() and words[first + 2][0].isdigit():
            first += 1
        if last - first < 2 or not words[first][0].isdigit():
            continue
        if words[last] in rare and _YEAR.fullmatch(words[first]):
            return None
        return tokens[first].start() if first else 0, len(text)
    return None


def crossing(text: str) -> Range | None:
    """Two streets after "the corner of", up to the end of the second name; None if there are none."""
    joint = _JOINT.search(text)
    first = _TOKEN.findall(text[: joint.start()].partition(" of ")[2]) if joint else []
    if joint is None or not first or any(map(_is_no_street, first)):
        return None
    certain = any(word[0].isupper() or word[0].isdigit() or _ends_a_street(word) for word in first)
    end = taken = 0
    for token in list(_TOKEN.finditer(text, joint.end()))[:_MOST_WORDS]:
        word = token[0]
        closes = taken > 0 and (word[0].isdigit() or _ends_a_street(word.lower()))
        fits = closes or not word[0].islower() or word in word_list("street_particles") or text.islower()
        if _is_no_street(word) or not fits:
            break
        taken, end = taken + 1, token.end()
        if closes:
            return 0, end
    return (0, end) if taken and certain else None


def _is_no_street(word: str) -> bool:
    return word in word_list("no_street") and word not in _JOINING


def _ends_a_street(word: str) -> bool:
    return word in word_list("street_suffixes") or word.endswith(tuple(word_list("street_endings")))
