"""Given names: nicknames (``detecting/languages/*/nicknames.yaml``), and the gender of their bearers."""

from collections.abc import Mapping

from tacenda.transforms.detecting.word_lists import languages_with
from tacenda.transforms.gazetteers.word_list import genders
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.text.characters import plain_letters

_NONE: frozenset[str] = frozenset()


def same_given_name(a: str, b: str) -> bool:
    """Whether two given names may be the same person's, regardless of case and accents.

    They may if they are equal, if one is a short form of the other, or if both are short forms of one name. A
    short form of several names matches each of them, but those names do not match each other.

    >>> same_given_name("Bob", "Robert"), same_given_name("Bob", "Robbie"), same_given_name("Pepe", "José")
    (True, True, True)
    >>> same_given_name("Alex", "Alexandra"), same_given_name("Alexander", "Alexandra")
    (True, False)
    """
    first, second = plain_letters(a), plain_letters(b)
    return first == second or second in other_forms(first)


@remembered
def other_forms(name: str) -> frozenset[str]:
    """Every other name for which :func:`same_given_name` is true.

    >>> "bill" in other_forms("Will"), "william" in other_forms("Will"), "alexandra" in other_forms("Alexander")
    (True, True, False)
    """
    plain = plain_letters(name)
    formal = _formal_names().get(plain, _NONE)
    short = _short_forms()
    return (short.get(plain, _NONE) | formal).union(*(short[one] for one in formal)) - {plain}


@remembered
def gender_of(given: str) -> str:
    """``f`` or ``m`` for a folded given name that hardly anybody of the other gender bears; otherwise empty.

    A short form has a gender only if all the names that it stands for have the same.

    >>> gender_of("maria"), gender_of("robin"), gender_of("alex"), gender_of("m")
    ('f', '', '', '')
    """
    known = {genders().get(name, "n") for name in (given, *_formal_names().get(given, ()))}
    return known.pop().rstrip("n") if len(known) == 1 else ""


@built_once
def _short_forms() -> Mapping[str, frozenset[str]]:
    """Names to their short forms, in all languages."""
    forms: dict[str, set[str]] = {}
    for names in languages_with("nicknames").values():
        for name, short in names.items():
            forms.setdefault(plain_letters(name), set()).update(map(plain_letters, short.split()))
    return {name: frozenset(short) - {name} for name, short in forms.items()}


@built_once
def _formal_names() -> Mapping[str, frozenset[str]]:
    """Short forms to the names they abbreviate."""
    formal: dict[str, set[str]] = {}
    for name, short in _short_forms().items():
        for one in short:
            formal.setdefault(one, set()).add(name)
    return {short: frozenset(names) for short, names in formal.items()}
