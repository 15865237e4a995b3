import pytest

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.replacing.typed_values import with_typed_values
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

PHONE = {"type": "string", "pattern": r"^\+1[0-9]{10}$"}


def written(argument, schema, said=""):
    """The values of two mentions of one entity, in a text and in a typed argument."""
    texts = [said or argument, argument]
    found = [[Finding(0, len(text), "GENERIC_ID", Likelihood.LIKELY, "rules")] for text in texts]
    conversation = LinkedConversation("c", texts, [None, None], found, [[1], [1]], {}, ["GENERIC_ID"])
    values = with_typed_values(conversation, TokenReplacer().values(conversation), {1: schema})
    return [value for (value,) in values.findings]


@pytest.mark.parametrize(
    ("argument", "schema", "value"),
    [
        ("83012345", {"type": "integer"}, "10000001"),
        ("83012345", {"type": "integer", "minimum": 80_000_000, "maximum": 90_000_000}, "80000001"),
        ("350", {"type": "integer", "maximum": 400}, "351"),
        ("7.25", {"type": "number"}, "1.01"),
        ("+14155550123", PHONE, "+10000000001"),
        ("ann@mail.org", {"type": "string", "format": "email"}, "person1@example.com"),
        ("AB-1234", {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"}, "XX-1001"),
    ],
)
def test_what_replaces_an_argument_fits_its_schema(argument, schema, value):
    assert written(argument, schema)[1] == value


def test_what_is_said_and_what_is_called_agree():
    assert written("14155550123", {"type": "integer"}, said="1 415 555-0123") == [
        "10000000001",
        "10000000001",
    ]


def test_a_stand_in_says_nothing_of_what_it_replaces():
    schema = {"type": "integer"}
    assert written("83012345", schema) == written("47120006", schema)


@pytest.mark.parametrize("schema", [{"type": 5, "minimum": "low"}, {"pattern": "("}, {"maxLength": None}])
def test_an_invalid_schema_limits_nothing(schema):
    assert written("83012345", schema) == ["[GENERIC_ID_1]"] * 2


def test_a_value_that_nothing_fits_keeps_its_token():
    assert written("DE12", {"type": "string", "pattern": "^(?:DE|FR)[0-9]{2}$"}) == ["[GENERIC_ID_1]"] * 2
