"""Check whether the form of a finding fits its infoType, and choose another if it does not."""

import re
from collections.abc import Callable, Mapping, Sequence

from tacenda.transforms.detecting.fitting.words import words
from tacenda.transforms.detecting.rules.validators import luhn
from tacenda.transforms.detecting.word_lists import is_everyday, word_list
from tacenda.transforms.schema.finding import Finding

_WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]+)?")
_LONG_NUMBER = 12
"""Fewest written digits of a whole card number; shorter ones may be its last digits."""

_GROUPED_CARD = re.compile(r"[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}")
_LAST_DIGITS, _SHORTEST_PHONE = 4, 5
"""Digits of the end of a card or social security number, and fewest of a phone number without a cue."""

_PREFIX = re.compile(r"(?<![^\W_])([^\W\d_]{2,6})-$")

_PHONE_LABEL = re.compile(r"(?<=[0-9])[-–/](?!ext)[^\W\d_]{3,}$", re.IGNORECASE)
"""What kind of telephone a number is of: "833-719-3994-Fax"."""
_WHOLE_PHONE = 7
"""Fewest digits of a whole number, behind which letters are none of its digits: not 1-800-FLOWERS."""

_CUE_REACH = 120
"""Code points of context before a number, in its cell and in each preceding one, that may identify it."""
_YEAR = r"(?:19[0-9]{2}|20[0-3][0-9])"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12][0-9]|3[01])"
_DATE = re.compile(rf"{_MONTH}{_DAY}{_YEAR}|{_DAY}{_MONTH}{_YEAR}|{_YEAR}{_MONTH}{_DAY}")
_BEFORE_SIGN = re.compile(r"([^\s@]+) at (?=\S)")

Before = Callable[[], Sequence[str]]
"""Returns the cells just before the current one."""


def typed_by_form(text: str, finding: Finding, before: Before) -> Finding:
    """The finding with the infoType and edges that its form allows; usually unchanged."""
    check = _CHECKS.get(finding.info_type)
    return finding if check is None else check(text, finding, before)


def _email(text: str, finding: Finding, _: Before) -> Finding:
    """An e-mail address needs an "at" sign; with dots alone it is a domain, a URL or an IP address."""
    said = text[finding.start : finding.end]
    if "@" in said or "＠" in said:
        return finding
    spoken = said.lower().split()
    if not words("at_signs").isdisjoint(spoken):
        lead = _BEFORE_SIGN.match(text, finding.start, finding.end)
        if lead and (lead[1].lower() in words("before_at") or is_everyday(lead[1].lower())):
            return finding._replace(start=lead.end(), info_type="URL")
        return finding
    if "." not in said and words("dots").isdisjoint(spoken):
        return finding
    if any(provider in said.lower() for provider in words("mail_providers")):
        return finding
    preceding = text[max(finding.start - _CUE_REACH, 0) : finding.start].lower().split()[-1:]
    if preceding and (preceding[0] in words("at_signs") and not _leads_to_place(text, finding.start)):
        return finding
    if all(word in words("digits") or word in words("dots") or not word.isalpha() for word in spoken):
        is_ip = not any(
            map(str.isalpha, "".join(w for w in spoken if w not in words("digits") | words("dots")))
        )
        return finding._replace(info_type="IP_ADDRESS") if is_ip else finding
    return finding._replace(info_type="URL")


def _leads_to_place(text: str, start: int) -> bool:
    said = text[max(start - _CUE_REACH, 0) : start].lower().split()[-2:-1]
    return not said or said[0] in words("before_at") or is_everyday(said[0])


def _card(text: str, finding: Finding, before: Before) -> Finding:
    """A number is a card's by its checksum, its grouping or a cue.

    The last four digits need none of them, nor does a shorter number that is all of an answer.
    """
    said = text[finding.start : finding.end]
    digits = "".join(filter(str.isdigit, said))
    is_whole = len(digits) >= _LONG_NUMBER
    if is_whole and (luhn(digits) or _GROUPED_CARD.fullmatch(said)):
        return finding
    is_said_aside = finding.detector == "model" and said.isdigit() and said != text.strip()
    is_short = is_said_aside and len(said) != _LAST_DIGITS
    if not (is_whole or is_short) or _is_said(words("card_cues"), text, finding, before):
        return finding
    return finding._replace(info_type="GENERIC_ID") if is_whole else _numeric(finding)


def _url(text: str, finding: Finding, _: Before) -> Finding:
    """Digits alone are no address of a page."""
    said = text[finding.start : finding.end]
    return _numeric(finding) if finding.detector == "model" and said.isdigit() else finding


def _social_security(text: str, finding: Finding, before: Before) -> Finding:
    """Written digits next to words are not a social security number; nor are three without a cue."""
    said = text[finding.start : finding.end]
    if not any(map(str.isdigit, said)):
        return finding
    spoken = [word.lower() for word in _WORD.findall(said)]
    if all(word in words("digits") for word in spoken):
        is_short = _is_too_short(said, finding, _LAST_DIGITS)
        is_one = not is_short or _is_said(words("security_cues"), text, finding, before)
        return finding if is_one else _numeric(finding)
    is_street = not word_list("street_suffixes").isdisjoint(spoken)
    return finding._replace(info_type="STREET_ADDRESS" if is_street else "GENERIC_ID")


def _phone(text: str, finding: Finding, before: Before) -> Finding:
    """Eight digits may be a date, and a few digits any number, unless the context mentions phones."""
    said = text[finding.start : finding.end]
    if (label := _PHONE_LABEL.search(said)) and sum(map(str.isdigit, said)) >= _WHOLE_PHONE:
        finding, said = finding._replace(end=finding.start + label.start()), said[: label.start()]
    if _is_too_short(said, finding, _SHORTEST_PHONE):
        return finding if _is_said(words("phone_cues"), text, finding, before) else _numeric(finding)
    prefix = _PREFIX.search(text[max(finding.start - _CUE_REACH, 0) : finding.start])
    if prefix and said.isdigit() and prefix[1].lower() not in words("labels"):
        return finding._replace(info_type="GENERIC_ID")
    if not _DATE.fullmatch(said) or _is_said(words("phone_cues"), text, finding, before):
        return finding
    return finding._replace(info_type="DATE")


def _is_too_short(said: str, finding: Finding, least: int) -> bool:
    """Whether a model found it and it has fewer digits than any such number."""
    return finding.detector == "model" and said.isdigit() and len(said) < least


def _numeric(finding: Finding) -> Finding:
    return finding._replace(info_type="NUMERIC")


def _is_said(cues: frozenset[str], text: str, finding: Finding, before: Before) -> bool:
    near = text[max(finding.start - _CUE_REACH, 0) : finding.start]
    said = [near, *(cell[-_CUE_REACH:] for cell in before())]
    return not cues.isdisjoint(word.lower() for part in said for word in _WORD.findall(part))


_CHECKS: Mapping[str, Callable[[str, Finding, Before], Finding]] = {
    "EMAIL_ADDRESS": _email,
    "URL": _url,
    "CREDIT_CARD_NUMBER": _card,
    "US_SOCIAL_SECURITY_NUMBER": _social_security,
    "PHONE_NUMBER": _phone,
}
