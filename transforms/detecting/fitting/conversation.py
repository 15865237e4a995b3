"""Fit all findings of a conversation."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from tacenda.transforms.detecting.fitting.codes import digits_of_half, house_and_before, is_tag, trim_code
from tacenda.transforms.detecting.fitting.cues import typed_by_cue
from tacenda.transforms.detecting.fitting.edges import NAMES, PERSON, is_nothing, trim_name
from tacenda.transforms.detecting.fitting.firms import join_firms
from tacenda.transforms.detecting.fitting.forms import Before, typed_by_form
from tacenda.transforms.detecting.fitting.joint_names import join_listed
from tacenda.transforms.detecting.fitting.measurements import is_measurement
from tacenda.transforms.detecting.fitting.nordic_names import end_of_words
from tacenda.transforms.detecting.fitting.numbers import date_around, whole_number
from tacenda.transforms.detecting.fitting.ordinary_words import is_transcribers_mark, names_nothing
from tacenda.transforms.detecting.fitting.persons import split_persons
from tacenda.transforms.detecting.fitting.places import split_places, typed_as_place
from tacenda.transforms.detecting.fitting.postal_codes import postal_codes_with_places
from tacenda.transforms.detecting.fitting.requested_types import as_requested
from tacenda.transforms.detecting.fitting.segments import disjoint
from tacenda.transforms.detecting.fitting.single_numbers import one_security_number
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

_DATES = frozenset(("DATE", "DATE_OF_BIRTH"))
_UNTOUCHED = frozenset(("USER_NAME", "DATE", "DATE_OF_BIRTH", "TIME", "SPELLED_WORD"))

_CONTEXT = 24
"""Number of preceding cells that may identify a number."""

_OF_AGE = re.compile(r" (?:de edad|of age)$", re.IGNORECASE)
_PROCEDURE = re.compile(r"[A-ZÆØÅ]{3}[0-9]{2}")
"""A Nordic code of a procedure, as JUG05, which models take for a month and year."""
_ORDINAL = re.compile(r"[0-9]{1,2}(?:st|nd|rd|th)", re.IGNORECASE)


def fit_conversation(
    texts: Sequence[str],
    findings: Sequence[list[Finding]],
    rank: Mapping[str, int],
    asked: Collection[str] | None = None,
) -> list[list[Finding]]:
    """Fit the findings of one conversation; the result is disjoint and sorted by start in each cell.

    Args:
        texts: the cells.
        findings: those of each cell, in any order; they may overlap.
        rank: of each infoType, higher is better (``overlaps``).
        asked: the infoTypes that a finding may be given; None for any.
    """
    fitted = [
        _fit_cell(texts[i], cell, rank, partial(_before, texts, i)) if cell else cell
        for i, cell in enumerate(findings)
    ]
    one_security_number(texts, fitted)
    postal_codes_with_places(texts, fitted)
    if asked is not None:
        for i, cell in enumerate(findings):
            if cell:
                fitted[i] = as_requested(fitted[i], cell, rank, asked)
    return fitted


def _without_measure(text: str, finding: Finding) -> Finding:
    """Trim the words that only say it is an age: "61 años" of "61 años de edad"."""
    measure = _OF_AGE.search(text, finding.start, finding.end)
    return finding._replace(end=measure.start()) if measure and measure.start() > finding.start else finding


def _is_procedure(said: str) -> bool:
    months = word_list("months")
    return _PROCEDURE.fullmatch(said) is not None and not any(m.startswith(said[:3].lower()) for m in months)


def _before(texts: Sequence[str], i: int) -> Sequence[str]:
    return texts[:i] if i < _CONTEXT else texts[i - _CONTEXT : i]


def _fit_cell(
    text: str, findings: Sequence[Finding], rank: Mapping[str, int], before: Before
) -> list[Finding]:
    trimmed = [part for finding in findings for part in _parts(text, finding, before)]
    if len(trimmed) > 1:
        trimmed = join_firms(text, disjoint(text, trimmed, rank))
    trimmed = [typed_as_place(text, typed_by_cue(text, f)) for f in join_listed(text, trimmed)]
    trimmed = end_of_words(text, trimmed)
    if any(is_nothing(text, finding) for finding in trimmed):
        return [f for k, f in enumerate(trimmed) if not is_nothing(text, f) or _is_joint(text, trimmed, k)]
    return trimmed


def _is_joint(text: str, findings: Sequence[Finding], k: int) -> bool:
    """Whether a word such as "and" joins parts of one organisation's or place's name."""
    beside = [
        other
        for other, first, last in (
            (findings[k - 1], findings[k - 1].end, findings[k].start) if k else (None, 0, 0),
            (findings[k + 1], findings[k].end, findings[k + 1].start)
            if k + 1 < len(findings)
            else (None, 0, 0),
        )
        if other is not None and text[first:last] in (" ", ", ", "")
    ]
    return any(other.info_type != PERSON for other in beside)


def _parts(text: str, finding: Finding, before: Before) -> list[Finding]:
    info_type = finding.info_type
    if finding.start >= finding.end or is_transcribers_mark(text, finding) or is_measurement(text, finding):
        return []
    if info_type in NAMES:
        if names_nothing(text, finding):
            return []
        if info_type == PERSON:
            return [
                fitted
                for part in split_persons(text, finding)
                if (fitted := trim_name(text, part)) is not None
            ]
        fitted = trim_name(text, finding)
        return [] if fitted is None else split_places(text, fitted)
    if info_type == "NUMERIC":
        fitted = whole_number(text, finding)
        return [] if fitted is None or is_tag(text, fitted) else [fitted]
    if info_type == "AGE":
        return [] if date_around(text, finding) else [_without_measure(text, finding)]
    if (
        info_type == "DATE"
        and finding.detector == "model"
        and _is_procedure(text[finding.start : finding.end])
    ):
        return []
    if info_type in _DATES and (limits := date_around(text, finding)):
        return [finding._replace(start=limits[0], end=limits[1])]
    if info_type in _UNTOUCHED:
        return [finding]
    if info_type == "GENERIC_ID" and _ORDINAL.fullmatch(text, finding.start, finding.end):
        return []
    if info_type == "GENERIC_ID" and finding.detector == "model" and is_tag(text, finding):
        return []
    if info_type == "GENERIC_ID" and (digits := digits_of_half(text, finding)) is not None:
        return [digits]
    if info_type == "STREET_ADDRESS":
        number_end, start = house_and_before(text, finding)
        if start > finding.start:
            number = Finding(finding.start, number_end, "NUMERIC", Likelihood.POSSIBLE, finding.detector)
            return [number, trim_code(text, finding._replace(start=start))]
    return [typed_by_form(text, trim_code(text, finding), before)]
