"""Street addresses: another number, another street of the same kind, and nearby places."""

import re
from functools import lru_cache
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.lists import document
from tacenda.transforms.replacing.surrogates.number_words import NumberWords, number_words_for
from tacenda.transforms.replacing.surrogates.places import place
from tacenda.transforms.replacing.surrogates.symbols import read_symbols
from tacenda.transforms.replacing.surrogates.writing import in_case_of, without_accents
from tacenda.transforms.storage.process_cache import built_once

_TRIES = 20
_PIECE = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[\W_]+")


def street_address(context: Context, text: str) -> str | None:
    """Another address in the same form; None if none of it could be changed."""
    pieces = _PIECE.findall(text)
    words = number_words_for([piece.lower() for piece in pieces])
    out: list[str] = []
    run: list[str] = []
    named = False
    for piece in [*pieces, ""]:
        if piece and _goes_on(piece, run, words):
            run.append(piece)
            continue
        if run:
            named = _flush(context, run, out, named, words)
            run = []
        if piece and (_is_said(piece, words) or _is_name(piece, words)):
            run = [piece]
        elif piece:
            out.append(piece)
    value = "".join(out)
    return None if value == text else value


def _goes_on(piece: str, run: list[str], words: NumberWords) -> bool:
    if not run:
        return False
    if not piece.strip(" -"):
        return True
    last = next((word for word in reversed(run) if word.strip(" -")), "")
    return (_is_said(piece, words) and _is_said(last, words)) or (
        _is_name(piece, words) and _is_name(last, words)
    )


def _is_said(piece: str, words: NumberWords) -> bool:
    return piece.isdigit() or words.knows(piece.lower()) or (len(piece) == 1 and piece.isalpha())


def _is_name(piece: str, words: NumberWords) -> bool:
    return piece[:1].isalpha() and not _is_said(piece, words) and piece.lower() not in _kinds()


def _flush(context: Context, run: list[str], out: list[str], named: bool, words: NumberWords) -> bool:
    """Write a run of numbers or names; returns whether the street has its name now."""
    tail = ""
    while not run[-1].strip(" -"):
        tail = run.pop() + tail
    text = "".join(run)
    if _is_said(run[0], words):
        out += [_number(context, text), tail]
        return named
    if named:
        out += [place(context, text) or text, tail]
        return True
    out += [_street(context, text), tail]
    return True


def _number(context: Context, text: str) -> str:
    written = read_symbols(text)
    draw = context.draws.draw("house", written.symbols)
    for _ in range(_TRIES):
        new = "".join(
            draw.letters(1).lower() if c.isalpha() else _digit(c, i == 0, len(written.symbols), draw)
            for i, c in enumerate(written.symbols)
        )
        if new != written.symbols:
            return written.with_symbols(new)
    return text


def _digit(digit: str, leads: bool, count: int, draw: Draw) -> str:
    if leads and digit == "0" and count > 1:
        return digit
    return str(draw.between(1 if leads else 0, 9))


def _street(context: Context, text: str) -> str:
    low = text.lower()
    suffix = next(
        (end for end in _suffixes(context.language) if low.endswith(end) and len(low) > len(end) + 1), ""
    )
    draw = context.draws.draw("street", text.lower())
    if suffix not in context.streets:
        names = _compounds(suffix) if suffix else _names(context.language)
        left = [name for name in names if not context.taken.is_word(name + suffix)]
        context.streets[suffix] = left or names
    name = draw.pick(context.streets[suffix])
    if suffix:
        name += text[-len(suffix) :].lower() if not text.isupper() else suffix
    return in_case_of(text, name if context.writes_accents else without_accents(name))


@built_once
def _data() -> Any:
    return document("streets.yaml")


@built_once
def _kinds() -> frozenset[str]:
    english = {word.lower() for word in inventory.places("street_kinds")}
    return frozenset((*english, *_data()["kinds"].split()))


@lru_cache(maxsize=16)
def _suffixes(language: str) -> tuple[str, ...]:
    """Endings of street names in a language, and those of others that are too long to occur by chance."""
    suffixes = [
        suffix
        for own, entry in _data()["compounds"].items()
        for suffix in entry["suffixes"].split()
        if own == language or suffix in _data()["anywhere"].split()
    ]
    return tuple(sorted(suffixes, key=lambda suffix: -len(suffix)))


def _compounds(suffix: str) -> tuple[str, ...]:
    return next(
        tuple(entry["names"].split())
        for entry in _data()["compounds"].values()
        if suffix in entry["suffixes"].split()
    )


def _names(language: str) -> tuple[str, ...]:
    names = _data()["names"].get(language)
    return tuple(name.strip() for name in names.split(",")) if names else _english()


@built_once
def _english() -> tuple[str, ...]:
    return tuple(name for name in inventory.places("streets") if name.isascii() and " " not in name)
