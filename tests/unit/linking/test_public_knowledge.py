"""What stays readable with the preset for assistants, and what one mention of somebody hides."""

import pytest

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.public_knowledge import public_entities
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def stays(info_type: str, *mentions: str, part: str | None = None) -> bool:
    """Whether the entity in [brackets] stays readable."""
    texts = [text.replace("[", "").replace("]", "") for text in mentions]
    found = [
        [Finding(text.index("["), text.index("]") - 1, info_type, Likelihood.LIKELY, "model")]
        for text in mentions
    ]
    one = LinkedConversation("c", texts, [None] * len(texts), found, [[1]] * len(texts), {}, [info_type])
    return public_entities(one, [part] * len(texts)) == {1}


@pytest.mark.parametrize(
    ("info_type", "text"),
    [
        ("LOCATION", "What is the capital of [Portugal]?"),
        ("ORGANIZATION_NAME", "Compare [Toyota] with others."),
        ("PERSON_NAME", "What did [Isaac Newton] discover?"),
        ("PERSON_NAME", "[Kepler's] laws of motion"),
        ("PERSON_NAME", "Heat it to 300 [Kelvin]."),
        ("PERSON_NAME", "Call [getUserData] first."),
        ("PERSON_NAME", "I'm [unable] to do that."),
        ("URL", "Read [https://docs.python.org/3]."),
        ("GENERIC_ID", "Sort [23, 45, 67]."),
        ("NUMERIC", "a population of [5000] bacteria"),
        ("PHONE_NUMBER", "Add 321 to [123]."),
    ],
)
def test_public_knowledge_stays(info_type: str, text: str) -> None:
    assert stays(info_type, text)


@pytest.mark.parametrize(
    ("info_type", "text"),
    [
        ("LOCATION", "I live in [Portugal]."),
        ("LOCATION", "the way from my home in [Porto] to work"),
        ("ORGANIZATION_NAME", "My husband and I work for [Toyota]."),
        ("PERSON_NAME", "Hello, I'm [Newton]."),
        ("PERSON_NAME", "My neighbour [Kepler] called."),
        ("PERSON_NAME", "The form is for [Rachel Lindqvist]."),
        ("GENERIC_ID", "my customer number is [4711]"),
        ("PASSWORD", "and the password is [hello12]"),
        ("PHONE_NUMBER", "It is [415-555-0123]."),
        ("EMAIL_ADDRESS", "It is [rachel@mail.org]."),
        ("IP_ADDRESS", "It is [10.2.3.4]."),
        ("URL", "Read [https://10.2.3.4/api]."),
        ("URL", "Read [https://linkedin.com/in/rachel-lindqvist]."),
    ],
)
def test_what_is_somebodys_is_hidden(info_type: str, text: str) -> None:
    assert not stays(info_type, text)


def test_one_tie_hides_every_mention() -> None:
    assert not stays("LOCATION", "The weather in [Lisbon], please.", "I am from [Lisbon].")


def test_keys_of_json_tie_values() -> None:
    assert stays("GENERIC_ID", "[4711]", part="tool_calls.0.arguments.year")
    assert not stays("GENERIC_ID", "[4711]", part="tool_calls.0.arguments.customer_id")
