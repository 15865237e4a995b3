"""Normalise mentions: two mentions with the same normal form are one entity.

The paper gives one number to "the same masked information" without defining when two strings are the same
(Gardiner et al., CALD-pseudo 2024, section 3). Here they are if they are equal after Unicode compatibility
folding, case folding and white-space folding; names are also compared without title and possessive; and text
in digits by its digits alone, since grouping does not change a phone number. ``identity.yaml`` says which
rule applies to which infoType.
"""

import itertools
import re
import unicodedata
from fnmatch import translate
from functools import lru_cache

from tacenda.transforms.linking.names import titles
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.storage.yaml_text import data_file
from tacenda.transforms.text.characters import plain_letters

_BARE = "NUMERIC"  # the infoType of numbers that nothing says what they are
_POSSESSIVE = re.compile(r"['’]s$")


def normalised_value(info_type: str, text: str) -> str:
    """The key of a mention within its infoType.

    >>> normalised_value("PHONE_NUMBER", "(555) 010-0199") == normalised_value("PHONE_NUMBER", "555 0100199")
    True
    >>> normalised_value("PERSON_NAME", "Pam's"), normalised_value("PERSON_NAME", "Dr. Rachel Green")
    ('pam', 'rachel green')
    """
    return _normalised(kind_of(info_type), text)


@remembered
def _normalised(kind: str, text: str) -> str:
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if kind in ("code", "spelled"):
        key = "".join(filter(str.isalnum if folded.isascii() else _is_part, folded))
        if kind == "code" and len(key) < _rules().least_code:
            key = _without_edges(folded)
    else:
        key = _without_edges(folded)
        if kind == "name":
            key = without_title(_POSSESSIVE.sub("", key))
    return key or folded


def without_title(name: str) -> str:
    """A lower-case name without the titles before it; a title on its own stays.

    >>> without_title("prof. dr. green"), without_title("dr")
    ('green', 'dr')
    """
    titled = _rules().titles.match(name)
    return name[titled.end() :] if titled and titled.end() < len(name) else name


def is_of_people(info_type: str) -> bool:
    """Whether an infoType covers names of people or parts of them."""
    return info_type in _rules().people


def identity(info_type: str, text: str) -> tuple[str, str]:
    """A key that is equal for mentions with the same words, even if found as names of different kinds.

    Its first part separates names, codes and everything else; for the latter, and for a few bare digits, which
    may be many things, it is the infoType.
    """
    kind, value = kind_of(info_type), normalised_value(info_type, text)
    if kind == "code":
        is_bare = info_type == _BARE and len(value) < _rules().least_code
        return info_type if is_bare else kind, value
    if kind != "name":
        return info_type, value
    return kind, _without_legal_form(value) if info_type in _rules().organizations else value


def _without_legal_form(name: str) -> str:
    """A lower-case organisation as people call it: Acme for Acme, Inc."""
    forms = _rules().legal_forms
    words = name.replace(",", " ").replace(".", "").split()
    if len(words) > 1 and words[0] == "the":
        del words[0]
    while len(words) > 1 and words[-1] in forms:
        words.pop()
    return plain_letters(" ".join(words))


def more_general(one: str, other: str) -> str:
    """The infoType of an entity found under two: the first of them in the list of people's infoTypes."""
    people = _rules().people
    return min((name for name in (one, other) if name in people), key=people.index, default=one)


def is_before_organization(before: str) -> bool:
    """Whether a text ends with words right before the name of an organisation.

    >>> is_before_organization("This is Pam calling from the "), is_before_organization("from ")
    (True, False)
    """
    return before[-1:].isspace() and _rules().before_organizations.search(before) is not None


class _Rules:
    """What ``identity.yaml`` has."""

    def __init__(self) -> None:
        data = data_file("tacenda.transforms.linking", "identity.yaml")
        self.people = tuple(data["people"])
        self.names, self.organizations, self.spelled = map(
            frozenset, (data["names"], data["organizations"], data["spelled"])
        )
        self.legal_forms = frozenset(data["legal_forms"].split())
        self.codes = re.compile("|".join(map(translate, data["codes"])))
        self.least_code: int = data["least_code"]
        self.titles = re.compile(rf"(?:(?:{'|'.join(map(re.escape, sorted(titles())))})(?:\.\s*|\s+))+")
        before = "|".join(data["before_organizations"])
        self.before_organizations = re.compile(rf"\b(?:{before})\s+(?:(?:the|a)\s+)?$", re.IGNORECASE)


_rules = built_once(_Rules)


@lru_cache(maxsize=1024)
def kind_of(info_type: str) -> str:
    """How what an infoType covers is compared: as a ``name`` (of people, organisations, places or products), as
    a ``code``, as ``spelled`` letters, which may be any name, or as ``text``.
    """
    rules = _rules()
    if info_type in rules.names:
        return "name"
    if info_type in rules.spelled:
        return "spelled"
    return "code" if rules.codes.fullmatch(info_type) else "text"


def _without_edges(text: str) -> str:
    is_bare = text[:1].isalnum() and text[-1:].isalnum()
    return text if is_bare else text.strip("".join(itertools.filterfalse(_is_part, text)))


def _is_part(character: str) -> bool:
    """Whether a character is a letter, digit or combining mark (vowels of many scripts), not punctuation."""
    return character.isalnum() or unicodedata.category(character)[0] == "M"
