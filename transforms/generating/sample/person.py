"""Facts that are said, and people, speakers or mentioned, whose facts are generated on first use."""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.generating.templates import patterned
from tacenda.transforms.text.characters import slug


class Fact(NamedTuple):
    """A value that a speaker says.

    ``kind`` determines how the voice says it, ``label`` is the gold infoType (empty if it is not personal
    data); facts with equal ``identity`` are the same entity.
    """

    kind: str
    label: str
    text: str
    identity: str


def fact(kind: str, label: str, text: str) -> Fact:
    """A fact identified by its own text, if it is personal data."""
    return Fact(kind, label, text, f"{label}:{text}" if label else "")


def organization(draw: Draw) -> str:
    """The name of a firm: usually invented, rarely a known one."""
    words = inventory.organization_words
    dice = draw.random()
    if dice < 0.50:
        form = draw.pick(words("forms"))
        return f"{draw.pick(words('stems'))} {form}"
    if dice < 0.62:
        return draw.pick(words("stems"))
    if dice < 0.72:
        last = draw.pick(draw.pick(inventory.origin_wheel()).lasts)
        return f"{last} {draw.pick(words('family_forms'))}"
    return draw.pick(words("standing" if dice < 0.90 else "known"))


Make = Callable[[Draw], str]


def _date(draw: Draw) -> str:
    month, day = draw.between(1, 12), draw.between(1, 28)
    year = f"{draw.pick((2022, 2023, 2024))}-" if draw.chance(0.25) else ""
    return f"{year}{month:02d}-{day:02d}"


def _amount(draw: Draw) -> str:
    dollars = draw.pick((draw.between(5, 99), draw.between(100, 999), draw.between(1000, 4999)))
    return f"{dollars}{draw.pick(('', '', '.50', '.99', '.25', f'.{draw.between(1, 99):02d}'))}"


def _clock(earliest: int, latest: int) -> Make:
    def make(draw: Draw) -> str:
        minute = draw.pick((0, 0, 0, 0, 15, 30, 30, 30, 45, 10, 20, 50))
        return f"{draw.between(earliest, latest):02d}:{minute:02d}"

    return make


def _url(draw: Draw) -> str:
    host = slug(draw.pick(inventory.organization_words("stems")))
    path = draw.pick(
        ("", "/help", "/signup", "/returns", "/portal", "/pricing", "/docs/start", "/account/reset")
    )
    start = draw.pick(("", "", "www.", "https://", "https://www."))
    return f"{start}{host}.{draw.pick(('example.com', 'example.org', 'example.net'))}{path}"


def _listed(file: str, *keys: str) -> Make:
    """One of a list of the data folder."""
    return lambda draw: draw.pick(inventory.DATA.listed(file, *keys))


def _code(form: str) -> Make:
    """A number that a firm issues itself, such as an order or a policy, in a form of ``codes.yaml``."""
    return lambda draw: patterned(draw, draw.pick(inventory.DATA.document("codes.yaml")[form]))


FACTS: dict[str, tuple[str, str, Make]] = {
    "date": ("date", "DATE", _date),
    "time": ("time", "TIME", _clock(8, 18)),
    "morning": ("time", "TIME", _clock(8, 11)),
    "afternoon": ("time", "TIME", _clock(13, 17)),
    "amount": ("money", "", _amount),
    "number": ("count", "", lambda draw: str(draw.pick((draw.between(2, 12), draw.between(13, 99))))),
    "few": ("count", "", lambda draw: str(draw.between(2, 9))),
    "url": ("url", "URL", _url),
    "org": ("words", "ORGANIZATION_NAME", organization),
    "product": ("words", "PRODUCT", lambda draw: draw.pick(inventory.products("invented", "known"))),
    "town": ("words", "LOCATION", lambda draw: draw.pick(inventory.towns()).name),
    "state": ("words", "US_STATE", lambda draw: draw.pick(inventory.towns()).region),
    **{
        name: ("code", "GENERIC_ID", _code(name))
        for name in ("order", "ticket", "booking", "invoice", "tracking")
    },
    "ip": ("network", "IP_ADDRESS", identifiers.ip_address),
    "mac": ("network", "MAC_ADDRESS", identifiers.mac_address),
    "tollfree": ("digits", "PHONE_NUMBER", lambda draw: identifiers.north_american_phone(draw, "800")),
    "vat": ("code", "VAT_NUMBER", identifiers.vat_number),
    "swift": ("code", "SWIFT_CODE", identifiers.swift_code),
    "coordinates": ("network", "LOCATION_COORDINATES", identifiers.coordinates),
    **{
        name: ("words", label, _listed(file, *keys))
        for name, (label, file, *keys) in inventory.DATA.document("facts.yaml").items()
    },
}
"""Values that a template can use without an owner, ``{date}``, ``{org}`` …: how each is said, its label, and
how it is made."""


def fresh(kind: str, draw: Draw) -> Fact:
    """A new fact of a kind of ``FACTS``."""
    manner, label, make = FACTS[kind]
    return fact(manner, label, make(draw))


PRESENT_YEAR = 2024
"""The year of every call, so that ages agree with dates of birth."""
MAIL_HOSTS = ("example.com", "example.org", "example.net", "mail.example.com", "post.example.org")


class Person:
    """An invented person; facts once generated stay the same for the whole conversation."""

    def __init__(self, draw: Draw, number: int, last: str | None = None) -> None:
        origin = draw.pick(inventory.origin_wheel())
        self.draw = draw
        self.number = number
        self.first = draw.pick(origin.firsts)
        if last is None:
            # Families move and marry: one in twelve has a family name of another origin.
            last = draw.pick((draw.pick(inventory.origin_wheel()) if draw.chance(0.08) else origin).lasts)
        self.last = last
        self._facts: dict[str, Fact] = {}

    def fact(self, attribute: str) -> Fact:
        """A fact about this person; raises ``KeyError`` if no person has such an attribute."""
        if attribute not in self._facts:
            kind, label, make = ATTRIBUTES[attribute]
            made = fact(kind, label, make(self))
            if label in _ONE_EACH:
                made = made._replace(identity=f"{_ONE_EACH[label]}:{self.number}")
            elif attribute == "state" and not self.is_of_the_states:
                made = fact(kind, "LOCATION", made.text)
            elif attribute == "zip" and self.is_of_the_states:
                made = made._replace(kind="digits")
            self._facts[attribute] = made
        return self._facts[attribute]

    @cached_property
    def home(self) -> inventory.Town:
        """The town where the person lives."""
        canadian = self.draw.chance(0.15)
        return self.draw.pick(inventory.towns("canadian_towns" if canadian else "towns"))

    @property
    def is_of_the_states(self) -> bool:
        """Whether the person lives in the United States, not in Canada."""
        return self.home.postal_prefix.isdigit()


_ONE_EACH = {"PERSON_NAME": "person", "DATE_OF_BIRTH": "birth", "AGE": "age"}
"""Facts whose mentions are one entity however they are written, by label."""


def _full(person: Person) -> str:
    """Given and family name; sometimes with an initial between them."""
    initial = f" {person.draw.letters(1)}." if person.draw.chance(0.05) else ""
    return f"{person.first}{initial} {person.last}"


def _phone(person: Person) -> str:
    if person.draw.chance(0.12):
        return identifiers.foreign_phone(person.draw)
    return identifiers.north_american_phone(person.draw, person.home.area_code)


def _of_name(person: Person, patterns: str) -> str:
    """A user name by one of some patterns of ``codes.yaml``; all of them are filled in before one is drawn."""
    draw, handles = person.draw, inventory.organization_words("handles")
    first, last = slug(person.first), slug(person.last)
    own = {"first": first, "last": last, "f": first[0]}
    if patterns == "user_names":
        own["handle"] = draw.pick(handles)

    def said(gap: str) -> str:
        text = own.get(gap.lower()) or draw.pick(handles)
        return text if gap.islower() else text.capitalize()

    forms = inventory.DATA.document("codes.yaml")[patterns]
    return draw.pick([patterned(draw, form, said) for form in forms])


def _email(person: Person) -> str:
    host = person.draw.pick(MAIL_HOSTS)
    if person.draw.chance(0.3):
        host = f"{slug(person.draw.pick(inventory.organization_words('stems')))}.example.com"
    return f"{_of_name(person, 'mail_names')}@{host}"


def _street(person: Person) -> str:
    draw = person.draw
    house = draw.pick((draw.between(1, 99), draw.between(100, 999), draw.between(1000, 9999)))
    street = f"{house} {draw.pick(inventory.places('streets'))} {draw.pick(inventory.places('street_kinds'))}"
    if draw.chance(0.25):
        street += f", {draw.pick(inventory.places('units')).format(n=draw.between(1, 30))}"
    return street


def _zip(person: Person) -> str:
    prefix, draw = person.home.postal_prefix, person.draw
    if person.is_of_the_states:
        return prefix + draw.digits(2)
    letter = draw.letters(1, "ABCEGHJKLMNPRSTVWXYZ")
    return f"{prefix} {draw.between(1, 9)}{letter}{draw.between(1, 9)}"


def _birth(person: Person) -> str:
    draw = person.draw
    return f"{draw.between(1938, 2005)}-{draw.between(1, 12):02d}-{draw.between(1, 28):02d}"


def _nick(person: Person) -> str:
    nicknames: dict[str, str] = inventory.DATA.document("names.yaml")["nicknames"]
    return nicknames.get(person.first, person.first)


def _issued(make: Make) -> Callable[[Person], str]:
    """What others gave a person, and nothing of the person is in."""
    return lambda person: make(person.draw)


ATTRIBUTES: dict[str, tuple[str, str, Callable[[Person], str]]] = {
    "first": ("first", "PERSON_NAME", lambda person: person.first),
    "last": ("last", "PERSON_NAME", lambda person: person.last),
    "full": ("full", "PERSON_NAME", _full),
    "nick": ("first", "PERSON_NAME", _nick),
    "email": ("email", "EMAIL_ADDRESS", _email),
    "phone": ("digits", "PHONE_NUMBER", _phone),
    "user": ("handle", "USER_NAME", lambda person: _of_name(person, "user_names")),
    "street": ("street", "STREET_ADDRESS", _street),
    "city": ("words", "LOCATION", lambda person: person.home.name),
    "state": ("words", "US_STATE", lambda person: person.home.region),
    "zip": ("code", "ZIP_CODE", _zip),
    "birth": ("date", "DATE_OF_BIRTH", _birth),
    "age": ("age", "AGE", lambda person: str(PRESENT_YEAR - int(person.fact("birth").text[:4]))),
    "young_age": ("age", "AGE", lambda person: str(person.draw.between(3, 17))),
    "employer": ("words", "ORGANIZATION_NAME", _issued(organization)),
    "ssn": ("digits", "US_SOCIAL_SECURITY_NUMBER", _issued(identifiers.social_security)),
    "sin": ("digits", "CANADA_SOCIAL_INSURANCE_NUMBER", _issued(identifiers.social_insurance)),
    "card": ("digits", "CREDIT_CARD_NUMBER", _issued(identifiers.credit_card)),
    "iban": ("code", "IBAN_CODE", _issued(identifiers.iban)),
    "routing": ("digits", "US_BANK_ROUTING_MICR", _issued(identifiers.routing_number)),
    "vin": ("code", "VEHICLE_IDENTIFICATION_NUMBER", _issued(identifiers.vehicle_identification)),
    "imei": ("digits", "IMEI_HARDWARE_ID", _issued(identifiers.imei)),
    "iccid": ("digits", "ICCID_NUMBER", _issued(identifiers.iccid)),
    "passport": ("code", "PASSPORT", _issued(identifiers.passport)),
    "record": ("code", "MEDICAL_RECORD_NUMBER", _issued(_code("record"))),
    **{
        name: ("code", "GENERIC_ID", _issued(_code(name)))
        for name in ("account", "policy", "member", "plate")
    },
}
"""Values that a template can use from a person: ``{C.first}``, ``{C.email}`` …"""
