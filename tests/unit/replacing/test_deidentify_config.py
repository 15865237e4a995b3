from datetime import date, time

import pytest

from tacenda.transforms.replacing import deidentify_config
from tacenda.transforms.replacing.deidentify_config import KeyRing, parse_deidentify_config
from tacenda.transforms.replacing.keys import DerivedKey, GivenKey, KeyReference, key_bytes
from tacenda.transforms.replacing.policies import Policy
from tacenda.transforms.replacing.transformations.reversible_cipher import (
    CryptoDeterministic,
    CryptoHash,
    FormatPreserving,
)
from tacenda.transforms.replacing.transformations.transformation import (
    Bucket,
    Bucketing,
    CharacterMask,
    DateShift,
    DictionaryWords,
    FixedSizeBucketing,
    Redaction,
    ReplacementValue,
    TimePart,
)
from tacenda.transforms.schema.errors import UserError

REFERENCE, SECRET = KeyReference("env:A_KEY"), KeyReference("env:SECRET")
KMS = "projects/p/locations/eu/keyRings/r/cryptoKeys/k"
RING = KeyRing({"mine": REFERENCE, "projects/p/k": REFERENCE}, SECRET)
MINE = {"transient": {"name": "mine"}}


def _config(*primitives, **more):
    transformations = [{"primitiveTransformation": primitive} for primitive in primitives]
    return {"infoTypeTransformations": {"transformations": transformations}, **more}


def _one(primitive, ring=RING):
    (policy,) = parse_deidentify_config(_config(primitive), ring).policies
    return policy.transformation


@pytest.mark.parametrize(
    ("primitive", "transformation"),
    [
        ({"replaceWithInfoTypeConfig": {}}, None),
        ({"replaceConfig": {"newValue": {"stringValue": "X"}}}, ReplacementValue("X")),
        ({"replaceConfig": {"newValue": {"integerValue": "7"}}}, ReplacementValue("7")),
        ({"replaceConfig": {"newValue": {"floatValue": 0.5}}}, ReplacementValue("0.5")),
        ({"replaceConfig": {"newValue": {"booleanValue": True}}}, ReplacementValue("true")),
        ({"replaceConfig": {"newValue": {"dayOfWeekValue": "MONDAY"}}}, ReplacementValue("MONDAY")),
        (
            {"replaceConfig": {"newValue": {"dateValue": {"year": 2024, "month": 3, "day": 4}}}},
            ReplacementValue("2024-03-04"),
        ),
        ({"replaceConfig": {"newValue": {"timeValue": {"hours": 9}}}}, ReplacementValue("09:00:00")),
        (
            {"replaceConfig": {"newValue": {"timestampValue": "2024-03-04T05:06:07Z"}}},
            ReplacementValue("2024-03-04T05:06:07Z"),
        ),
        ({"redactConfig": {}}, Redaction()),
        ({"replaceDictionaryConfig": {"wordList": {"words": ["a", "b", "a"]}}}, DictionaryWords(("a", "b"))),
        ({"characterMaskConfig": {}}, CharacterMask()),
        (
            {
                "characterMaskConfig": {
                    "maskingCharacter": "#",
                    "numberToMask": -4,
                    "reverseOrder": True,
                    "charactersToIgnore": [
                        {"charactersToSkip": "-+"},
                        {"commonCharactersToIgnore": "NUMERIC"},
                    ],
                }
            },
            CharacterMask("#", -4, True, "-+0123456789"),
        ),
        ({"cryptoHashConfig": {"cryptoKey": MINE}}, CryptoHash(REFERENCE)),
        (
            {"cryptoHashConfig": {"cryptoKey": {"transient": {"name": "x"}}}},
            CryptoHash(DerivedKey(SECRET, "transient x")),
        ),
        (
            {
                "cryptoHashConfig": {
                    "cryptoKey": {"kmsWrapped": {"wrappedKey": "QUFB", "cryptoKeyName": "projects/p/k"}}
                }
            },
            CryptoHash(REFERENCE),
        ),
        (
            {
                "cryptoDeterministicConfig": {
                    "cryptoKey": MINE,
                    "surrogateInfoType": {"name": "TOKEN"},
                    "context": {"name": "conversation_id"},
                }
            },
            CryptoDeterministic(REFERENCE, "TOKEN", True),
        ),
        (
            {"cryptoReplaceFfxFpeConfig": {"cryptoKey": MINE, "commonAlphabet": "HEXADECIMAL"}},
            FormatPreserving(REFERENCE, "0123456789ABCDEF", None),
        ),
        (
            {"cryptoReplaceFfxFpeConfig": {"cryptoKey": MINE, "radix": 11}},
            FormatPreserving(REFERENCE, "0123456789A", None),
        ),
        (
            {"cryptoReplaceFfxFpeConfig": {"cryptoKey": MINE, "customAlphabet": "-10"}},
            FormatPreserving(REFERENCE, "01-", None),
        ),
        (
            {"dateShiftConfig": {"lowerBoundDays": -3, "upperBoundDays": 9}},
            DateShift(-3, 9, DerivedKey(SECRET, "date shift")),
        ),
        (
            {"dateShiftConfig": {"upperBoundDays": 9, "cryptoKey": MINE, "context": {"name": "x"}}},
            DateShift(0, 9, REFERENCE),
        ),
        ({"timePartConfig": {"partToExtract": "YEAR"}}, TimePart("YEAR")),
        (
            {
                "fixedSizeBucketingConfig": {
                    "lowerBound": {"integerValue": "10"},
                    "upperBound": {"floatValue": 89},
                    "bucketSize": 10,
                }
            },
            FixedSizeBucketing(10, 89, 10),
        ),
        (
            {
                "bucketingConfig": {
                    "buckets": [
                        {"max": {"integerValue": "18"}, "replacementValue": {"stringValue": "minor"}},
                        {"min": {"integerValue": "18"}, "replacementValue": {"stringValue": "adult"}},
                    ]
                }
            },
            Bucketing((Bucket(None, 18.0, "minor"), Bucket(18.0, None, "adult"))),
        ),
        (
            {
                "bucketingConfig": {
                    "buckets": [
                        {
                            "min": {"dateValue": {"year": 1980, "month": 1, "day": 1}},
                            "max": {"timestampValue": "1990-01-01T00:00:00Z"},
                            "replacementValue": {"stringValue": "the eighties"},
                        },
                        {
                            "min": {"timeValue": {"hours": 6}},
                            "max": {"timeValue": {"hours": 12}},
                            "replacementValue": {"stringValue": "morning"},
                        },
                    ]
                }
            },
            Bucketing(
                (
                    Bucket(date(1980, 1, 1), date(1990, 1, 1), "the eighties"),
                    Bucket(time(6), time(12), "morning"),
                )
            ),
        ),
    ],
)
def test_every_transformation_of_google_is_read(primitive, transformation):
    assert _one(primitive) == transformation


def test_no_transformation_of_google_is_forgotten():
    from google.cloud import dlp_v2

    known = {"replace_with_info_type_config", *deidentify_config._READERS}
    assert known == {field.name for field in dlp_v2.PrimitiveTransformation.pb().DESCRIPTOR.fields}


def test_info_types_and_their_order():
    config = {
        "info_type_transformations": {
            "transformations": [
                {
                    "info_types": [{"name": "URL", "version": "1"}, {"name": "AGE"}],
                    "primitive_transformation": {"redact_config": {}},
                },
                {"primitive_transformation": {"replace_with_info_type_config": {}}},
            ]
        }
    }
    read = parse_deidentify_config(config, KeyRing())
    assert read.policies == (Policy(("URL", "AGE"), Redaction()), Policy((), None))
    assert read.on_error == "quarantine"
    (note,) = read.notes
    assert "info_types[0].version has no effect" in note


def test_what_would_stay_untransformed_gets_a_token():
    read = parse_deidentify_config(
        _config({"redactConfig": {}}, transformationErrorHandling={"leaveUntransformed": {}}), KeyRing()
    )
    assert read.on_error == "token"
    assert "get a token" in read.notes[0]
    throwing = _config({"redactConfig": {}}, transformationErrorHandling={"throwError": {}})
    assert parse_deidentify_config(throwing, KeyRing()).on_error == "quarantine"


def test_what_differs_from_the_cloud_is_noted():
    config = _config(
        {"cryptoDeterministicConfig": {"cryptoKey": MINE, "context": {"name": "user"}}},
        {"cryptoReplaceFfxFpeConfig": {"cryptoKey": MINE, "radix": 10}},
    )
    notes = parse_deidentify_config(config, RING).notes
    assert ["reidentify" in note for note in notes] == [True, False, True]
    assert "cryptoDeterministicConfig" not in notes[1]  # paths are in snake_case until the file is known
    assert "context has no effect" in notes[1]


def test_a_key_in_the_config_is_taken_and_hidden():
    key = bytes(range(16))
    import base64

    hashed = _one(
        {"cryptoDeterministicConfig": {"cryptoKey": {"unwrapped": {"key": base64.b64encode(key).decode()}}}}
    )
    assert isinstance(hashed.key, GivenKey)
    assert key_bytes(hashed.key) == key
    assert "key=" not in repr(hashed.key)


@pytest.mark.parametrize(
    ("primitive", "message"),
    [
        ({}, "primitive_transformation: is missing"),
        ({"replaceConfig": {}}, "new_value: is missing"),
        ({"replaceDictionaryConfig": {"wordList": {"words": []}}}, "words: is empty"),
        ({"characterMaskConfig": {"maskingCharacter": "**"}}, "must be one character"),
        ({"characterMaskConfig": {"charactersToIgnore": [{}]}}, "charactersToIgnore[0]: names no characters"),
        ({"cryptoHashConfig": {}}, "crypto_key: is missing"),
        (
            {"cryptoHashConfig": {"cryptoKey": {"kmsWrapped": {"cryptoKeyName": "k"}}}},
            "crypto_key_name: must be",
        ),
        (
            {"cryptoHashConfig": {"cryptoKey": {"kmsWrapped": {"cryptoKeyName": KMS}}}},
            "wrapped_key: is missing",
        ),
        ({"cryptoReplaceFfxFpeConfig": {"cryptoKey": MINE}}, "needs an alphabet"),
        ({"cryptoReplaceFfxFpeConfig": {"cryptoKey": MINE, "radix": 96}}, "from 2 to 95"),
        ({"cryptoReplaceFfxFpeConfig": {"cryptoKey": MINE, "customAlphabet": "aa"}}, "different characters"),
        ({"cryptoReplaceFfxFpeConfig": {"cryptoKey": MINE, "customAlphabet": "aå"}}, "different characters"),
        ({"dateShiftConfig": {"lowerBoundDays": 1}}, "lower_bound_days must not be above"),
        ({"dateShiftConfig": {"upperBoundDays": 365_251}}, "within 365,250"),
        ({"timePartConfig": {}}, "part_to_extract: is missing"),
        ({"fixedSizeBucketingConfig": {"bucketSize": 1}}, "lower_bound: is missing"),
        (
            {
                "fixedSizeBucketingConfig": {
                    "lowerBound": {"integerValue": "1"},
                    "upperBound": {"integerValue": "9"},
                }
            },
            "bucket_size: must be 0.01",
        ),
        ({"bucketingConfig": {}}, "buckets: is empty"),
        ({"bucketingConfig": {"buckets": [{"min": {"integerValue": "1"}}]}}, "replacement_value: is missing"),
        (
            {
                "bucketingConfig": {
                    "buckets": [
                        {
                            "min": {"integerValue": "1"},
                            "max": {"integerValue": str(most)},
                            "replacementValue": {"stringValue": "x"},
                        }
                        for most in (5, 9)
                    ]
                }
            },
            "buckets[0] and buckets[1] overlap",
        ),
        (
            {
                "bucketingConfig": {
                    "buckets": [
                        {
                            "min": {"dateValue": {"year": 2023, "month": 2, "day": 30}},
                            "replacementValue": {"stringValue": "x"},
                        }
                    ]
                }
            },
            "is not a valid date or time",
        ),
    ],
)
def test_user_errors_are_one_line(primitive, message):
    with pytest.raises(UserError) as told:
        parse_deidentify_config(_config(primitive), RING)
    assert str(told.value).startswith("deidentify.info_type_transformations.transformations[0].")
    snake = message.replace("charactersToIgnore", "characters_to_ignore")
    assert snake in str(told.value)


@pytest.mark.parametrize("primitive", [{"cryptoHashConfig": {"cryptoKey": MINE}}, {"dateShiftConfig": {}}])
def test_transformations_with_keys_need_one(primitive):
    with pytest.raises(UserError, match=r"replacement\.secret"):
        parse_deidentify_config(_config(primitive), KeyRing())
