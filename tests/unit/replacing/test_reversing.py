import pytest

from tacenda.transforms.replacing.ciphers import annotated, deterministic, encrypted
from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.replacing.policies import Policy
from tacenda.transforms.replacing.reversing import Reversal, reversible
from tacenda.transforms.replacing.transformations import Transformation
from tacenda.transforms.schema.errors import UserError


def test_what_cannot_be_distinguished_is_refused():
    one, other = (
        Policy((), Transformation(encrypted, (deterministic, "PHONE"), key=KeyReference(f"env:{name}")))
        for name in ("A_KEY", "B_KEY")
    )
    assert [*reversible([one, one])] == ["PHONE"]
    with pytest.raises(UserError, match="two transformations share it"):
        reversible([one, other])


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
