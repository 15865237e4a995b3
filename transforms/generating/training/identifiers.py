"""Identifiers: numbers and codes in the many formats that people write.

Those issued by authorities (cards, IBANs, VINs) come from ranges assigned to nobody; see
``tacenda.transforms.generating.identifiers``.
"""

from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import lists
from tacenda.transforms.generating.training.names import Person
from tacenda.transforms.text.characters import slug

_FILE = "identifiers.yaml"
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


def _slug(name: str) -> str:
    return slug(name) or "user"


def local_part(draw: Draw, person: Person) -> str:
    """Local part of an e-mail address, usually made from the person's name."""
    given, family = _slug(person.given), _slug(person.family)
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
        else _slug(person.family) + draw.pick(("", "tech", "mail", "-group"))
    )
    return f"{local_part(draw, person)}@{host}.{draw.pick(_ENDS)}"


def user_name(draw: Draw, person: Person) -> str:
    """An account name, from the person's name or from words and digits."""
    given = _slug(person.given)
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
            f"{_slug(person.family)}{draw.digits(2)}",
            f"{given[0]}{_slug(person.family)}",
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
            f"{_slug(person.given)}{draw.between(1, 9999)}",
            draw.letters(8, "abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPRSTUVWXYZ23456789!#$%&*"),
            draw.digits(4),
            draw.digits(5),
            f"{word}@{draw.digits(3)}",
            f"{draw.pick(_SECRETS)}-{word}-{draw.pick(_SECRETS)}",
            f"P@{word}{draw.digits(2)}",
            f"{_slug(person.given)} {draw.digits(3)}",
        )
    )


def internet_address(draw: Draw) -> str:
    """An IP address, half of the time from the documentation ranges."""
    if draw.chance(0.5):
        return identifiers.ip_address(draw)
    return ".".join(str(draw.between(1, 254)) for _ in range(4))


def url(draw: Draw, person: Person) -> str:
    """A web address."""
    host = f"{_slug(person.family)}{draw.pick(('', 'shop', 'blog', '-studio', 'news'))}.{draw.pick(_ENDS)}"
    path = draw.pick(
        (
            "",
            "",
            "/contact",
            f"/p/{draw.digits(5)}",
            f"/{_slug(person.given)}",
            f"/index.php?id={draw.digits(3)}",
        )
    )
    return draw.pick(("https://", "http://", "www.", "https://www.", "")) + host + path
