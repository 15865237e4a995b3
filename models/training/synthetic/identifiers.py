"""Identifiers: numbers and codes in the many formats that people write.

Those issued by authorities (cards, IBANs, VINs) come from ranges assigned to nobody; see
``tacenda.transforms.generating.identifiers``.
"""

import re
import unicodedata

from tacenda.models.training.synthetic import resources
from tacenda.models.training.synthetic.names import Person
from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.draw import Draw

_FILE = "identifiers.yaml"
_FIELD = re.compile(r"\{(\w)(\d+)\}")
_HOSTS = (
    "gmail",
    "yahoo",
    "hotmail",
    "outlook",
    "aol",
    "icloud",
    "live",
    "proton",
    "rediffmail",
    "gmx",
    "mail",
    "example",
)
_ENDS = (
    "com",
    "com",
    "com",
    "com",
    "net",
    "org",
    "co.uk",
    "in",
    "es",
    "se",
    "fi",
    "no",
    "dk",
    "de",
    "fr",
    "io",
    "edu",
)
_HANDLE_WORDS = (
    "sun",
    "wolf",
    "blue",
    "pixel",
    "moto",
    "ninja",
    "rose",
    "tiger",
    "cook",
    "star",
    "moon",
    "guitar",
    "cat",
    "run",
)
_SECRETS = (
    "sunshine",
    "dragon",
    "letmein",
    "welcome",
    "monkey",
    "blue",
    "horse",
    "secret",
    "love",
    "qwerty",
    "banana",
)
_PLAIN = str.maketrans({"ø": "o", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "ı": "i", "þ": "th", "ð": "d"})


def filled(draw: Draw, pattern: str) -> str:
    """Fill in a pattern of ``identifiers.yaml``: ``d`` digits, ``l`` letters, ``x`` either."""

    def field(match: re.Match[str]) -> str:
        count = int(match.group(2))
        if match.group(1) == "d":
            return draw.digits(count)
        if match.group(1) == "l":
            return draw.letters(count)
        return draw.letters(count, "ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

    return _FIELD.sub(field, pattern)


def form(draw: Draw, kind: str) -> str:
    """A code in one of the formats of its kind."""
    return filled(draw, draw.pick(resources.document(_FILE)[kind]))


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
    return filled(draw, draw.pick(resources.document(_FILE)["postal"][lang]))


def slug(text: str) -> str:
    """A name in lower-case ASCII letters, as in an e-mail address."""
    folded = unicodedata.normalize("NFKD", text.lower().translate(_PLAIN))
    return "".join(c for c in folded if c.isascii() and c.isalnum()) or "user"


def local_part(draw: Draw, person: Person) -> str:
    """Local part of an e-mail address, usually made from the person's name."""
    given, family = slug(person.given), slug(person.family)
    return draw.pick(
        (
            f"{given}.{family}",
            f"{given}{family}",
            f"{given[0]}{family}",
            f"{given}_{family}",
            f"{family}.{given}",
            f"{given}{draw.between(1, 999)}",
            f"{given}{family}{draw.between(1, 99)}",
            f"{given[0]}.{family}",
            given,
            f"{given}-{family}",
            f"{draw.pick(_HANDLE_WORDS)}{draw.pick(_HANDLE_WORDS)}{draw.between(1, 99)}",
            family,
        )
    )


def email(draw: Draw, person: Person) -> str:
    """An e-mail address of the person."""
    host = (
        draw.pick(_HOSTS)
        if draw.chance(0.7)
        else slug(person.family) + draw.pick(("", "tech", "mail", "-group"))
    )
    return f"{local_part(draw, person)}@{host}.{draw.pick(_ENDS)}"


def user_name(draw: Draw, person: Person) -> str:
    """An account name, from the person's name or from words and digits."""
    given = slug(person.given)
    word, other = draw.pick(_HANDLE_WORDS), draw.pick(_HANDLE_WORDS)
    return draw.pick(
        (
            f"{given}{draw.between(1, 2005)}",
            f"{given}_{word}",
            f"{word}{other}{draw.between(1, 99)}",
            local_part(draw, person),
            f"x{word.capitalize()}{other.capitalize()}x",
            f"the{given}",
            f"{word}.{given}",
            f"real_{given}",
            f"{slug(person.family)}{draw.digits(2)}",
            f"{given[0]}{slug(person.family)}",
            f"{word}_{other}",
            f"{given}{given[-1]}{given[-1]}",
        )
    )


def password(draw: Draw, person: Person) -> str:
    """A password: a word or name with digits, random characters, or digits only."""
    word = draw.pick(_SECRETS)
    return draw.pick(
        (
            f"{word}{draw.between(1, 9999)}",
            f"{word.capitalize()}{draw.between(1, 99)}!",
            f"{slug(person.given)}{draw.between(1, 9999)}",
            draw.letters(8, "abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPRSTUVWXYZ23456789!#$%&*"),
            draw.digits(4),
            draw.digits(5),
            f"{word}@{draw.digits(3)}",
            f"{draw.pick(_SECRETS)}-{word}-{draw.pick(_SECRETS)}",
            f"P@{word}{draw.digits(2)}",
            f"{slug(person.given)} {draw.digits(3)}",
        )
    )


def internet_address(draw: Draw) -> str:
    """An IP address, half of the time from the documentation ranges."""
    if draw.chance(0.5):
        return identifiers.ip_address(draw)
    return ".".join(str(draw.between(1, 254)) for _ in range(4))


def url(draw: Draw, person: Person) -> str:
    """A web address."""
    host = f"{slug(person.family)}{draw.pick(('', 'shop', 'blog', '-studio', 'news'))}.{draw.pick(_ENDS)}"
    path = draw.pick(
        (
            "",
            "",
            "/contact",
            f"/p/{draw.digits(5)}",
            f"/{slug(person.given)}",
            f"/index.php?id={draw.digits(3)}",
        )
    )
    return draw.pick(("https://", "http://", "www.", "https://www.", "")) + host + path
