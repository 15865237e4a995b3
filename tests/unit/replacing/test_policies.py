import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.policies import Policy, PolicyReplacer, ReplacerByInfoType
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.replacing.transformations.transformation import (
    Description,
    DictionaryWords,
    Mention,
    Redaction,
    ReplacementValue,
    Transform,
)
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


class Failing:
    """Rejects every value."""

    def build(self) -> Transform:
        def failing(_mention: Mention) -> str:
            raise RecordError("ValueTooShort")

        return failing

    def keys(self) -> tuple[Key, ...]:
        return ()

    def describe(self) -> Description:
        return Description("fails")


def _linked() -> LinkedConversation:
    texts = ["Ann is at 10.1.2.3", "thanks", "Bo"]

    def at(start: int, end: int, info_type: str) -> Finding:
        return Finding(start, end, info_type, Likelihood.LIKELY, "rules")

    found = [[at(0, 3, "PERSON_NAME"), at(10, 18, "IP_ADDRESS")], [], [at(0, 2, "PERSON_NAME")]]
    return link_conversation(texts, ["Ann", "agent", "Ann"], found, {"Ann": "PERSON_NAME"})


TOKENS = [["[PERSON_NAME_1]", "[IP_ADDRESS_1]"], [], ["[PERSON_NAME_2]"]]


def test_the_policy_of_an_info_type_says_what_becomes_of_it() -> None:
    replacer = PolicyReplacer([Policy(("PERSON_NAME",), ReplacementValue("X"))], TokenReplacer())
    values = replacer.values(_linked())
    assert values.findings == [["X", "[IP_ADDRESS_1]"], [], ["X"]]
    assert values.labels == {"Ann": "X"}


def test_one_without_info_types_is_for_all_the_rest_wherever_it_stands() -> None:
    rest, own = Policy((), ReplacementValue("R")), Policy(("IP_ADDRESS",), ReplacementValue("I"))
    for policies in ([rest, own], [own, rest]):
        assert PolicyReplacer(policies, TokenReplacer()).values(_linked()).findings == [["R", "I"], [], ["R"]]


def test_of_two_for_one_info_type_the_first_is_taken() -> None:
    policies = [
        Policy(("IP_ADDRESS",), ReplacementValue("1")),
        Policy(("IP_ADDRESS",), ReplacementValue("2")),
    ]
    assert PolicyReplacer(policies, TokenReplacer()).values(_linked()).findings[0][1] == "1"
    policies = [Policy((), ReplacementValue("1")), Policy((), ReplacementValue("2"))]
    assert PolicyReplacer(policies, TokenReplacer()).values(_linked()).findings[0][1] == "1"


def test_words_of_a_list_go_to_one_entity_each_and_then_tokens_follow() -> None:
    policies = [Policy(("PERSON_NAME",), DictionaryWords(("Bo", "Kim")))]
    values = PolicyReplacer(policies, TokenReplacer()).values(_linked())
    assert values.findings == [["Kim", "[IP_ADDRESS_1]"], [], ["[PERSON_NAME_2]"]]
    assert values.labels == {"Ann": "Kim"}


def test_a_token_may_be_asked_for() -> None:
    policies = [Policy(("PERSON_NAME",), None), Policy((), Redaction())]
    values = PolicyReplacer(policies, TokenReplacer()).values(_linked())
    assert values.findings == [["[PERSON_NAME_1]", ""], [], ["[PERSON_NAME_2]"]]


def test_info_types_without_policy_become_tokens() -> None:
    replacer = PolicyReplacer([Policy(("URL",), Redaction())], TokenReplacer())
    assert [*replacer.values(_linked()).findings] == TOKENS


def test_a_value_that_cannot_be_taken() -> None:
    policies = [Policy(("IP_ADDRESS",), Failing())]
    with pytest.raises(RecordError, match="ValueTooShort"):
        PolicyReplacer(policies, TokenReplacer()).values(_linked())
    assert [*PolicyReplacer(policies, TokenReplacer(), "token").values(_linked()).findings] == TOKENS


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


def _linked_by_info_type() -> LinkedConversation:
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
    values = ReplacerByInfoType({"IP_ADDRESS": Counting()}, TokenReplacer()).values(_linked_by_info_type())
    assert values.findings == [
        ["[PERSON_NAME_2]", "<3>"],
        [],
        ["[PERSON_NAME_2]", "[PERSON_NAME_3]"],
    ]
    assert values.labels == {"Cleo": "[PERSON_NAME_1]"}


def test_a_replacer_of_several_info_types_sees_a_conversation_once() -> None:
    counting = Counting()
    both = ReplacerByInfoType({"IP_ADDRESS": counting, "PERSON_NAME": counting}, TokenReplacer())
    assert both.values(_linked_by_info_type()).labels == {"Cleo": "<1>"}
    assert counting.asked == 1


def test_unneeded_replacers_are_not_called() -> None:
    counting = Counting()
    ReplacerByInfoType({"URL": counting}, TokenReplacer()).values(_linked_by_info_type())
    assert counting.asked == 0
