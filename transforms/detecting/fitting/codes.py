"""Edges of numbers and codes: drop the words that introduce them."""

import re

from tacenda.transforms.detecting.fitting.words import words
from tacenda.transforms.detecting.spoken.lexicon import Part, lexicon
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once

_LEADING = re.compile(r"([^\W\d_]+(?:['’][^\W\d_]+)?)[.,:]? +(?=\S)")
_HALF_A_WORD = 2
_NAMED = re.compile(r"\baddress(?: is)?[ :]+(?=\S)", re.IGNORECASE)
_DICTATED = re.compile(r"[A-Z]\. ([0-9]{3,})(?: [A-Z]\.?)+")
_TAG = re.compile(r"([A-Z]{1,2})[ -]?[0-9]{1,4}[A-Z]?")
_NOUN = re.compile(r"(?<![^\W_])([^\W\d_]{3,}) $")
_LONGEST_NOUN = 24
_TOO_LONG = re.compile(r"[0-9]{7,}[ ,]+(?=[^\W_])")
_NO_HOUSE_NUMBER = 7
"""Fewest digits of a number that is no house number."""


def _is_filler(text: str, word: re.Match[str]) -> bool:
    """Whether "oh" before a written number is an interjection, not a zero."""
    return word[1].lower() == "oh" and text[word.end()].isdigit()


def house_and_before(text: str, finding: Finding) -> tuple[int, int]:
    """The end of a number before an address that is not part of it, and the start of the address.

    Both are the start of the finding if there is no such number.

    >>> finding = Finding(0, 31, "STREET_ADDRESS", Likelihood.LIKELY, "model")
    >>> house_and_before("7448900955 12 mill road hadley ma", finding)
    (10, 11)
    """
    start, end = finding.start, finding.end
    before = _NAMED.search(text, start, end) or _TOO_LONG.match(text, start, end)
    if before is None or sum(map(str.isdigit, text[start : before.end()])) < _NO_HOUSE_NUMBER:
        return start, start
    last = before.end()
    while not text[last - 1].isdigit():
        last -= 1
    return last, before.end()


def digits_of_half(text: str, finding: Finding) -> Finding | None:
    """The digits of a code that was found in half, as NUMERIC; None if it is whole.

    A recogniser wrote it letter by letter with full stops, and then a digit as the word that it sounds like. A
    half under the name of a code would be read as all of it, so that only its digits are replaced (Gardiner et
    al., CALD-pseudo 2024, Table 2).

    >>> text = "It's B. 231 C. for A. two."
    >>> half = digits_of_half(text, Finding(5, 14, "GENERIC_ID", Likelihood.LIKELY, "model"))
    >>> text[half.start : half.end], half.info_type
    ('231', 'NUMERIC')
    """
    half = _DICTATED.fullmatch(text, finding.start, finding.end)
    if half is None or not _goes_on().match(text, finding.end):
        return None
    return Finding(half.start(1), half.end(1), "NUMERIC", Likelihood.POSSIBLE, finding.detector)


def is_tag(text: str, finding: Finding) -> bool:
    """Whether a short code is the tag of a thing that it abbreviates: "valve V-204", "pump P12".

    Tags of equipment begin with a letter for what it is (ANSI/ISA-5.1). Codes after any other word stay codes:
    "customer C-204", and also what no list knows, as "requisition R-204".

    >>> for text in ("valve V-204 leaks", "claim C-204 is open", "my code is C-204"):
    ...     start = text.index("-") - 1
    ...     print(is_tag(text, Finding(start, start + 5, "GENERIC_ID", Likelihood.LIKELY, "model")))
    True
    False
    False
    """
    tag = _TAG.fullmatch(text, finding.start, finding.end)
    before = _NOUN.search(text, max(0, finding.start - _LONGEST_NOUN), finding.start) if tag else None
    if tag is None or before is None or before[1].lower() not in words("equipment"):
        return False
    return before[1].lower().startswith(tag[1].lower())


@built_once
def _goes_on() -> re.Pattern[str]:
    heard = (word for word, said in lexicon("en").numbers.items() if said.part is Part.MISHEARD)
    return re.compile(rf"\.? (?:{'|'.join(sorted(heard))}) [A-Z]\. ")


def trim_code(text: str, finding: Finding) -> Finding:
    """A number or code without the words before it ("says 3-0-8", "It's 925-961-9090")."""
    start, end = finding.start, finding.end
    if not text[start].isalpha():
        return finding
    lead = words("before_addresses" if finding.info_type == "STREET_ADDRESS" else "before_codes")
    while word := _LEADING.match(text, start, end):
        half = start > 0 and text[start - 1] in "'’" and len(word[1]) <= _HALF_A_WORD
        if not half and word[1].lower() not in lead and not _is_filler(text, word):
            break
        start = word.end()
    return finding if start == finding.start else finding._replace(start=start)
