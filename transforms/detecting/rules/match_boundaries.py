"""Trim a generous match to the value itself, such as a name after a cue.

IBAN lengths by country, so that a short word after an IBAN is not included.

Trim streets: a number, some words and a word for a street; and two streets that meet.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache

from tacenda.transforms.detecting.rules import public_functions
from tacenda.transforms.detecting.word_lists import is_everyday, word_list

_COUNTRY_AND_CHECK_DIGITS = 4
_COUNTS = re.compile(r"\d+")
_CHARACTER = re.compile(r"[A-Za-z0-9]")


def own_length(text: str) -> tuple[int, int]:
    """The range of the IBAN at the start of a text; all of it if the country is unknown or it is short."""
    length = _length_in(text[:2].upper())
    ends = [match.end() for match in _CHARACTER.finditer(text)]
    if length is None or len(ends) <= length or text[ends[length - 1]].isalnum():
        return 0, len(text)
    return 0, ends[length - 1]


@cache
def _length_in(country: str) -> int | None:
    """Length of a country's IBAN, from python-stdnum's copy of the IBAN registry."""
    from stdnum import numdb

    (_, known), *_ = numdb.get("iban").info(country)
    if "bban" not in known:
        return None
    return _COUNTRY_AND_CHECK_DIGITS + sum(map(int, _COUNTS.findall(known["bban"])))


Range = tuple[int, int]

_TOKEN = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SENTENCE_ENDS = re.compile(r"[^\W\d_]{3}[.?!] ")
_AFTER_A_NUMBER = frozenset(("a", "the", "n", "s", "e", "w", "ne", "nw", "se", "sw"))
"""Everyday words that may stand between house number and street."""
_JOINING = frozenset(("and", "of", "the"))
_JOINT = re.compile(r" (?:and|&) ")
_MOST_WORDS = 5  # most words of the second of two streets


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


_WORD = re.compile(r"[^\W\d_][^\s,;:!?\"()\[\]]*")
_VERBAL_ENDINGS = ("ing", "ed", "ly")
_LOWER_CASE_WORDS = 2  # most words of lower-case text (speech without casing) that a cue may mark as a name


def person_name(text: str) -> tuple[int, int] | None:
    """The range of the name at the start of ``text``, or None.

    Titles are skipped. Then come capitalised words with particles between them; in lower-case text at most
    two words. The name ends at a word that belongs to no name (an article, a verb, an adverb).
    """
    begin: int | None = None
    end = last = taken = 0
    cased: bool | None = None
    for match in _WORD.finditer(text):
        if taken and text[last : match.start()].strip(" .\t"):
            break
        last = match.end()
        word = match.group().rstrip(".'’-")
        lower = word.lower()
        if lower in word_list("name_particles") and (begin is not None or word[:1].isupper()):
            begin = match.start() if begin is None else begin
            continue
        if not taken and lower in word_list("titles"):
            continue
        if cased is None:
            cased = word[:1].isupper() or word[:1].lower() == word[:1].upper()
        possessive = word.endswith(("'s", "’s"))
        stem = word[:-2] if possessive else word
        if _is_no_name(stem, cased):
            break
        begin = match.start() if begin is None else begin
        end = match.start() + len(stem)
        taken += 1
        sentence_ends = match.group()[-1:] == "." and len(word) > 2
        if possessive or sentence_ends or (not cased and taken == _LOWER_CASE_WORDS):
            break
    return (begin, end) if begin is not None and taken and end - begin > 1 else None


def _is_no_name(word: str, cased: bool) -> bool:
    lower = word.lower()
    if cased and len(word) == 1 and word != "I":
        return False  # an initial
    if lower in word_list("name_particles") or lower in word_list("not_names"):
        return True
    if cased:
        return word[:1].islower()
    return lower.endswith(_VERBAL_ENDINGS) and lower not in word_list("names_with_verbal_endings")


_NEVER_TITLED = frozenset(("ever", "mayor", "my"))
"""Words that are names as well, and no name behind a title: "Mr Mayor"."""


def titled_name(text: str) -> tuple[int, int] | None:
    """As ``person_name``, after a title; in lower-case text, one word.

    With a capital, a word may be a name that is none elsewhere: Mr Still.
    """
    found = person_name(text)
    if found is None:
        first = _WORD.match(text)
        word = first[0].rstrip(".'’-") if first else ""
        is_name = word.lower() in word_list("names_that_are_words") and word.lower() not in _NEVER_TITLED
        return (first.start(), first.start() + len(word)) if first and is_name and word[0].isupper() else None
    start, end = found
    if text[start].islower():
        end = start + len(text[start:end].split()[0])
    return (start, end) if end - start > 1 else None


def name_without_office(text: str) -> tuple[int, int] | None:
    """A name with capitals without an office before it; None for an office alone: "Herr Direktor"."""
    offices = word_list("offices_addressed")
    for match in _WORD.finditer(text):
        if match[0].rstrip(".").lower() not in offices:
            return match.start(), len(text)
    return None


def introduced_name(text: str) -> tuple[int, int] | None:
    """The words in lower case at the start of ``text`` up to the first that hardly is a name."""
    end = 0
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if word not in word_list("name_particles"):
            if word in word_list("not_names_introduced") or is_everyday(word):
                break
            end = match.end()
    return (0, end) if end else None


def in_own_script(text: str) -> tuple[int, int] | None:
    """An address in ASCII without the letters of scripts without capitals that touch it on either side."""
    found = _ASCII_WITHIN.fullmatch(text)
    return found.span(1) if found else (0, len(text))


_UNCASED = "\u05d0-\u1fff\u3041-\ua63f\uac00-\ud7ff\uf900-\ufaff"
_ASCII_WITHIN = re.compile(rf"[{_UNCASED}]*([\x21-\x7e]+)[{_UNCASED}]*")


def address(text: str) -> tuple[int, int] | None:
    """An address up to the end of its sentence or clause; it has a digit and starts like an address."""
    stop = _ADDRESS_ENDS.search(text)
    kept = (text[: stop.start()] if stop else text).rstrip(" ,;.-")
    words = kept.lower().replace(",", " ").split()
    if words[:1] == ["no"] and words[1:2] and words[1][0].isdigit():
        words = words[1:]
    if not words or words[0] in word_list("not_names") or not any(c.isdigit() for c in kept):
        return None
    return len(kept) - len(kept.lstrip()), len(kept)


def spanish_age(text: str) -> tuple[int, int] | None:
    """An age in years; None if the context makes it a duration."""
    found = _YEARS.search(text)
    if found is None or text[: found.start()].strip():
        return None
    rest = text[found.end() :].lower()
    return found.span() if rest in _AFTER_AGE else None


_ADDRESS_ENDS = re.compile(
    r"[.;](?=\s*\n|\s*$|\s+(?:[A-Z]|and\b|i\b|my\b))"
    r"|,? (?:and|but|please|thanks|thank|is|so|which|(?:you )?can|i|my|y|for|contact|phone|ph|tel) ",
    re.IGNORECASE,
)
_YEARS = re.compile(
    r"(?:\d{1,3}|\b[^\W\d_]+(?: y [^\W\d_]+)?) años?(?: y \d{1,2} meses| y medio)?",
    re.IGNORECASE,
)
_AFTER_AGE = frozenset(
    (
        "",
        " de edad",
        " de raza",
        " de profesión",
        " de procedencia",
        " de origen",
        " de sexo",
        " de nacionalidad",
    )
)


def code(text: str) -> tuple[int, int] | None:
    """A run of digits and letters up to the first everyday word after a digit; at least two digits."""
    start = 0
    while (first := _LEADING_WORD.match(text, start)) and first[1].lower() in _NUMBER_WORDS:
        start = first.end()
    seen = False
    end = len(text)
    for piece in _PIECE.finditer(text):
        word = piece.group().lower()
        if word.isdigit():
            seen = True
        elif seen and _ends_a_code(word) and text[piece.start() - 1] == " ":
            end = piece.start()
            break
    end = start + len(text[start:end].rstrip(" -/"))
    figures = _FIGURES_AND_A_WORD.fullmatch(text, start, end)
    if figures:  # only digits, then a word that continues the sentence
        end = figures.end(1)
    return (start, end) if sum(c.isdigit() for c in text[start:end]) > 1 else None


_LEADING_WORD = re.compile(r"([^\W\d_]{2,4})[ ]")
_FIGURES_AND_A_WORD = re.compile(r"([\d /-]*\d) (?![bcdfghjklmnpqrstvwxz]+$)[^\W\d_]+", re.IGNORECASE)


_NUMBER_WORDS = frozenset(("id", "no", "nr"))
"""Words for a number; other short words before a code may be its letters."""


def _ends_a_code(word: str) -> bool:
    """Whether an everyday word ends a code; a word of two letters may also be part of one."""
    if len(word) < 3:
        return word in word_list("short_words") or word in word_list("after_codes")
    return is_everyday(word) or word in word_list("after_codes")


def date(text: str) -> tuple[int, int] | None:
    """A date without the words before it; None if month and day may be other words there."""
    start = len(text) - len(text.lstrip(" ,."))
    article = _ARTICLE.match(text, start)
    first = article.end() if article else start
    if _NO_DATE.fullmatch(text[first:]):
        return None
    return (first, len(text)) if first < len(text) else None


_ARTICLE = re.compile(
    r"(?:the|den|el|am|vom|zum|senast|idag|i dag|heute|tänään|huomenna|eilen|\w{3,6}taina|keskiviikkona),? ",
    re.IGNORECASE,
)
_NO_DATE = re.compile(
    r"(?:second|dos|tres|un|uno|una|andra|andre|to|first|third|\d{1,2}) (?:may|mar|mars|march)"
    r"|(?:may|mar|march|mars) (?:\d{1,2}|una?|dos|second|andra|andre|first)"
)
"""Not a day and a month: "the second may be", "march 2 or 3 miles"."""


_PIECE = re.compile(r"\d+|[^\W\d_]+")


TRIMMERS: Mapping[str, Callable[[str], tuple[int, int] | None]] = public_functions(__name__)
"""By the names used in infoType files; each returns a range within the given text, or None."""
