"""A DeidentifyConfig, and what its transformations make of a text."""

import base64
import hashlib
import hmac
import random
import re
import string
from collections import Counter
from datetime import date

import pytest

from tacenda.transforms.replacing import deidentify_config
from tacenda.transforms.replacing.ciphers import COMMON_ALPHABETS, NATIVE, Ff1, decrypted
from tacenda.transforms.replacing.deidentify_config import KeyRing, parse_deidentify_config
from tacenda.transforms.replacing.keys import DerivedKey, GivenKey, KeyReference, key_bytes
from tacenda.transforms.replacing.transformations import Choices, Mention, days_of
from tacenda.transforms.schema.errors import RecordError, UserError
from tests.cases import tabled

KEY = bytes(range(32))
REFERENCE, SECRET = KeyReference("env:A_KEY"), KeyReference("env:SECRET")
RING = KeyRing({"mine": REFERENCE, "projects/p/k": REFERENCE, "other": SECRET}, SECRET)
MINE = {"cryptoKey": {"transient": {"name": "mine"}}}


@pytest.fixture(autouse=True)
def _keys(monkeypatch):
    monkeypatch.setenv("A_KEY", base64.b64encode(KEY).decode())
    monkeypatch.setenv("SECRET", base64.b64encode(KEY[::-1]).decode())


def _config(*primitives, **more):
    transformations = [{"primitiveTransformation": primitive} for primitive in primitives]
    return {"infoTypeTransformations": {"transformations": transformations}, **more}


def _one(primitive, ring=RING):
    (policy,) = parse_deidentify_config(_config(primitive), ring).policies
    return policy.transformation


def _said(primitive, text, conversation="c1"):
    return _one(primitive).build()(Mention(text, conversation, 1))


@tabled("primitive", "text", "replaced")
def test_a_transformation_replaces_a_text(primitive, text, replaced):
    assert _said(primitive, text) == replaced


@tabled("text", "bucket")
def test_ranges_of_one_size(text, bucket):
    bounds = {"lowerBound": {"integerValue": "10"}, "upperBound": {"floatValue": 89}}
    assert _said({"fixedSizeBucketingConfig": {**bounds, "bucketSize": 10}}, text) == bucket


@tabled("primitive", "text", "error")
def test_a_value_that_it_cannot_take_is_an_error(primitive, text, error):
    with pytest.raises(RecordError, match=error):
        _said(primitive, text)


@tabled("primitive", "message")
def test_user_errors_are_one_line(primitive, message):
    with pytest.raises(UserError) as told:
        parse_deidentify_config(_config(primitive), RING)
    assert str(told.value).startswith("deidentify.info_type_transformations.transformations[0].")
    assert message in str(told.value)


@pytest.mark.parametrize("primitive", [{"cryptoHashConfig": MINE}, {"dateShiftConfig": {}}])
def test_transformations_with_keys_need_one(primitive):
    with pytest.raises(UserError, match=r"replacement\.secret"):
        parse_deidentify_config(_config(primitive), KeyRing())


def test_no_transformation_of_google_is_forgotten():
    from google.cloud import dlp_v2

    known = {"replace_with_info_type_config", *deidentify_config._READERS}
    assert known == {field.name for field in dlp_v2.PrimitiveTransformation.pb().DESCRIPTOR.fields}


def test_info_types_and_their_order():
    redacted = {"info_types": [{"name": "URL", "version": "1"}, {"name": "AGE"}]}
    redacted["primitive_transformation"] = {"redact_config": {}}
    rest = {"primitive_transformation": {"replace_with_info_type_config": {}}}
    read = parse_deidentify_config(
        {"info_type_transformations": {"transformations": [redacted, rest]}}, KeyRing()
    )
    first, second = read.policies
    assert (first.info_types, first.transformation.what) == (("URL", "AGE"), "removed")
    assert (second.info_types, second.transformation) == ((), None)
    assert read.on_error == "quarantine"
    (note,) = read.notes
    assert "info_types[0].version has no effect" in note


def test_what_differs_from_the_cloud_is_noted():
    config = _config(
        {"cryptoDeterministicConfig": {**MINE, "context": {"name": "user"}}},
        {"cryptoReplaceFfxFpeConfig": {**MINE, "radix": 10}},
    )
    notes = parse_deidentify_config(config, RING).notes
    assert ["reidentify" in note for note in notes] == [True, False, True]
    assert "cryptoDeterministicConfig" not in notes[1]  # paths are in snake_case until the file is known
    assert "context has no effect" in notes[1]


@pytest.mark.parametrize(
    ("crypto_key", "key"),
    [
        ({"transient": {"name": "mine"}}, REFERENCE),
        ({"transient": {"name": "x"}}, DerivedKey(SECRET, "transient x")),
        ({"kmsWrapped": {"wrappedKey": "QUFB", "cryptoKeyName": "projects/p/k"}}, REFERENCE),
        ({"unwrapped": {"key": base64.b64encode(KEY).decode()}}, GivenKey(KEY)),
    ],
)
def test_where_a_key_is(crypto_key, key):
    found = _one({"cryptoDeterministicConfig": {"cryptoKey": crypto_key}}).key
    assert found == key
    assert "key=" not in repr(found)
    assert len(key_bytes(found)) == 32


def test_a_hash_is_hmac_sha256_of_32_or_64_bytes_and_depends_on_key_and_value_alone(monkeypatch):
    primitive = {"cryptoHashConfig": MINE}
    by_hand = hmac.digest(KEY, "Ann Lée".encode(), hashlib.sha256)
    assert (
        _said(primitive, "Ann Lée") == _said(primitive, "Ann Lée", "c2") == base64.b64encode(by_hand).decode()
    )
    other = {"cryptoHashConfig": {"cryptoKey": {"transient": {"name": "other"}}}}
    assert _said(primitive, "Ann") not in (_said(primitive, "ann"), _said(other, "Ann"))
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(16)).decode())
    with pytest.raises(UserError, match="32 or 64 bytes"):
        _one(primitive).build()


@pytest.mark.parametrize("text", ["Ann Lee", "åäö 日本", "x", "a" * 1000])
def test_what_is_encrypted_can_be_decrypted(text):
    named = {**MINE, "surrogateInfoType": {"name": "NAME_TOKEN"}}
    found = re.fullmatch(r"NAME_TOKEN\((\d+)\):(.+)", _said({"cryptoDeterministicConfig": named}, text))
    assert int(found[1]) == len(found[2])
    assert len(base64.b64decode(found[2])) == 16 + len(text.encode()), "the tag of SIV before the text"
    back = _one({"cryptoDeterministicConfig": named}).build(decrypted)
    assert back(found[2]) == text


@pytest.mark.parametrize("forged", ["", "no base64!", "AAAA", base64.b64encode(bytes(40)).decode()])
def test_what_the_key_did_not_encrypt_is_not_decrypted(forged):
    back = _one({"cryptoDeterministicConfig": MINE}).build(decrypted)
    with pytest.raises(RecordError, match="NotOurSurrogate"):
        back(forged)


@tabled("alphabet", "text")
def test_a_form_is_preserved_and_reversible(alphabet, text):
    primitive = {"cryptoReplaceFfxFpeConfig": {**MINE, **alphabet}}
    encrypted = _said(primitive, text)
    assert encrypted != text
    assert len(encrypted) == len(text)
    assert {*encrypted} <= {*COMMON_ALPHABETS.get(alphabet.get("commonAlphabet"), NATIVE)}
    assert _one(primitive).build(decrypted)(encrypted) == text


@tabled("mask", "weakness")
def test_what_stays_readable_is_said(mask, weakness):
    assert weakness in _one({"characterMaskConfig": mask}).weakness


WORDS = ("Kim", "Lou", "Max", "Noa")


@pytest.mark.parametrize("conversation", [f"c{number}" for number in range(20)])
def test_what_was_said_is_no_choice(conversation):
    choices = Choices(conversation, ["KIM Lee"], ["noa called"])
    assert {choices.word(entity, WORDS) for entity in range(4)} == {"Lou", "Max", None}


def test_a_conversation_moves_as_a_whole():
    shift = {"dateShiftConfig": {"lowerBoundDays": -30, "upperBoundDays": 30}}
    dates = [
        date.fromisoformat(_said(shift, text, "c7")) for text in ("2024-01-01", "2024-01-15", "2025-01-01")
    ]
    assert [(day - dates[0]).days for day in dates] == [0, 14, 366]
    drawn = Counter(days_of(KEY, f"c{i}", -2, 3) for i in range(600))
    assert {*drawn} == {-2, -1, 0, 1, 2, 3}
    assert min(drawn.values()) > 60


DIGITS = string.digits + string.ascii_lowercase
FF1_KEY = "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94"


@tabled("bits", "radix", "tweak", "plain", "encrypted")
def test_the_vectors_of_nist(bits, radix, tweak, plain, encrypted):
    cipher = Ff1(bytes.fromhex(FF1_KEY)[: bits // 8], radix)
    said = cipher.encrypt([DIGITS.index(c) for c in plain], bytes.fromhex(tweak))
    assert "".join(DIGITS[i] for i in said) == encrypted
    assert "".join(DIGITS[i] for i in cipher.decrypt(said, bytes.fromhex(tweak))) == plain


@pytest.mark.parametrize("radix", [2, 10, 26, 62, 95, 65_536])
def test_any_length_is_encrypted_and_too_short_ones_refused(radix):
    cipher = Ff1(bytes(16), radix)
    draw = random.Random(radix)
    for size in (7, 8, 9, 31, 64, 257):
        numerals = [draw.randrange(radix) for _ in range(size)]
        said = cipher.encrypt(numerals, b"tweak")
        assert said != numerals
        assert len(said) == size
        assert all(0 <= numeral < radix for numeral in said)
        assert cipher.decrypt(said, b"tweak") == numerals
    with pytest.raises(RecordError, match="ValueTooShort"):
        cipher.encrypt([0])
