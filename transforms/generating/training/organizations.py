"""Generate organisation names from patterns, to teach the pattern (Ltd, University of, & Sons), not a list."""

import re
from functools import lru_cache

from tacenda.transforms.gazetteers.word_list import ORGANIZATIONS, rows
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import finnish, lists, names, places

_FILE = "organizations.yaml"
_WORDS = "words.yaml"
_LATIN_END = "\u024f"
_THRICE = re.compile(r"([a-zåäöø])\1\1")
_SLOT = re.compile(r"\{(\w+)\}")
_WORD_LISTS = ("business", "legal", "known", "thing_es", "field", "nation_es")


@lru_cache(maxsize=1)
def of_the_world() -> tuple[str, ...]:
    """Companies and universities from the gazetteer, capitalised."""
    return tuple(
        " ".join(w.upper() if len(w) < 3 else w.capitalize() for w in line.split())
        for (line,) in rows(ORGANIZATIONS)
        if 4 < len(line) < 28
        and max(line) <= _LATIN_END
        and line[0].isalpha()
        and not re.search(r"\d| gf ", line)
    )


def brand(draw: Draw) -> str:
    """An invented brand."""
    first = draw.pick(lists.listed(_FILE, "syllables", "first"))
    middle = draw.pick(lists.listed(_FILE, "syllables", "first")).lower() if draw.chance(0.25) else ""
    return f"{first}{middle}{draw.pick(lists.listed(_FILE, 'syllables', 'last'))}"


def _capitalised(words: str) -> str:
    return " ".join(word if word == "de" else word[:1].upper() + word[1:] for word in words.split(" "))


def _ordinary(draw: Draw, slot: str, tongue: str) -> str | None:
    """A word from a list of the language, capitalised if the slot is; None if there is no such list."""
    kind = slot[0].lower() + slot[1:]
    if kind not in lists.document(_WORDS).get(tongue, {}):
        return None
    word = draw.pick(lists.listed(_WORDS, tongue, kind))
    return _capitalised(word) if slot != kind else word


def _word(draw: Draw, slot: str, lang: str, tongue: str) -> str:
    ordinary = _ordinary(draw, slot, tongue)
    if ordinary is not None:
        return ordinary
    if slot in ("placeof", "lastof", "firstof"):
        return finnish.noun(_word(draw, slot[:-2], lang, tongue), "genitive")
    if slot == "ordinary":
        return organization(draw, "business", lang)
    if slot in _WORD_LISTS:
        return draw.pick(lists.listed(_FILE, slot))
    if slot == "brand":
        return brand(draw)
    if slot == "place":
        return places.city(draw, lang)
    if slot == "listed":
        return draw.pick(of_the_world())
    if slot == "acronym":
        return draw.letters(draw.between(2, 4), "ABCDEFGHIJKLMNOPRSTV")
    if slot == "nation":
        return draw.pick(lists.listed("things.yaml", "nationality", "en"))
    person = names.Person(draw, lang)
    return person.given if slot == "first" else person.family


def organization(draw: Draw, kind: str, lang: str = "en") -> str:
    """The name of an organisation of a kind such as ``bank`` or ``restaurant``, often with local patterns.

    Raises:
        KeyError: there is no such kind in ``organizations.yaml``.
    """
    document = lists.document(_FILE)
    patterns, tongue = document["kinds"][kind], "en"
    local = document["local"].get(lang, {}).get(kind)
    if local is not None and draw.chance(0.7):
        patterns, tongue = local, lang
    name = _SLOT.sub(lambda match: _word(draw, match.group(1), lang, tongue), draw.pick(patterns))
    return _THRICE.sub(r"\1\1", name)


@lru_cache(maxsize=1)
def kinds() -> tuple[str, ...]:
    """All kinds of organisation."""
    return tuple(lists.document(_FILE)["kinds"])
