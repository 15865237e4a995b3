"""Policies: what a DeidentifyConfig says becomes of which infoType."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Replacer, Values
from tacenda.transforms.replacing.transformations.transformation import Mention, Transform, Transformation
from tacenda.transforms.schema.errors import RecordError

OnError = Literal["quarantine", "token"]
"""What becomes of a value that a transformation cannot take: its conversation goes to quarantine, or the value
gets what would stand there without the policy. It never stays."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A transformation, and the infoTypes that it is for: none are all of which no other policy speaks.

    ``transformation`` is None where a token is asked for.
    """

    info_types: tuple[str, ...]
    transformation: Transformation | None


class PolicyReplacer:
    """Does with each mention what the policy of its entity's infoType says.

    Args:
        policies: in the order in which they are asked.
        rest: says what stands where no policy speaks of an infoType, or asks for a token.
        on_error: what becomes of a value that a transformation cannot take.
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
            RecordError: a value that its transformation cannot take, unless it gets a token then.
        """
        rest = self._rest.values(conversation)
        transforms = [
            self._by_info_type.get(info_type, self._others) for info_type in conversation.info_types
        ]
        if not any(transforms):
            return rest
        said = conversation.id

        def value(text: str, entity: int, otherwise: str) -> str:
            transform = transforms[entity - 1]
            if transform is None:
                return otherwise
            try:
                return transform(Mention(text, said, entity))
            except RecordError:
                if self._on_error == "token":
                    return otherwise
                raise

        findings = list(rest.findings)
        for i, cell in enumerate(conversation.findings):
            if cell:
                text = conversation.texts[i]
                findings[i] = [
                    value(text[finding.start : finding.end], entity, otherwise)
                    for finding, entity, otherwise in zip(
                        cell, conversation.entities[i], findings[i], strict=True
                    )
                ]
        labels: Mapping[str, str] = {
            label: value(label, entity, rest.labels[label]) for label, entity in conversation.labels.items()
        }
        return Values(findings, labels)
