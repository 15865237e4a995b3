"""Wholes and parts: organisations, addresses and numbers that are said again with less of them.

- An organisation by its first words, or by its last ones: *Dunder Mifflin* of *Dunder Mifflin Paper Company*.
  One word does only where it is first, and no word of a language; of the last words, one has to be none.
- An organisation by its initials, with and without its legal form: *DMPC*, *D-M-P-C*.
- An organisation or place by a form of its last word: *Helsingissä*, *Volvos*.
- An address without its number, and by its street alone: *the Maple Street one*; but not in another town.
- A number by its last four digits or more, or by a piece that was found because the number was. A group of
  digits that was found as something else (as a postal code) is a piece of it if it is its first or last five
  digits or more, or groups in which it is written; its infoType is that of the whole, then.

What may be a part of several is part of none: two banks that begin alike stay two, and so does a third that is
called by what they share.
"""

import re
from collections.abc import Hashable, Iterator, Mapping
from itertools import accumulate, pairwise
from typing import NamedTuple

from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.linking.inflected import Inflections
from tacenda.transforms.linking.normalising import identity, is_organization, street_word
from tacenda.transforms.linking.propagation.guards import facts
from tacenda.transforms.linking.propagation.known import kind_of
from tacenda.transforms.linking.spoken_digits import leading_number
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.characters import plain_letters

_COMMON = 2
"""The level from which on a word is too common to be a name by itself."""
_LEAST_WORD = 4
"""Letters of one word that stands for more."""
_LEAST_INITIALS, _MOST_INITIALS = 3, 6
_LAST_DIGITS = 4
"""Of the end of a number that stands for all of it."""
_LEAST_PIECE = 3
_LEAST_OTHER = 5
"""Of a piece that was found as something else, if it is no group of the number as written."""
_GROUPS = frozenset(("ZIP_CODE",))
"""InfoTypes of digits that are not compared as codes."""
_PLACE = re.compile(r"[^\W\d_]{3,}")
_LEAST_STEM = 2
"""Letters that a word has in common with its forms."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_GROUP = re.compile(r"\d+")
_LEAST_WHOLE = 7
"""Digits of a number that is said by a part of it."""
_MOST = 256
"""Values of one kind of a conversation that are compared; of more, none is."""
_SMALL_WORDS = frozenset(("of", "and", "the", "for", "&", "de", "la", "y", "och", "und", "et"))


class Value(NamedTuple):
    """A value of a conversation: its infoType, how it is written first, and whether it was found by another."""

    info_type: str
    text: str
    is_propagated: bool = False


class Part(NamedTuple):
    """A value that is a part of another, by their keys, and how it agrees (``names.yaml``)."""

    part: Hashable
    whole: Hashable
    how: str


class _Address(NamedTuple):
    """An address: its number in digits, the words of its street, and those of its town and what it is in."""

    number: str
    street: tuple[str, ...]
    places: frozenset[str]

    @property
    def length(self) -> tuple[int, bool, bool]:
        """How much it says."""
        return len(self.street), bool(self.number), bool(self.places)

    def may_be_in(self, other: "_Address") -> bool:
        """Whether no different towns are named."""
        return not (self.places and other.places) or not self.places.isdisjoint(other.places)


def parts(values: Mapping[Hashable, Value], inflections: Inflections | None = None) -> Iterator[Part]:
    """The values of a conversation that are parts of another one of it, by the keys of their entities."""
    if inflections is not None:
        yield from _of_forms(values, inflections)
    organizations: dict[Hashable, tuple[str, ...]] = {}
    addresses: dict[Hashable, _Address] = {}
    codes: dict[Hashable, Value] = {}
    for key, value in values.items():
        if is_organization(value.info_type):
            organizations[key] = tuple(identity(value.info_type, value.text)[1].split())
        elif kind_of(value.info_type) == "addresses":
            addresses[key] = _address(value.text)
        elif identity(value.info_type, value.text)[0] == "code" or value.info_type in _GROUPS:
            codes[key] = value
    if 1 < len(organizations) <= _MOST:
        yield from _of_organizations(organizations, values)
    if 1 < len(addresses) <= _MOST:
        yield from _of_addresses(addresses)
    if 1 < len(codes) <= _MOST:
        yield from _of_codes(codes)


def _of_forms(values: Mapping[Hashable, Value], inflections: Inflections) -> Iterator[Part]:
    alike: dict[tuple[object, ...], dict[Hashable, str]] = {}
    for key, value in values.items():
        kind, name = identity(value.info_type, value.text)
        if kind == "name":
            *words, last = plain_letters(name).split() or [""]
            begins = is_organization(value.info_type), *words, last[:_LEAST_STEM]
            alike.setdefault(begins, {})[key] = last
    for names in alike.values():
        if not 1 < len(names) <= _MOST:
            continue
        wholes = {
            key: [other for other, stem in names.items() if stem != word and inflections.is_form(word, stem)]
            for key, word in names.items()
        }
        for key, several in wholes.items():
            if len(several) == 1 and not wholes[several[0]]:
                yield Part(key, several[0], "inflected")


def _of_organizations(
    words: Mapping[Hashable, tuple[str, ...]], values: Mapping[Hashable, Value]
) -> Iterator[Part]:
    for part, short in words.items():
        if _written(values[part].text)[-1:] != short[-1:]:
            continue  # with its legal form, a name is whole
        wholes = sorted(
            (whole for whole, long in words.items() if _is_part(short, long)),
            key=lambda whole: len(words[whole]),
        )
        # Of Dunder, Dunder Mifflin and Dunder Mifflin Paper each is a part of the next.
        if wholes and all(_is_part(words[a], words[b]) for a, b in pairwise(wholes)):
            yield Part(part, wholes[0], "part")
        letters = "".join(re.split(r"[\W_]+", "".join(short)))
        is_short = len(short) == 1 or len(letters) == len(short)
        if not wholes and is_short and _LEAST_INITIALS <= len(letters) <= _MOST_INITIALS:
            wholes = [
                whole
                for whole, long in words.items()
                if whole != part and letters in _initials(long, _written(values[whole].text))
            ]
            if len(wholes) == 1:
                yield Part(part, wholes[0], "initials")


@remembered
def _written(name: str) -> tuple[str, ...]:
    """The words of an organisation in small plain letters, with its legal form."""
    words = plain_letters(name.casefold()).replace(",", " ").replace(".", "").split()
    return tuple(word for word in words if word[0].isalnum())


def _is_part(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    if len(short) >= len(long):
        return False
    if long[: len(short)] == short:
        return len(short) > 1 or (len(short[0]) >= _LEAST_WORD and not _is_common(short[0]))
    return len(short) > 1 and long[-len(short) :] == short and not all(map(_is_common, short))


def _is_common(word: str) -> bool:
    return max(facts(word).levels) >= _COMMON


@remembered
def _initials(known: tuple[str, ...], written: tuple[str, ...]) -> frozenset[str]:
    """The initials of the forms of a name of several words, with and without small words."""
    several = [words for words in (known, written) if len(words) > 1]
    return frozenset(
        "".join(word[0] for word in words if word not in small)
        for words in several
        for small in (frozenset[str](), _SMALL_WORDS)
    )


@remembered
def _address(text: str) -> _Address:
    first, _, rest = text.casefold().replace("\n", ",").partition(",")
    number, words = leading_number(first.replace(".", " ").replace("-", " ").split())
    if not number and words and words[-1][0].isdecimal():
        number = words.pop()
    # Findings may go on with the next words of a sentence, which are no town.
    places = {word for word in _PLACE.findall(plain_letters(rest)) if not _is_common(word)}
    return _Address(
        number, tuple(street_word(word) for word in words), frozenset(places - word_list("house_parts"))
    )


def _of_addresses(addresses: Mapping[Hashable, _Address]) -> Iterator[Part]:
    # The longest first; of those that say as much, the one that was said first.
    ranks = {key: (*one.length, -i) for i, (key, one) in enumerate(addresses.items())}
    for part, address in addresses.items():
        number, street, _ = address
        if len(street) < 2:
            continue
        wholes = [
            whole
            for whole, other in addresses.items()
            if ranks[whole] > ranks[part]
            and other.street[: len(street)] == street
            and number in ("", other.number)
            and address.may_be_in(other)
        ]
        numbers = {addresses[whole].number for whole in wholes} - {""}
        named = [addresses[whole] for whole in wholes if addresses[whole].places]
        if wholes and len(numbers) <= 1 and all(map(named[0].may_be_in, named) if named else ()):
            yield Part(part, max(wholes, key=lambda whole: bool(addresses[whole].number)), "without_number")


def _of_codes(codes: Mapping[Hashable, Value]) -> Iterator[Part]:
    digits = {key: _digits(value) for key, value in codes.items()}
    for part, short in digits.items():
        if not short:
            continue
        wholes = [
            whole
            for whole, long in digits.items()
            if len(long) >= _LEAST_WHOLE
            and len(long) > len(short)
            and (
                _is_piece(codes[part], short, long)
                if codes[whole].info_type == codes[part].info_type
                else _is_group(short, long, codes[whole].text)
            )
        ]
        wholes.sort(key=lambda whole: len(digits[whole]))
        if wholes and all(digits[whole] in digits[wholes[-1]] for whole in wholes):
            yield Part(part, wholes[-1], "piece")


def _is_group(short: str, long: str, written: str) -> bool:
    """Whether digits that were found as something else are rather a piece of a number."""
    if not _LAST_DIGITS <= len(short) <= len(long) - _LEAST_PIECE or _YEAR.fullmatch(short):
        return False
    if len(short) >= _LEAST_OTHER and (long.startswith(short) or long.endswith(short)):
        return True
    ends = [0, *accumulate(map(len, _GROUP.findall(written)))]
    return any(long.startswith(short, start) and start + len(short) in ends for start in ends)


def _is_piece(part: Value, short: str, long: str) -> bool:
    if len(short) >= _LAST_DIGITS and long.endswith(short):
        return True
    return part.is_propagated and len(short) >= _LEAST_PIECE and short in long


@remembered
def _digits_of(info_type: str, text: str) -> str:
    # Of a few digits, identity keeps what stands between them.
    value = "".join(filter(str.isalnum, identity(info_type, text)[1]))
    return value if value.isdecimal() else ""


def _digits(value: Value) -> str:
    return _digits_of(value.info_type, value.text)
