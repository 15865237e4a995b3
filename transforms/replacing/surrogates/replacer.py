"""Replace each mention by its entity's surrogate, or by a token if there is none."""

import re
from collections.abc import Callable, Mapping

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values, changed_values
from tacenda.transforms.replacing.surrogates.context import (
    Context,
    KeyedDraws,
    SurrogateSettings,
    kind_of,
)
from tacenda.transforms.replacing.surrogates.dates import read_date
from tacenda.transforms.replacing.surrogates.electronic import (
    ElectronicAddresses,
    InventedOrganizations,
    network_address,
)
from tacenda.transforms.replacing.surrogates.numbers import InventedNumbers, shifted_ages
from tacenda.transforms.replacing.surrogates.people import InventedPeople
from tacenda.transforms.replacing.surrogates.places import place, street_address
from tacenda.transforms.replacing.tokens import TokenReplacer

_BARE_APOSTROPHE = re.compile(r"(?<=[sxzSXZ])['’](?!\w)")


class SurrogateReplacer:
    """Invented values, drawn with a secret and the id of the conversation.

    No value equals an original of the conversation, ignoring case. A mention gets its token if its infoType
    has no kind of surrogate, its form is not understood, or a list is exhausted.

    Args:
        secret: seed of the draws; the same secret gives the same values.
        settings: options for numbers and ages.
    """

    def __init__(self, secret: bytes, settings: SurrogateSettings | None = None) -> None:
        self._secret = secret
        self._settings = settings or SurrogateSettings()
        self._tokens = TokenReplacer()

    def values(self, conversation: LinkedConversation) -> Values:
        """One value for each finding and each label."""
        invented = _Invented(conversation, self._secret, self._settings)

        def written(entity: int, info_type: str, text: str, token: str) -> str:
            value = invented.value(entity, info_type, text) or token
            is_tagged = self._settings.tagged and value != token
            return f"<{info_type}>{value}</{info_type}>" if is_tagged else value

        return changed_values(conversation, self._tokens.values(conversation), written)


class _Invented:
    """The surrogates of one conversation, each made once."""

    def __init__(self, conversation: LinkedConversation, secret: bytes, settings: SurrogateSettings) -> None:
        mentions: dict[str, dict[str, None]] = {}
        people: dict[int, dict[str, None]] = {}
        for cell, entity, info_type, start, end in conversation.mentions():
            text = cell[start:end]
            mentions.setdefault(info_type, {})[text] = None
            if kind_of(info_type) == "person":
                own = people.setdefault(entity, {})
                own[text] = None
                if _BARE_APOSTROPHE.match(cell, end):  # "James' car"
                    own[cell[start : end + 1]] = None
        context = Context(
            KeyedDraws(secret, conversation.id),
            conversation.texts,
            {info_type: list(texts) for info_type, texts in mentions.items()},
            settings,
            conversation.language,
        )
        self._context = context
        self._people = InventedPeople(context)
        for entity, texts in people.items():
            self._people.add(entity, list(texts))
        organizations = InventedOrganizations(context)
        for text in context.mentions_of("organization"):
            organizations.value(text)
        self._numbers = InventedNumbers(context)
        for info_type, found in context.mentions.items():
            if kind_of(info_type) in ("number", "spelled"):
                self._numbers.add(info_type, found)
        electronic = ElectronicAddresses(context, self._people, organizations)
        self._makers: Mapping[str, Callable[[str], str | None]] = {
            "organization": organizations.value,
            "place": lambda text: place(context, text),
            "street": lambda text: street_address(context, text),
            "email": electronic.email,
            "user": electronic.user,
            "url": electronic.url,
            "network": lambda text: network_address(context, text),
            "number": self._numbers.value,
            "age": shifted_ages(context),
            "date": self._date,
        }
        self._made: dict[tuple[int, str, str], str | None] = {}

    def value(self, entity: int, info_type: str, text: str) -> str | None:
        """The surrogate of a mention, None if it has none."""
        key = entity, info_type, text
        if key not in self._made:
            value = self._make(entity, kind_of(info_type), text)
            self._made[key] = None if not value or self._context.taken.is_original(value) else value
        return self._made[key]

    def _make(self, entity: int, kind: str, text: str) -> str | None:
        if kind == "person":
            return self._people.value(entity, text)
        if kind == "spelled":
            return self._people.value(entity, text) or self._numbers.value(text)
        maker = self._makers.get(kind)
        return maker(text) if maker else None

    def _date(self, text: str) -> str | None:
        read = read_date(text, self._context.language)
        return read.moved(self._context.days) if read else None
