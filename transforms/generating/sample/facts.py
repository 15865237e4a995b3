"""Facts: values of personal data, before they are verbalised.

A fact has a canonical text. The voice decides how it is said (``4155550123`` in words, a date in one of ten
forms); the label of its gold span is decided here.
"""

import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import NamedTuple

from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.text.characters import slug


class Fact(NamedTuple):
    """Something to be said.

    ``kind`` determines how the voice says it, ``label`` is the gold infoType (empty if it is not personal
    data); facts with equal ``identity`` are the same entity.
    """

    kind: str
    label: str
    text: str
    identity: str


def fact(kind: str, label: str, text: str) -> Fact:
    """A fact identified by its own text."""
    return Fact(kind, label, text, f"{label}:{text}")


def organization(draw: Draw) -> str:
    """The name of a firm: usually invented, rarely a known one."""
    dice = draw.random()
    if dice < 0.50:
        form = draw.pick(inventory.organization_words("forms"))
        return f"{draw.pick(inventory.organization_words('stems'))} {form}"
    if dice < 0.62:
        return draw.pick(inventory.organization_words("stems"))
    if dice < 0.72:
        last = draw.pick(draw.pick(inventory.origin_wheel()).lasts)
        return f"{last} {draw.pick(inventory.organization_words('family_forms'))}"
    if dice < 0.90:
        return draw.pick(inventory.organization_words("standing"))
    return draw.pick(inventory.organization_words("known"))


def internal_number(draw: Draw, form: str, label: str) -> Fact:
    """A number that a firm issues itself, such as an order or a policy; ``form`` is one of ``codes.yaml``."""
    return fact("code", label, identifiers.patterned(draw, inventory.DATA.document("codes.yaml")[form]))


STROKES = str.maketrans(
    {"đ": "d", "Đ": "D", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ı": "i", "ð": "d", "æ": "ae"}
)


@cache
def folded(text: str) -> str:
    """Text without accents, as many recognisers write it.

    >>> folded("Øyvind Nguyễn")
    'Oyvind Nguyen'
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(STROKES))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _date(draw: Draw) -> Fact:
    month = draw.between(1, 12)
    day = draw.between(1, 28)
    year = f"{draw.pick((2022, 2023, 2024))}-" if draw.chance(0.25) else ""
    return fact("date", "DATE", f"{year}{month:02d}-{day:02d}")


def _weekday(draw: Draw) -> Fact:
    day = draw.pick(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))
    return fact("words", "DATE", day)


def _month(draw: Draw) -> Fact:
    months = ("January", "February", "April", "June", "July", "August", "September", "October", "November")
    return fact("words", "DATE", draw.pick(months))


def _amount(draw: Draw) -> Fact:
    dollars = draw.pick((draw.between(5, 99), draw.between(100, 999), draw.between(1000, 4999)))
    cents = draw.pick(("", "", ".50", ".99", ".25", f".{draw.between(1, 99):02d}"))
    return Fact("money", "", f"{dollars}{cents}", "")


def _number(draw: Draw) -> Fact:
    return Fact("count", "", str(draw.pick((draw.between(2, 12), draw.between(13, 99)))), "")


def _few(draw: Draw) -> Fact:
    return Fact("count", "", str(draw.between(2, 9)), "")


def _clock(earliest: int, latest: int) -> Callable[[Draw], Fact]:
    def make(draw: Draw) -> Fact:
        minute = draw.pick((0, 0, 0, 0, 15, 30, 30, 30, 45, 10, 20, 50))
        return fact("time", "TIME", f"{draw.between(earliest, latest):02d}:{minute:02d}")

    return make


def _url(draw: Draw) -> Fact:
    host = slug(draw.pick(inventory.organization_words("stems")))
    path = draw.pick(
        ("", "/help", "/signup", "/returns", "/portal", "/pricing", "/docs/start", "/account/reset")
    )
    start = draw.pick(("", "", "www.", "https://", "https://www."))
    return fact(
        "url", "URL", f"{start}{host}.{draw.pick(('example.com', 'example.org', 'example.net'))}{path}"
    )


@lru_cache(maxsize=1)
def _town_names() -> tuple[str, ...]:
    return tuple(town.name for town in inventory.towns())


@lru_cache(maxsize=1)
def _state_names() -> tuple[str, ...]:
    return tuple(town.region for town in inventory.towns())


def _choice(kind: str, label: str, items: Callable[[], tuple[str, ...]]) -> Callable[[Draw], Fact]:
    return lambda draw: fact(kind, label, draw.pick(items()))


def _code(form: str, label: str) -> Callable[[Draw], Fact]:
    return lambda draw: internal_number(draw, form, label)


FACTS: dict[str, Callable[[Draw], Fact]] = {
    "date": _date,
    "weekday": _weekday,
    "month": _month,
    "time": _clock(8, 18),
    "morning": _clock(8, 11),
    "afternoon": _clock(13, 17),
    "amount": _amount,
    "number": _number,
    "few": _few,
    "url": _url,
    "org": lambda draw: fact("words", "ORGANIZATION_NAME", organization(draw)),
    "known_org": _choice("words", "ORGANIZATION_NAME", partial(inventory.organization_words, "known")),
    "bank": _choice("words", "ORGANIZATION_NAME", partial(inventory.organization_words, "banks")),
    "shop": _choice("words", "ORGANIZATION_NAME", partial(inventory.organization_words, "shops")),
    "car": _choice("words", "PRODUCT", partial(inventory.organization_words, "cars")),
    "product": _choice("words", "PRODUCT", inventory.products),
    "medical": _choice("words", "MEDICAL_TERM", partial(inventory.organization_words, "medical")),
    "treatment": _choice("words", "MEDICAL_TERM", partial(inventory.organization_words, "treatments")),
    "project": _choice("words", "", partial(inventory.organization_words, "projects")),
    "city": _choice("words", "LOCATION", partial(inventory.places, "cities")),
    "country": _choice("words", "LOCATION", partial(inventory.places, "countries")),
    "area": _choice("words", "LOCATION", partial(inventory.places, "neighbourhoods")),
    "town": _choice("words", "LOCATION", _town_names),
    "state": _choice("words", "US_STATE", _state_names),
    "order": _code("order", "GENERIC_ID"),
    "ticket": _code("ticket", "GENERIC_ID"),
    "booking": _code("booking", "GENERIC_ID"),
    "invoice": _code("invoice", "GENERIC_ID"),
    "tracking": _code("tracking", "GENERIC_ID"),
    "ip": lambda draw: fact("network", "IP_ADDRESS", identifiers.ip_address(draw)),
    "mac": lambda draw: fact("network", "MAC_ADDRESS", identifiers.mac_address(draw)),
    "tollfree": lambda draw: fact("digits", "PHONE_NUMBER", identifiers.north_american_phone(draw, "800")),
    "vat": lambda draw: fact("code", "VAT_NUMBER", identifiers.vat_number(draw)),
    "swift": lambda draw: fact("code", "SWIFT_CODE", identifiers.swift_code(draw)),
    "coordinates": lambda draw: fact("network", "LOCATION_COORDINATES", identifiers.coordinates(draw)),
}
"""Values that a template can use without an owner: ``{date}``, ``{org}`` …"""
