"""Read a DLP DeidentifyConfig into policies; reject what cannot be honoured on conversations.

The config is parsed with Google's own message types, so a Cloud template means the same here, and a misspelt
field is an error in both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from typing import Any

from tacenda.transforms.detecting.message_fields import check_fields
from tacenda.transforms.replacing.keys import DerivedKey, GivenKey, Key, KeyReference, KmsKey, is_crypto_key
from tacenda.transforms.replacing.policies import OnError, Policy
from tacenda.transforms.replacing.transformations.reversible_cipher import (
    COMMON_ALPHABETS,
    NATIVE,
    CryptoDeterministic,
    CryptoHash,
    FormatPreserving,
)
from tacenda.transforms.replacing.transformations.transformation import (
    COMMON_CHARACTERS,
    Bound,
    Bucket,
    Bucketing,
    CharacterMask,
    DateShift,
    DictionaryWords,
    FixedSizeBucketing,
    Redaction,
    ReplacementValue,
    TimePart,
    Transformation,
)
from tacenda.transforms.schema.errors import UserError

CONTEXT = "conversation_id"
"""The only field that can be a context; Google supports others in tables only, and ignores them in text."""

_MOST_DAYS = 365_250


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Locations of the keys that a config refers to by the name of a transient or KMS key.

    Transient keys without an entry are derived from the ``secret`` of the run: unlike at Google, a restarted
    run must find the same key, on any number of workers.
    """

    named: Mapping[str, KeyReference] = field(default_factory=dict)
    secret: KeyReference | None = None


@dataclass(frozen=True, slots=True)
class Deidentification:
    """A parsed DeidentifyConfig; ``notes`` has a line for each setting with no effect or a different one."""

    policies: tuple[Policy, ...] = ()
    on_error: OnError = "quarantine"
    notes: tuple[str, ...] = ()


def parse_deidentify_config(
    config: Mapping[str, Any], ring: KeyRing, where: str = "deidentify"
) -> Deidentification:
    """Check a DeidentifyConfig and turn it into policies; ``where`` is its location, for messages.

    Raises:
        UserError: one line that names the field, what is wrong, and how to mend it.
    """
    if not config:
        return Deidentification()
    message = _message(config, where)
    kind = message.WhichOneof("transformation")
    if kind not in (None, "info_type_transformations"):
        raise UserError(
            f"{where}.{kind}: conversations are text; write the transformations under info_type_transformations"
        )
    notes: list[str] = []
    on_error: OnError = "quarantine"
    if message.transformation_error_handling.WhichOneof("mode") == "leave_untransformed":
        on_error = "token"
        notes.append(
            f"{where}.transformation_error_handling.leave_untransformed: such values get a token instead of "
            "staying readable"
        )
    policies = []
    for i, one in enumerate(message.info_type_transformations.transformations):
        place = f"{where}.info_type_transformations.transformations[{i}]"
        notes += _unheeded(one.info_types, place)
        policies.append(
            Policy(
                tuple(info_type.name for info_type in one.info_types),
                _primitive(one.primitive_transformation, ring, f"{place}.primitive_transformation", notes),
            )
        )
    return Deidentification(tuple(policies), on_error, tuple(notes))


def _message(config: Mapping[str, Any], where: str) -> Any:
    from google.cloud import dlp_v2
    from google.protobuf import json_format

    message = dlp_v2.DeidentifyConfig.pb()()
    check_fields(config, message.DESCRIPTOR, where)
    try:
        return json_format.ParseDict(config, message)
    except (json_format.ParseError, TypeError, AttributeError, ValueError):
        raise UserError(
            f"{where}: a number, date, time or key in it is not valid; correct or remove it"
        ) from None


def _unheeded(info_types: Sequence[Any], place: str) -> list[str]:
    return [
        f"{place}.info_types[{i}].{name} has no effect: findings carry none"
        for i, info_type in enumerate(info_types)
        for name, given in (
            ("version", bool(info_type.version)),
            ("sensitivity_score", info_type.HasField("sensitivity_score")),
        )
        if given
    ]


def _primitive(message: Any, ring: KeyRing, place: str, notes: list[str]) -> Transformation | None:
    kind = message.WhichOneof("transformation")
    if kind is None:
        raise UserError(f"{place}: is missing; name a transformation, as {{redact_config: {{}}}}")
    if kind == "replace_with_info_type_config":
        return None
    return _READERS[kind](getattr(message, kind), ring, f"{place}.{kind}", notes)


def _replace(message: Any, _ring: KeyRing, place: str, _notes: list[str]) -> Transformation:
    return ReplacementValue(_text_of(message.new_value, f"{place}.new_value"))


def _redact(_message: Any, _ring: KeyRing, _place: str, _notes: list[str]) -> Transformation:
    return Redaction()


def _dictionary(message: Any, _ring: KeyRing, place: str, _notes: list[str]) -> Transformation:
    words = tuple(dict.fromkeys(message.word_list.words))
    if not words:
        raise UserError(f"{place}.word_list.words: is empty; give words to choose from")
    return DictionaryWords(words)


def _mask(message: Any, _ring: KeyRing, place: str, _notes: list[str]) -> Transformation:
    sign = message.masking_character or "*"
    if len(sign) != 1:
        raise UserError(f"{place}.masking_character: must be one character")
    ignored = []
    for i, one in enumerate(message.characters_to_ignore):
        if one.WhichOneof("characters") == "characters_to_skip":
            ignored.append(one.characters_to_skip)
            continue
        names = type(one).CommonCharsToIgnore
        name = names.Name(one.common_characters_to_ignore)
        if name not in COMMON_CHARACTERS:
            raise UserError(f"{place}.characters_to_ignore[{i}]: names no characters; give some, or drop it")
        ignored.append(COMMON_CHARACTERS[name])
    return CharacterMask(sign, message.number_to_mask, message.reverse_order, "".join(ignored))


def _hash(message: Any, ring: KeyRing, place: str, _notes: list[str]) -> Transformation:
    return CryptoHash(_key(message, ring, place))


def _deterministic(message: Any, ring: KeyRing, place: str, notes: list[str]) -> Transformation:
    return CryptoDeterministic(
        _key(message, ring, place), _surrogate(message, place, notes), _by_conversation(message, place, notes)
    )


def _format_preserving(message: Any, ring: KeyRing, place: str, notes: list[str]) -> Transformation:
    return FormatPreserving(
        _key(message, ring, place),
        _alphabet(message, place),
        _surrogate(message, place, notes),
        _by_conversation(message, place, notes),
    )


def _alphabet(message: Any, place: str) -> str:
    kind = message.WhichOneof("alphabet")
    if kind == "radix":
        if not 2 <= message.radix <= len(NATIVE):
            raise UserError(f"{place}.radix: must be from 2 to {len(NATIVE)}")
        return NATIVE[: message.radix]
    if kind == "custom_alphabet":
        alphabet: str = message.custom_alphabet
        if len(alphabet) < 2 or len({*alphabet}) < len(alphabet) or not {*alphabet} <= {*NATIVE}:
            raise UserError(
                f"{place}.custom_alphabet: must be 2 to {len(NATIVE)} different characters of printable ASCII"
            )
        # Google ignores the order of the characters, so it must not matter here either.
        return "".join(sorted(alphabet, key=NATIVE.index))
    name = type(message).FfxCommonNativeAlphabet.Name(message.common_alphabet)
    if name not in COMMON_ALPHABETS:
        raise UserError(f"{place}: needs an alphabet; give common_alphabet, custom_alphabet or radix")
    return COMMON_ALPHABETS[name]


def _date_shift(message: Any, ring: KeyRing, place: str, _notes: list[str]) -> Transformation:
    lower, upper = message.lower_bound_days, message.upper_bound_days
    if not -_MOST_DAYS <= lower <= upper <= _MOST_DAYS:
        raise UserError(
            f"{place}: lower_bound_days must not be above upper_bound_days, and both within {_MOST_DAYS:,}"
        )
    if message.HasField("crypto_key"):
        return DateShift(lower, upper, _key(message, ring, place))
    if ring.secret is None:
        raise UserError(
            f"{place}: needs a crypto_key, or replacement.secret: anyone could undo a shift without a secret"
        )
    return DateShift(lower, upper, DerivedKey(ring.secret, "date shift"))


def _time_part(message: Any, _ring: KeyRing, place: str, _notes: list[str]) -> Transformation:
    if not message.part_to_extract:
        raise UserError(f"{place}.part_to_extract: is missing; give one, as YEAR")
    return TimePart(type(message).TimePart.Name(message.part_to_extract))


def _fixed_size_bucketing(message: Any, _ring: KeyRing, place: str, _notes: list[str]) -> Transformation:
    lower, upper = (
        _bound_of(getattr(message, name), f"{place}.{name}") for name in ("lower_bound", "upper_bound")
    )
    if not isinstance(lower, float) or not isinstance(upper, float) or lower > upper:
        raise UserError(f"{place}: lower_bound and upper_bound must be numbers, the lower one first")
    if not message.bucket_size >= 0.01:
        raise UserError(f"{place}.bucket_size: must be 0.01 or more")
    return FixedSizeBucketing(lower, upper, message.bucket_size)


def _bucketing(message: Any, _ring: KeyRing, place: str, _notes: list[str]) -> Transformation:
    buckets = []
    for i, one in enumerate(message.buckets):
        here = f"{place}.buckets[{i}]"
        least, most = (
            _bound_of(getattr(one, name), f"{here}.{name[:-1]}") if one.HasField(name) else None
            for name in ("min_", "max_")  # the underscore avoids Python's built-in names
        )
        if least is not None and most is not None:
            if type(least) is not type(most):
                raise UserError(f"{here}: min and max must have the same type")
            if not least < most:  # type: ignore[operator]  # they are of one type
                raise UserError(f"{here}: min must be below max")
        buckets.append(Bucket(least, most, _text_of(one.replacement_value, f"{here}.replacement_value")))
    if not buckets:
        raise UserError(f"{place}.buckets: is empty; give at least one")
    _refuse_overlap(buckets, place)
    return Bucketing(tuple(buckets))


def _refuse_overlap(buckets: Sequence[Bucket], place: str) -> None:
    for i, one in enumerate(buckets):
        for k, other in enumerate(buckets[:i]):
            kinds = {type(bound) for bound in (*one[:2], *other[:2]) if bound is not None}
            if len(kinds) < 2 and _below(one.least, other.most) and _below(other.least, one.most):
                raise UserError(f"{place}: buckets[{k}] and buckets[{i}] overlap; change their bounds")


def _below(least: Bound | None, most: Bound | None) -> bool:
    return least is None or most is None or least < most  # type: ignore[operator]  # they are of one type


_Reader = Callable[[Any, KeyRing, str, list[str]], Transformation]
_READERS: Mapping[str, _Reader] = {
    "replace_config": _replace,
    "redact_config": _redact,
    "replace_dictionary_config": _dictionary,
    "character_mask_config": _mask,
    "crypto_hash_config": _hash,
    "crypto_deterministic_config": _deterministic,
    "crypto_replace_ffx_fpe_config": _format_preserving,
    "date_shift_config": _date_shift,
    "time_part_config": _time_part,
    "fixed_size_bucketing_config": _fixed_size_bucketing,
    "bucketing_config": _bucketing,
}


def _key(message: Any, ring: KeyRing, place: str) -> Key:
    key = message.crypto_key
    kind = key.WhichOneof("source")
    here = f"{place}.crypto_key"
    if kind == "unwrapped":
        return GivenKey(key.unwrapped.key)
    if kind == "kms_wrapped":
        name = key.kms_wrapped.crypto_key_name
        if name in ring.named:
            return ring.named[name]
        if not is_crypto_key(name):
            raise UserError(
                f"{here}.kms_wrapped.crypto_key_name: must be projects/P/locations/L/keyRings/R/cryptoKeys/K, "
                "or a name with an entry under replacement.keys"
            )
        if not key.kms_wrapped.wrapped_key:
            raise UserError(f"{here}.kms_wrapped.wrapped_key: is missing; give the base64 of the wrapped key")
        return KmsKey(name, key.kms_wrapped.wrapped_key)
    if kind == "transient":
        name = key.transient.name
        if name in ring.named:
            return ring.named[name]
        if ring.secret is not None:
            return DerivedKey(ring.secret, f"transient {name}")
        raise UserError(
            f"{here}.transient: a restarted run needs the same key; give its location, as "
            "replacement.keys: {NAME: env:…}, or give replacement.secret"
        )
    raise UserError(f"{here}: is missing; give one, as {{transient: {{name: NAME}}}} with replacement.keys")


def _surrogate(message: Any, place: str, notes: list[str]) -> str | None:
    name: str = message.surrogate_info_type.name
    if not name:
        notes.append(f"{place}: without surrogate_info_type, 'corpus reidentify' cannot find its values")
    return name or None


def _by_conversation(message: Any, place: str, notes: list[str]) -> bool:
    name = message.context.name
    if name and name != CONTEXT:
        notes.append(
            f"{place}.context has no effect: Google ignores contexts in text; the only one supported here is "
            f"{CONTEXT}"
        )
    return bool(name == CONTEXT)


def _text_of(value: Any, place: str) -> str:
    """A Value as text."""
    kind = value.WhichOneof("type")
    if kind == "string_value":
        return str(value.string_value)
    if kind == "boolean_value":
        return "true" if value.boolean_value else "false"
    if kind == "integer_value":
        return str(value.integer_value)
    if kind == "float_value":
        return f"{value.float_value:.15g}"
    if kind == "timestamp_value":
        return str(value.timestamp_value.ToJsonString())
    if kind == "day_of_week_value":
        from google.type import dayofweek_pb2

        return str(dayofweek_pb2.DayOfWeek.Name(value.day_of_week_value))
    bound = _bound_of(value, place)
    return bound.isoformat() if isinstance(bound, (date, time)) else str(bound)


def _bound_of(value: Any, place: str) -> Bound:
    """A Value as a bound for comparison."""
    kind = value.WhichOneof("type")
    if kind in ("integer_value", "float_value"):
        return float(getattr(value, kind))
    try:
        if kind == "date_value":
            return date(value.date_value.year, value.date_value.month, value.date_value.day)
        if kind == "timestamp_value":
            return date.fromisoformat(value.timestamp_value.ToJsonString()[:10])
        if kind == "time_value":
            of_day = value.time_value
            return time(of_day.hours, of_day.minutes, of_day.seconds)
    except ValueError:
        raise UserError(f"{place}: is not a valid date or time") from None
    if kind == "string_value":
        return str(value.string_value)
    if kind is None:
        raise UserError(f"{place}: is missing; give a value, as {{string_value: …}}")
    raise UserError(f"{place}: must be a number, a text, a date or a time")
