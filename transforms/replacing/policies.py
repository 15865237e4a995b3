"""Policies: the transformation that a DeidentifyConfig assigns to each infoType."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Replacer, Values, changed_values
from tacenda.transforms.replacing.transformations import (
    Choices,
    Mention,
    Transform,
    Transformation,
    fixed,
    word_of,
)
from tacenda.transforms.schema.errors import RecordError

OnError = Literal["quarantine", "token"]
"""Handling of a value that a transformation cannot take: quarantine its conversation, or give the value the
replacement it would have without the policy. It is never left readable."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A transformation and its infoTypes; an empty list means all infoTypes that no other policy covers.

    ``transformation`` is None if the policy asks for a token.
    """

    info_types: tuple[str, ...]
    transformation: Transformation | None


def transformations(policies: Sequence[Policy]) -> Iterator[Transformation]:
    """The transformations of policies that ask for more than a token."""
    return (policy.transformation for policy in policies if policy.transformation is not None)


def fixed_values(policies: Sequence[Policy]) -> frozenset[str]:
    """The values that replace everything that their policy is for."""
    return frozenset(_settings(policies, fixed)) - {""}


def dictionary_words(policies: Sequence[Policy]) -> frozenset[str]:
    """The words of all dictionaries to replace with, in small letters, that identify somebody if they are real:
    those of several words, or with a digit.
    """
    words = _settings(policies, word_of)
    return frozenset(word.casefold() for word in words if " " in word or any(map(str.isdigit, word)))


def _settings(policies: Sequence[Policy], function: Callable[..., Transform]) -> Iterator[str]:
    """The settings of all transformations by a function."""
    return (value for one in transformations(policies) if one.function is function for value in one.settings)


class PolicyReplacer:
    """Transforms each mention by the policy of its entity's infoType.

    Args:
        policies: in order of precedence.
        rest: the replacer of infoTypes that no policy covers or whose policy asks for a token.
        on_error: what to do with a value that a transformation cannot take.
    """

    def __init__(self, policies: Sequence[Policy], rest: Replacer, on_error: OnError = "quarantine") -> None:
        self._by_info_type: dict[str, Transform | None] = {}
        self._others: Transform | None = None
        for policy in reversed(policies):
            built = None if policy.transformation is None else policy.transformation.build()
            if not policy.info_types:
                self._others = built
            self._by_info_type.update(dict.fromkeys(policy.info_types, built))
        self._rest = rest
        self._on_error = on_error

    def values(self, conversation: LinkedConversation) -> Values:
        """One value for each finding and label.

        Raises:
            RecordError: a transformation cannot take a value, and ``on_error`` is ``quarantine``.
        """
        rest = self._rest.values(conversation)
        transforms = [
            self._by_info_type.get(info_type, self._others) for info_type in conversation.info_types
        ]
        if not any(transforms):
            return rest
        originals = (text[start:end] for text, _, _, start, end in conversation.mentions())
        choices = Choices(conversation.id, originals, conversation.texts)

        def value(entity: int, _: str, text: str, otherwise: str) -> str:
            transform = transforms[entity - 1]
            if transform is None:
                return otherwise
            try:
                changed = transform(Mention(text, conversation.id, entity, choices))
            except RecordError:
                if self._on_error == "token":
                    return otherwise
                raise
            return otherwise if changed is None else changed

        return changed_values(conversation, rest, value)


class ReplacerByInfoType:
    """Delegates each entity to the replacer of its infoType.

    Args:
        by_info_type: the replacers of individual infoTypes.
        rest: the replacer of all others.
    """

    def __init__(self, by_info_type: Mapping[str, Replacer], rest: Replacer) -> None:
        self._by_info_type = dict(by_info_type)
        self._rest = rest

    def values(self, conversation: LinkedConversation) -> Values:
        """The value of each finding and label, from the replacer of its infoType."""
        asked = [self._by_info_type.get(info_type, self._rest) for info_type in conversation.info_types]
        said = {id(one): one.values(conversation) for one in {id(one): one for one in asked}.values()}
        of_entity = [said[id(one)] for one in asked]
        return Values(
            [
                [of_entity[entity - 1].findings[i][j] for j, entity in enumerate(cell)]
                for i, cell in enumerate(conversation.entities)
            ],
            {label: of_entity[entity - 1].labels[label] for label, entity in conversation.labels.items()},
        )
