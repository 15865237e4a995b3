import base64
import re
from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.reversible_cipher import CryptoDeterministic
from tacenda.transforms.replacing.transformations.transformation import Mention
from tacenda.transforms.schema.errors import RecordError


@pytest.mark.parametrize("text", ["Ann Lee", "åäö 日本", "x", "a" * 1000])
def test_there_and_back(said: Any, key: Any, text: str) -> None:
    encryption = CryptoDeterministic(key, "NAME_TOKEN")
    found = re.fullmatch(r"NAME_TOKEN\((\d+)\):(.+)", said(encryption, text))
    assert found is not None
    assert int(found[1]) == len(found[2])
    assert len(base64.b64decode(found[2])) == 16 + len(text.encode()), "the tag of SIV before the text"
    assert encryption.build_reversal()(Mention(found[2], "c1", 1)) == text


def test_one_value_has_one_surrogate(said: Any, key: Any, other_key: Any) -> None:
    encryption = CryptoDeterministic(key, None)
    assert said(encryption, "Ann", "c1") == said(encryption, "Ann", "c2")
    assert said(encryption, "Ann") != said(encryption, "Bob")
    assert said(encryption, "Ann") != said(CryptoDeterministic(other_key, None), "Ann")


def test_the_conversation_may_be_the_context(said: Any, key: Any) -> None:
    encryption = CryptoDeterministic(key, None, by_conversation=True)
    one, other = said(encryption, "Ann", "c1"), said(encryption, "Ann", "c2")
    assert one != other
    back = encryption.build_reversal()
    assert back(Mention(other, "c2", 1)) == "Ann"
    with pytest.raises(RecordError, match="NotOurSurrogate"):
        back(Mention(one, "c2", 1))


@pytest.mark.parametrize("forged", ["", "no base64!", "AAAA", base64.b64encode(bytes(40)).decode()])
def test_other_text_is_not_reversed(key: Any, forged: str) -> None:
    with pytest.raises(RecordError, match="NotOurSurrogate"):
        CryptoDeterministic(key, "X").build_reversal()(Mention(forged, "c1", 1))


def test_another_key_reverses_nothing(said: Any, key: Any, other_key: Any) -> None:
    with pytest.raises(RecordError, match="NotOurSurrogate"):
        CryptoDeterministic(other_key, None).build_reversal()(
            Mention(said(CryptoDeterministic(key, None), "Ann"), "c1", 1)
        )


def test_it_is_reported_as_a_pseudonym(key: Any) -> None:
    assert CryptoDeterministic(key, None).describe().pseudonymised
