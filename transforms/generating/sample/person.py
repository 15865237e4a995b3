"""Person: a speaker or somebody mentioned, whose data are generated on first use."""

import unicodedata
from collections.abc import Callable
from functools import cache
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


def _listed(label: str, file: str, *keys: str) -> Callable[[Draw], Fact]:
    """One of a list of the data folder."""
    return lambda draw: fact("words", label, draw.pick(inventory.DATA.listed(file, *keys)))


def _of_town(label: str, what: Callable[[inventory.Town], str]) -> Callable[[Draw], Fact]:
    return lambda draw: fact("words", label, what(draw.pick(inventory.towns())))


def _code(form: str, label: str) -> Callable[[Draw], Fact]:
    return lambda draw: internal_number(draw, form, label)


FACTS: dict[str, Callable[[Draw], Fact]] = {
    "date": _date,
    "time": _clock(8, 18),
    "morning": _clock(8, 11),
    "afternoon": _clock(13, 17),
    "amount": _amount,
    "number": _number,
    "few": _few,
    "url": _url,
    "org": lambda draw: fact("words", "ORGANIZATION_NAME", organization(draw)),
    "product": lambda draw: fact("words", "PRODUCT", draw.pick(inventory.products())),
    "town": _of_town("LOCATION", lambda town: town.name),
    "state": _of_town("US_STATE", lambda town: town.region),
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
    **{name: _listed(*where) for name, where in inventory.DATA.document("facts.yaml").items()},
}
"""Values that a template can use without an owner: ``{date}``, ``{org}`` …"""


PRESENT_YEAR = 2024
"""The year of every call, so that ages agree with dates of birth."""
MAIL_HOSTS = ("example.com", "example.org", "example.net", "mail.example.com", "post.example.org")


class Person:
    """An invented person; facts once generated stay the same for the whole conversation."""

    __slots__ = ("_facts", "draw", "first", "last", "number", "town")

    def __init__(self, draw: Draw, number: int, last: str | None = None) -> None:
        origin = draw.pick(inventory.origin_wheel())
        self.draw = draw
        self.number = number
        self.first = draw.pick(origin.firsts)
        if last is None:
            # Families move and marry: one in twelve has a family name of another origin.
            last = draw.pick((draw.pick(inventory.origin_wheel()) if draw.chance(0.08) else origin).lasts)
        self.last = last
        self.town: inventory.Town | None = None
        self._facts: dict[str, Fact] = {}

    def fact(self, attribute: str) -> Fact:
        """A fact about this person.

        Raises:
            KeyError: no person has such an attribute (see ``ATTRIBUTES``).
        """
        known = self._facts.get(attribute)
        if known is None:
            known = self._facts[attribute] = ATTRIBUTES[attribute](self)
        return known

    def home(self) -> inventory.Town:
        """The town where the person lives."""
        if self.town is None:
            canadian = self.draw.chance(0.15)
            self.town = self.draw.pick(inventory.canadian_towns() if canadian else inventory.towns())
        return self.town

    def full(self) -> str:
        """Given and family name; sometimes with an initial between them."""
        if self.draw.chance(0.05):
            return f"{self.first} {self.draw.letters(1)}. {self.last}"
        return f"{self.first} {self.last}"


def _name(kind: str, text: Callable[[Person], str]) -> Callable[[Person], Fact]:
    return lambda person: Fact(kind, "PERSON_NAME", text(person), f"person:{person.number}")


def _identifier(kind: str, label: str, make: Callable[[Draw], str]) -> Callable[[Person], Fact]:
    return lambda person: fact(kind, label, make(person.draw))


def _internal(form: str, label: str = "GENERIC_ID") -> Callable[[Person], Fact]:
    return lambda person: internal_number(person.draw, form, label)


def _phone(person: Person) -> Fact:
    if person.draw.chance(0.12):
        number = identifiers.foreign_phone(person.draw)
    else:
        number = identifiers.north_american_phone(person.draw, person.home().area_code)
    return fact("digits", "PHONE_NUMBER", number)


def _local_part(person: Person) -> str:
    first, last = slug(person.first), slug(person.last)
    return person.draw.pick(
        (
            f"{first}.{last}",
            f"{first}{last}",
            f"{first[0]}{last}",
            f"{first}_{last}",
            f"{last}.{first}",
            f"{first}{person.draw.between(1, 99)}",
            f"{first[0]}.{last}{person.draw.between(60, 99)}",
            f"{person.draw.pick(inventory.organization_words('handles'))}{person.draw.digits(2)}",
        )
    )


def _email(person: Person) -> Fact:
    host = person.draw.pick(MAIL_HOSTS)
    if person.draw.chance(0.3):
        host = f"{slug(person.draw.pick(inventory.organization_words('stems')))}.example.com"
    return fact("email", "EMAIL_ADDRESS", f"{_local_part(person)}@{host}")


def _user(person: Person) -> Fact:
    draw = person.draw
    handle = draw.pick(inventory.organization_words("handles"))
    name = draw.pick(
        (
            f"{handle}{draw.between(1, 99)}",
            f"Mr{handle}",
            f"{slug(person.first)}{draw.between(1955, 2004)}",
            f"{slug(person.first)[0]}{slug(person.last)}",
            f"{slug(person.first)}_{handle}",
            f"{handle}.{slug(person.first)}",
            f"the{handle}{draw.digits(3)}",
            f"x{handle.capitalize()}{draw.pick(inventory.organization_words('handles')).capitalize()}x",
        )
    )
    return fact("handle", "USER_NAME", name)


def _street(person: Person) -> Fact:
    draw = person.draw
    house = draw.pick((draw.between(1, 99), draw.between(100, 999), draw.between(1000, 9999)))
    street = f"{house} {draw.pick(inventory.places('streets'))} {draw.pick(inventory.places('street_kinds'))}"
    if draw.chance(0.25):
        unit = draw.pick(inventory.places("units")).format(n=draw.between(1, 30))
        street = f"{street}, {unit}"
    return fact("street", "STREET_ADDRESS", street)


def _zip(person: Person) -> Fact:
    town, draw = person.home(), person.draw
    if town.postal_prefix.isdigit():
        return fact("digits", "ZIP_CODE", town.postal_prefix + draw.digits(2))
    letter = draw.letters(1, "ABCEGHJKLMNPRSTVWXYZ")
    return fact("code", "ZIP_CODE", f"{town.postal_prefix} {draw.between(1, 9)}{letter}{draw.between(1, 9)}")


def _state(person: Person) -> Fact:
    town = person.home()
    label = "US_STATE" if town.postal_prefix.isdigit() else "LOCATION"
    return fact("words", label, town.region)


def _birth(person: Person) -> Fact:
    draw = person.draw
    born = f"{draw.between(1938, 2005)}-{draw.between(1, 12):02d}-{draw.between(1, 28):02d}"
    return Fact("date", "DATE_OF_BIRTH", born, f"birth:{person.number}")


def _age(person: Person) -> Fact:
    years = PRESENT_YEAR - int(person.fact("birth").text[:4])
    return Fact("age", "AGE", str(years), f"age:{person.number}")


def _young_age(person: Person) -> Fact:
    return Fact("age", "AGE", str(person.draw.between(3, 17)), f"age:{person.number}")


ATTRIBUTES: dict[str, Callable[[Person], Fact]] = {
    "first": _name("first", lambda person: person.first),
    "last": _name("last", lambda person: person.last),
    "full": _name("full", Person.full),
    "nick": _name("first", lambda person: inventory.nicknames().get(person.first, person.first)),
    "email": _email,
    "phone": _phone,
    "user": _user,
    "street": _street,
    "city": lambda person: fact("words", "LOCATION", person.home().name),
    "state": _state,
    "zip": _zip,
    "birth": _birth,
    "age": _age,
    "young_age": _young_age,
    "employer": lambda person: fact("words", "ORGANIZATION_NAME", organization(person.draw)),
    "ssn": _identifier("digits", "US_SOCIAL_SECURITY_NUMBER", identifiers.social_security),
    "sin": _identifier("digits", "CANADA_SOCIAL_INSURANCE_NUMBER", identifiers.social_insurance),
    "card": _identifier("digits", "CREDIT_CARD_NUMBER", identifiers.credit_card),
    "iban": _identifier("code", "IBAN_CODE", identifiers.iban),
    "routing": _identifier("digits", "US_BANK_ROUTING_MICR", identifiers.routing_number),
    "vin": _identifier("code", "VEHICLE_IDENTIFICATION_NUMBER", identifiers.vehicle_identification),
    "imei": _identifier("digits", "IMEI_HARDWARE_ID", identifiers.imei),
    "iccid": _identifier("digits", "ICCID_NUMBER", identifiers.iccid),
    "passport": _identifier("code", "PASSPORT", identifiers.passport),
    "account": _internal("account"),
    "policy": _internal("policy"),
    "member": _internal("member"),
    "plate": _internal("plate"),
    "record": _internal("record", "MEDICAL_RECORD_NUMBER"),
}
"""Values that a template can use from a person: ``{C.first}``, ``{C.email}`` …"""
