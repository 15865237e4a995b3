"""Openings: the words at which the rules may find a name at all, told for whole columns.

The rules themselves go word by word, and most capitals and most rare words hold no name. What is here follows
the rules without the work on single words: it lets pass all that they would find and little else. It decides
nothing; a rule that becomes wider there becomes wider here.
"""

import numpy as np

from tacenda.transforms.detecting.names.evidence import Evidence
from tacenda.transforms.detecting.names.facts import Flags
from tacenda.transforms.detecting.names.word_shapes import Numbers

SHORT_ANSWER = 4
"""Words of a turn that may be nothing but a name and a number."""


def several_capitals(evidence: Evidence, starts: Numbers, ends: Numbers) -> Flags:
    """May a run of capitalised words hold a name: is any of them no title and no word of a sentence?"""
    read, given, word = evidence.reading, evidence.given, evidence.word
    plain = (word == 3) & ~evidence.is_in("organization_heads") & ~evidence.opens
    no_part = (word == 4) | np.where(read.opens_sentence, word >= 2, plain)
    no_part &= ~evidence.answers
    dull = evidence.is_in("titles") | (no_part & (given < 2) & ~read.hyphen)
    telling = np.append(0, np.cumsum(~dull | evidence.phrase_opens))
    found: Flags = telling[ends] > telling[starts]
    return found


def small_word(evidence: Evidence, i: Numbers) -> Flags:
    """May a word without a capital be the first of a name? See ``uncapitalised``."""
    read = evidence.reading
    given, family, place, word = evidence.given[i], evidence.family[i], evidence.place[i], evidence.word[i]
    breaks, cased, length = read.opens_sentence[i], read.cased[i], read.length[i]
    no_word, named = word == 0, given > 0
    before, after = i - 1, np.minimum(i + 1, len(read) - 1)
    family2, word2 = evidence.family[after], evidence.word[after]

    titled = (i > 0) & evidence.leads("titles")[before] & (read.dot[before] | ~breaks)
    cue = np.where(titled, 2, evidence.cued[i])
    pair = named & ((evidence.given[after] > 0) | (family2 > 0)) & (no_word | (word2 == 0))
    pair &= read.hyphen[i] & ~cased & (length <= 5) & (read.length[after] <= 5)
    pair |= read.pairs[i]
    goes_on = (read.length[after] == 1) | (word2 == 0)
    followed = (read.space[i] | read.hyphen[i]) & goes_on
    followed |= named & no_word & read.space[i] & (family2 == 3) & (word2 > 0) & (word2 < 4)
    alone = breaks & (read.size[read.cell[i]] <= SHORT_ANSWER)

    announced = (cue == 2) & (named | ((family >= 2) & (word < 2)) | no_word)
    announced |= (cue > 0) & ((named & (word < 2)) | ((family > 0) & no_word))
    surname = no_word & ~named & (family >= 2) & (followed | alone) & ~cased
    follows = ((evidence.word[before] < 4) & ~evidence.is_in("determiners")[before]) | evidence.is_in(
        "person_prepositions"
    )[before]
    first = no_word & (alone | followed | (given >= 1))
    first |= (word == 1) & (given == 3) & (breaks | follows)
    first |= (word < 3) & (given >= 2) & followed & (family2 >= 2)
    first &= named & ~(read.careful[i] & ~(no_word & (given >= 2) & followed & (family2 > 1)))
    first &= ~(cased & ~(no_word & (given >= np.where(followed, 2, 3))))
    person = announced | surname | first
    person &= (length >= 2) & (word < 4) & ~read.odd[i] & ~((place >= 2) & (cue == 0) & (given < 3))

    pointed = (i > 0) & evidence.leads("place_prepositions")[before]
    location = no_word & ((place >= 2) | (pointed & (place > 0)))
    company = evidence.organization[i] & no_word & (length > 3)
    found: Flags = evidence.phrase_opens[i] | pair | person | location | company
    return found
