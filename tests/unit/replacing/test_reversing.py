import base64

import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.replacing.policies import Policy, PolicyReplacer
from tacenda.transforms.replacing.replacement import replace_conversation
from tacenda.transforms.replacing.reversing import Reversal, reversible
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.replacing.transformations.reversible_cipher import (
    COMMON_ALPHABETS,
    CryptoDeterministic,
    FormatPreserving,
)
from tacenda.transforms.replacing.transformations.transformation import Redaction
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXTS = ["Ann has 070 12345 and Ann: yes", "nothing", "call 07012345, Ann"]


@pytest.fixture
def policies(monkeypatch: pytest.MonkeyPatch) -> list[Policy]:
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(32)).decode())
    key = KeyReference("env:A_KEY")
    return [
        Policy(("PERSON_NAME",), CryptoDeterministic(key, "⧝NAME", by_conversation=True)),
        Policy(("PHONE_NUMBER",), FormatPreserving(key, COMMON_ALPHABETS["NUMERIC"] + " ", "PHONE")),
    ]


def _replaced(policies: list[Policy], conversation: str) -> list[str]:
    def at(text: str, words: dict[str, str]) -> list[Finding]:
        found = []
        for word, info_type in words.items():
            start = -1
            while (start := text.find(word, start + 1)) >= 0:
                found.append(Finding(start, start + len(word), info_type, Likelihood.LIKELY, "rules"))
        return sorted(found)

    words = {"Ann": "PERSON_NAME", "070 12345": "PHONE_NUMBER", "07012345": "PHONE_NUMBER"}
    linked = link_conversation(TEXTS, [None] * 3, [at(text, words) for text in TEXTS], {}, conversation)
    return replace_conversation(linked, PolicyReplacer(policies, TokenReplacer()).values(linked)).texts


def test_there_and_back_in_any_shape(policies: list[Policy]) -> None:
    texts = _replaced(policies, "c1")
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
    assert (reversal.counts.reversed, reversal.counts.unopened) == (5, 0)


def test_the_conversation_is_the_context(policies: list[Policy]) -> None:
    texts = _replaced(policies, "c1")
    elsewhere = Reversal(reversible(policies))
    assert "Ann" not in str(elsewhere.record({"id": "c2", "text": texts[0]}))
    assert elsewhere.counts.unopened == 2
    named = Reversal(reversible(policies), "call")
    assert named.record({"id": "c2", "call": "c1", "text": texts[0]})["text"] == TEXTS[0]


def test_another_key_reverses_nothing(policies: list[Policy], monkeypatch: pytest.MonkeyPatch) -> None:
    texts = _replaced(policies, "c1")
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(range(32))).decode())
    reversal = Reversal({name: one for name, one in reversible(policies).items() if name == "⧝NAME"})
    assert reversal.record({"id": "c1", "text": texts[0]})["text"] == texts[0]
    assert reversal.counts.unopened == 2


def test_what_cannot_be_distinguished_is_refused(policies: list[Policy]) -> None:
    key = KeyReference("env:B_KEY")
    with pytest.raises(UserError, match="two transformations share it"):
        reversible([*policies, Policy((), CryptoDeterministic(key, "PHONE"))])
    assert [*reversible([*policies, policies[0]])] == ["⧝NAME", "PHONE"]


def test_only_what_is_marked_can_be_reversed() -> None:
    key = KeyReference("env:A_KEY")
    assert not reversible(
        [Policy((), CryptoDeterministic(key, None)), Policy((), Redaction()), Policy((), None)]
    )
