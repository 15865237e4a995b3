import re

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.tokens import CorpusTokenReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

_SECRET = b"a secret of more than 16 bytes"


def _tokens(conversation: str, *names: str, secret: bytes = _SECRET, before: str = "") -> list[str]:
    texts = [before + name for name in names]
    findings = [[Finding(len(before), len(text), "PERSON_NAME", Likelihood.LIKELY, "test")] for text in texts]
    linked = link_conversation(texts, [None] * len(texts), findings, {}, conversation)
    return [value for cell in CorpusTokenReplacer(secret).values(linked).findings for value in cell]


def test_a_whole_name_has_one_token_in_all_conversations() -> None:
    (one, same), (other,) = _tokens("a", "Ann Lee", "Ms Lee"), _tokens("b", "LEE, ANN")
    assert one == same == other
    assert re.fullmatch(r"\[PERSON_NAME_[1-9][0-9]{14}\]", one)
    assert _tokens("b", "Ann Lea") != [one]


def test_a_first_name_alone_is_not_linked_across_conversations() -> None:
    assert _tokens("a", "Ann") == _tokens("a", "Ann")
    assert _tokens("a", "Ann") != _tokens("b", "Ann")
    one, other = _tokens("a", "Ann", "Lee")
    assert one != other


def test_another_secret_gives_other_tokens() -> None:
    assert _tokens("a", "Ann Lee") != _tokens("a", "Ann Lee", secret=b"another secret of 16 bytes")


def test_token_numbers_in_the_input_are_not_used() -> None:
    (token,) = _tokens("a", "Ann Lee")
    (other,) = _tokens("a", "Ann Lee", before=f"{token} said to ")
    assert other != token
