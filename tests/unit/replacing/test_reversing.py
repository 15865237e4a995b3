import base64
import random
import string
from urllib.parse import quote

import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.ff1 import Ff1
from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.replacing.policies import Policy, PolicyReplacer
from tacenda.transforms.replacing.replacement import replace_conversation
from tacenda.transforms.replacing.reversing import Reversal, reversible
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.replacing.transformations.reversible_cipher import (
    COMMON_ALPHABETS,
    CryptoDeterministic,
    FormatPreserving,
    Surrogates,
    annotated,
)
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXTS = ["Ann has 070 12345 and Ann: yes", "nothing", "call 07012345, Ann"]


@pytest.fixture
def policies(monkeypatch):
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(32)).decode())
    key = KeyReference("env:A_KEY")
    return [
        Policy(("PERSON_NAME",), CryptoDeterministic(key, "⧝NAME", by_conversation=True)),
        Policy(("PHONE_NUMBER",), FormatPreserving(key, COMMON_ALPHABETS["NUMERIC"] + " ", "PHONE")),
    ]


def _replaced(policies, conversation):
    def at(text, words):
        found = []
        for word, info_type in words.items():
            start = -1
            while (start := text.find(word, start + 1)) >= 0:
                found.append(Finding(start, start + len(word), info_type, Likelihood.LIKELY, "rules"))
        return sorted(found)

    words = {"Ann": "PERSON_NAME", "070 12345": "PHONE_NUMBER", "07012345": "PHONE_NUMBER"}
    linked = link_conversation(TEXTS, [None] * 3, [at(text, words) for text in TEXTS], {}, conversation)
    return replace_conversation(linked, PolicyReplacer(policies, TokenReplacer()).values(linked)).texts


def test_there_and_back_in_any_shape(policies):
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


def test_the_conversation_is_the_context(policies):
    texts = _replaced(policies, "c1")
    elsewhere = Reversal(reversible(policies))
    assert "Ann" not in str(elsewhere.record({"id": "c2", "text": texts[0]}))
    assert elsewhere.counts.unopened == 2
    named = Reversal(reversible(policies), "call")
    assert named.record({"id": "c2", "call": "c1", "text": texts[0]})["text"] == TEXTS[0]


def test_what_cannot_be_distinguished_is_refused(policies):
    key = KeyReference("env:B_KEY")
    with pytest.raises(UserError, match="two transformations share it"):
        reversible([*policies, Policy((), CryptoDeterministic(key, "PHONE"))])
    assert [*reversible([*policies, policies[0]])] == ["⧝NAME", "PHONE"]


@pytest.mark.parametrize("surrogate", ["abc", "a):b(c", "ANOTHER(2):xy", "0"])
def test_what_is_annotated_is_found_again(surrogate):
    text = f"it is {annotated('⧝CARD', surrogate)}, you said"
    found = []

    def reverse(info_type, value):
        found.append((info_type, value))
        return "4111"

    assert Surrogates(["⧝CARD", "CARD"]).sub(reverse, text) == "it is 4111, you said"
    assert found == [("⧝CARD", surrogate)]


@pytest.mark.parametrize("text", ["CARD(30):abc", "CARD(0):", "CARD(x):abc", "CARDS(3):abc", "(3):abc"])
def test_what_only_looks_like_one_stays(text):
    assert Surrogates(["CARD"]).sub(lambda *_: "!", text) == text


@pytest.mark.parametrize("surrogate", ["abc", "a):b(c/+=", "åäö ⧝"])
def test_what_a_url_escapes_is_found_again(surrogate):
    written = quote(annotated("⧝CARD", surrogate), safe="")
    found = []

    def reverse(info_type, value):
        found.append((info_type, value))
        return "Ann & Bo"

    assert Surrogates(["⧝CARD", "CARD"]).sub(reverse, f"/?a={written}&b=c") == "/?a=Ann%20%26%20Bo&b=c"
    assert found == [("⧝CARD", surrogate)]


DIGITS = string.digits + string.ascii_lowercase
KEYS = {
    128: "2B7E151628AED2A6ABF7158809CF4F3C",
    192: "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F",
    256: "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94",
}
NIST = [
    (128, 10, "", "0123456789", "2433477484"),
    (128, 10, "39383736353433323130", "0123456789", "6124200773"),
    (128, 36, "3737373770717273373737", "0123456789abcdefghi", "a9tv40mll9kdu509eum"),
    (192, 10, "", "0123456789", "2830668132"),
    (192, 10, "39383736353433323130", "0123456789", "2496655549"),
    (192, 36, "3737373770717273373737", "0123456789abcdefghi", "xbj3kv35jrawxv32ysr"),
    (256, 10, "", "0123456789", "6657667009"),
    (256, 10, "39383736353433323130", "0123456789", "1001623463"),
    (256, 36, "3737373770717273373737", "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"),
]
"""The nine samples that NIST published with SP 800-38G."""


@pytest.mark.parametrize(("bits", "radix", "tweak", "plain", "encrypted"), NIST)
def test_the_vectors_of_nist(bits, radix, tweak, plain, encrypted):
    cipher = Ff1(bytes.fromhex(KEYS[bits]), radix)
    said = cipher.encrypt([DIGITS.index(c) for c in plain], bytes.fromhex(tweak))
    assert "".join(DIGITS[i] for i in said) == encrypted
    back = cipher.decrypt(said, bytes.fromhex(tweak))
    assert "".join(DIGITS[i] for i in back) == plain


@pytest.mark.parametrize("radix", [2, 10, 26, 62, 95, 65_536])
def test_there_and_back_for_any_length(radix):
    cipher = Ff1(bytes(16), radix)
    draw = random.Random(radix)
    for size in (7, 8, 9, 31, 64, 257):
        numerals = [draw.randrange(radix) for _ in range(size)]
        said = cipher.encrypt(numerals, b"tweak")
        assert said != numerals
        assert len(said) == size
        assert all(0 <= numeral < radix for numeral in said)
        assert cipher.decrypt(said, b"tweak") == numerals


@pytest.mark.parametrize(("radix", "size"), [(10, 0), (10, 1), (2, 6), (9, 2)])
def test_what_is_too_short_is_refused(radix, size):
    with pytest.raises(RecordError, match="ValueTooShort"):
        Ff1(bytes(16), radix).encrypt([0] * size)
