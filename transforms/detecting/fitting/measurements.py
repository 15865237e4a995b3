"""Numbers that are nobody's: a blood pressure, laboratory values, hours of opening, a written date.

Detectors take "140/90" for a date of birth, "Na 135" for an identifier and "2024-03-18" behind "Contact" for a
phone. Only what a model found, or a rule at a low likelihood, is judged here: a rule that is sure has read a
cue. Who asks for dates gets them from the rules for dates.
"""

import re

from tacenda.transforms.detecting.word_lists import alternatives, word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once

_SYSTOLIC, _DIASTOLIC = range(60, 261), range(30, 161)
"""Pressures in mmHg. A first number above 31 is no day and no month."""

_REACH = 60
"""Code points of context on either side."""

_PRESSURE = re.compile(
    r"(?:\b(?:BP|TA|RR|blood pressure|blodtrykk?(?:et)?|blodtryck(?:et)?|blutdruck|tensión|presión arterial"
    r"|verenpaine)(?::| is| was| är| var| er| ist)? )?"
    r"(?<![\w/.,-])([0-9]{2,3})/([0-9]{2,3})(?![\w/-]|[.,][0-9])",
    re.IGNORECASE,
)
_HOURS = re.compile(r"24/7|50/50")
_BIRTH = re.compile(r"\b(?:birth|born|dob|född|født|gebor|geburt|nac|synty|né)", re.IGNORECASE)
_WRITTEN_DATE = re.compile(r"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
_DATES = frozenset(("DATE", "DATE_OF_BIRTH", "TIME"))
_OTHERS = frozenset(
    ("GENERIC_ID", "NUMERIC", "PHONE_NUMBER", "ZIP_CODE", "STREET_ADDRESS", "LOCATION", "ORGANIZATION_NAME")
)
_NAME = "PERSON_NAME"


def is_measurement(text: str, finding: Finding) -> bool:
    """Whether a finding is, or is a part of, such a number with the word before it."""
    kind = finding.info_type
    # "BUN 14 Cr 0.9" has a number and the abbreviation of a crescent.
    is_sure = finding.detector != "model" and finding.likelihood > Likelihood.POSSIBLE
    if is_sure and kind != "STREET_ADDRESS":
        return False
    if kind not in _DATES and kind not in _OTHERS and kind != _NAME:
        return False
    said = text[finding.start : finding.end]
    first = max(finding.start - _REACH, 0)
    near = text[first : finding.end + _REACH]
    if kind in _DATES and _HOURS.fullmatch(said):
        return not _BIRTH.search(near)
    if kind == "PHONE_NUMBER" and _WRITTEN_DATE.fullmatch(said):
        return True
    if not any(map(str.isdigit, near)):
        return False
    start, end = finding.start - first, finding.end - first
    return _is_pressure(near, start, end) or (kind not in _DATES and _is_result(near, start, end))


def _is_pressure(near: str, start: int, end: int) -> bool:
    return any(
        found.start() <= start and end <= found.end() and _is_plausible(int(found[1]), int(found[2]))
        for found in _PRESSURE.finditer(near)
    )


def _is_plausible(systolic: int, diastolic: int) -> bool:
    return systolic in _SYSTOLIC and diastolic in _DIASTOLIC and systolic > diastolic


def _is_result(near: str, start: int, end: int) -> bool:
    return any(found.start() <= start and end <= found.end() for found in _results().finditer(near))


@built_once
def _results() -> re.Pattern[str]:
    value = r"[<>]?[0-9]{1,3}(?:[.,][0-9]{1,3})?(?: ?%)?"
    one = rf"(?:{alternatives(word_list('analytes'))})[:=]? ?{value}(?![\w/-])"
    return re.compile(rf"(?<![\w-]){one}(?:[,;]? {one})*")
