"""Shapes of codes, secrets, spelled words and user names, which have no checksums."""

import re
from itertools import pairwise

from tacenda.transforms.detecting.word_lists import is_everyday, word_list


def has_digit(text: str) -> bool:
    """At least one digit."""
    return any(c.isdigit() for c in text)


def has_digit_and_letter(text: str) -> bool:
    """Both digits and letters."""
    return any(c.isdigit() for c in text) and any(c.isalpha() for c in text)


def long_code(text: str) -> bool:
    """At least five letters and digits, with at least three digits: excludes counts as "and 12 boxes"."""
    return sum(map(str.isalnum, text)) >= 5 and sum(map(str.isdigit, text)) >= 3


def mixed_secret(text: str) -> bool:
    """Letters and a digit, with inner capitals or a special character: "Blu3Dolphin"."""
    signs = any(not c.isalnum() and c not in "-./:'" for c in text)
    cases = any(map(str.isupper, text)) and any(map(str.islower, text))
    return has_digit_and_letter(text) and (signs or cases)


def secret_length(text: str) -> bool:
    """At least four characters."""
    return len(text) >= 4


def code_in_pieces(text: str) -> bool:
    """Alternating letters and digits; not everyday words ("at 5", "10 am") or measures ("5 x 7")."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    joining = word_list("after_codes")
    goes_on = bool(words) and len(words[-1]) > 1 and words[-1] in joining and text[-1].isalpha()
    everyday = goes_on or any(map(is_everyday, words))
    return bool(words) and not everyday and not _MEASURES.search(text)


def answered_code(text: str) -> bool:
    """As ``code_in_pieces``, for a whole turn, where letters of a code may form a short word.

    Codes joined by "and" must each have letters and digits.
    """
    codes = re.split(r" (?:and|&) ", text.lower())
    return all(_is_answered_code(code, len(codes)) for code in codes)


def _is_answered_code(text: str, codes: int) -> bool:
    pieces = re.findall(r"\d+|[^\W\d_]+", text)
    words = [piece for piece in pieces if not piece.isdigit()]
    everyday = [word for word in words if is_everyday(word)]
    if _MEASURES.search(text) or not 0 < len(words) < len(pieces):
        return False
    if not everyday:
        return True
    if codes > 1 or any(len(word) > 2 or word in word_list("units") for word in everyday):
        return (
            len(pieces) == 2
            and _LABELLESS.fullmatch(text) is not None
            and words[0] not in word_list("no_code_prefixes")
        )
    return len(everyday) < len(words) and all(a.isdigit() != b.isdigit() for a, b in pairwise(pieces))


_LABELLESS = re.compile(r"[^\W\d_]{3} ?\d{6,12}")
_MEASURES = re.compile(r"\d ?[xX×] ?\d|\b(?:de|del|du|au|et|en|um|og|och|ja|und)\b \d")


def spelled(text: str) -> bool:
    """Single letters: at least two different ones, to exclude stutters as in I-I."""
    symbols = [c for c in text.casefold() if c.isalnum()]
    return len(set(symbols)) > 1 and any(c.isalpha() for c in symbols)


def spelled_apart(text: str) -> bool:
    """For letters separated by spaces: two different letters of one case, not consecutive in the alphabet."""
    letters = [c for c in text if c.isalpha()]
    one_case = len({c.isupper() for c in letters}) == 1
    row = all(ord(b) - ord(a) == 1 for a, b in pairwise(letters))
    return len(set(letters)) > 1 and one_case and not row


def user_name_shape(text: str) -> bool:
    """Letters with digits, an underscore, or capitals in unusual positions."""
    letters = sum(c.isalpha() for c in text)
    if letters < 2 or not user_name_length(text):
        return False
    digits = sum(c.isdigit() for c in text)
    inner_upper = any(c.isupper() for c in text[1:]) and any(c.islower() for c in text)
    return bool(digits) or "_" in text or inner_upper


def user_name_length(text: str) -> bool:
    """Four to forty characters, as most platforms allow."""
    return 4 <= len(text) <= 40
