"""Lone capitals: the verdict of ``capitalised`` on runs of a single word, for a whole column at once.

Most runs are single words, and most of those that hold a name are judged by themselves and the words beside
them. Where more of the text counts (a phrase, a particle, the head of an organisation's name) the run is left
to be judged as any other. A rule that changes there changes here.
"""

import numpy as np

from tacenda.transforms.detecting.names.evidence import Evidence
from tacenda.transforms.detecting.names.facts import Flags
from tacenda.transforms.detecting.names.span import INFO_TYPES, ORGANIZATION, PERSON, PLACE, Spans
from tacenda.transforms.detecting.names.word_shapes import Numbers
from tacenda.transforms.schema.likelihood import Likelihood

_PERSON, _PLACE, _ORGANIZATION = map(INFO_TYPES.index, (PERSON, PLACE, ORGANIZATION))
_NOTHING = len(INFO_TYPES)
_UNLIKELY, _POSSIBLE, _LIKELY = map(int, (Likelihood.UNLIKELY, Likelihood.POSSIBLE, Likelihood.LIKELY))


def depends_on_more(evidence: Evidence, i: Numbers) -> Flags:
    """Which of some capitalised words may belong to something longer."""
    read = evidence.reading
    after = np.minimum(i + 1, len(read) - 1)
    particle = (evidence.given[i] > 0) & read.space[i] & evidence.is_in("particles")[after]
    head = evidence.is_in("organization_heads")[i] & read.space[i] & evidence.is_in("joiners")[after]
    more: Flags = evidence.phrase_opens[i] | head | particle
    return more


def lone_capitals(evidence: Evidence, i: Numbers) -> tuple[Spans, Numbers]:
    """The names among capitalised words that depend on no more, and the words still to be judged.

    Those are words that no list knows, names unless they end as a thing does.
    """
    read = evidence.reading
    given, family, place, word = evidence.given[i], evidence.family[i], evidence.place[i], evidence.word[i]
    opens, shouted, length = read.opens_sentence[i], read.shouted[i], read.length[i]
    answer = evidence.answers[i]
    no_word, before = word == 0, i - 1
    pointed = (i > 0) & evidence.leads("place_prepositions")[before]
    state = evidence.is_in("state_codes")[i]

    no_part = (word == 4) | np.where(
        opens,
        (word >= 2) | ((word == 1) & (given == 0) & (place == 0)),
        (word == 3) & ~evidence.is_in("organization_heads")[i] & ~evidence.opens[i],
    )
    dropped = no_part & ~(answer & (given > 0) & (word < 4))
    dropped |= evidence.is_in("field_labels")[i]
    dropped |= (word >= 3) & ~evidence.is_in("organization_ends")[i]

    is_state = shouted & (evidence.is_in("place_abbreviations")[i] | (~opens & pointed & state))
    company = evidence.organization[i] & no_word & (length > 3)
    head = np.where((i > 1) & evidence.is_in("joiners")[before], i - 2, before)
    eponym = ~opens & evidence.is_in("eponym_heads")[head]
    known = (given > 0) | ((family >= np.where(opens, 2, 1)) & (place == 0))
    ambiguous = (given >= 2) & (word > 0) & ((~opens & (word == 1)) | (evidence.cued[i] > 0))
    person = (known & no_word) | ambiguous
    person &= ~((place == 3) | ((place == 2) & (given < 2)) | (shouted & ((length < 4) | (given < 2))))
    short = shouted & (length < 4)
    trusted = word < np.where(opens, 2, 4)
    location = no_word | ((place >= 2) & trusted) | ((place == 3) & (word < 3)) | (pointed & (word < 3))
    location = np.where(short, (pointed & state) | (place == 3), (place > 0) & location)
    sure = ~short & ((place == 3) | pointed)

    languages = evidence.lexicon.languages
    language = read.language(i)
    spanish = language == languages.index("es")
    answered = answer & no_word & (length > 1)
    unknown = ~opens & no_word & (length > 3) & (language != languages.index("de"))
    there = unknown & pointed & ~spanish
    unknown &= ~read.camel[i]

    nothing = evidence.is_in("titles")[i]
    located = np.where(sure, _LIKELY, _POSSIBLE)
    rules = (
        (nothing, _NOTHING, _POSSIBLE),
        (is_state, _PLACE, _POSSIBLE),
        (dropped, _NOTHING, _POSSIBLE),
        (company, _ORGANIZATION, _POSSIBLE),
        (eponym, _NOTHING, _POSSIBLE),
        (person, _PERSON, _POSSIBLE),
        (location, _PLACE, located),
        (answered, _PERSON, _POSSIBLE),
        (there | unknown, _NOTHING, _POSSIBLE),
    )
    # The first rule that applies decides.
    first = np.select([applies for applies, _, _ in rules], list(range(len(rules))), len(rules))
    kinds = np.array([*(kind for _, kind, _ in rules), _NOTHING])[first]
    likelihoods = np.select(
        [first == k for k in range(len(rules))], [level for _, _, level in rules], _POSSIBLE
    )
    ends = _with_suffix(evidence, _with_state(evidence, i + 1, ~is_state), kinds == _PERSON)
    left = i[first == len(rules) - 1]
    return Spans(i, ends, kinds, likelihoods).filter(kinds != _NOTHING), left


def _with_state(evidence: Evidence, ends: Numbers, may_have: Flags) -> Numbers:
    """Through the state behind a city."""
    read = evidence.reading
    behind = np.minimum(ends, len(read) - 1)
    state = evidence.is_in("state_codes")[behind] & read.shouted[behind] & (ends < len(read))
    state &= (read.comma | read.space)[ends - 1] & (evidence.place[ends - 1] > 0)
    return ends + (state & may_have)


def _with_suffix(evidence: Evidence, ends: Numbers, is_person: Flags) -> Numbers:
    """Through the suffix behind a person."""
    read = evidence.reading
    behind = np.minimum(ends, len(read) - 1)
    suffix = evidence.is_in("suffixes")[behind] & (read.capital & read.cased)[behind] & (ends < len(read))
    return ends + (suffix & (read.comma | read.space)[ends - 1] & is_person)
