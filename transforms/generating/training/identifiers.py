"""Identifiers: numbers and codes in the many formats that people write.

Those issued by authorities (cards, IBANs, VINs) come from ranges assigned to nobody; see
``tacenda.transforms.generating.identifiers``.
"""

import re

from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import lists
from tacenda.transforms.generating.training.names import Person
from tacenda.transforms.text.characters import slug

_FILE = "identifiers.yaml"
_GAP = re.compile(r"\{(\w+)\}")


def form(draw: Draw, kind: str) -> str:
    """A code in one of the formats of its kind."""
    return identifiers.patterned(draw, lists.document(_FILE)[kind])


def generic(draw: Draw) -> str:
    """An order, claim, booking or policy number; a third of them in lower case, as people type."""
    code = form(draw, "id")
    return code.lower() if draw.chance(0.3) else code


def social_security(draw: Draw) -> str:
    """A US number with an unissued area number, with or without dashes."""
    number = identifiers.social_security(draw)
    return number.replace("-", draw.pick(("-", "-", " ", "")))


def credit_card(draw: Draw) -> str:
    """A card number with a test prefix, grouped in various ways."""
    number = identifiers.credit_card(draw)
    return number.replace(" ", draw.pick((" ", "-", "", "")))


def iban(draw: Draw) -> str:
    """An IBAN, grouped or not."""
    number = identifiers.iban(draw)
    return number if draw.chance(0.5) else number.replace(" ", "")


def postal_code(draw: Draw, lang: str) -> str:
    """A postal code in the format of a country where the language is spoken."""
    return identifiers.patterned(draw, lists.document(_FILE)["postal"][lang])


def of_person(draw: Draw, person: Person, kind: str) -> str:
    """An e-mail address, user name, password or web address, often made from the person's name."""
    return _filled(draw, draw.pick(lists.document(_FILE)["personal"][kind]), person)


def _filled(draw: Draw, pattern: str, person: Person) -> str:
    """A pattern whose gaps are parts of the name, numbers up to a bound, digits or other patterns."""
    given, family = (slug(name) or "user" for name in (person.given, person.family))
    own = {"given": given, "family": family, "g": given[0], "f": family[0], "end": given[-1]}

    def value(gap: re.Match[str]) -> str:
        name = gap[1]
        if name in own:
            return own[name]
        if name.isdecimal():
            return str(draw.between(1, int(name)))
        if name.startswith("digits"):
            return draw.digits(int(name[len("digits") :]))
        if name == "random":
            return draw.letters(8, "abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPRSTUVWXYZ23456789!#$%&*")
        return _filled(draw, draw.pick(lists.document(_FILE)["personal"][name]), person)

    return _GAP.sub(value, pattern)


def internet_address(draw: Draw) -> str:
    """An IP address, half of the time from the documentation ranges."""
    if draw.chance(0.5):
        return identifiers.ip_address(draw)
    return ".".join(str(draw.between(1, 254)) for _ in range(4))
