from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values, replace_conversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def test_values_stand_where_findings_stood_and_the_rest_stays() -> None:
    found = [
        Finding(0, 3, "PERSON_NAME", Likelihood.LIKELY, "test"),
        Finding(8, 11, "PERSON_NAME", Likelihood.LIKELY, "test"),
    ]
    conversation = LinkedConversation(
        "1",
        ["Jim and Pam.", "no"],
        ["Pam", "agent"],
        [found, []],
        [[2, 1], []],
        {"Pam": 1},
        ["PERSON_NAME"] * 2,
    )
    replaced = replace_conversation(conversation, Values([["A", "longer"], []], {"Pam": "x"}))
    assert replaced.texts == ["A and longer.", "no"]
    assert replaced.speakers == ["x", "agent"]


def test_nothing_found_leaves_all_as_it_was() -> None:
    conversation = LinkedConversation("1", ["a"], [None], [[]], [[]], {}, [])
    replaced = replace_conversation(conversation, Values([[]], {}))
    assert replaced == (["a"], [None])
