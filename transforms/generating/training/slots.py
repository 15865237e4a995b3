"""Slots of templates, with the labels of their values."""

from collections.abc import Callable, Sequence
from functools import cache

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.identifiers import vehicle_identification
from tacenda.transforms.generating.pieces import SPACE, Piece
from tacenda.transforms.generating.templates import Pool, Slot, Template, fill, parse
from tacenda.transforms.generating.training import dates, finnish, identifiers, lists, organizations, places
from tacenda.transforms.generating.training.names import Person

_THINGS = "things.yaml"


class Setting:
    """The language of a conversation, and the values generated for it."""

    __slots__ = ("_people", "_said", "draw", "lang")

    def __init__(self, draw: Draw, lang: str) -> None:
        self.draw = draw
        self.lang = lang
        self._people: dict[str, Person] = {}
        self._said: dict[Slot, Sequence[Piece]] = {}

    def person(self, owner: str) -> Person:
        """The person of this owner; a new one without an owner."""
        if not owner:
            return Person(self.draw, self.lang)
        known = self._people.get(owner)
        if known is None:
            known = self._people[owner] = Person(self.draw, self.lang)
        return known

    def value(self, slot: Slot) -> Sequence[Piece]:
        """The pieces of a slot; the same every time for an owner, except for the form of full names."""
        if not slot.owner or slot.name == "person":
            return SLOTS[slot.name](self, slot.owner)
        said = self._said.get(slot)
        if said is None:
            said = self._said[slot] = SLOTS[slot.name](self, slot.owner)
        return said

    def sentence(self, pool: str) -> Template:
        """No template of training text names a pool."""
        raise NotImplementedError(pool)

    def filled(self, text: str) -> list[Piece]:
        """The pieces of a template.

        Raises:
            ValueError: it names a slot that does not exist, or leaves a choice open.
        """
        return fill(_template(text), self)

    def things(self, kind: str) -> tuple[str, ...]:
        """The list of a kind in the conversation's language, otherwise in English."""
        entry = lists.document(_THINGS)[kind]
        own = self.lang if self.lang in entry else ("all" if "all" in entry else "en")
        return lists.listed(_THINGS, kind, own)


@cache
def _template(text: str) -> Template:
    return parse(text, _knows)


def _knows(gap: Slot | Pool) -> bool:
    return isinstance(gap, Slot) and gap.name in SLOTS and not gap.part


def _without_article(text: str, label: str) -> Sequence[Piece]:
    """A labelled value; a leading article is not part of the span."""
    for article in ("the ", "a "):
        if text.startswith(article):
            return Piece(article), Piece(text[len(article) :], label)
    return (Piece(text, label),)


Make = Callable[[Setting, str], Sequence[Piece]]


def _of_person(label: str, make: Callable[[Draw, Person], str]) -> Make:
    return lambda scene, owner: (Piece(make(scene.draw, scene.person(owner)), label),)


def _personal(label: str, kind: str) -> Make:
    return _of_person(label, lambda draw, person: identifiers.of_person(draw, person, kind))


def _drawn(label: str, make: Callable[[Draw], str]) -> Make:
    return lambda scene, owner: (Piece(make(scene.draw), label),)


def _in_language(label: str, make: Callable[[Draw, str], str]) -> Make:
    return lambda scene, owner: (Piece(make(scene.draw, scene.lang), label),)


def _form(label: str, kind: str) -> Make:
    return lambda scene, owner: (Piece(identifiers.form(scene.draw, kind), label),)


def _digits(label: str, count: int) -> Make:
    return lambda scene, owner: (Piece(scene.draw.digits(count), label),)


def _place(kind: str) -> Make:
    return lambda scene, owner: _without_article(places.of_kind(scene.draw, kind, scene.lang), "LOCATION")


def _organization(kind: str) -> Make:
    return lambda scene, owner: _without_article(
        organizations.organization(scene.draw, kind, scene.lang), "ORGANIZATION_NAME"
    )


def _any_organization(scene: Setting, owner: str) -> Sequence[Piece]:
    kind = scene.draw.pick(organizations.kinds())
    return _without_article(organizations.organization(scene.draw, kind, scene.lang), "ORGANIZATION_NAME")


def _any_place(scene: Setting, owner: str) -> Sequence[Piece]:
    kind = scene.draw.pick(("cities", "cities", "countries", "countries", "regions", "waters", "districts"))
    if kind == "cities":
        return (Piece(places.city(scene.draw, scene.lang), "LOCATION"),)
    return _place(kind)(scene, owner)


def _landmark(scene: Setting, owner: str) -> Sequence[Piece]:
    return _without_article(places.landmark(scene.draw, scene.lang), "LOCATION")


def _case(case: str) -> Make:
    """A town in a Finnish locative case."""
    return _drawn("LOCATION", lambda draw: finnish.inflected(places.city(draw, "fi"), case))


def _house(case: str) -> Make:
    """A small business in a Finnish locative case."""
    return _drawn(
        "ORGANIZATION_NAME",
        lambda draw: finnish.noun(organizations.organization(draw, "house", "fi"), case),
    )


def _genitive(label: str) -> Make:
    """A person, place or organisation in the genitive of Finnish or the Scandinavian languages."""

    def make(scene: Setting, owner: str) -> Sequence[Piece]:
        if label == "PERSON_NAME":
            person = scene.person(owner)
            name = person.family if scene.draw.chance(0.5) else f"{person.given} {person.family}"
        elif label == "LOCATION":
            name = places.city(scene.draw, scene.lang)
        else:
            kind = "company" if scene.draw.chance(0.6) else "house"
            name = organizations.organization(scene.draw, kind, scene.lang)
        if scene.lang == "fi":
            inflected = finnish.noun if label == "ORGANIZATION_NAME" else finnish.inflected
            return (Piece(inflected(name, "genitive"), label),)
        return (Piece(name if name[-1] in "sxz" else name + "s", label),)

    return make


def _address(scene: Setting, owner: str) -> Sequence[Piece]:
    """A postal address, with separate labels for street, town and postal code."""
    draw, lang = scene.draw, scene.lang
    street = Piece(places.street(draw, lang), "STREET_ADDRESS")
    city = Piece(places.city(draw, lang), "LOCATION")
    code = Piece(identifiers.postal_code(draw, lang), "ZIP_CODE")
    comma = Piece(draw.pick((", ", ", ", " ")))
    if lang != "en":
        return (street, comma, code, SPACE, city)
    if draw.chance(0.35):
        return (street, comma, city)
    if draw.chance(0.6):
        kind = draw.pick(("states", "states", "regions"))
        state = Piece(places.of_kind(draw, kind).replace("the ", ""), "LOCATION")
        return (street, comma, city, comma, state, SPACE, code)
    return (street, comma, city, SPACE, code)


def _years(scene: Setting, owner: str) -> Sequence[Piece]:
    """An age with its unit: attributive in English ("30-year-old"), predicative in other languages."""
    return (Piece(f"{scene.draw.between(1, 98)}{lists.document(_THINGS)['years'][scene.lang]}", "AGE"),)


def _product(scene: Setting, owner: str) -> Sequence[Piece]:
    draw = scene.draw
    text = draw.pick(lists.listed(_THINGS, "product", "all"))
    if "{" in text:
        text = text.format(brand=organizations.brand(draw), n=draw.between(2, 9))
    return (Piece(text, "PRODUCT"),)


def _drug(scene: Setting, owner: str) -> Sequence[Piece]:
    draw = scene.draw
    text = draw.pick(scene.things("drug"))
    if text == "{pill}" or draw.chance(0.2):
        first, last = lists.listed(_THINGS, "pill", "first"), lists.listed(_THINGS, "pill", "last")
        text = draw.pick(first) + draw.pick(last)
    return (Piece(text, "MEDICAL_TERM"),)


def _thing(label: str, kind: str) -> Make:
    return lambda scene, owner: _without_article(scene.draw.pick(scene.things(kind)), label)


def _number(least: int, most: int, label: str = "") -> Make:
    return lambda scene, owner: (Piece(str(scene.draw.between(least, most)), label),)


def _price(scene: Setting, owner: str) -> Sequence[Piece]:
    draw = scene.draw
    amount = draw.pick(
        (
            f"{draw.between(1, 999)}.{draw.digits(2)}",
            str(draw.between(1, 9999)),
            f"{draw.between(1, 9)},{draw.digits(3)}",
        )
    )
    if scene.lang != "en":
        unit = draw.pick(("kr", "kronor", "euros", "€", "EUR")) if scene.lang in ("sv", "nb", "da") else "€"
        return (Piece(f"{amount} {unit}"),)
    forms = (
        f"${amount}", f"£{amount}", f"{amount} dollars", f"{amount} bucks", f"Rs {amount}", f"€{amount}",
    )  # fmt: skip
    return (Piece(draw.pick(forms)),)


def _pattern(label: str, *patterns: str) -> Make:
    """A name by one of some patterns: ``g`` and ``f`` are the initials, ``m`` is another letter."""

    def make(draw: Draw, person: Person) -> str:
        given, family = person.given, person.family
        return draw.pick(patterns).format(
            g=given[0], f=family[0], m=draw.letters(1), given=given, family=family
        )

    return _of_person(label, make)


SLOTS: dict[str, Make] = {
    "person": _of_person("PERSON_NAME", lambda draw, person: person.full(draw)),
    "first": _of_person("PERSON_NAME", lambda draw, person: person.given_or_nickname(draw)),
    "last": _pattern("PERSON_NAME", "{family}"),
    "given": _pattern("PERSON_NAME", "{given}"),
    "listed": _pattern("PERSON_NAME", "{family}, {given}"),
    "short": _pattern("PERSON_NAME", "{g}. {family}", "{g}.{m}. {family}", "{g} {family}"),
    "initials": _pattern("PERSON_NAME", "{g}.{f}.", "{g}. {f}.", "{g}{f}"),
    "email": _personal("EMAIL_ADDRESS", "email"),
    "user": _personal("USER_NAME", "user"),
    "password": _personal("PASSWORD", "password"),
    "url": _personal("URL", "url"),
    "handle": _of_person("USER_NAME", lambda d, person: "@" + identifiers.of_person(d, person, "user")),
    "pin": _form("PASSWORD", "pin"),
    "phone": _form("PHONE_NUMBER", "phone"),
    "ssn": _drawn("US_SOCIAL_SECURITY_NUMBER", identifiers.social_security),
    "ssn4": _digits("US_SOCIAL_SECURITY_NUMBER", 4),
    "card": _drawn("CREDIT_CARD_NUMBER", identifiers.credit_card),
    "card4": _digits("CREDIT_CARD_NUMBER", 4),
    "account": _form("FINANCIAL_ACCOUNT_NUMBER", "account"),
    "account4": _digits("FINANCIAL_ACCOUNT_NUMBER", 4),
    "iban": _drawn("IBAN_CODE", identifiers.iban),
    "id": _drawn("GENERIC_ID", identifiers.generic),
    "national": _form("GENERIC_ID", "national"),
    "passport": _form("GENERIC_ID", "passport"),
    "taxid": _form("GENERIC_ID", "taxid"),
    "swift": _form("GENERIC_ID", "swift"),
    "mrn": _form("MEDICAL_RECORD_NUMBER", "record"),
    "license": _form("US_DRIVERS_LICENSE_NUMBER", "license"),
    "vin": _drawn("VEHICLE_IDENTIFICATION_NUMBER", vehicle_identification),
    "plate": _form("VEHICLE_IDENTIFICATION_NUMBER", "plate"),
    "ip": _drawn("IP_ADDRESS", identifiers.internet_address),
    "city": _in_language("LOCATION", places.city),
    "village": _drawn("LOCATION", places.village),
    "country": _place("countries"),
    "region": _place("regions"),
    "state": _place("states"),
    "water": _place("waters"),
    "district": _place("districts"),
    "airport": _place("airports"),
    "landmark": _landmark,
    "cityin": _case("inessive"),
    "cityfrom": _case("elative"),
    "cityto": _case("illative"),
    "housein": _house("inessive"),
    "housefrom": _house("elative"),
    "houseat": _house("adessive"),
    "nameof": _genitive("PERSON_NAME"),
    "orgof": _genitive("ORGANIZATION_NAME"),
    "cityof": _genitive("LOCATION"),
    "place": _any_place,
    "street": _in_language("STREET_ADDRESS", places.street),
    "road": _in_language("STREET_ADDRESS", lambda draw, lang: places.street(draw, lang, numbered=False)),
    "address": _address,
    "zip": _in_language("ZIP_CODE", identifiers.postal_code),
    "org": _any_organization,
    **{kind: _organization(kind) for kind in organizations.kinds()},
    "date": _in_language("DATE", dates.date),
    "fulldate": _in_language("DATE", lambda draw, lang: dates.date(draw, lang, whole=True)),
    "year": _drawn("DATE", lambda draw: str(draw.between(1850, 2026))),
    "dob": _in_language("DATE_OF_BIRTH", dates.birth),
    "time": _in_language("TIME", dates.time),
    "age": _number(1, 98, "AGE"),
    "years": _years,
    "yo": _drawn("AGE", lambda draw: f"{draw.between(1, 98)} {draw.pick(('yo', 'y/o', 'year old', 'y.o.'))}"),
    "product": _product,
    "disease": _thing("MEDICAL_TERM", "disease"),
    "drug": _drug,
    "procedure": _thing("MEDICAL_TERM", "procedure"),
    "nationality": _thing("NATIONALITY", "nationality"),
    "profession": _thing("PROFESSION", "profession"),
    "food": _thing("", "food"),
    "um": _thing("", "adverb"),
    "n": _number(2, 20),
    "hundreds": _number(100, 980),
    "percent": _number(2, 97),
    "dose": _number(5, 500),
    "price": _price,
    "flight": _form("", "flight"),
    "hashtag": _thing("", "hashtag"),
    "emoji": _thing("", "emoji"),
}
"""Slots by name: ``{person}``, ``{person.a}`` (the same person every time), ``{city}`` …"""
