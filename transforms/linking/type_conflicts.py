"""Choose one infoType for text found under several, by the rules of ``type_conflicts.yaml``."""

import re
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.detecting.names.known_places import is_known_place
from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.names import parse_name
from tacenda.transforms.linking.normalising import is_of_people
from tacenda.transforms.linking.propagation.inflections import (
    Endings,
    every_language,
    inflecting,
    stems,
)
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_REACH = 40
"""Characters before a mention in which a cue may occur."""

_ORGANIZATION = "ORGANIZATION_NAME"
_DECISIVE = 1 << 20
"""Evidence that outweighs any number of findings."""

_ARTICLES = frozenset({"the", "a"})
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_STEM = 4
"""Fewest letters of a stem shared by two forms, if the stem itself is not mentioned."""

Form = tuple[str, str]
"""What makes two mentions the same words (``normalising.identity``)."""


def settle_info_types(
    mentions: Sequence[Mention],
    identities: Sequence[Form],
    texts: Sequence[str],
    asked: Collection[str] | None = None,
) -> list[str]:
    """The infoType of each mention of a conversation.

    Args:
        mentions: in the order of the conversation.
        identities: those of the mentions as they were found; mentions of one identity may dispute.
        texts: the cells.
        asked: infoTypes that mentions may be given besides those they were found under; None for any.
    """
    may_get = None if asked is None else {*asked, *(mention.info_type for mention in mentions)}
    types: list[str] = []
    forms: dict[Form, list[int]] = {}
    disputed: dict[Form, None] = {}
    sure: set[int] = set()
    organizations = _rules().organizations_by_cue
    for number, (mention, form) in enumerate(zip(mentions, identities, strict=True)):
        info_type, is_sure = mention.info_type, False
        if mention.finding is None or is_of_people(info_type) or info_type in organizations:
            info_type, is_sure = _by_itself(mention, texts[mention.cell], organizations)
        if may_get is not None and info_type not in may_get:
            info_type, is_sure = mention.info_type, False
        types.append(info_type)
        if is_sure:
            sure.add(number)
        alike = forms.setdefault(form, [])
        if alike and info_type != types[alike[0]]:
            disputed[form] = None
        alike.append(number)
    for form in disputed:
        _settle(forms[form], mentions, texts, types, sure)
    for alike in _inflected(forms, types, texts):
        _settle(alike, mentions, texts, types, sure)
    return types


def _inflected(
    forms: Mapping[Form, Sequence[int]], types: Sequence[str], texts: Sequence[str]
) -> list[list[int]]:
    """Mentions of each one-word name and its inflected forms, if they have several infoTypes."""
    single = {form: alike for form, alike in forms.items() if form[0] == "name" and " " not in form[1]}
    single = {form: alike for form, alike in single.items() if _WORD.fullmatch(form[1])}
    if len({types[alike[0]] for alike in single.values()}) < 2:
        return []
    # To tell the languages, all words are read; mostly, no two names share a stem in any language.
    if not any(
        len({types[single[form][0]] for form in several}) > 1
        for several in _by_stem(single, every_language()).values()
    ):
        return []
    languages = inflecting(set("\n".join(texts).lower().split()))
    if not languages:
        return []
    owners = _by_stem(single, languages)
    settled: list[list[int]] = []
    grouped: set[Form] = set()
    for stem, several in sorted(owners.items(), key=lambda one: (-len(one[1]), one[0])):
        group = [form for form in several if form not in grouped]
        if len(group) < 2 or (("name", stem) not in single and len(stem) < _LEAST_STEM):
            continue
        grouped.update(group)
        alike = sorted(number for form in group for number in single[form])
        if len({types[number] for number in alike}) > 1:
            settled.append(alike)
    return settled


def _by_stem(forms: Collection[Form], languages: tuple[Endings, ...]) -> dict[str, list[Form]]:
    """The forms of each stem that several of them share."""
    owners: dict[str, list[Form]] = {}
    for form in forms:
        for stem in (form[1], *stems(form[1], languages)):
            owners.setdefault(stem, []).append(form)
    return {stem: several for stem, several in owners.items() if len(several) > 1}


def _by_itself(mention: Mention, text: str, organizations: AbstractSet[str]) -> tuple[str, bool]:
    """The infoType of a mention on its own evidence, and whether that is decisive.

    ``organizations`` are the infoTypes of what a cue makes an organisation.
    """
    finding = mention.finding
    if finding is None:
        return _rules().labels.get(mention.info_type, mention.info_type), True
    if finding.info_type in organizations and is_organization_by_cue(finding, text):
        return _ORGANIZATION, True
    return mention.info_type, is_of_people(mention.info_type) and bool(parse_name(mention.text).title)


def _settle(
    alike: Sequence[int],
    mentions: Sequence[Mention],
    texts: Sequence[str],
    types: list[str],
    sure: AbstractSet[int],
) -> None:
    """Give mentions of one form the infoType with the most evidence, except those with their own cue."""
    weights: dict[str, int] = {}
    free: list[int] = []
    for number in alike:
        finding = mentions[number].finding
        info_type = types[number]
        weights.setdefault(info_type, 0)
        if number in sure or finding is None:
            weights[info_type] += _DECISIVE
        elif not has_cue(info_type, texts[mentions[number].cell], finding.start):
            weights[info_type] += evidence(finding.likelihood, finding.detector)
            free.append(number)
    if free:
        best = settled(weights)
        for number in free:
            types[number] = best


def evidence(likelihood: Likelihood, detector: str) -> int:
    """The evidence of one finding for its infoType."""
    weights = _rules().detectors
    return likelihood * weights.get(detector, weights["other"])


def has_cue(info_type: str, text: str, start: int) -> bool:
    """Whether the words directly before a mention indicate an infoType.

    >>> has_cue("LOCATION", "We flew to Jordan", 11), has_cue("LOCATION", "I spoke to Jordan", 11)
    (True, False)
    """
    cues = _rules().cues.get(info_type)
    if cues is None or not start:
        return False
    before = text[max(0, start - _REACH) : start]
    # Mostly, the last word is none of them.
    last = before.rsplit(None, 1)[-1:]
    if not last or ((word := last[0].casefold()) not in cues.last_words and word not in _ARTICLES):
        return False
    words = before.casefold().split()
    while words and words[-1] in _ARTICLES:
        words.pop()
    return bool(words) and words[-1] in cues.last_words and f" {' '.join(words)}".endswith(cues.phrases)


def is_organization_by_cue(finding: Finding, text: str) -> bool:
    """Whether a cue before a place or person, as found by the lists or a model, makes it an organisation.

    A place in the lists stays one: it may be where somebody is calling from.
    """
    start, end, info_type, _, detector = finding
    rules = _rules()
    return (
        info_type in rules.organizations_by_cue
        and detector in rules.detectors
        and has_cue(_ORGANIZATION, text, start)
        and not is_known_place(text[start:end])
    )


def settled(weights: Mapping[str, int]) -> str:
    """The infoType with the most evidence; ties go to the first in the list, catch-all types last."""
    rules = _rules()
    return min(weights, key=lambda name: (name in rules.catch_alls, -weights[name], rules.order(name), name))


class _Cues(NamedTuple):
    """``phrases`` begin with a space; ``last_words`` are their last words."""

    phrases: tuple[str, ...]
    last_words: frozenset[str]


class _Rules(NamedTuple):
    names: Sequence[str]
    detectors: Mapping[str, int]
    cues: Mapping[str, _Cues]
    organizations_by_cue: frozenset[str]
    labels: Mapping[str, str]
    catch_alls: frozenset[str]

    def order(self, name: str) -> int:
        return self.names.index(name) if name in self.names else len(self.names)


@built_once
def _rules() -> _Rules:
    data = parse_yaml(
        files("tacenda.transforms.linking").joinpath("type_conflicts.yaml").read_text(encoding="utf-8")
    )
    cues = {
        name: _Cues(
            tuple(f" {words}" for words in phrases), frozenset(words.split()[-1] for words in phrases)
        )
        for name, phrases in data["cues"].items()
    }
    return _Rules(
        data["names"],
        data["detectors"],
        cues,
        frozenset(data["organizations_by_cue"]),
        data["labels"],
        frozenset(data["catch_alls"]),
    )
