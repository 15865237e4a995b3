"""Use one replacer for some infoTypes and another for the rest."""

from collections.abc import Mapping

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Replacer, Values


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
        info_types = conversation.info_types
        present = {info_type: self._by_info_type.get(info_type, self._rest) for info_type in set(info_types)}
        asked = {id(replacer): replacer for replacer in present.values()}  # one of several infoTypes once
        said = {key: replacer.values(conversation) for key, replacer in asked.items()}
        of_entity = [said[id(present[info_type])] for info_type in info_types]
        return Values(
            [
                [of_entity[entity - 1].findings[i][j] for j, entity in enumerate(cell)]
                for i, cell in enumerate(conversation.entities)
            ],
            {label: of_entity[entity - 1].labels[label] for label, entity in conversation.labels.items()},
        )
