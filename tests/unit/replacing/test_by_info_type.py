from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.policies import ReplacerByInfoType
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


class Counting:
    """Counts its calls."""

    def __init__(self) -> None:
        self.asked = 0

    def values(self, conversation: LinkedConversation) -> Values:
        self.asked += 1
        return Values(
            [[f"<{entity}>" for entity in cell] for cell in conversation.entities],
            {label: f"<{entity}>" for label, entity in conversation.labels.items()},
        )


def _linked() -> LinkedConversation:
    texts = ["Ann is at 10.1.2.3", "thanks", "Ann and Bo"]
    found = [
        [
            Finding(0, 3, "PERSON_NAME", Likelihood.LIKELY, "rules"),
            Finding(10, 18, "IP_ADDRESS", Likelihood.LIKELY, "rules"),
        ],
        [],
        [
            Finding(0, 3, "PERSON_NAME", Likelihood.LIKELY, "rules"),
            Finding(8, 10, "PERSON_NAME", Likelihood.LIKELY, "rules"),
        ],
    ]
    return link_conversation(texts, ["Cleo", "agent", "Cleo"], found, {"Cleo": "PERSON_NAME"})


def test_each_info_type_has_its_replacer() -> None:
    values = ReplacerByInfoType({"IP_ADDRESS": Counting()}, TokenReplacer()).values(_linked())
    assert values.findings == [
        ["[PERSON_NAME_2]", "<3>"],
        [],
        ["[PERSON_NAME_2]", "[PERSON_NAME_3]"],
    ]
    assert values.labels == {"Cleo": "[PERSON_NAME_1]"}


def test_a_replacer_of_several_info_types_sees_a_conversation_once() -> None:
    counting = Counting()
    both = ReplacerByInfoType({"IP_ADDRESS": counting, "PERSON_NAME": counting}, TokenReplacer())
    assert both.values(_linked()).labels == {"Cleo": "<1>"}
    assert counting.asked == 1


def test_unneeded_replacers_are_not_called() -> None:
    counting = Counting()
    ReplacerByInfoType({"URL": counting}, TokenReplacer()).values(_linked())
    assert counting.asked == 0
