"""Fit a generous match to the value itself, by the words within it and what stands around it.

Each public function takes a text and a match, and returns the range that replaces the match, or None if there
is no value. InfoType files call them by name (``fit``). Words of single languages are in ``languages/``.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, wraps

from tacenda.transforms.detecting.rules import public_functions
from tacenda.transforms.detecting.word_lists import is_everyday, language_pattern, word_list
from tacenda.transforms.storage.process_cache import built_once

Range = tuple[int, int]
Fit = Callable[[str, int, int], Range | None]


def _of_match(fitted: Callable[[str], Range | None]) -> Fit:
    """A function of the matched text alone as one of a text and a match."""

    @wraps(fitted)
    def fit(text: str, start: int, end: int) -> Range | None:
        found = fitted(text[start:end])
        return None if found is None else (start + found[0], start + found[1])

    return fit


_COUNTRY_AND_CHECK_DIGITS = 4
_CHARACTER = re.compile(r"[A-Za-z0-9]")


@_of_match
def own_length(text: str) -> Range | None:
    """The IBAN at the start of a text by its country's length, so that no short word after it is included."""
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
    counts = map(int, re.findall(r"\d+", known.get("bban", "")))
    return _COUNTRY_AND_CHECK_DIGITS + sum(counts) if "bban" in known else None


_TOKEN = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SENTENCE_ENDS = re.compile(r"[^\W\d_]{3}[.?!] ")
_JOINT = re.compile(r" (?:and|&) ")
_MOST_WORDS_OF_A_STREET = 5


@_of_match
def numbered_street(text: str) -> Range | None:
    """An English street from its house number; None if the words between them are not a street's.

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
            follows = words[i - 1][0].isdigit() and (initial or words[i] in word_list("after_house_numbers"))
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


@_of_match
def crossing(text: str) -> Range | None:
    """Two streets after "the corner of", up to the end of the second name; None if there are none."""
    joint = _JOINT.search(text)
    first = _TOKEN.findall(text[: joint.start()].partition(" of ")[2]) if joint else []
    if joint is None or not first or any(map(_is_no_street, first)):
        return None
    certain = any(word[0].isupper() or word[0].isdigit() or _ends_a_street(word) for word in first)
    end = taken = 0
    for token in list(_TOKEN.finditer(text, joint.end()))[:_MOST_WORDS_OF_A_STREET]:
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
    return word in word_list("no_street") and word not in word_list("within_streets")


def _ends_a_street(word: str) -> bool:
    return word in word_list("street_suffixes") or word.endswith(tuple(word_list("street_endings")))


_WORD = re.compile(r"[^\W\d_][^\s,;:!?\"()\[\]]*")
_VERBAL_ENDINGS = ("ing", "ed", "ly")
_LOWER_CASE_WORDS = 2  # most words of lower-case text (speech without casing) that a cue may mark as a name


def _person_name(text: str) -> Range | None:
    """The name at the start of a text.

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


person_name = _of_match(_person_name)


@_of_match
def titled_name(text: str) -> Range | None:
    """As ``person_name``, after a title; in lower-case text, one word.

    With a capital, a word may be a name that is none elsewhere: Mr Still.
    """
    found = _person_name(text)
    if found is None:
        first = _WORD.match(text)
        word = first[0].rstrip(".'’-") if first else ""
        is_name = word.lower() in word_list("names_that_are_words") - word_list("never_titled")
        return (first.start(), first.start() + len(word)) if first and is_name and word[0].isupper() else None
    start, end = found
    if text[start].islower():
        end = start + len(text[start:end].split()[0])
    return (start, end) if end - start > 1 else None


@_of_match
def name_without_office(text: str) -> Range | None:
    """A name with capitals without an office before it; None for an office alone: "Herr Direktor"."""
    offices = word_list("offices_addressed")
    names = (word for word in _WORD.finditer(text) if word[0].rstrip(".").lower() not in offices)
    return next(((word.start(), len(text)) for word in names), None)


@_of_match
def introduced_name(text: str) -> Range | None:
    """The words in lower case at the start of a text up to the first that hardly is a name."""
    end = 0
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if word not in word_list("name_particles"):
            if word in word_list("not_names_introduced") or is_everyday(word):
                break
            end = match.end()
    return (0, end) if end else None


@_of_match
def in_own_script(text: str) -> Range | None:
    """An address in ASCII without the letters of scripts without capitals that touch it on either side."""
    found = _ASCII_WITHIN.fullmatch(text)
    return found.span(1) if found else (0, len(text))


_UNCASED = "\u05d0-\u1fff\u3041-\ua63f\uac00-\ud7ff\uf900-\ufaff"
_ASCII_WITHIN = re.compile(rf"[{_UNCASED}]*([\x21-\x7e]+)[{_UNCASED}]*")


@_of_match
def code(text: str) -> Range | None:
    """A run of digits and letters up to the first everyday word after a digit; at least two digits."""
    start = 0
    while (first := _LEADING_WORD.match(text, start)) and first[1].lower() in word_list("words_for_numbers"):
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
    return (start, end) if sum(map(str.isdigit, text[start:end])) > 1 else None


_LEADING_WORD = re.compile(r"([^\W\d_]{2,4})[ ]")
_FIGURES_AND_A_WORD = re.compile(r"([\d /-]*\d) (?![bcdfghjklmnpqrstvwxz]+$)[^\W\d_]+", re.IGNORECASE)
_PIECE = re.compile(r"\d+|[^\W\d_]+")


def _ends_a_code(word: str) -> bool:
    """Whether an everyday word ends a code; a word of two letters may also be part of one."""
    everyday = word in word_list("short_words") if len(word) < 3 else is_everyday(word)
    return everyday or word in word_list("after_codes")


@_of_match
def date(text: str) -> Range | None:
    """A date without the words before it; None if month and day may be other words there."""
    start = len(text) - len(text.lstrip(" ,."))
    before, other_words = _around_dates()
    if article := before.match(text, start):
        start = article.end()
    return (start, len(text)) if start < len(text) and not other_words.fullmatch(text[start:]) else None


@built_once
def _around_dates() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before a date; and what is not a day and a month: "the second may be"."""
    before, month, day, day_behind = map(
        language_pattern, ("before_dates", "months_or_words", "days_or_words", "days_or_words_behind_months")
    )
    other_words = rf"(?:{day}|\d{{1,2}}) (?:{month})|(?:{month}) (?:\d{{1,2}}|{day_behind})"
    return re.compile(rf"(?:{before}),? ", re.IGNORECASE), re.compile(other_words)


_REACH = 40  # code points of context on either side of a match
_WHOLE = re.compile(r"\w+(?:[-/.,:'’\u00a0\u202f]\w+)*")
"""A number or code with the marks that join its parts."""

_JOINED = re.compile(r"[0-9]+(?:[-/:.][0-9]+)+")
_GROUPED = re.compile(r"[0-9]{1,3}(?:[.,'’\u00a0\u202f][0-9]{3})+(?:[.,][0-9]+)?|[0-9]+[.,][0-9]+")
"""Groups of thousands, or a decimal fraction."""

_THOUSANDS_BEFORE = re.compile(r"(?<![0-9])[0-9]{1,3}(?: [0-9]{3})* ?[,’']? $")
_THOUSANDS_AFTER = re.compile(r" ?[,’']?(?: [0-9]{3})* ?[,’']? 000(?![0-9])")
"""Groups of thousands with spaces, which end in zeros: other groups are a number that is read out."""

_ROUND_THOUSANDS = re.compile(r"[0-9]{1,3}(?: [0-9]{3})* 000")

_PART = r"[0-3]?[0-9]"
_CALENDAR_YEAR = r"(?:1[5-9]|20)[0-9]{2}"
_DATE = re.compile(
    rf"{_CALENDAR_YEAR}([-/.]){_PART}\1{_PART}(?:T.*)?|{_PART}([-/.]){_PART}\2{_CALENDAR_YEAR}"
    rf"|{_PART}/{_CALENDAR_YEAR}|{_CALENDAR_YEAR}[-–/]{_CALENDAR_YEAR}"
)
_IS_YEAR = re.compile(_CALENDAR_YEAR)

_CURRENCY_BEFORE = re.compile(
    r"(?:[$€£¥₹]|(?<![^\W\d_])(?:USD|EUR|SEK|NOK|DKK|GBP|CHF|INR|Rs\.?|kr\.?)) ?(?:[0-9]+[.,’' ]{0,3})*$",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"(?:[.,][0-9]+| [0-9]{1,2}(?![0-9]))? ?(?:([$€£¥₹%‰°])|([^\W\d_]+))")


def bare_number(text: str, start: int, end: int) -> Range | None:
    """The whole number that some digits belong to; None if it is an amount, a measure, a date or in a code.

    Speech recognition breaks up the numbers that people dictate; their rests are bare digits (NUMERIC). In
    written text the same digits are mostly part of an amount, a year or a name of a thing.

    >>> bare_number("B. 231 C. for A. two", 3, 6), bare_number("for 22 000 kr", 7, 10)
    ((3, 6), None)
    >>> bare_number("121-02", 0, 3)
    (0, 6)
    """
    first, last = max(start - _REACH, 0), end + _REACH
    before, after = text[first:start], text[end:last]
    near = text[first:last]
    if before[-1:].isspace() and (not after or after[:1].isspace()):
        whole_start, whole_end = start, end
    else:
        whole_start, whole_end = next(
            (first + m.start(), first + m.end()) for m in _WHOLE.finditer(near) if m.end() >= end - first
        )
    said = text[whole_start:whole_end]
    if not said.isdigit() and (
        _GROUPED.fullmatch(said) or _DATE.fullmatch(said) or not _JOINED.fullmatch(said)
    ):
        return None
    before = text[max(whole_start - _REACH, 0) : whole_start]
    after = text[whole_end : whole_end + _REACH]
    if _CURRENCY_BEFORE.search(before) or _is_counted(after):
        return None
    if (said == "000" and _THOUSANDS_BEFORE.search(before)) or _THOUSANDS_AFTER.match(after):
        return None
    # With words on both sides, or a bracket around: "in 2014 the club".
    if _IS_YEAR.fullmatch(said) and any(map(str.isalpha, before + after)):
        return None
    return whole_start, whole_end


def no_amount(text: str, start: int, end: int) -> Range | None:
    """The match, unless it is an amount of money, a measure or groups of thousands.

    >>> no_amount("it was 22 000", 7, 13), no_amount("it is 4471 0932", 6, 15)
    (None, (6, 15))
    """
    is_round = _ROUND_THOUSANDS.fullmatch(text, start, end) is not None
    before, after = text[max(start - _REACH, 0) : start], text[end : end + _REACH]
    return None if is_round or _CURRENCY_BEFORE.search(before) or _is_counted(after) else (start, end)


def _is_counted(after: str) -> bool:
    """Whether what stands behind a number is what numbers count and measure."""
    behind = _BEHIND.match(after)
    return behind is not None and (
        behind[1] is not None or behind[2].lower() in word_list("units", "counted")
    )


_LONGEST_INTRODUCTION = 40
_MOST_WORDS = 4
_MOST_JOINED = 3
_CLOSING = 4  # most code points of punctuation at the end of a turn
_FIRST_WORD = re.compile(r"([^\W\d_]+)[ ]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD_OR_DIGIT = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d")


def whole_turn(text: str, start: int, end: int) -> Range | None:
    """The match, if the turn contains nothing else but an introduction: "yes it is dk 99 h 9".

    Introductory words at the start of the match are cut off, and so may be a name joined by "and".
    """
    if start > _LONGEST_INTRODUCTION or len(text) - end > _CLOSING or _WORD_OR_DIGIT.search(text, end):
        return None
    while (first := _FIRST_WORD.match(text, start, end)) and first[1].lower() in word_list("introducing"):
        start = first.end()
    if start and text[start - 1] in "'’" and (cut := _FIRST_WORD.match(text, start, end)):
        start = cut.end()
    if not _LETTER.search(text, start, end):
        return None
    before = _WORD_OR_DIGIT.findall(text[:start].lower())
    introduced = len(before) <= _MOST_WORDS and (
        all(word in word_list("introducing") for word in before)
        or (before[-1] == "and" and len(before) <= _MOST_JOINED and not any(map(str.isdigit, before)))
    )
    return (start, end) if introduced else None


def whole_chain(text: str, start: int, end: int) -> Range | None:
    """The match, where no more groups are joined to it by colons, as in the fingerprint of a key."""
    return None if text[start - 1 : start] == ":" or _MORE_GROUPS.match(text, end) else (start, end)


_MORE_GROUPS = re.compile(r":[0-9A-Fa-f]{2}")


def not_dictated(text: str, start: int, end: int) -> Range | None:
    """The match, unless letters that a recogniser wrote with full stops stand beside it: "B. 231 C. for A.".

    Of a code written in such parts, only the bare digits are sure to be found again (NUMERIC).
    """
    before, after = _LETTER_BEFORE.search(text, max(start - 3, 0), start), _LETTER_AFTER.match(text, end - 1)
    return None if before or after else (start, end)


_LETTER_BEFORE = re.compile(r"(?<![^\W_])[A-Z]\. $")
_LETTER_AFTER = re.compile(r"(?<= )[A-Z]\. \w")


def at_a_pause(text: str, start: int, end: int) -> Range | None:
    """The match, if its clause ends or another matter follows: "at 8", not "at 8 places"."""
    return (start, end) if _pause().match(text, end) else None


@built_once
def _pause() -> re.Pattern[str]:
    following, numbers = map(language_pattern, ("after_a_pause", "numbers_of_an_hour"))
    return re.compile(
        rf"\s{{0,2}}(?:$|\n|[;?!)\]\"]|[.,:](?!\s?\d))"
        rf"| (?:{following})\b(?!(?<=or) (?:\d{{1,2}}|{numbers}) [^\W\d_])",
        re.IGNORECASE,
    )


def no_duration(text: str, start: int, end: int) -> Range | None:
    """An age in years, unless what stands around makes it a duration: "desde hace 40 años"."""
    before, behind = _durations()
    is_duration = before.search(text[max(start - _REACH, 0) : start]) or behind.match(text, end)
    return None if is_duration else (start, end)


@built_once
def _durations() -> tuple[re.Pattern[str], re.Pattern[str]]:
    before, behind = map(language_pattern, ("before_durations", "behind_durations"))
    return re.compile(rf"\b(?:{before}) $", re.IGNORECASE), re.compile(rf" (?:{behind})", re.IGNORECASE)


FITS: Mapping[str, Fit] = public_functions(__name__)
"""By the names used in infoType files."""
