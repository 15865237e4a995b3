import base64

import pytest

from tacenda.transforms.replacing.ciphers import annotated, deterministic, encrypted, format_preserving
from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.replacing.policies import Policy, PolicyReplacer
from tacenda.transforms.replacing.replacement import replace_conversation
from tacenda.transforms.replacing.reversing import Reversal, reversible
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.replacing.transformations import Transformation
from tacenda.transforms.schema.errors import UserError
from tests.marked_conversations import linked

MARKED = [
    "<PERSON_NAME:Ann> has <PHONE_NUMBER:070 12345> and <PERSON_NAME:Ann>: yes",
    "nothing",
    "call <PHONE_NUMBER:07012345>, <PERSON_NAME:Ann>",
]
TEXTS = ["Ann has 070 12345 and Ann: yes", "nothing", "call 07012345, Ann"]


def _policy(key, *settings, info_type=""):
    return Policy((info_type,), Transformation(encrypted, settings, key=key))


@pytest.fixture
def policies(monkeypatch):
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(32)).decode())
    key = KeyReference("env:A_KEY")
    return [
        _policy(key, deterministic, "⧝NAME", info_type="PERSON_NAME"),
        _policy(key, format_preserving, "PHONE", "0123456789 ", info_type="PHONE_NUMBER"),
    ]


def _replaced(policies):
    talk = linked(MARKED)
    return replace_conversation(talk, PolicyReplacer(policies, TokenReplacer()).values(talk)).texts


def test_there_and_back_in_any_shape(policies):
    texts = _replaced(policies)
    assert "Ann" not in str(texts)
    assert "12345" not in str(texts)
    reversal = Reversal(reversible(policies))
    record = {
        "conversation_id": "c1",
        "n": 5,
        "turns": [{"text": text, "more": [None, True]} for text in texts],
    }
    back = reversal.record(record)
    assert [turn["text"] for turn in back["turns"]] == TEXTS
    assert back["n"] == 5
    assert back["turns"][0]["more"] == [None, True]
    assert (reversal.reversed, reversal.unopened) == (5, 0)


def test_what_cannot_be_distinguished_is_refused(policies):
    key = KeyReference("env:B_KEY")
    with pytest.raises(UserError, match="two transformations share it"):
        reversible([*policies, _policy(key, deterministic, "PHONE")])
    assert [*reversible([*policies, policies[0]])] == ["⧝NAME", "PHONE"]


class Shouted:
    """A cipher that writes what it is given in capitals."""

    def build(self, _):
        return str.upper


SHOUTED = Reversal({"⧝CARD": Shouted(), "CARD": Shouted()})


@pytest.mark.parametrize("surrogate", ["abc", "a):b(c", "another(2):xy", "0"])
def test_what_is_annotated_is_found_again(surrogate):
    text = f"it is {annotated('⧝CARD', surrogate)}, you said"
    assert SHOUTED.text(text) == f"it is {surrogate.upper()}, you said"


@pytest.mark.parametrize("text", ["CARD(30):abc", "CARD(0):", "CARD(x):abc", "CARDS(3):abc", "(3):abc"])
def test_what_only_looks_like_one_stays(text):
    assert SHOUTED.text(text) == text
