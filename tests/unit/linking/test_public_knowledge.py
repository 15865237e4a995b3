"""What stays readable with the preset for assistants, and what one mention of somebody hides."""

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.public_knowledge import public_entities
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import tabled


def stays(info_type, *mentions, part=None):
    """Whether the entity in [brackets] stays readable."""
    texts = [text.replace("[", "").replace("]", "") for text in mentions]
    found = [
        [Finding(text.index("["), text.index("]") - 1, info_type, Likelihood.LIKELY, "model")]
        for text in mentions
    ]
    one = LinkedConversation("c", texts, [None] * len(texts), found, [[1]] * len(texts), {}, [info_type])
    return public_entities(one, [part] * len(texts)) == {1}


@tabled("info_type", "text")
def test_public_knowledge_stays(info_type, text):
    assert stays(info_type, text)


@tabled("info_type", "text")
def test_what_is_somebodys_is_hidden(info_type, text):
    assert not stays(info_type, text)


def test_one_tie_hides_every_mention():
    assert not stays("LOCATION", "The weather in [Lisbon], please.", "I am from [Lisbon].")


def test_keys_of_json_tie_values():
    assert stays("GENERIC_ID", "[4711]", part="tool_calls.0.arguments.year")
    assert not stays("GENERIC_ID", "[4711]", part="tool_calls.0.arguments.customer_id")
